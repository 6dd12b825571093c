"""How many test points nearest neighbours get right, for all values of k and k′ at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisebench.neighbors import NeighborLists, predict_rknn, predict_votes, sum_labels
from noisebench.neighbors.lists import clip_grid

#: A vote this little below a threshold reaches it.
_ROUNDING = 1e-9


def count_hits(
    test: NeighborLists,
    labels: np.ndarray,
    truth: np.ndarray,
    grid: Sequence[int],
    n_classes: int = 2,
) -> np.ndarray:
    """Return how many test points kNN gets right for every k.

    With two classes the second wins an even vote, with more the first of the winners does.

    Parameters
    ----------
    test
        Neighbours of the test points among the training points.
    labels
        Class numbers of the training points: one vector, or several as rows of a matrix.
    truth
        Class numbers of the test points.
    grid
        The values of k. One beyond the number of points stands for all points.

    Examples
    --------
    >>> lists = NeighborLists(np.ones((2, 3)), np.array([[2, 0, 1], [0, 1, 2]]), 3, 3)
    >>> count_hits(lists, np.array([0, 0, 1]), np.array([1, 0]), [1, 3])
    array([2, 1])
    """
    ties = "last" if n_classes == 2 else "first"
    return (predict_votes(test, labels, grid, n_classes, ties=ties) == truth).sum(axis=-1)


def count_hits_rknn(
    test: NeighborLists,
    train: NeighborLists,
    labels: np.ndarray,
    truth: np.ndarray,
    grid: Sequence[int],
    noise_grid: Sequence[int],
) -> np.ndarray:
    """Return how many test points RkNN gets right for every pair, of shape (k, k′).

    Parameters
    ----------
    test, train
        Neighbours of the test points and of the training points among the training points.
    labels
        Labels 0 and 1 of the training points: one vector, or several as rows of a matrix, which
        then form the first axis of the result.
    truth
        Labels of the test points.
    grid, noise_grid
        The values of k and of k′.
    """
    return (predict_rknn(test, train, labels, grid, noise_grid) == truth).sum(axis=-1)


def count_hits_above(
    test: NeighborLists,
    labels: np.ndarray,
    truth: np.ndarray,
    grid: Sequence[int],
    threshold: float,
) -> np.ndarray:
    """Return how many test points a known threshold on the share of ones gets right, per k.

    >>> lists = NeighborLists(np.ones((2, 3)), np.array([[2, 0, 1], [0, 1, 2]]), 3, 3)
    >>> count_hits_above(lists, np.array([0, 0, 1]), np.array([1, 1]), [1, 3], threshold=0.3)
    array([1, 2])
    """
    shares = sum_labels(test, labels, grid) / clip_grid(test, grid)[:, None]
    return ((shares >= threshold - _ROUNDING) == truth).sum(axis=-1)
