"""Dynamic time warping, compiled: one query against several series of one length in step.

The recurrence forbids working on neighbouring cells of one pair at once, but several pairs can
advance together, each in a lane of the processor's vector unit. Every lane does what the plain
twin does for its pair, in the same order.
"""

from __future__ import annotations

import numpy as np
from numba import njit, types

from noisebench.neighbors.backend import share_rows

#: Pairs that advance together.
_LANES = 8

#: Rows between two looks at the bound.
_PATIENCE = 16

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


@njit(nogil=True, cache=True)
def _advance(
    value: np.ndarray, tile: np.ndarray, first: int, last: int, row: np.ndarray, cost: np.ndarray
) -> None:
    """Replace one row of the recurrence by the next, in place; ``row[0]`` is the left margin."""
    # cost[1] holds the cell to the left, cost[2] the one above it.
    for lane in range(_LANES):
        cost[2, lane] = row[first, lane]
        cost[1, lane] = np.inf
    for j in range(first, last):
        for lane in range(_LANES):
            cost[0, lane] = 0.0
        for channel in range(value.shape[0]):
            for lane in range(_LANES):
                difference = value[channel] - tile[j, channel, lane]
                cost[0, lane] += difference * difference
        for lane in range(_LANES):
            above = row[j + 1, lane]
            best = min(min(above, cost[1, lane]), cost[2, lane])
            cost[2, lane] = above
            cost[1, lane] = cost[0, lane] + best
            row[j + 1, lane] = cost[1, lane]


@njit(nogil=True, cache=True)
def _advance_one_channel(
    value: float, tile: np.ndarray, first: int, last: int, row: np.ndarray, cost: np.ndarray
) -> None:
    """Do what ``_advance`` does, for series of one channel."""
    for lane in range(_LANES):
        cost[2, lane] = row[first, lane]
        cost[1, lane] = np.inf
    for j in range(first, last):
        for lane in range(_LANES):
            difference = value - tile[j, 0, lane]
            above = row[j + 1, lane]
            best = min(min(above, cost[1, lane]), cost[2, lane])
            cost[2, lane] = above
            cost[1, lane] = difference * difference + best
            row[j + 1, lane] = cost[1, lane]


@njit(nogil=True, cache=True)
def _is_hopeless(row: np.ndarray, first: int, last: int, bound: float) -> bool:
    """Tell whether no lane can end at or below the bound: costs only add up."""
    for j in range(first, last):
        for lane in range(_LANES):
            if row[j + 1, lane] <= bound:
                return False
    return True


@njit(nogil=True, cache=True)
def _warp(
    query: np.ndarray,
    tile: np.ndarray,
    length: int,
    radius: int,
    bound: float,
    row: np.ndarray,
    cost: np.ndarray,
) -> None:
    """Leave the distances of one query to a tile's series in ``row[length]``."""
    row[: length + 1] = np.inf
    row[0] = 0.0
    for i in range(query.shape[0]):
        first, last = max(0, i - radius), min(length, i + radius + 1)
        if query.shape[1] == 1:
            _advance_one_channel(query[i, 0], tile, first, last, row, cost)
        else:
            _advance(query[i], tile, first, last, row, cost)
        row[0] = np.inf
        if i % _PATIENCE == _PATIENCE - 1 and bound < np.inf:  # noqa: SIM102
            if _is_hopeless(row, first, last, bound):
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
    cost = np.empty((3, _LANES))
    for q in range(start, stop):
        query = queries[q, : lengths[q]]
        for t in range(tiles.shape[0]):
            if symmetric and members[t].max() < q:
                continue
            length = tile_lengths[t]
            _warp(query, tiles[t], length, radii[lengths[q], length], bounds[q], row, cost)
            for lane in range(_LANES):
                p = members[t, lane]
                if p < 0 or (symmetric and p < q):
                    continue
                distances[q, p] = row[length, lane]
                if symmetric:
                    distances[p, q] = row[length, lane]
