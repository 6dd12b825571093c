"""Exact neighbour search in canonical order."""

from noisebench.neighbors.search import kneighbors, nearest

__all__ = ["kneighbors", "nearest"]
