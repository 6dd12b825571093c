"""Exact search in numpy: measure every pair in canonical order, keep the nearest."""

from __future__ import annotations

import numpy as np

#: A block of distances holds about this many numbers.
_BLOCK = 2_000_000


def search(
    queries: np.ndarray,
    points: np.ndarray,
    n_neighbors: int,
    metric: str,
    skip: np.ndarray,
    n_threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return keys and indices of each query's nearest points, ordered by (key, index).

    ``skip[i]`` is a point that query i must not have as neighbour, or -1.
    """
    keys = np.empty((len(queries), n_neighbors))
    indices = np.empty((len(queries), n_neighbors), dtype=np.int32)
    step = max(1, _BLOCK // len(points))
    for start in range(0, len(queries), step):
        stop = min(start + step, len(queries))
        block = measure(queries[start:stop], points, metric)
        skipped = np.flatnonzero(skip[start:stop] >= 0)
        block[skipped, skip[start:stop][skipped]] = np.inf
        chosen = nearest(block, n_neighbors)
        indices[start:stop] = chosen
        keys[start:stop] = np.take_along_axis(block, chosen, axis=1)
    return keys, indices


def rank(
    points: np.ndarray,
    rows: np.ndarray,
    candidates: np.ndarray,
    n_neighbors: int,
    metric: str,
    n_threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest of each row's candidates, measured anew, the row itself left out.

    For the metrics of differences: Euclidean, Manhattan and Chebyshev's.
    """
    keys = np.empty((len(rows), n_neighbors))
    indices = np.empty((len(rows), n_neighbors), dtype=np.int32)
    for place, (row, among) in enumerate(zip(rows, np.sort(candidates, axis=1), strict=True)):
        others = among[among != row]
        measured = measure(points[row][None], points[others], metric)
        chosen = nearest(measured, n_neighbors)[0]
        keys[place] = measured[0, chosen]
        indices[place] = others[chosen]
    return keys, indices


def propose(
    products: np.ndarray, squares: np.ndarray, n_candidates: int, n_threads: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns (in any order) where |b|² − 2ab is smallest, and the largest of these.

    ``products`` holds ab and ``squares`` |b|², both in single precision.
    """
    keys = squares - np.float32(2) * products
    candidates = nearest(keys, n_candidates)
    return candidates, np.take_along_axis(keys, candidates[:, -1:], axis=1)[:, 0]


def nearest(distances: np.ndarray, n_neighbors: int) -> np.ndarray:
    """Return the columns of the smallest entries of each row, ordered by (distance, column).

    >>> nearest(np.array([[2.0, 1.0, 1.0, 1.0]]), 2)
    array([[1, 2]])
    """
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


def measure(queries: np.ndarray, points: np.ndarray, metric: str) -> np.ndarray:
    """Return the ordering key of every pair, summed over the features in index order.

    The key is the squared distance (Euclidean), the number of unequal entries (Hamming), or the
    distance itself. It comes from differences of coordinates: |a|² + |b|² − 2ab would round
    equal distances apart.
    """
    keys = np.zeros((len(queries), len(points)))
    for left, right in zip(queries.T, points.T, strict=True):
        pairs = left[:, None], right[None, :]
        if metric == "chebyshev":
            np.maximum(keys, np.abs(pairs[0] - pairs[1]), out=keys)
        else:
            keys += _add(*pairs, metric)
    return _one_minus_cosine(keys, queries, points) if metric == "cosine" else keys


def _add(left: np.ndarray, right: np.ndarray, metric: str) -> np.ndarray:
    """Return what one feature adds to the key."""
    if metric == "cosine":
        return left * right
    if metric == "hamming":
        return (left != right).astype(np.float64)
    difference = left - right
    return np.abs(difference) if metric == "manhattan" else difference * difference


def _one_minus_cosine(dots: np.ndarray, queries: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return 1 − ab / √(|a|²|b|²): exactly 0 for equal rows and 1 for orthogonal ones.

    A row of zeros has no direction: it is at 1 from all rows but its like.
    """
    squares = sum_squares(queries)[:, None] * sum_squares(points)[None, :]
    both_zero = (sum_squares(queries)[:, None] == 0) & (sum_squares(points)[None, :] == 0)
    cosines = np.divide(dots, np.sqrt(squares), out=np.zeros_like(dots), where=squares > 0)
    return np.where(both_zero, 0.0, np.maximum(1.0 - cosines, 0.0))


def sum_squares(points: np.ndarray) -> np.ndarray:
    """Return the squared length of each row, summed over the features in index order."""
    total = np.zeros(len(points))
    for column in points.T:
        total += column * column
    return total
