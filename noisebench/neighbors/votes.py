"""Votes of nearest neighbours: all k of a grid and many labellings from one set of lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisebench.errors import InputError
from noisebench.neighbors.backend import kernels
from noisebench.neighbors.lists import NeighborLists, clip_grid, count_classes, stack_labels


def count_votes(
    lists: NeighborLists,
    labels: np.ndarray,
    grid: Sequence[int],
    n_classes: int | None = None,
    *,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return how many of the first k neighbours have each class.

    Parameters
    ----------
    lists
        Neighbours of the rows to vote on.
    labels
        Class numbers of the points searched: one vector, or several (noise levels, say) as rows
        of a matrix.
    grid
        The values of k. One beyond the number of points stands for all points.

    Returns
    -------
    Counts of shape (k, row, class), with the labellings before them where several were given.

    Examples
    --------
    >>> lists = NeighborLists(np.ones((1, 3)), np.array([[2, 0, 1]], dtype=np.int32), 3, 3)
    >>> count_votes(lists, np.array([0, 1, 1]), [1, 3])
    array([[[0, 1]],
           [[1, 2]]], dtype=int32)
    """
    many, single = stack_labels(labels, lists.n_points)
    votes = kernels("votes").count_votes(
        _contiguous(lists), many, clip_grid(lists, grid), count_classes(many, n_classes), n_threads
    )
    return votes[0] if single else votes


def predict_votes(
    lists: NeighborLists,
    labels: np.ndarray,
    grid: Sequence[int],
    n_classes: int | None = None,
    *,
    ties: str = "first",
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the class with most votes among the first k neighbours, of shape (k, row).

    Of classes with equal votes the ``first`` wins, or the ``last``: with two classes the latter
    is the rule "1 if at least half of the labels are 1". See :func:`count_votes` for the rest.

    Examples
    --------
    >>> lists = NeighborLists(np.ones((1, 2)), np.array([[2, 0]], dtype=np.int32), 3, 3)
    >>> predict_votes(lists, np.array([0, 1, 1]), [1, 2])
    array([[1],
           [0]], dtype=int32)
    >>> predict_votes(lists, np.array([0, 1, 1]), [1, 2], ties="last")
    array([[1],
           [1]], dtype=int32)
    """
    if ties not in ("first", "last"):
        raise InputError(f"ties must be 'first' or 'last', got '{ties}'.")
    many, single = stack_labels(labels, lists.n_points)
    predicted = kernels("votes").predict_votes(
        _contiguous(lists), many, clip_grid(lists, grid), count_classes(many, n_classes),
        ties == "last", n_threads,
    )  # fmt: skip
    return predicted[0] if single else predicted


def sum_labels(
    lists: NeighborLists,
    labels: np.ndarray,
    grid: Sequence[int],
    *,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the sum of the first k neighbours' labels, of shape (k, row).

    With labels 0 and 1, divided by k, it estimates the probability of class 1 (the papers' η).
    """
    many, single = stack_labels(labels, lists.n_points)
    sums = kernels("votes").sum_labels(_contiguous(lists), many, clip_grid(lists, grid), n_threads)
    return sums[0] if single else sums


def predict_rknn(
    test: NeighborLists,
    train: NeighborLists,
    labels: np.ndarray,
    grid: Sequence[int],
    noise_grid: Sequence[int],
    *,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the predictions of RkNN for every pair (k, k′), of shape (k, k′, row).

    Gao, Yang and Zhou, Algorithm 1, as a threshold: class 1 if the share of ones among the k
    neighbours reaches the middle between the smallest and the largest share of ones over the
    k′ + 1 points around a training point, itself included. Sums of labels are compared, so that
    nothing is rounded. If all those shares are equal the threshold is 1/2.

    Parameters
    ----------
    test, train
        Neighbours of the queries and of the training points among the training points.
    labels
        Labels 0 and 1 of the training points, one vector or several as rows of a matrix.
    grid, noise_grid
        The values of k and of k′.

    Examples
    --------
    >>> from noisebench.neighbors import NeighborTable
    >>> i = np.arange(18.0)
    >>> line = np.append(i + 0.01 * i**2, [13.4, 14.3])[:, None]
    >>> labels = np.array([1, 0, 0, 0] * 3 + [1] * 6)
    >>> fold = NeighborTable.build(line).restrict(np.arange(18), [18, 19], k=5)
    >>> predict_votes(fold.test, labels, [5])
    array([[1, 1]], dtype=int32)
    >>> predict_rknn(fold.test, fold.train, labels, [5], [3])
    array([[[0, 1]]], dtype=int8)
    """
    many, single = _binary(labels, train.n_points)
    sums = sum_labels(test, many, grid, n_threads=n_threads)
    extremes = _find_extremes(train, many, noise_grid, n_threads)
    predicted = kernels("votes").correct_threshold(
        sums, clip_grid(test, grid), extremes, clip_grid(train, noise_grid), n_threads
    )
    return predicted[0] if single else predicted


def estimate_rates(
    train: NeighborLists,
    labels: np.ndarray,
    noise_grid: Sequence[int],
    *,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return RkNN's estimates (τ₊, τ₋) of the flip rates for every k′, of shape (k′, 2).

    τ₋, the rate at which zeros became ones, is the smallest share of ones over the k′ + 1 points
    around a training point; τ₊ is one minus the largest.

    Examples
    --------
    >>> from noisebench.neighbors import NeighborTable
    >>> i = np.arange(18.0)
    >>> table = NeighborTable.build((i + 0.01 * i**2)[:, None], n_neighbors=3)
    >>> estimate_rates(table.lists, np.array([1, 0, 0, 0] * 3 + [1] * 6), [3])
    array([[0.  , 0.25]])
    """
    many, single = _binary(labels, train.n_points)
    extremes = _find_extremes(train, many, noise_grid, n_threads)
    shares = extremes / (clip_grid(train, noise_grid)[:, None] + 1)
    rates = np.stack([1.0 - shares[..., 1], shares[..., 0]], axis=-1)
    return rates[0] if single else rates


def _find_extremes(
    train: NeighborLists, labels: np.ndarray, noise_grid: Sequence[int], n_threads: int | None
) -> np.ndarray:
    """Return the smallest and the largest sum (labelling, k′, 2) of own and neighbours' labels."""
    sums = sum_labels(train, labels, noise_grid, n_threads=n_threads) + labels[:, None, :]
    return np.stack([sums.min(axis=-1), sums.max(axis=-1)], axis=-1).astype(np.int64)


def _binary(labels: np.ndarray, n_points: int) -> tuple[np.ndarray, bool]:
    many, single = stack_labels(labels, n_points)
    if many.max(initial=0) > 1:
        raise InputError(f"labels must be 0 or 1, got {int(many.max())}.")
    return many, single


def _contiguous(lists: NeighborLists) -> np.ndarray:
    return np.ascontiguousarray(lists.indices, dtype=np.int32)
