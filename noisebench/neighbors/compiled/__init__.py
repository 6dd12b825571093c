"""Kernels compiled by numba on first use and kept on disk; their twins are in ``plain``.

The compiler notices changes of a kernel's own file only. Who changes ``selection`` has to remove
what was kept for its users: the files ``*.nbi`` and ``*.nbc`` in ``__pycache__``.
"""
