"""Importance reweighting (Liu and Tao, 2016): IR-KSVM and IR-LLog."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from noisebench.learners.binary import LinearClassifier, check_positive, find_rates, flip_rates
from noisebench.learners.gaussian import Distances, median_distance
from noisebench.learners.kliep import estimate_posterior
from noisebench.learners.logistic import fit_logistic
from noisebench.learners.machines import KernelClassifier, fit_machines
from noisebench.neighbors import kneighbors
from noisebench.neighbors.graphs import read_precomputed

#: A weight below this is rounding: the posterior equals the noise rate.
_NOTHING = 1e-9


def importance_weights(
    posterior: np.ndarray, signs: np.ndarray, rates: tuple[float, float]
) -> np.ndarray:
    """Return how much each point counts towards the loss over clean labels.

    The ratio β(x, ỹ) = (P(ỹ|x) − ρ_{−ỹ}) / ((1 − ρ₊ − ρ₋) P(ỹ|x)) of the clean joint density to
    the noisy one; an estimated posterior may lie below the noise rate, and the weight is then 0.

    Parameters
    ----------
    posterior
        P(ỹ|x), the probability of the label that each point has.
    signs
        That label ỹ, −1 or +1.
    rates
        The noise rates (τ₊, τ₋).

    Examples
    --------
    >>> importance_weights(np.array([0.4, 0.6, 0.3]), np.array([1.0, -1.0, -1.0]), (0.3, 0.1))
    array([1.25      , 0.83333333, 0.        ])
    """
    _, other = flip_rates(signs, rates)
    scale = (1.0 - sum(rates)) * np.where(posterior > 0, posterior, 1.0)
    weights = np.where(posterior > 0, (posterior - other) / scale, 0.0)
    return np.where(weights > _NOTHING, weights, 0.0)


def vote_posterior(X: np.ndarray, signs: np.ndarray, metric: str) -> np.ndarray:
    """Return P(label +1 | x) at each point: the share among itself and its nearest others.

    ⌈√n⌉ points vote, the point itself included.

    >>> line = np.array([[0.0], [1.0], [3.0], [7.0]])
    >>> vote_posterior(line, np.array([-1.0, -1.0, 1.0, 1.0]), "euclidean")
    array([0. , 0. , 0.5, 1. ])
    """
    positive = signs > 0
    n_others = math.ceil(math.sqrt(len(X))) - 1
    if n_others == 0:
        return positive.astype(np.float64)
    if metric == "precomputed":
        near = read_precomputed(X, n_others, exclude_self=True).indices
    else:
        near = kneighbors(X, X, n_others, metric, exclude_self=True)[1]
    return (positive + positive[near].sum(axis=1)) / (n_others + 1)


class ImportanceReweightedSVM(KernelClassifier):
    """Support vector machine with importance weights (IR-KSVM), Gaussian kernel.

    Liu and Tao's reweighting: a point's hinge loss counts by the ratio of the clean density of
    the point and its label to the noisy one, which follows from the noise rates and the noisy
    class posterior. Minimised is C Σ weightᵢ hinge(ỹᵢ f(xᵢ)) + ‖f‖²/2, the intercept apart.

    Parameters
    ----------
    rates : (tau_pos, tau_neg) or "estimate", default="estimate"
        The noise rates P(observed 0 | true 1) and P(observed 1 | true 0) where they are known;
        otherwise the extremes of a vote of each point and its 50 nearest others.
    posterior : {"kliep", "knn"}, default="kliep"
        The estimate of the noisy class posterior: density-ratio matching with the same kernel,
        or the share among the ⌈√n⌉ nearest points, the point itself included.
    C : float, default=1.0
        The weight of the loss against the regulariser.
    width : float, optional
        The kernel is exp(−‖x − z‖² / (2 width²)); by default the width is the median distance
        between training points, of 1000 random ones where there are more.
    metric : {"euclidean", "precomputed"}, default="euclidean"
        With "precomputed", distances take the place of features.
    random_state : int, Generator, optional
        The draw of the kernel centres of "kliep" and of the points behind the median.

    Attributes
    ----------
    tau_pos_, tau_neg_ : float
        The rates used.
    weights_ : ndarray
        The importance weight of each training point.
    width_ : float
        The width used.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (300, 2))
    >>> clean = np.hypot(*X.T) < 0.7
    >>> y = clean & (rng.random(300) > 0.4)
    >>> learner = ImportanceReweightedSVM(rates=(0.4, 0.0), random_state=0).fit(X, y)
    >>> round(learner.score(X, clean), 2)
    0.9
    """

    def __init__(
        self,
        rates: Sequence[float] | str = "estimate",
        posterior: str = "kliep",
        C: float = 1.0,
        width: float | None = None,
        metric: str = "euclidean",
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.rates = rates
        self.posterior = posterior
        self.C = C
        self.width = width
        self.metric = metric
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to noisy labels."""
        check_posterior(self.posterior)
        check_positive("C", self.C)
        X, signs = self._read(X, y)
        rng = np.random.default_rng(self.random_state)
        distances = Distances.read(X, self.metric)
        if self.width is None:
            width = median_distance(distances, rng)
        else:
            width = check_positive("width", self.width)
        rates = self.tau_pos_, self.tau_neg_ = find_rates(self.rates, X, signs, self.metric)
        if self.posterior == "kliep":
            positive = estimate_posterior(distances, signs, width, rng)
        else:
            positive = vote_posterior(X, signs, self.metric)
        self.weights_ = _weigh(positive, signs, rates)
        boxes = [self.C * self.weights_]
        [machine] = fit_machines(distances, np.arange(len(X)), signs, boxes, width)
        self._keep(distances, machine, width)
        return self


class ImportanceReweightedLogistic(LinearClassifier):
    """Linear logistic regression with importance weights (IR-LLog).

    The weights are those of `ImportanceReweightedSVM`; minimised is
    C Σ weightᵢ log(1 + exp(−ỹᵢ f(xᵢ))) + ‖w‖²/2 with f(x) = w·x + b and b free.

    Parameters
    ----------
    rates : (tau_pos, tau_neg) or "estimate", default="estimate"
        The noise rates P(observed 0 | true 1) and P(observed 1 | true 0) where they are known;
        otherwise the extremes of a vote of each point and its 50 nearest others.
    posterior : {"kliep", "knn"}, default="kliep"
        The estimate of the noisy class posterior: density-ratio matching with a Gaussian kernel
        of median width, or the share among the ⌈√n⌉ nearest points, the point itself included.
    C : float, default=1.0
        The weight of the loss against the regulariser.
    random_state : int, Generator, optional
        The draw of the kernel centres of "kliep" and of the points behind the median.

    Attributes
    ----------
    tau_pos_, tau_neg_ : float
        The rates used.
    weights_ : ndarray
        The importance weight of each training point.
    coef_, intercept_ : ndarray
        The coefficients w, of shape (1, n_features), and b, of shape (1,).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (300, 2))
    >>> clean = X[:, 0] > 0.2
    >>> y = clean & (rng.random(300) > 0.4)
    >>> learner = ImportanceReweightedLogistic(rates=(0.4, 0.0), random_state=0).fit(X, y)
    >>> round(learner.score(X, clean), 2)
    0.94
    """

    def __init__(
        self,
        rates: Sequence[float] | str = "estimate",
        posterior: str = "kliep",
        C: float = 1.0,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.rates = rates
        self.posterior = posterior
        self.C = C
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to noisy labels."""
        check_posterior(self.posterior)
        check_positive("C", self.C)
        X, signs = self._read(X, y)
        rates = self.tau_pos_, self.tau_neg_ = find_rates(self.rates, X, signs)
        if self.posterior == "kliep":
            rng = np.random.default_rng(self.random_state)
            distances = Distances(None, X, len(X))
            width = median_distance(distances, rng)
            positive = estimate_posterior(distances, signs, width, rng)
        else:
            positive = vote_posterior(X, signs, "euclidean")
        self.weights_ = _weigh(positive, signs, rates)
        none = np.zeros(len(X))
        self._keep(fit_logistic(X, signs, self.C * self.weights_, none, ridge=1.0))
        return self


def _weigh(positive: np.ndarray, signs: np.ndarray, rates: tuple[float, float]) -> np.ndarray:
    """Return the importance weights from P(label +1 | x)."""
    return importance_weights(np.where(signs > 0, positive, 1.0 - positive), signs, rates)


def check_posterior(posterior: str) -> None:
    """Refuse an estimator of the posterior that is not known."""
    if posterior not in ("kliep", "knn"):
        raise ValueError(f"posterior must be 'kliep' or 'knn', got {posterior!r}.")
