"""Exact nearest neighbours in canonical order: by distance, then by index."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

#: Rows of a distance block are chosen so that the block holds about this many numbers.
_BLOCK = 4_000_000

#: Metrics that are searched by another one with the same order.
_ORDERING = {"euclidean": "sqeuclidean", "manhattan": "cityblock"}


def kneighbors(
    queries: np.ndarray,
    points: np.ndarray,
    n_neighbors: int,
    metric: str = "euclidean",
    *,
    exclude_self: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Return distances and indices of the nearest points of each query.

    Equal distances are ordered by index, at the cut-off too, so that equal input gives equal
    lists on any machine. Distances come from coordinate differences: the expanded form
    |a|² + |b|² − 2ab rounds equal distances apart. Euclidean neighbours are ordered by squared
    distance, since the root can round unequal ones together.

    With ``exclude_self`` query i is point i and is left out of its own list, by index and not by
    distance: duplicates at distance 0 are ordinary neighbours.

    Examples
    --------
    >>> import numpy as np
    >>> line = np.array([[0.0], [1.0], [3.0]])
    >>> kneighbors(np.array([[2.0]]), line, 2)[1]
    array([[1, 2]])
    """
    limit = len(points) - exclude_self
    if not 1 <= n_neighbors <= limit:
        raise ValueError(f"n_neighbors must lie between 1 and {limit}, got {n_neighbors}.")
    distances = np.empty((len(queries), n_neighbors))
    indices = np.empty((len(queries), n_neighbors), dtype=np.intp)
    step = max(1, _BLOCK // len(points))
    for start in range(0, len(queries), step):
        stop = min(start + step, len(queries))
        block = cdist(queries[start:stop], points, _ORDERING.get(metric, metric))
        if exclude_self:
            block[np.arange(stop - start), np.arange(start, stop)] = np.inf
        indices[start:stop] = nearest(block, n_neighbors)
        distances[start:stop] = np.take_along_axis(block, indices[start:stop], axis=1)
    return (np.sqrt(distances) if metric == "euclidean" else distances), indices


def nearest(distances: np.ndarray, n_neighbors: int) -> np.ndarray:
    """Return the columns of the smallest entries of each row, ordered by (distance, column)."""
    if n_neighbors == distances.shape[1]:
        return np.argsort(distances, axis=1, kind="stable")
    chosen = np.argpartition(distances, n_neighbors - 1, axis=1)[:, :n_neighbors]
    edge = np.take_along_axis(distances, chosen, axis=1).max(axis=1, keepdims=True)
    # Where the cut falls between equal distances, the partition picks among them at will.
    tied = np.flatnonzero((distances <= edge).sum(axis=1) > n_neighbors)
    chosen[tied] = np.argsort(distances[tied], axis=1, kind="stable")[:, :n_neighbors]
    chosen.sort(axis=1)
    order = np.argsort(np.take_along_axis(distances, chosen, axis=1), axis=1, kind="stable")
    return np.take_along_axis(chosen, order, axis=1)
