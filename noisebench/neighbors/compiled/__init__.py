"""Kernels compiled by numba on first use and kept on disk; their twins are in ``plain``."""
