"""Dynamic time warping in numpy: one query against many series of one length at a time."""

from __future__ import annotations

import numpy as np


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
    lengths = np.array([len(point) for point in points])
    for row, query in enumerate(queries):
        for length in np.unique(lengths):
            members = np.flatnonzero(lengths == length)
            if symmetric:
                members = members[members >= row]
            if members.size:
                stack = np.stack([points[member] for member in members], axis=-1)
                radius = radii[len(query), length]
                distances[row, members] = _warp(query, stack, radius, bounds[row])
    if symmetric:
        lower = np.tril_indices(len(queries), -1)
        distances[lower] = distances.T[lower]
    return distances


def _warp(query: np.ndarray, stack: np.ndarray, radius: int, bound: float) -> np.ndarray:
    """Return the distances of one query to a stack of series (length × channels × series)."""
    length, _, n_series = stack.shape
    # One column of infinities before the first: paths start at the first pair only.
    above = np.full((length + 1, n_series), np.inf)
    above[0] = 0.0
    for i, value in enumerate(query):
        row = np.full_like(above, np.inf)
        for j in range(max(0, i - radius), min(length, i + radius + 1)):
            best = np.minimum(np.minimum(above[j + 1], row[j]), above[j])
            row[j + 1] = _cost(value, stack[j]) + best
        above = row
        # Costs only add up, so no path can come back below the cheapest place of a row.
        if (above.min(axis=0) > bound).all():
            return np.full(n_series, np.inf)
    return above[length]


def _cost(value: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the squared differences, summed over the channels in index order."""
    total = np.zeros(others.shape[1])
    for channel, number in enumerate(value):
        difference = number - others[channel]
        total += difference * difference
    return total
