"""Unbiased estimates of a loss under noise (Natarajan et al., 2013): UE-LLog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from noisebench.learners.binary import (
    LinearClassifier,
    check_positive,
    find_rates,
    flip_rates,
    to_signs,
)
from noisebench.learners.cross_validation import deal_folds, pick_best
from noisebench.learners.logistic import fit_logistic

#: Ridges tried, the largest first: equal scores go to the smoother model.
RIDGE_GRID = tuple(10.0**power for power in range(2, -5, -1))


def unbias_loss(
    loss: np.ndarray, other: np.ndarray, signs: np.ndarray, rates: tuple[float, float]
) -> np.ndarray:
    """Return the loss whose mean over the noise is the loss on the clean label.

    Natarajan et al., Lemma 1: l̃(t, y) = [(1 − ρ_{−y}) l(t, y) − ρ_y l(t, −y)] / (1 − ρ₊ − ρ₋).

    Parameters
    ----------
    loss, other
        The loss l(t, y) with the label that was observed, and l(t, −y) with the other one.
    signs
        The observed labels y, −1 or +1.
    rates
        The noise rates (τ₊, τ₋).

    Examples
    --------
    The logistic loss of a score of 0.5, for the labels +1 and −1:

    >>> loss, other = np.log1p(np.exp([-0.5, 0.5])), np.log1p(np.exp([0.5, -0.5]))
    >>> unbias_loss(loss, other, np.array([1.0, -1.0]), (0.3, 0.1)).round(6)
    array([0.224077, 1.05741 ])
    """
    own_rate, other_rate = flip_rates(signs, rates)
    return ((1.0 - other_rate) * loss - own_rate * other) / (1.0 - sum(rates))


def estimate_error(scores: np.ndarray, signs: np.ndarray, rates: tuple[float, float]) -> float:
    """Return the unbiased estimate of the clean error rate of some scores; it may be negative.

    >>> round(estimate_error(np.array([2.0, 2.0]), np.array([1.0, -1.0]), (0.3, 0.1)), 6)
    0.333333
    """
    misses = (to_signs(scores) != signs).astype(np.float64)
    return float(unbias_loss(misses, 1.0 - misses, signs, rates).mean())


def fit_unbiased(
    X: np.ndarray, signs: np.ndarray, rates: tuple[float, float], ridges: Sequence[float]
) -> list[np.ndarray]:
    """Return coefficients, the intercept at their end, for each ridge; each starts from the last.

    Minimised is the mean of l̃ plus ridge/2 ‖w‖². For the logistic loss l(t, −y) = l(t, y) + y t,
    so that l̃(t, y) = l(t, y) − ρ_y y t / (1 − ρ₊ − ρ₋), which is convex.
    """
    own_rate, _ = flip_rates(signs, rates)
    weights = np.full(len(X), 1.0 / len(X))
    pulls = weights * own_rate / (1.0 - sum(rates))
    found: list[np.ndarray] = []
    for ridge in ridges:
        found.append(fit_logistic(X, signs, weights, pulls, ridge, found[-1] if found else None))
    return found


class UnbiasedLogistic(LinearClassifier):
    """Linear logistic regression by an unbiased loss (UE-LLog).

    Natarajan et al.'s first method: the mean of a loss that in expectation over the noise is the
    logistic loss on clean labels, plus ridge/2 ‖w‖²; the intercept is free. The loss has a linear
    term, which is unbounded on separable data: the ridge cannot be zero. Where noise at these
    rates alone would explain all labels of one class, the answer is the other class.

    Parameters
    ----------
    rates : (tau_pos, tau_neg) or "estimate", default="estimate"
        The noise rates P(observed 0 | true 1) and P(observed 1 | true 0) where they are known;
        otherwise the extremes of a vote of each point and its 50 nearest others.
    ridge : float, optional
        The regulariser (λ); by default chosen from 10⁻⁴, 10⁻³ … 10² by 4-fold
        cross-validation, scored by the unbiased estimate of the error rate, ties to the larger.
    random_state : int, Generator, optional
        The draw of the folds.

    Attributes
    ----------
    tau_pos_, tau_neg_ : float
        The rates used.
    ridge_ : float
        The ridge used.
    coef_, intercept_ : ndarray
        The coefficients w, of shape (1, n_features), and b, of shape (1,).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (300, 2))
    >>> clean = X[:, 0] > 0.2
    >>> y = clean & (rng.random(300) > 0.4)
    >>> learner = UnbiasedLogistic(rates=(0.4, 0.0), random_state=0).fit(X, y)
    >>> learner.ridge_, round(learner.score(X, clean), 2)
    (0.1, 0.96)
    """

    def __init__(
        self,
        rates: Sequence[float] | str = "estimate",
        ridge: float | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.rates = rates
        self.ridge = ridge
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to noisy labels."""
        X, signs = self._read(X, y)
        rates = self.tau_pos_, self.tau_neg_ = find_rates(self.rates, X, signs)
        if self.ridge is None:
            self.ridge_ = self._select_ridge(X, signs, rates)
        else:
            self.ridge_ = check_positive("ridge", self.ridge)
        [params] = fit_unbiased(X, signs, rates, [self.ridge_])
        self._keep(params)
        return self

    def _select_ridge(self, X: np.ndarray, signs: np.ndarray, rates: tuple[float, float]) -> float:
        folds = deal_folds(len(X), np.random.default_rng(self.random_state))
        scores = np.empty((len(folds), len(RIDGE_GRID)))
        for fold, (train, test) in enumerate(folds):
            found = fit_unbiased(X[train], signs[train], rates, RIDGE_GRID)
            for column, params in enumerate(found):
                predicted = X[test] @ params[:-1] + params[-1]
                scores[fold, column] = -estimate_error(predicted, signs[test], rates)
        return RIDGE_GRID[pick_best(scores)]
