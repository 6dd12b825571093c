"""Nearest-neighbour voting and Gao et al.'s correction of it (RkNN)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from noisebench.learners.base import NeighborClassifier


class KNN(NeighborClassifier):
    """Plurality vote of the k nearest training points.

    Neighbours at equal distance are taken in the order of the training set. With two classes the
    vote is the threshold rule η(x) ≥ 1/2, so that an even vote goes to the second class; with
    more classes equal votes go to the first of them.

    Parameters
    ----------
    n_neighbors : int, default=5
        The number of voters k. A training set smaller than k votes as a whole.
    metric : str, default="euclidean"
        A metric that `noisebench.neighbors.kneighbors` knows, or "precomputed".
    ties : {"class", "first"}, default="class"
        Whom equal votes go to: "class" as described above; "first" to the class that is first to
        reach the winning count when neighbours are taken nearest first.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.2], [3.0], [4.1], [5.5], [6.2], [7.4], [8.1], [9.5]]
    >>> y = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> KNN(n_neighbors=3).fit(X, y).predict([[4.9]])
    array([1])
    """

    def __init__(
        self, n_neighbors: int = 5, metric: str = "euclidean", ties: str = "class"
    ) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.ties = ties

    def fit(self, X: Any, y: Any) -> Self:
        if self.ties not in ("class", "first"):
            raise ValueError(f"ties must be 'class' or 'first', got {self.ties!r}.")
        self._store(X, y)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the share of each class among the neighbours."""
        codes = self._neighbor_codes(X)
        return count_votes(codes, len(self.classes_)) / codes.shape[1]

    def predict(self, X: Any) -> np.ndarray:
        codes = self._neighbor_codes(X)
        votes = count_votes(codes, len(self.classes_))
        return self.classes_[self._winners(codes, votes)]

    def _winners(self, codes: np.ndarray, votes: np.ndarray) -> np.ndarray:
        if self.ties == "first":
            return first_to_reach(codes, votes)
        if votes.shape[1] == 2:
            return (votes[:, 1] >= votes[:, 0]).astype(np.intp)
        return votes.argmax(axis=1)


class RobustKNN(NeighborClassifier):
    """Robust k-nearest neighbour (RkNN) of Gao, Yang and Zhou (2018), Algorithm 1.

    The noise rates are read off the extremes of a first vote η₁ over each training point and its
    k′ nearest others: τ̂₋ = min η₁ and τ̂₊ = 1 − max η₁. A query belongs to class 1 where the vote
    of its k neighbours reaches θ = (1 + τ̂₋ − τ̂₊)/2; without noise, or with the same noise in both
    classes, that is the plain vote.

    Two readings of the printed algorithm are settled here. Its Equation 5 names the minimum as
    the estimate of τ₊; since η̃ = (1 − τ₊ − τ₋)η + τ₋ grows with η, the minimum is τ₋. And its two
    corrections are the one threshold θ, apart from end points, where open intervals would leave
    a vote of exactly 1/2 uncorrected.

    Parameters
    ----------
    n_neighbors : int, default=10
        The predictive parameter k.
    noise_neighbors : int, default=50
        The noise parameter k′. Below 20 some neighbourhood is pure by chance, and the estimates
        are near 0.
    metric : str, default="euclidean"
        A metric that `noisebench.neighbors.kneighbors` knows, or "precomputed".
    rates : (tau_pos, tau_neg), optional
        The true noise rates, where they are known; estimated by default.

    Attributes
    ----------
    tau_pos_, tau_neg_ : float
        The rates used: P(observed 0 | true 1) and P(observed 1 | true 0).
    threshold_ : float
        The share θ of class 1 among the neighbours from which a query belongs to class 1.

    Examples
    --------
    >>> X = [[i + 0.01 * i**2] for i in range(18)]
    >>> y = 3 * [1, 0, 0, 0] + 6 * [1]
    >>> learner = RobustKNN(n_neighbors=5, noise_neighbors=3).fit(X, y)
    >>> learner.tau_neg_, learner.tau_pos_, learner.threshold_
    (0.25, 0.0, 0.625)
    >>> learner.predict([[13.4]]), KNN(n_neighbors=5).fit(X, y).predict([[13.4]])
    (array([0]), array([1]))
    """

    def __init__(
        self,
        n_neighbors: int = 10,
        noise_neighbors: int = 50,
        metric: str = "euclidean",
        rates: tuple[float, float] | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.noise_neighbors = noise_neighbors
        self.metric = metric
        self.rates = rates

    def list_lengths(self, n_train: int) -> tuple[int, int]:
        first = min(self.noise_neighbors, n_train - 1) if self.rates is None else 0
        return first, min(self.n_neighbors, n_train)

    def fit(self, X: Any, y: Any) -> Self:
        self._store(X, y)
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. RobustKNN corrects the noise of two "
                f"classes, got {len(self.classes_)} classes."
            )
        if self.rates is None:
            self._estimate_rates()
        else:
            self._take_rates()
        return self

    def _estimate_rates(self) -> None:
        if self.noise_neighbors < 1:
            raise ValueError(f"noise_neighbors must be at least 1, got {self.noise_neighbors}.")
        lists = self._train_lists(self.noise_neighbors)
        size = lists.depth + 1
        sums = self._codes + self._codes[lists.indices].sum(axis=1)
        low, high = int(sums.min()), int(sums.max())
        self.tau_neg_, self.tau_pos_ = low / size, (size - high) / size
        # The threshold as a fraction of whole numbers: votes are compared without rounding.
        # Where all first votes are equal there is nothing to read off, and 1/2 stays.
        self._fraction: tuple[int, int] | None = (low + high, 2 * size) if low < high else (1, 2)
        self.threshold_ = self._fraction[0] / self._fraction[1]

    def _take_rates(self) -> None:
        assert self.rates is not None
        self.tau_pos_, self.tau_neg_ = (float(rate) for rate in self.rates)
        if min(self.rates) < 0 or sum(self.rates) >= 1:
            raise ValueError(
                f"rates must be two numbers of at least 0 that sum to less than 1, "
                f"got {tuple(self.rates)}."
            )
        self._fraction = None
        self.threshold_ = (1 + self.tau_neg_ - self.tau_pos_) / 2

    def predict(self, X: Any) -> np.ndarray:
        codes = self._neighbor_codes(X)
        votes, k = codes.sum(axis=1), codes.shape[1]
        if self._fraction is not None:
            numerator, denominator = self._fraction
            upper = votes * denominator >= k * numerator
        else:
            upper = votes / k >= self.threshold_ - 1e-9
        # A training set of one class knows no other answer.
        return self.classes_[np.minimum(upper.astype(np.intp), len(self.classes_) - 1)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def count_votes(codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Return how often each class occurs in each row of class codes.

    >>> count_votes(np.array([[0, 2, 2]]), 3)
    array([[1, 0, 2]])
    """
    rows = np.arange(len(codes))[:, None] * n_classes
    return np.bincount((rows + codes).ravel(), minlength=len(codes) * n_classes).reshape(
        -1, n_classes
    )


def first_to_reach(codes: np.ndarray, votes: np.ndarray) -> np.ndarray:
    """Return the class of each row that is first to reach the row's largest count.

    >>> codes = np.array([[1, 0, 0, 1]])
    >>> first_to_reach(codes, count_votes(codes, 2))
    array([0])
    """
    running = np.zeros_like(votes)
    rows = np.arange(len(codes))
    winners = np.full(len(codes), -1, dtype=np.intp)
    goal = votes.max(axis=1)
    for column in codes.T:
        running[rows, column] += 1
        reached = (running[rows, column] == goal) & (winners < 0)
        winners[reached] = column[reached]
    return winners
