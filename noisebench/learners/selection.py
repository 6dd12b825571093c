"""Nearest-neighbour learners that choose k, and k′, by cross-validation inside the training part.

All candidates of a fold are scored from the same neighbour lists by running sums, so that a grid
of 400 pairs costs one search and not 400 fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from noisebench.learners.hits import count_hits, count_hits_above, count_hits_rknn
from noisebench.learners.inner import InnerSelection, check_grid
from noisebench.learners.neighbors import KNN, RobustKNN
from noisebench.learners.rates import find_extremes
from noisebench.neighbors import Fold, NeighborLists

#: The values of k and of k′ that Gao et al. choose from.
GRID = tuple(range(5, 101, 5))


class KNNCV(InnerSelection, KNN):
    """Vote of the k nearest training points, with k chosen by cross-validation.

    Each candidate is scored by the mean accuracy over inner folds of the training part; ties go
    to the smaller k. See `KNN` for the vote itself.

    Parameters
    ----------
    grid : sequence of int, default=5, 10, …, 100
        The candidates. One beyond the number of points at hand stands for all of them.
    folds : int, default=4
        The number of inner folds, shuffled and dealt round-robin; of fewer points, one each.
    selection : {"noisy", "clean"}, default="noisy"
        The labels to score by: those to learn from, or the clean ones given to `fit`. The latter
        are beyond any learner's reach, and serve for comparison.
    metric : str, default="euclidean"
        A metric that `noisebench.neighbors.kneighbors` knows, or "precomputed". A sparse graph to
        fit with must hold as many neighbours of each point as `list_lengths` says.
    random_state : int, optional
        Decides the inner folds.

    Attributes
    ----------
    best_n_neighbors_ : int
        The chosen k.
    cv_scores_ : array of shape (len(grid),)
        The mean accuracy of each candidate, in ascending order of k.

    Examples
    --------
    >>> from noisebench.datasets.generators import sine_surface
    >>> X, y = sine_surface(600, rng=np.random.default_rng(0))
    >>> learner = KNNCV(random_state=0).fit(X[:400], y[:400])
    >>> learner.best_n_neighbors_, round(learner.score(X[400:], y[400:]), 3)
    (55, 0.705)
    """

    ties = "class"

    def __init__(
        self,
        grid: Sequence[int] = GRID,
        folds: int = 4,
        selection: str = "noisy",
        metric: str = "euclidean",
        random_state: int | None = None,
    ) -> None:
        self.grid = grid
        self.folds = folds
        self.selection = selection
        self.metric = metric
        self.random_state = random_state

    def fit(self, X: Any, y: Any, clean_labels: Any = None) -> Self:
        """Choose k, and keep the training data.

        Parameters
        ----------
        X, y
            The training data, as `KNN` takes it.
        clean_labels
            The labels to score by with ``selection="clean"``; not used otherwise.
        """
        table, truth = self._open(X, y, clean_labels)
        grid = sorted(set(self.grid))

        def count(fold: Fold) -> np.ndarray:
            labels, answers = self._codes[fold.train_rows], truth[fold.test_rows]
            return count_hits(fold.test, labels, answers, grid, len(self.classes_))

        (place,) = self._select(table, count)
        self.best_n_neighbors_ = int(grid[place])
        return self


class RobustKNNCV(InnerSelection, RobustKNN):
    """Robust kNN (RkNN) of Gao et al., with k and k′ chosen by cross-validation.

    Each pair is scored by the mean accuracy over inner folds, in each of which the noise rates
    are estimated anew; ties go to the smaller k, then to the smaller k′. With the chosen pair the
    rates are estimated on the whole training part. See `RobustKNN` for the rule itself.

    Agreement with noisy labels is largest for the plain vote, so that selection by them favours
    weak corrections; the paper does not say which labels it scored by.

    Parameters
    ----------
    grid, noise_grid : sequence of int, default=5, 10, …, 100
        The candidates for k and for k′. One beyond the number of points at hand stands for all
        of them.
    folds : int, default=4
        The number of inner folds, shuffled and dealt round-robin; of fewer points, one each.
    selection : {"noisy", "clean"}, default="noisy"
        The labels to score by: those to learn from, or the clean ones given to `fit`. The latter
        are beyond any learner's reach, and serve for comparison.
    metric : str, default="euclidean"
        A metric that `noisebench.neighbors.kneighbors` knows, or "precomputed". A sparse graph to
        fit with must hold as many neighbours of each point as `list_lengths` says.
    rates : (tau_pos, tau_neg), optional
        The true noise rates, where they are known: then only k is chosen.
    random_state : int, optional
        Decides the inner folds.

    Attributes
    ----------
    best_n_neighbors_, best_noise_neighbors_ : int
        The chosen k and k′; with known rates k′ is 0.
    cv_scores_ : array of shape (len(grid), len(noise_grid))
        The mean accuracy of each pair, in ascending order of k and k′; one column with known
        rates.
    tau_pos_, tau_neg_, threshold_ : float
        The rates used and the threshold that follows, as in `RobustKNN`.

    Examples
    --------
    >>> from noisebench.datasets.generators import sine_surface
    >>> from noisebench.noise import ClassConditionalNoise
    >>> rng = np.random.default_rng(0)
    >>> X, y = sine_surface(2500, rng=rng)
    >>> noisy = ClassConditionalNoise(tau_pos=0.3, tau_neg=0.1).corrupt(y[:500], rng)
    >>> learner = RobustKNNCV(random_state=0).fit(X[:500], noisy)
    >>> learner.best_n_neighbors_, learner.best_noise_neighbors_
    (100, 10)
    >>> plain = KNNCV(random_state=0).fit(X[:500], noisy)
    >>> [round(one.score(X[500:], y[500:]), 3) for one in (learner, plain)]
    [0.689, 0.634]
    """

    def __init__(
        self,
        grid: Sequence[int] = GRID,
        noise_grid: Sequence[int] = GRID,
        folds: int = 4,
        selection: str = "noisy",
        metric: str = "euclidean",
        rates: tuple[float, float] | None = None,
        random_state: int | None = None,
    ) -> None:
        self.grid = grid
        self.noise_grid = noise_grid
        self.folds = folds
        self.selection = selection
        self.metric = metric
        self.rates = rates
        self.random_state = random_state

    @property
    def _longest(self) -> int:
        return max(self.grid) if self.rates is not None else max(*self.grid, *self.noise_grid)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_grid("noise_grid", self.noise_grid)

    def fit(self, X: Any, y: Any, clean_labels: Any = None) -> Self:
        """Choose k and k′, estimate the rates, and keep the training data.

        Parameters
        ----------
        X, y
            The training data, as `RobustKNN` takes it.
        clean_labels
            The labels to score by with ``selection="clean"``; not used otherwise.
        """
        table, truth = self._open(X, y, clean_labels)
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. RobustKNNCV corrects the noise of two "
                f"classes, got {len(self.classes_)} classes."
            )
        grid, noise_grid = sorted(set(self.grid)), sorted(set(self.noise_grid))
        if self.rates is None:
            place, noise_place = self._select(table, self._count_pairs(truth, grid, noise_grid))
            self.best_noise_neighbors_ = int(noise_grid[noise_place])
            self._read_rates(table.lists.head(self.best_noise_neighbors_))
        else:
            self._take_rates()
            place, _ = self._select(table, self._count_known(truth, grid))
            self.best_noise_neighbors_ = 0
        self.best_n_neighbors_ = int(grid[place])
        return self

    def _count_pairs(
        self, truth: np.ndarray, grid: list[int], noise_grid: list[int]
    ) -> Callable[[Fold], np.ndarray]:
        """Return a function that counts the hits of every pair (k, k′) in an inner fold."""

        def count(fold: Fold) -> np.ndarray:
            labels, answers = self._codes[fold.train_rows], truth[fold.test_rows]
            return count_hits_rknn(fold.test, fold.train, labels, answers, grid, noise_grid)

        return count

    def _count_known(self, truth: np.ndarray, grid: list[int]) -> Callable[[Fold], np.ndarray]:
        """Return a function that counts the hits of every k under the known rates."""

        def count(fold: Fold) -> np.ndarray:
            labels, answers = self._codes[fold.train_rows], truth[fold.test_rows]
            hits = count_hits_above(fold.test, labels, answers, grid, self.threshold_)
            return hits[:, None]

        return count

    def _read_rates(self, lists: NeighborLists) -> None:
        extremes = find_extremes(lists, self._codes)
        self.tau_pos_, self.tau_neg_ = extremes.rates
        self._fraction = extremes.threshold
        self.threshold_ = extremes.threshold[0] / extremes.threshold[1]
