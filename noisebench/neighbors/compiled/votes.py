"""Votes, label sums and occurrence counts, compiled: one pass over a list serves all k."""

from __future__ import annotations

import numpy as np
from numba import njit, types

from noisebench.neighbors.backend import share_rows

_indices = types.Array(types.int32, 2, "C", readonly=True)
_labels = types.Array(types.int64, 2, "C", readonly=True)
_grid = types.Array(types.int64, 1, "C", readonly=True)
_sums = types.Array(types.int32, 3, "C", readonly=True)
_extremes = types.Array(types.int64, 3, "C", readonly=True)


def count_votes(
    indices: np.ndarray,
    labels: np.ndarray,
    grid: np.ndarray,
    n_classes: int,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the votes (labelling, k, row, class) of the first k neighbours for every k."""
    votes = np.empty((len(labels), len(grid), len(indices), n_classes), dtype=np.int32)
    order = np.argsort(grid, kind="stable")
    share_rows(_count_votes, len(indices), n_threads, indices, labels, grid, order, votes)
    return votes


def predict_votes(
    indices: np.ndarray,
    labels: np.ndarray,
    grid: np.ndarray,
    n_classes: int,
    last_wins: bool,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the class (labelling, k, row) with most votes, of equals the first or the last."""
    predicted = np.empty((len(labels), len(grid), len(indices)), dtype=np.int32)
    order = np.argsort(grid, kind="stable")
    share_rows(
        _predict_votes, len(indices), n_threads,
        indices, labels, grid, order, n_classes, last_wins, predicted,
    )  # fmt: skip
    return predicted


def sum_labels(
    indices: np.ndarray, labels: np.ndarray, grid: np.ndarray, n_threads: int | None = None
) -> np.ndarray:
    """Return the sums (labelling, k, row) of the first k neighbours' labels."""
    sums = np.empty((len(labels), len(grid), len(indices)), dtype=np.int32)
    order = np.argsort(grid, kind="stable")
    share_rows(_sum_labels, len(indices), n_threads, indices, labels, grid, order, sums)
    return sums


def correct_threshold(
    sums: np.ndarray,
    grid: np.ndarray,
    extremes: np.ndarray,
    noise_grid: np.ndarray,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return predictions (labelling, k, k′, row) with the threshold between two extremes.

    ``extremes[labelling, k′]`` holds a and b, the smallest and largest sum of k′ + 1 labels.
    """
    shape = (sums.shape[0], len(grid), len(noise_grid), sums.shape[2])
    predicted = np.empty(shape, dtype=np.int8)
    share_rows(_correct_threshold, shape[1], n_threads, sums, grid, extremes, noise_grid, predicted)
    return predicted


def count_occurrences(
    indices: np.ndarray, labels: np.ndarray, n_points: int, n_classes: int
) -> np.ndarray:
    """Return how often (labelling, point, class) a point is in a list of a row of that class."""
    counts = np.zeros((len(labels), n_points, n_classes), dtype=np.int64)
    _count_occurrences(indices, labels, counts)
    return counts


@njit(
    types.void(
        types.int64, types.int64, _indices, _labels, _grid, _grid, types.int32[:, :, :, ::1]
    ),
    nogil=True,
    cache=True,
)
def _count_votes(
    start: int,
    stop: int,
    indices: np.ndarray,
    labels: np.ndarray,
    grid: np.ndarray,
    order: np.ndarray,
    votes: np.ndarray,
) -> None:
    running = np.empty(votes.shape[3], dtype=np.int32)
    for level in range(labels.shape[0]):
        for row in range(start, stop):
            running[:] = 0
            seen = 0
            for place in order:
                while seen < grid[place]:
                    running[labels[level, indices[row, seen]]] += 1
                    seen += 1
                votes[level, place, row] = running


@njit(
    types.void(
        types.int64, types.int64, _indices, _labels, _grid, _grid, types.int64, types.boolean,
        types.int32[:, :, ::1],
    ),
    nogil=True,
    cache=True,
)  # fmt: skip
def _predict_votes(
    start: int,
    stop: int,
    indices: np.ndarray,
    labels: np.ndarray,
    grid: np.ndarray,
    order: np.ndarray,
    n_classes: int,
    last_wins: bool,
    predicted: np.ndarray,
) -> None:
    running = np.empty(n_classes, dtype=np.int32)
    for level in range(labels.shape[0]):
        for row in range(start, stop):
            running[:] = 0
            seen = 0
            for place in order:
                while seen < grid[place]:
                    running[labels[level, indices[row, seen]]] += 1
                    seen += 1
                best = 0
                for label in range(1, n_classes):
                    if running[label] > running[best] or (
                        last_wins and running[label] == running[best]
                    ):
                        best = label
                predicted[level, place, row] = best


@njit(
    types.void(types.int64, types.int64, _indices, _labels, _grid, _grid, types.int32[:, :, ::1]),
    nogil=True,
    cache=True,
)
def _sum_labels(
    start: int,
    stop: int,
    indices: np.ndarray,
    labels: np.ndarray,
    grid: np.ndarray,
    order: np.ndarray,
    sums: np.ndarray,
) -> None:
    for level in range(labels.shape[0]):
        for row in range(start, stop):
            total, seen = 0, 0
            for place in order:
                while seen < grid[place]:
                    total += labels[level, indices[row, seen]]
                    seen += 1
                sums[level, place, row] = total


@njit(
    types.void(types.int64, types.int64, _sums, _grid, _extremes, _grid, types.int8[:, :, :, ::1]),
    nogil=True,
    cache=True,
)
def _correct_threshold(
    start: int,
    stop: int,
    sums: np.ndarray,
    grid: np.ndarray,
    extremes: np.ndarray,
    noise_grid: np.ndarray,
    predicted: np.ndarray,
) -> None:
    for level in range(sums.shape[0]):
        for i in range(start, stop):
            for j in range(noise_grid.shape[0]):
                low, high = extremes[level, j]
                # All averages equal: nothing can be said about the noise, plain voting it is.
                left = 2 if low == high else 2 * (noise_grid[j] + 1)
                right = grid[i] if low == high else grid[i] * (low + high)
                for row in range(sums.shape[2]):
                    predicted[level, i, j, row] = left * sums[level, i, row] >= right


@njit(types.void(_indices, _labels, types.int64[:, :, ::1]), nogil=True, cache=True)
def _count_occurrences(indices: np.ndarray, labels: np.ndarray, counts: np.ndarray) -> None:
    for level in range(labels.shape[0]):
        for row in range(indices.shape[0]):
            for point in indices[row]:
                counts[level, point, labels[level, row]] += 1
