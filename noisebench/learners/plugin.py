"""Reeve and Kabán's plug-in rule: one k for the vote and for the noise rates."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import _num_samples, check_is_fitted

from noisebench.errors import InputError
from noisebench.learners.neighbors import RobustKNN
from noisebench.learners.rates import find_extremes
from noisebench.theory import theory_neighbors


class PlugInKNN(RobustKNN):
    """The k-nearest-neighbour method for label noise of Reeve and Kabán (2019), Algorithm 2.

    η̃_k(x) is the mean noisy label of the k training points nearest to x; a training point is the
    first of its own. With p̂₀ = min η̃_k and p̂₁ = 1 − max η̃_k over the training points, a query
    belongs to class 1 where η̃_k(x) ≥ (1 + p̂₀ − p̂₁)/2. This is `RobustKNN` with k′ = k − 1.

    Parameters
    ----------
    n_neighbors : int or "theory", default="theory"
        The number of voters k, or the value k_n at which Theorem 4.3 balances its two terms (see
        `noisebench.theory.theory_neighbors`). A training set smaller than k votes as a whole.
    metric : str, default="euclidean"
        A metric that `noisebench.neighbors.kneighbors` knows, or "precomputed".
    rates : (tau_pos, tau_neg), optional
        The true noise rates (p₁, p₀), where they are known; estimated by default.
    smoothness : float, default=1.0
        The exponent λ of measure-smoothness, for k_n.
    constant : float, default=1.0
        Its constant ω, for k_n.
    delta : float, default=0.05
        The probability δ with which the theorem may fail, for k_n.

    Attributes
    ----------
    n_neighbors_ : int
        The number of voters k in use.
    tau_pos_, tau_neg_ : float
        The rates used, p̂₁ and p̂₀.
    threshold_ : float
        The share of class 1 among the neighbours from which a query belongs to class 1.

    Examples
    --------
    >>> X = [[i + 0.01 * i**2] for i in range(18)]
    >>> y = 3 * [1, 0, 0, 0] + 6 * [1]
    >>> learner = PlugInKNN(n_neighbors=4).fit(X, y)
    >>> learner.tau_neg_, learner.tau_pos_, learner.threshold_
    (0.25, 0.0, 0.625)
    >>> learner.predict([[13.4], [14.3]])
    array([0, 1])
    """

    def __init__(
        self,
        n_neighbors: int | str = "theory",
        metric: str = "euclidean",
        rates: tuple[float, float] | None = None,
        smoothness: float = 1.0,
        constant: float = 1.0,
        delta: float = 0.05,
    ) -> None:
        self.n_neighbors = n_neighbors  # type: ignore[assignment]
        self.metric = metric
        self.rates = rates
        self.smoothness = smoothness
        self.constant = constant
        self.delta = delta

    def list_lengths(self, n_train: int) -> tuple[int, int]:
        k = min(self._settle(n_train), n_train)
        return (k - 1 if self.rates is None else 0), k

    def fit(self, X: Any, y: Any) -> Self:
        if isinstance(self.n_neighbors, str):
            # Fit a copy that is told the number, and take over what it has learnt.
            copy = clone(self).set_params(n_neighbors=self._settle(_num_samples(X))).fit(X, y)
            given = self.get_params()
            vars(self).update({key: vars(copy)[key] for key in vars(copy) if key not in given})
            return self
        self.n_neighbors_ = self.n_neighbors
        return super().fit(X, y)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probabilities of the clean classes.

        That of the second is η̂ = (η̃_k − p̂₀)/(1 − p̂₀ − p̂₁), brought into [0, 1]; where the
        denominator is 0, η̃_k itself.
        """
        share = self._neighbor_codes(X).mean(axis=1)
        if len(self.classes_) == 1:
            return np.ones((len(share), 1))
        rest = 1 - self.tau_neg_ - self.tau_pos_
        upper = np.clip((share - self.tau_neg_) / rest, 0, 1) if rest > 0 else share
        return np.stack([1 - upper, upper], axis=1)

    def _settle(self, n_train: int) -> int:
        """Return the number of voters for so many training points."""
        if not isinstance(self.n_neighbors, str):
            return self.n_neighbors
        if self.n_neighbors != "theory":
            raise InputError(
                f"n_neighbors must be a whole number or 'theory', got {self.n_neighbors!r}."
            )
        return theory_neighbors(n_train, self.smoothness, self.constant, self.delta)

    def _estimate_rates(self) -> None:
        extremes = find_extremes(self._train_lists(self.n_neighbors_ - 1), self._codes)
        self.tau_pos_, self.tau_neg_ = extremes.rates
        self._fraction = extremes.threshold
        self.threshold_ = extremes.threshold[0] / extremes.threshold[1]

    def _neighbor_codes(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self._codes[self._query_lists(X, self.n_neighbors_).indices]
