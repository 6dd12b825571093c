"""Dynamic time warping, compiled: one query against several series of one length in step.

The recurrence forbids working on neighbouring cells of one pair at once, but several pairs can
advance together, each in a lane of the processor's vector unit. Every lane does what the plain
twin does for its pair, in the same order.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from noisebench.neighbors.backend import share_rows

#: Pairs that advance together, and rows of the recurrence done at a time.
_LANES = 16
_ROWS = 4

_series = types.Array(types.float64, 3, "C", readonly=True)
_tiles = types.Array(types.float64, 4, "C", readonly=True)
_floats = types.Array(types.float64, 1, "C", readonly=True)
_places = types.Array(types.int64, 1, "C", readonly=True)
_members = types.Array(types.int64, 2, "C", readonly=True)


def fill_distances(
    queries: list[np.ndarray],
    points: list[np.ndarray],
    radii: np.ndarray,
    bounds: np.ndarray,
    symmetric: bool,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the warping distance of every query (length × channels) to every point.

    ``radii[i, j]`` is the half-width of the band for a query of length i and a point of length j.
    A distance above ``bounds[query]`` may come out as infinity. With ``symmetric`` the points are
    the queries and each pair is measured once.
    """
    distances = np.empty((len(queries), len(points)))
    lengths = np.array([len(query) for query in queries])
    padded = np.zeros((len(queries), lengths.max(), queries[0].shape[1]))
    for row, query in enumerate(queries):
        padded[row, : len(query)] = query
    tiles, tile_lengths, members = _pack(points)
    share_rows(
        _fill, len(queries), n_threads,
        padded, lengths, tiles, tile_lengths, members, radii, bounds, symmetric, distances,
    )  # fmt: skip
    return distances


def _pack(points: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return tiles (tile, moment, channel, lane) of series of one length, and who is where."""
    lengths = np.array([len(point) for point in points])
    groups = [np.flatnonzero(lengths == length) for length in np.unique(lengths)]
    chunks = [
        group[start : start + _LANES] for group in groups for start in range(0, len(group), _LANES)
    ]
    members = np.full((len(chunks), _LANES), -1)
    tiles = np.zeros((len(chunks), lengths.max(), points[0].shape[1], _LANES))
    for place, chunk in enumerate(chunks):
        members[place, : len(chunk)] = chunk
        for lane in range(_LANES):
            # Empty lanes repeat the last series, so that they are never the last to give up.
            point = points[chunk[min(lane, len(chunk) - 1)]]
            tiles[place, : len(point), :, lane] = point
    return tiles, np.array([lengths[chunk[0]] for chunk in chunks]), members


@njit(inline="always")
def _smallest(a: float, b: float, c: float) -> float:
    smaller = a if a < b else b
    return smaller if smaller < c else c


@njit(nogil=True)
def _cross_any(
    query: np.ndarray,
    top: int,
    n_rows: int,
    tile: np.ndarray,
    columns: tuple[int, int],
    radius: int,
    row: np.ndarray,
    left: np.ndarray,
) -> None:
    """Do ``n_rows`` rows of the recurrence from ``top`` on, in some columns, whatever the band.

    ``row[j + 1]`` goes from the row above to the last of these rows. ``left`` carries each row's
    cell in the column before, and in its last place the cell above the first of them.
    """
    for j in range(*columns):
        for lane in range(_LANES):
            above, corner = row[j + 1, lane], left[_ROWS, lane]
            left[_ROWS, lane] = above
            for r in range(n_rows):
                before, cell = left[r, lane], np.inf
                if abs(top + r - j) <= radius:
                    cost = 0.0
                    for channel in range(query.shape[1]):
                        difference = query[top + r, channel] - tile[j, channel, lane]
                        cost += difference * difference
                    cell = cost + _smallest(above, before, corner)
                left[r, lane] = cell
                above, corner = cell, before
            row[j + 1, lane] = above


@njit(nogil=True)
def _cross_whole(
    query: np.ndarray,
    top: int,
    tile: np.ndarray,
    columns: tuple[int, int],
    row: np.ndarray,
    left: np.ndarray,
) -> None:
    """Do what ``_cross_any`` does, for four rows of one channel inside the band.

    Four rows at a time leave most cells in registers, which is where the speed comes from.
    """
    a, b, c, d = query[top, 0], query[top + 1, 0], query[top + 2, 0], query[top + 3, 0]
    for j in range(*columns):
        for lane in range(_LANES):
            value, above, corner = tile[j, 0, lane], row[j + 1, lane], left[4, lane]
            left[4, lane] = above
            before = left[0, lane]
            cell = (a - value) * (a - value) + _smallest(above, before, corner)
            left[0, lane] = cell
            corner, before = before, left[1, lane]
            cell = (b - value) * (b - value) + _smallest(cell, before, corner)
            left[1, lane] = cell
            corner, before = before, left[2, lane]
            cell = (c - value) * (c - value) + _smallest(cell, before, corner)
            left[2, lane] = cell
            corner, before = before, left[3, lane]
            cell = (d - value) * (d - value) + _smallest(cell, before, corner)
            left[3, lane] = cell
            row[j + 1, lane] = cell


@njit(nogil=True)
def _is_hopeless(row: np.ndarray, first: int, last: int, bound: float) -> bool:
    """Tell whether no lane can end at or below the bound: costs only add up."""
    for j in range(first, last):
        for lane in range(_LANES):
            if row[j + 1, lane] <= bound:
                return False
    return True


@njit(nogil=True)
def _warp(
    query: np.ndarray,
    tile: np.ndarray,
    length: int,
    radius: int,
    bound: float,
    row: np.ndarray,
    left: np.ndarray,
) -> None:
    """Leave the distances of one query to a tile's series in ``row[length]``."""
    row[: length + 1] = np.inf
    row[0] = 0.0
    for top in range(0, query.shape[0], _ROWS):
        n_rows = min(_ROWS, query.shape[0] - top)
        first, last = max(0, top - radius), min(length, top + n_rows + radius)
        # Columns in which all of these rows lie inside the band.
        inner = max(first, top + _ROWS - 1 - radius)
        outer = min(last, top + radius + 1)
        if query.shape[1] > 1 or n_rows < _ROWS or outer <= inner:
            inner = outer = last
        left[:] = np.inf
        left[_ROWS] = row[first]
        _cross_any(query, top, n_rows, tile, (first, inner), radius, row, left)
        _cross_whole(query, top, tile, (inner, outer), row, left)
        _cross_any(query, top, n_rows, tile, (outer, last), radius, row, left)
        row[0] = np.inf
        if bound < np.inf and _is_hopeless(row, first, last, bound):
            row[length] = np.inf
            return


@njit(
    types.void(
        types.int64, types.int64, _series, _places, _tiles, _places, _members, _members, _floats,
        types.boolean, types.float64[:, ::1],
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def _fill(
    start: int,
    stop: int,
    queries: np.ndarray,
    lengths: np.ndarray,
    tiles: np.ndarray,
    tile_lengths: np.ndarray,
    members: np.ndarray,
    radii: np.ndarray,
    bounds: np.ndarray,
    symmetric: bool,
    distances: np.ndarray,
) -> None:
    row = np.empty((tiles.shape[1] + 1, _LANES))
    left = np.empty((_ROWS + 1, _LANES))
    for q in range(start, stop):
        query = queries[q, : lengths[q]]
        for t in range(tiles.shape[0]):
            if symmetric and members[t].max() < q:
                continue
            length = tile_lengths[t]
            _warp(query, tiles[t], length, radii[lengths[q], length], bounds[q], row, left)
            for lane in range(_LANES):
                p = members[t, lane]
                if p < 0 or (symmetric and p < q):
                    continue
                distances[q, p] = row[length, lane]
                if symmetric:
                    distances[p, q] = row[length, lane]
