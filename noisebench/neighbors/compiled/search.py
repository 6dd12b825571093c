"""Exact search, compiled: the canonical sums of many points at a time, and a running selection.

A point's key is summed over the features in index order, as the plain twin does; the processor's
vector units work on neighbouring points instead of neighbouring features, so that no sum is
rearranged. Points come in tiles that fit the cache.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from noisebench.neighbors.backend import share_rows
from noisebench.neighbors.plain.search import sum_squares

#: Points per tile, and queries that share a tile while it is in the cache.
_TILE = 256
_QUERIES = 32

_CODES = {"euclidean": 0, "manhattan": 1, "chebyshev": 2, "cosine": 3, "hamming": 4}

_floats = types.Array(types.float64, 1, "C", readonly=True)
_table = types.Array(types.float64, 2, "C", readonly=True)
_tiles = types.Array(types.float64, 3, "C", readonly=True)
_places = types.Array(types.int64, 1, "C", readonly=True)
_choices = types.Array(types.int64, 2, "C", readonly=True)
_singles = types.Array(types.float32, 1, "C", readonly=True)
_singles_table = types.Array(types.float32, 2, "C", readonly=True)
_keys_out = types.float64[:, ::1]
_indices_out = types.int32[:, ::1]


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
    lengths = _lengths(queries, metric), _lengths(points, metric)
    padded, tiles = _pad(queries), _pack(points)
    places = np.ascontiguousarray(skip, dtype=np.int64)
    share_rows(
        _search, len(queries), n_threads,
        padded, tiles, len(points), _CODES[metric], *lengths, places, keys, indices,
    )  # fmt: skip
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


def _lengths(points: np.ndarray, metric: str) -> np.ndarray:
    return sum_squares(points) if metric == "cosine" else np.zeros(len(points))


def _pad(points: np.ndarray) -> np.ndarray:
    """Fill the features up to a multiple of four with zeros, which change no key."""
    missing = -points.shape[1] % 4
    return np.ascontiguousarray(np.pad(points, ((0, 0), (0, missing))))


def _pack(points: np.ndarray) -> np.ndarray:
    """Return the points as tiles (tile, feature, point), the last one filled up with zeros."""
    padded = _pad(np.pad(points, ((0, -len(points) % _TILE), (0, 0))))
    shape = len(padded) // _TILE, _TILE, padded.shape[1]
    return np.ascontiguousarray(padded.reshape(shape).transpose(0, 2, 1))


@njit(inline="always")
def _comes_before(key: float, index: int, other_key: float, other_index: int) -> bool:
    return key < other_key or (key == other_key and index < other_index)


@njit(nogil=True)
def _select(keys: np.ndarray, indices: np.ndarray, count: int, wanted: int) -> None:
    """Move the ``wanted`` first of ``count`` entries by (key, index) to the front, in any order."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        key, index = keys[middle], indices[middle]
        keys[middle], indices[middle] = keys[high], indices[high]
        border = low
        # Every entry is swapped to the border, which moves on only if it comes before the pivot:
        # no branch, as none could be foretold.
        for i in range(low, high):
            this, place = keys[i], indices[i]
            keys[i], indices[i] = keys[border], indices[border]
            keys[border], indices[border] = this, place
            border += np.int64((this < key) | ((this == key) & (place < index)))
        keys[high], indices[high] = keys[border], indices[border]
        keys[border], indices[border] = key, index
        if border in (wanted, wanted - 1):
            return
        if border < wanted:
            low = border + 1
        else:
            high = border - 1


@njit(nogil=True)
def _sort(keys: np.ndarray, indices: np.ndarray, count: int) -> None:
    """Sort the first entries by (key, index), in place: Shell's method with Ciura's gaps."""
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for start in range(gap, count):
            key, index = keys[start], indices[start]
            place = start
            while place >= gap and _comes_before(
                key, index, keys[place - gap], indices[place - gap]
            ):
                keys[place] = keys[place - gap]
                indices[place] = indices[place - gap]
                place -= gap
            keys[place] = key
            indices[place] = index


@njit(nogil=True)
def _add_squares(query: np.ndarray, tile: np.ndarray, keys: np.ndarray) -> None:
    for f in range(0, query.shape[0], 4):
        a, b, c, d = query[f], query[f + 1], query[f + 2], query[f + 3]
        for p in range(_TILE):
            e, g, h, i = a - tile[f, p], b - tile[f + 1, p], c - tile[f + 2, p], d - tile[f + 3, p]
            # Added one by one, from the first feature on: the canonical order.
            keys[p] = (((keys[p] + e * e) + g * g) + h * h) + i * i


@njit(nogil=True)
def _add_sizes(query: np.ndarray, tile: np.ndarray, keys: np.ndarray) -> None:
    for f in range(0, query.shape[0], 4):
        a, b, c, d = query[f], query[f + 1], query[f + 2], query[f + 3]
        for p in range(_TILE):
            e, g, h, i = a - tile[f, p], b - tile[f + 1, p], c - tile[f + 2, p], d - tile[f + 3, p]
            keys[p] = (((keys[p] + abs(e)) + abs(g)) + abs(h)) + abs(i)


@njit(nogil=True)
def _add_products(query: np.ndarray, tile: np.ndarray, keys: np.ndarray) -> None:
    for f in range(0, query.shape[0], 4):
        a, b, c, d = query[f], query[f + 1], query[f + 2], query[f + 3]
        for p in range(_TILE):
            e, g, h, i = a * tile[f, p], b * tile[f + 1, p], c * tile[f + 2, p], d * tile[f + 3, p]
            keys[p] = (((keys[p] + e) + g) + h) + i


@njit(nogil=True)
def _take_largest(query: np.ndarray, tile: np.ndarray, keys: np.ndarray) -> None:
    for f in range(query.shape[0]):
        for p in range(_TILE):
            size = abs(query[f] - tile[f, p])
            keys[p] = size if size > keys[p] else keys[p]


@njit(nogil=True)
def _count_unequal(query: np.ndarray, tile: np.ndarray, keys: np.ndarray) -> None:
    for f in range(query.shape[0]):
        for p in range(_TILE):
            keys[p] += 1.0 if query[f] != tile[f, p] else 0.0


@njit(nogil=True)
def _turn_to_cosine(keys: np.ndarray, length: float, lengths: np.ndarray) -> None:
    for p in range(lengths.shape[0]):
        squares = length * lengths[p]
        if squares > 0.0:
            keys[p] = max(1.0 - keys[p] / np.sqrt(squares), 0.0)
        else:
            keys[p] = 0.0 if length == lengths[p] else 1.0


@njit(nogil=True)
def _measure(
    query: np.ndarray,
    tile: np.ndarray,
    code: int,
    length: float,
    lengths: np.ndarray,
    keys: np.ndarray,
) -> None:
    """Write the keys of one query and the points of one tile."""
    keys[:] = 0.0
    if code == 0:
        _add_squares(query, tile, keys)
    elif code == 1:
        _add_sizes(query, tile, keys)
    elif code == 2:
        _take_largest(query, tile, keys)
    elif code == 3:
        _add_products(query, tile, keys)
        _turn_to_cosine(keys, length, lengths)
    else:
        _count_unequal(query, tile, keys)


@njit(inline="always")
def _keep_below(
    found: np.ndarray,
    start: int,
    limit: float,
    keys: np.ndarray,
    indices: np.ndarray,
    count: int,
) -> int:
    """Append the found keys below ``limit``; without a branch, as most are not and some are."""
    for p in range(found.shape[0]):
        keys[count] = found[p]
        indices[count] = start + p
        count += 1 if found[p] < limit else 0
    return count


@njit(
    types.void(
        types.int64, types.int64, _table, _tiles, types.int64, types.int64,
        _floats, _floats, _places, _keys_out, _indices_out,
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def _search(
    start: int,
    stop: int,
    queries: np.ndarray,
    tiles: np.ndarray,
    n_points: int,
    code: int,
    query_lengths: np.ndarray,
    lengths: np.ndarray,
    skip: np.ndarray,
    keys_out: np.ndarray,
    indices_out: np.ndarray,
) -> None:
    k = keys_out.shape[1]
    full = k + max(k, _TILE)
    found = np.empty(_TILE)
    # One place more than ever filled: a rejected entry is written before it is rejected.
    keys = np.empty((_QUERIES, full + _TILE + 1))
    indices = np.empty((_QUERIES, full + _TILE + 1), dtype=np.int32)
    counts = np.empty(_QUERIES, dtype=np.int64)
    limits = np.empty(_QUERIES)
    for first in range(start, stop, _QUERIES):
        last = min(first + _QUERIES, stop)
        counts[:] = 0
        limits[:] = np.inf
        for t in range(tiles.shape[0]):
            offset = t * _TILE
            size = min(_TILE, n_points - offset)
            own = lengths[offset : offset + size]
            for q in range(first, last):
                r = q - first
                _measure(queries[q], tiles[t], code, query_lengths[q], own, found)
                if offset <= skip[q] < offset + size:
                    found[skip[q] - offset] = np.inf
                # Points come by rising index: one as far as the last kept one comes after it.
                count = _keep_below(found[:size], offset, limits[r], keys[r], indices[r], counts[r])
                if count > full:
                    _select(keys[r], indices[r], count, k)
                    count = k
                    limits[r] = keys[r, :k].max()
                counts[r] = count
        for q in range(first, last):
            r = q - first
            _select(keys[r], indices[r], counts[r], k)
            _sort(keys[r], indices[r], k)
            keys_out[q] = keys[r, :k]
            indices_out[q] = indices[r, :k]


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
        _select(keys, indices, count, k)
        _sort(keys, indices, k)
        keys_out[i] = keys[:k]
        indices_out[i] = indices[:k]


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
    full = k + max(k, _TILE)
    found = np.empty(_TILE, dtype=np.float32)
    keys = np.empty(full + _TILE + 1, dtype=np.float32)
    indices = np.empty(full + _TILE + 1, dtype=np.int32)
    for i in range(start, stop):
        count, limit = 0, np.inf
        for offset in range(0, squares.shape[0], _TILE):
            size = min(_TILE, squares.shape[0] - offset)
            for p in range(size):
                found[p] = squares[offset + p] - np.float32(2) * products[i, offset + p]
            count = _keep_below(found[:size], offset, limit, keys, indices, count)
            if count > full:
                _select(keys, indices, count, k)
                count, limit = k, keys[:k].max()
        _select(keys, indices, count, k)
        candidates[i] = indices[:k]
        last[i] = keys[:k].max()
