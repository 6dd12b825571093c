"""Exact nearest neighbours of queries in canonical order: by distance, then by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisebench.errors import InputError
from noisebench.neighbors.metrics import as_numbers
from noisebench.neighbors.plain.search import nearest
from noisebench.neighbors.spaces import Space, make_space, pick_nearest

__all__ = ["kneighbors", "nearest"]


def kneighbors(
    queries: Any,
    points: Any,
    n_neighbors: int,
    metric: str = "euclidean",
    *,
    exclude_self: bool = False,
    window: float | None = None,
    n_threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return distances and indices of the nearest points of each query.

    Equal distances are ordered by index, at the cut-off too, so that equal input gives equal
    lists on any machine. Distances come from coordinate differences: the expanded form
    |a|² + |b|² − 2ab rounds equal distances apart. Euclidean neighbours are ordered by squared
    distance, since the root can round unequal ones together.

    With ``exclude_self`` query i is point i and is left out of its own list, by index and not by
    distance: duplicates at distance 0 are ordinary neighbours. With ``metric="precomputed"``
    the queries are their rows of distances to the points.

    Examples
    --------
    >>> import numpy as np
    >>> line = np.array([[0.0], [1.0], [3.0]])
    >>> kneighbors(np.array([[2.0]]), line, 2)[1]
    array([[1, 2]])
    """
    limit = len(points) - exclude_self
    if not 1 <= n_neighbors <= limit:
        raise InputError(f"n_neighbors must lie between 1 and {limit}, got {n_neighbors}.")
    if metric == "precomputed":
        block = as_numbers(queries, "queries", 2).copy()
        skip = np.arange(len(block)) if exclude_self else np.full(len(block), -1)
        keys, indices = pick_nearest(block, n_neighbors, skip)
        return keys, indices.astype(np.intp)
    space, rows, columns = _stack(queries, points, metric, window)
    if exclude_self:
        rows = columns[: len(rows)]
    keys, indices = space.search(
        rows, columns, n_neighbors, exclude_self=exclude_self, n_threads=n_threads
    )
    return space.distances(keys), indices.astype(np.intp)


def _stack(
    queries: Any, points: Any, metric: str, window: float | None
) -> tuple[Space, np.ndarray, np.ndarray]:
    """Return one space of queries and points, and who is who."""
    if metric == "dtw":
        space = make_space([*queries, *points], metric, window)
    else:
        parts = as_numbers(queries, "queries", 2), as_numbers(points, "points", 2)
        if parts[0].shape[1] != parts[1].shape[1]:
            raise InputError(
                f"queries must have the {parts[1].shape[1]} features of points, "
                f"got {parts[0].shape[1]}."
            )
        space = make_space(np.concatenate(parts), metric, window)
    return space, np.arange(len(queries)), len(queries) + np.arange(len(points))
