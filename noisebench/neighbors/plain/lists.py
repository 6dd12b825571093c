"""Restriction of neighbour lists in numpy."""

from __future__ import annotations

import numpy as np


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
    places = position[indices[rows]]
    found = keys[rows]
    present = places >= 0
    if not (ascending or complete):
        # Points beyond the list may be as far as its last one and come before it in training.
        present &= found < found[:, -1:]
    order = np.lexsort((places, found, ~present), axis=1)[:, :n_neighbors]
    counts = np.minimum(present.sum(axis=1), n_neighbors)
    certain = np.arange(order.shape[1]) < counts[:, None]
    chosen = np.where(certain, np.take_along_axis(places, order, axis=1), -1)
    near = np.where(certain, np.take_along_axis(found, order, axis=1), np.inf)
    return near, chosen.astype(np.int32), counts


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
    known = np.arange(indices.shape[1]) < counts[:, None]
    for label in range(n_classes):
        mine = known & (labels[indices] == label)
        sizes[:, label] = np.minimum(mine.sum(axis=1), n_neighbors)
        rows, columns = np.nonzero(mine)
        places = (np.cumsum(mine, axis=1) - 1)[rows, columns]
        first = places < n_neighbors
        target = rows[first], label, places[first]
        keys_out[target] = keys[rows[first], columns[first]]
        indices_out[target] = indices[rows[first], columns[first]]
    return keys_out, indices_out, sizes
