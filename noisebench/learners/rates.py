"""Noise rates read off noisy labels: the extremes of an estimated class probability.

Class-conditional noise turns η(x) = P(y = 1 | x) into η̃(x) = (1 − τ₊ − τ₋) η(x) + τ₋. Where η
comes close to 0 and to 1, the smallest η̃ is therefore τ₋ = P(observed 1 | true 0) and the largest
is 1 − τ₊, with τ₊ = P(observed 0 | true 1). The estimators differ in how they come by η̃. All
return (τ₊, τ₋), the order in which learners take known rates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_X_y

from noisebench.errors import InputError
from noisebench.learners.gaussian import Distances, median_distance
from noisebench.learners.inner import open_table
from noisebench.learners.kliep import estimate_posterior
from noisebench.neighbors import NeighborLists, sum_labels


class Rates(NamedTuple):
    """The rates of class-conditional noise: P(observed 0 | true 1) and P(observed 1 | true 0)."""

    tau_pos: float
    tau_neg: float


@dataclass(frozen=True)
class Extremes:
    """The smallest and the largest sum of labels over ``size`` points around a training point.

    >>> extremes = Extremes(low=1, high=4, size=4)
    >>> extremes.rates, extremes.threshold
    (Rates(tau_pos=0.0, tau_neg=0.25), (5, 8))
    """

    low: int
    high: int
    size: int

    @property
    def rates(self) -> Rates:
        """The rates that these extremes stand for."""
        return Rates((self.size - self.high) / self.size, self.low / self.size)

    @property
    def threshold(self) -> tuple[int, int]:
        """The threshold θ = (1 + τ₋ − τ₊)/2 as a fraction of whole numbers.

        Where all sums are equal there is nothing to read off, and 1/2 stays.
        """
        return (self.low + self.high, 2 * self.size) if self.low < self.high else (1, 2)


def find_extremes(lists: NeighborLists, labels: np.ndarray) -> Extremes:
    """Return the extreme sums of labels 0 and 1 over each point and its whole list.

    >>> lists = NeighborLists(np.ones((3, 1)), np.array([[1], [0], [1]]), 3, 2)
    >>> find_extremes(lists, np.array([0, 0, 1]))
    Extremes(low=0, high=1, size=2)
    """
    sums = labels
    if lists.depth:
        sums = labels + sum_labels(lists, labels, [lists.depth])[0]
    return Extremes(int(sums.min()), int(sums.max()), lists.depth + 1)


def estimate_rates_knn(
    X: Any,
    y: Any,
    n_neighbors: int = 50,
    metric: str = "euclidean",
    form: str = "gao",
) -> Rates:
    """Estimate the noise rates by the extremes of a nearest-neighbour vote over training points.

    Parameters
    ----------
    X, y
        Features and noisy labels of two classes, of which the second in sorted order is the
        positive one. With ``metric="precomputed"`` the distances instead of the features.
    n_neighbors
        The number of neighbours; no more than there are points.
    form
        Whether the point itself, which votes in any case, comes on top of its neighbours ("gao":
        Gao et al., Equation 5, with its k′) or is the first of them ("reeve_kaban": Reeve and
        Kabán, Algorithm 2, with its k = k′ + 1).

    Notes
    -----
    As printed, Gao et al.'s Equation 5 takes the minimum for τ₊. Since η̃ grows with η, it is τ₋,
    as in Reeve and Kabán.

    Examples
    --------
    >>> X = [[i + 0.01 * i**2] for i in range(18)]
    >>> y = 3 * [1, 0, 0, 0] + 6 * [1]
    >>> estimate_rates_knn(X, y, n_neighbors=3)
    Rates(tau_pos=0.0, tau_neg=0.25)
    >>> estimate_rates_knn(X, y, n_neighbors=4, form="reeve_kaban")
    Rates(tau_pos=0.0, tau_neg=0.25)
    """
    if form not in ("gao", "reeve_kaban"):
        raise InputError(f"form must be 'gao' or 'reeve_kaban', got {form!r}.")
    X, codes = _check_sample(X, y, accept_sparse=metric == "precomputed")
    lists = _nearest_others(X, n_neighbors - (form == "reeve_kaban"), metric, n_neighbors)
    return find_extremes(lists, codes).rates


def estimate_range_knn(
    X: Any, values: Any, n_neighbors: int, metric: str = "euclidean"
) -> tuple[float, float]:
    """Estimate the smallest and the largest value of a regression function f.

    Reeve and Kabán, Section 4.2: the extremes over the sample of f̂(Xᵢ), the mean value of the k
    points nearest to Xᵢ, of which it is the first itself. `noisebench.theory.maximum_error` bounds
    the error.

    Examples
    --------
    >>> X = np.arange(10.0)[:, None]
    >>> estimate_range_knn(X, X[:, 0], n_neighbors=3)
    (1.0, 8.0)
    """
    X, values = check_X_y(X, values, dtype=np.float64, y_numeric=True)
    others = _nearest_others(X, n_neighbors - 1, metric, n_neighbors).indices
    means = (values + values[others].sum(axis=1)) / (others.shape[1] + 1)
    return float(means.min()), float(means.max())


def estimate_rates_liu_tao(X: Any, y: Any, random_state: int = 0) -> Rates:
    """Estimate the noise rates by the minima of a posterior that density ratios give.

    Liu and Tao (2016): each rate is bounded by P(observed label | x) and reaches the bound where
    the true label is the other one, so that it is estimated by the minimum over the sample. The
    posterior comes from density-ratio matching with Gaussian kernels as wide as the median
    distance.

    Parameters
    ----------
    X, y
        Features and noisy labels of two classes, of which the second in sorted order is the
        positive one.
    random_state
        Decides the kernel centres.

    Examples
    --------
    >>> from noisebench.noise import ClassConditionalNoise
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 300)
    >>> X = rng.normal(size=(600, 2)) + 4 * y[:, None]
    >>> noisy = ClassConditionalNoise(tau_pos=0.1, tau_neg=0.3).corrupt(y, rng)
    >>> [round(rate, 2) for rate in estimate_rates_liu_tao(X, noisy)]
    [0.05, 0.18]
    """
    X, codes = _check_sample(X, y)
    rng = np.random.default_rng(random_state)
    distances = Distances.read(X, "euclidean")
    width = median_distance(distances, rng)
    return _read_posterior(estimate_posterior(distances, 2.0 * codes - 1.0, width, rng))


def estimate_rates_menon(X: Any, y: Any, model: Any = None, random_state: int = 0) -> Rates:
    """Estimate the noise rates by the extremes of a fitted class probability.

    Menon, van Rooyen, Ong and Williamson (2015): a class-probability estimator is trained on the
    noisy labels, and τ₋ and 1 − τ₊ are its smallest and largest output over the training points.

    Parameters
    ----------
    X, y
        Features and noisy labels of two classes, of which the second in sorted order is the
        positive one.
    model
        A classifier with ``predict_proba``; by default a kernel logistic regression (Gaussian
        kernel on standardised features, through at most 100 landmarks).
    random_state
        Decides the landmarks.

    Examples
    --------
    >>> from noisebench.noise import ClassConditionalNoise
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 300)
    >>> X = rng.normal(size=(600, 2)) + 4 * y[:, None]
    >>> noisy = ClassConditionalNoise(tau_pos=0.1, tau_neg=0.3).corrupt(y, rng)
    >>> [round(rate, 2) for rate in estimate_rates_menon(X, noisy)]
    [0.08, 0.21]
    """
    X, codes = _check_sample(X, y)
    chosen = _kernel_logistic(len(X), random_state) if model is None else clone(model)
    return _read_posterior(chosen.fit(X, codes).predict_proba(X)[:, 1])


def _kernel_logistic(n_points: int, random_state: int) -> Any:
    landmarks = Nystroem(n_components=min(100, n_points), random_state=random_state)
    return make_pipeline(StandardScaler(), landmarks, LogisticRegression(max_iter=1000))


def _read_posterior(posterior: np.ndarray) -> Rates:
    """Return the rates that the extremes of P(observed 1 | x) over the sample stand for."""
    return Rates(float(1 - posterior.max()), float(posterior.min()))


def _check_sample(X: Any, y: Any, accept_sparse: bool = False) -> tuple[Any, np.ndarray]:
    """Return checked features and labels 0 and 1."""
    X, y = check_X_y(X, y, dtype=np.float64, accept_sparse="csr" if accept_sparse else False)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) != 2:
        raise InputError(f"y must hold labels of two classes, got {len(classes)} classes.")
    return X, codes


def _nearest_others(X: Any, n_others: int, metric: str, given: int) -> NeighborLists:
    """Return each point's nearest others, no more than there are."""
    n = X.shape[0]
    if given < 1:
        raise InputError(f"n_neighbors must be at least 1, got {given}.")
    if not n_others:
        return NeighborLists(np.empty((n, 0)), np.empty((n, 0), dtype=np.int32), n, n - 1)
    return open_table(X, metric, min(n_others, n - 1)).lists
