"""Proposals and their canonical measurement, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit, types

from noisebench.neighbors.backend import share_rows
from noisebench.neighbors.compiled.selection import keep_below, select, sort

#: Columns looked at in one go.
_TILE = 256

_CODES = {"euclidean": 0, "manhattan": 1, "chebyshev": 2}

_table = types.Array(types.float64, 2, "C", readonly=True)
_places = types.Array(types.int64, 1, "C", readonly=True)
_choices = types.Array(types.int64, 2, "C", readonly=True)
_singles = types.Array(types.float32, 1, "C", readonly=True)
_singles_table = types.Array(types.float32, 2, "C", readonly=True)
_keys_out = types.float64[:, ::1]
_indices_out = types.int32[:, ::1]


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
    rows = np.ascontiguousarray(rows, dtype=np.int64)
    candidates = np.ascontiguousarray(candidates, dtype=np.int64)
    share_rows(_rank, len(rows), n_threads, points, rows, candidates, _CODES[metric], keys, indices)
    return keys, indices


def propose(
    products: np.ndarray, squares: np.ndarray, n_candidates: int, n_threads: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns (in any order) where |b|² − 2ab is smallest, and the largest of these.

    ``products`` holds ab and ``squares`` |b|², both in single precision.
    """
    candidates = np.empty((len(products), n_candidates), dtype=np.int64)
    last = np.empty(len(products), dtype=np.float32)
    share_rows(_propose, len(products), n_threads, products, squares, candidates, last)
    return candidates, last


@njit(inline="always")
def _grow(key: float, difference: float, code: int) -> float:
    """Return the key with one feature more; the metrics of differences only."""
    if code == 0:
        return key + difference * difference
    size = abs(difference)
    if code == 1:
        return key + size
    return size if size > key else key


@njit(nogil=True)
def _measure_four(
    points: np.ndarray, row: int, chosen: tuple[int, ...], code: int, keys: np.ndarray
) -> None:
    """Write the keys of one row and four others: four sums at a time do not wait for each other."""
    a = b = c = d = 0.0
    for f in range(points.shape[1]):
        value = points[row, f]
        a = _grow(a, value - points[chosen[0], f], code)
        b = _grow(b, value - points[chosen[1], f], code)
        c = _grow(c, value - points[chosen[2], f], code)
        d = _grow(d, value - points[chosen[3], f], code)
    keys[0], keys[1], keys[2], keys[3] = a, b, c, d


@njit(
    types.void(
        types.int64, types.int64, _table, _places, _choices, types.int64, _keys_out, _indices_out
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def _rank(
    start: int,
    stop: int,
    points: np.ndarray,
    rows: np.ndarray,
    candidates: np.ndarray,
    code: int,
    keys_out: np.ndarray,
    indices_out: np.ndarray,
) -> None:
    k, n_candidates = keys_out.shape[1], candidates.shape[1]
    keys = np.empty(n_candidates)
    indices = np.empty(n_candidates, dtype=np.int32)
    four = np.empty(4)
    for i in range(start, stop):
        row, count = rows[i], 0
        for c in range(0, n_candidates, 4):
            last = n_candidates - 1
            chosen = (
                candidates[i, c],
                candidates[i, min(c + 1, last)],
                candidates[i, min(c + 2, last)],
                candidates[i, min(c + 3, last)],
            )
            _measure_four(points, row, chosen, code, four)
            for p in range(min(4, n_candidates - c)):
                if chosen[p] != row:
                    keys[count], indices[count] = four[p], chosen[p]
                    count += 1
        select(keys, indices, count, k)
        sort(keys, indices, k)
        keys_out[i] = keys[:k]
        indices_out[i] = indices[:k]


@njit(nogil=True)
def _bound(products: np.ndarray, squares: np.ndarray, minima: np.ndarray, k: int) -> float:
    """Return a number that at least k keys do not exceed, and few more.

    Keys are dealt out to groups; the k smallest of the groups' minima are k keys.
    """
    minima[:] = np.inf
    for offset in range(0, squares.shape[0], minima.shape[0]):
        some, others = squares[offset : offset + minima.shape[0]], products[offset:]
        for p in range(some.shape[0]):
            key = some[p] - np.float32(2) * others[p]
            minima[p] = key if key < minima[p] else minima[p]
    select(minima, np.arange(minima.shape[0]), minima.shape[0], k)
    return minima[:k].max()


@njit(
    types.void(
        types.int64, types.int64, _singles_table, _singles, types.int64[:, ::1],
        types.float32[::1],
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def _propose(
    start: int,
    stop: int,
    products: np.ndarray,
    squares: np.ndarray,
    candidates: np.ndarray,
    last: np.ndarray,
) -> None:
    k = candidates.shape[1]
    full = 2 * k + _TILE
    found = np.empty(_TILE, dtype=np.float32)
    minima = np.empty(4 * k, dtype=np.float32)
    keys = np.empty(full + _TILE + 1, dtype=np.float32)
    indices = np.empty(full + _TILE + 1, dtype=np.int32)
    for i in range(start, stop):
        count = 0
        limit = np.nextafter(_bound(products[i], squares, minima, k), np.float32(np.inf))
        for offset in range(0, squares.shape[0], _TILE):
            some, others = squares[offset : offset + _TILE], products[i, offset:]
            for p in range(some.shape[0]):
                found[p] = some[p] - np.float32(2) * others[p]
            count = keep_below(found[: some.shape[0]], offset, limit, keys, indices, count)
            if count > full:
                select(keys, indices, count, k)
                count, limit = k, keys[:k].max()
        select(keys, indices, count, k)
        candidates[i] = indices[:k]
        last[i] = keys[:k].max()
