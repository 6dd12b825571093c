"""Neighbour lists read back from scikit-learn's precomputed form: a sparse graph or a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisebench.neighbors.lists import NeighborLists
from noisebench.neighbors.search import kneighbors


def read_precomputed(X: Any, n_neighbors: int, *, exclude_self: bool = False) -> NeighborLists:
    """Return the nearest points of each row of precomputed distances.

    Parameters
    ----------
    X
        Distances of rows to points: a dense matrix, or a sparse one that holds at least the
        nearest points of each row, as `NeighborLists.to_graph` and scikit-learn's transformers
        make it.
    n_neighbors
        The length of the lists; no more than there are points.
    exclude_self
        Row i is point i, and not its own neighbour.

    Examples
    --------
    >>> read_precomputed(np.array([[0.0, 2.0, 1.0]]), 2).indices
    array([[0, 2]])
    """
    n_points = X.shape[1]
    candidates = n_points - exclude_self
    k = min(n_neighbors, candidates)
    if k == 0:
        empty = np.empty((X.shape[0], 0))
        return NeighborLists(empty, empty.astype(np.intp), n_points, candidates)
    if hasattr(X, "toarray"):
        distances, indices = _read_graph(X.tocsr(), k, exclude_self)
    else:
        points = np.empty((n_points, 0))
        distances, indices = kneighbors(X, points, k, "precomputed", exclude_self=exclude_self)
    return NeighborLists(distances, indices, n_points, candidates)


def _read_graph(graph: Any, k: int, exclude_self: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the first k entries of each row of a graph."""
    rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    distances, indices = graph.data, graph.indices
    if exclude_self:
        others = indices != rows
        rows, distances, indices = rows[others], distances[others], indices[others]
    falls = (np.diff(distances) < 0) & (np.diff(rows) == 0)
    if falls.any():
        # A graph that is not sorted by distance gets the canonical order. One that is sorted
        # keeps its own: ties may have been settled by more than the distances show.
        order = np.lexsort((indices, distances, rows))
        rows, distances, indices = rows[order], distances[order], indices[order]
    counts = np.bincount(rows, minlength=graph.shape[0])
    if counts.size and counts.min() < k:
        raise ValueError(
            f"The precomputed graph holds {counts.min()} neighbours of some row, {k} are needed; "
            f"build it with more."
        )
    starts = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.intp)
    places = starts[:, None] + np.arange(k)
    return distances[places], indices[places].astype(np.intp)
