"""Restriction of neighbour lists, compiled: one pass over each list, stopped at the k-th hit."""

from __future__ import annotations

import numpy as np
from numba import njit, types

from noisebench.neighbors.backend import share_rows

_keys = types.Array(types.float64, 2, "C", readonly=True)
_indices = types.Array(types.int32, 2, "C", readonly=True)
_places = types.Array(types.int64, 1, "C", readonly=True)
_keys_out = types.float64[:, ::1]
_indices_out = types.int32[:, ::1]


def restrict(
    indices: np.ndarray,
    keys: np.ndarray,
    rows: np.ndarray,
    position: np.ndarray,
    n_neighbors: int,
    ascending: bool,
    complete: bool,
    n_threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return keys, positions and number of the nearest training points of some rows of a table.

    ``position`` maps a point to its place in the training list, or to -1. ``complete`` tells that
    the lists hold all points; ``ascending`` that the training list follows the points' order.
    Only the first ``counts`` entries of a row are certain; -1 and infinity follow them.
    """
    keys_out = np.empty((len(rows), n_neighbors))
    places_out = np.empty((len(rows), n_neighbors), dtype=np.int32)
    counts = np.empty(len(rows), dtype=np.int64)
    certain = ascending or complete
    share_rows(
        _restrict, len(rows), n_threads,
        indices, keys, rows, position, ascending, certain, keys_out, places_out, counts,
    )  # fmt: skip
    return keys_out, places_out, counts


def group(
    keys: np.ndarray,
    indices: np.ndarray,
    counts: np.ndarray,
    labels: np.ndarray,
    n_classes: int,
    n_neighbors: int,
    n_threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Deal each row's first ``counts`` entries out to lists of one class each.

    Places that remain empty hold index -1 and an infinite key.
    """
    shape = len(indices), n_classes, n_neighbors
    keys_out, indices_out = np.full(shape, np.inf), np.full(shape, -1, dtype=np.int32)
    sizes = np.zeros(shape[:2], dtype=np.int64)
    share_rows(
        _group, len(indices), n_threads,
        keys, indices, counts, labels, keys_out, indices_out, sizes,
    )  # fmt: skip
    return keys_out, indices_out, sizes


@njit(
    types.void(
        types.int64, types.int64, _indices, _keys, _places, _places, types.boolean,
        types.boolean, _keys_out, _indices_out, types.int64[::1],
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def _restrict(
    start: int,
    stop: int,
    indices: np.ndarray,
    keys: np.ndarray,
    rows: np.ndarray,
    position: np.ndarray,
    ascending: bool,
    certain: bool,
    keys_out: np.ndarray,
    places_out: np.ndarray,
    counts: np.ndarray,
) -> None:
    depth, k = indices.shape[1], keys_out.shape[1]
    found = np.empty(depth)
    places = np.empty(depth, dtype=np.int32)
    for i in range(start, stop):
        row, count = rows[i], 0
        # Points beyond the list may be as far as its last one and come before it in training.
        end = np.inf if certain else keys[row, depth - 1]
        for j in range(depth):
            key = keys[row, j]
            if key >= end or (count >= k and (ascending or key > found[count - 1])):
                break
            place = position[indices[row, j]]
            if place < 0:
                continue
            # Of equals, the one that comes first in training goes first.
            target = count
            while (
                not ascending and target > 0
                and found[target - 1] == key and places[target - 1] > place
            ):  # fmt: skip
                found[target] = found[target - 1]
                places[target] = places[target - 1]
                target -= 1
            found[target] = key
            places[target] = place
            count += 1
        counts[i] = min(count, k)
        keys_out[i, : counts[i]] = found[: counts[i]]
        places_out[i, : counts[i]] = places[: counts[i]]
        keys_out[i, counts[i] :] = np.inf
        places_out[i, counts[i] :] = -1


@njit(
    types.void(
        types.int64, types.int64, _keys, _indices, _places, _places, types.float64[:, :, ::1],
        types.int32[:, :, ::1], types.int64[:, ::1],
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def _group(
    start: int,
    stop: int,
    keys: np.ndarray,
    indices: np.ndarray,
    counts: np.ndarray,
    labels: np.ndarray,
    keys_out: np.ndarray,
    indices_out: np.ndarray,
    sizes: np.ndarray,
) -> None:
    k = keys_out.shape[2]
    for i in range(start, stop):
        for j in range(counts[i]):
            label = labels[indices[i, j]]
            place = sizes[i, label]
            if place < k:
                keys_out[i, label, place] = keys[i, j]
                indices_out[i, label, place] = indices[i, j]
                sizes[i, label] = place + 1
