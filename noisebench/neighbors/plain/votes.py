"""Votes, label sums and occurrence counts in numpy."""

from __future__ import annotations

import numpy as np


def count_votes(
    indices: np.ndarray,
    labels: np.ndarray,
    grid: np.ndarray,
    n_classes: int,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the votes (labelling, k, row, class) of the first k neighbours for every k."""
    votes = np.empty((len(labels), len(grid), len(indices), n_classes), dtype=np.int32)
    for level, labelling in enumerate(labels):
        near = labelling[indices]
        for label in range(n_classes):
            votes[level, :, :, label] = _cumulate(near == label)[grid]
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
    votes = count_votes(indices, labels, grid, n_classes)
    if last_wins:
        return (n_classes - 1 - votes[..., ::-1].argmax(axis=-1)).astype(np.int32)
    return votes.argmax(axis=-1).astype(np.int32)


def sum_labels(
    indices: np.ndarray,
    labels: np.ndarray,
    grid: np.ndarray,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the sums (labelling, k, row) of the first k neighbours' labels."""
    sums = np.empty((len(labels), len(grid), len(indices)), dtype=np.int32)
    for level, labelling in enumerate(labels):
        sums[level] = _cumulate(labelling[indices])[grid]
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
    for level in range(shape[0]):
        for j, (k_noise, (low, high)) in enumerate(zip(noise_grid, extremes[level], strict=True)):
            for i, k in enumerate(grid):
                twice = 2 * sums[level, i].astype(np.int64)
                if low == high:
                    predicted[level, i, j] = twice >= k
                else:
                    predicted[level, i, j] = twice * (k_noise + 1) >= k * (low + high)
    return predicted


def count_occurrences(
    indices: np.ndarray, labels: np.ndarray, n_points: int, n_classes: int
) -> np.ndarray:
    """Return how often (labelling, point, class) a point is in a list of a row of that class."""
    counts = np.empty((len(labels), n_points, n_classes), dtype=np.int64)
    for level, labelling in enumerate(labels):
        cells = indices.astype(np.int64) * n_classes + labelling[:, None]
        flat = np.bincount(cells.ravel(), minlength=n_points * n_classes)
        counts[level] = flat.reshape(n_points, n_classes)
    return counts


def _cumulate(values: np.ndarray) -> np.ndarray:
    """Return the sums of the first 0, 1, 2 … columns, one row for each number of columns."""
    return np.pad(np.cumsum(values, axis=1), ((0, 0), (1, 0))).T
