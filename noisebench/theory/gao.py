"""Bounds of Gao, Yang and Zhou (2018) on the clean error of nearest neighbours.

Points lie in [0, 1]^d and η is L-Lipschitz. A bound holds for the error's expectation over
training samples of n points with noisy labels. R* is the Bayes error. ``eta`` holds the values of
η at points drawn from, or spread evenly over, the distribution of x.
"""

from __future__ import annotations

import math

import numpy as np

from noisebench.theory.assumptions import (
    check_above,
    check_at_least,
    check_neighbors,
    check_rates,
)
from noisebench.theory.misled import bayes_error, is_hard


def find_margin(
    n: float, k: int, n_features: int, lipschitz: float, tau_pos: float, tau_neg: float
) -> float:
    """Return the margin Δ of Theorem 1, within which kNN may err on account of chance.

    The larger of √(log k / k) and 2√d ((1 − τ₊ − τ₋)L)^(d/(1+d)) (k√d/n)^(1/(1+d)).

    >>> round(find_margin(10**9, 100, 2, 3.0, 0.1, 0.2), 4)
    0.2146
    >>> round(find_margin(10**4, 100, 2, 3.0, 0.1, 0.2), 4)
    1.1217
    """
    _check_problem(n, n_features, lipschitz)
    check_rates(tau_pos, tau_neg)
    check_neighbors(k, 2, n)
    root, power = math.sqrt(n_features), 1 / (1 + n_features)
    slope = (1 - tau_pos - tau_neg) * lipschitz
    reach = 2 * root * slope ** (n_features * power) * (k * root / n) ** power
    return max(reach, math.sqrt(math.log(k) / k))


def bound_knn(
    eta: np.ndarray,
    n: float,
    k: int,
    n_features: int,
    lipschitz: float,
    tau_pos: float,
    tau_neg: float,
) -> float:
    """Return Theorem 1's upper bound on the error of kNN, k ≥ 2, under any class-conditional noise.

    R* + P(A_Δ) + 1/√k + 2((1 − τ₊ − τ₋)L/√d)^(d/(1+d)) (k/n)^(1/(1+d)), with Δ of `find_margin`.

    >>> eta = np.linspace(0, 1, 1001)
    >>> round(bound_knn(eta, 10**12, 10**5, 1, 1.0, 0.1, 0.4), 4)
    0.574
    """
    margin = find_margin(n, k, n_features, lipschitz, tau_pos, tau_neg)
    hard = float(is_hard(eta, tau_pos, tau_neg, margin).mean())
    return bayes_error(eta) + hard + _chance(n, k, n_features, lipschitz, tau_pos, tau_neg)


def bound_rknn(
    eta: np.ndarray,
    n: float,
    k: int,
    n_features: int,
    lipschitz: float,
    tau_pos: float,
    tau_neg: float,
) -> float:
    """Return Theorem 5's upper bound on the error of RkNN with known rates, k ≥ 2.

    As `bound_knn`, with the margin taken about the threshold (1 + τ₋ − τ₊)/2: no point is misled.

    >>> eta = np.linspace(0, 1, 1001)
    >>> round(bound_rknn(eta, 10**12, 10**5, 1, 1.0, 0.1, 0.4), 4)
    0.2953
    """
    margin = find_margin(n, k, n_features, lipschitz, tau_pos, tau_neg)
    threshold = (1 + tau_neg - tau_pos) / 2
    hard = float(is_hard(eta, tau_pos, tau_neg, margin, threshold).mean())
    return bayes_error(eta) + hard + _chance(n, k, n_features, lipschitz, tau_pos, tau_neg)


def bound_symmetric(
    eta: np.ndarray, n: float, k: int, n_features: int, lipschitz: float, tau: float
) -> float:
    """Return Theorem 2's upper bound on the error of kNN, k ≥ 8, with rate τ in both classes.

    R* + √(2/k) R* + √2 τ/(√k (1 − 2τ)) + 5 max(L, √L) √d (k/n)^(1/(1+d)).

    >>> round(bound_symmetric(np.array([0.1, 0.9]), 10**9, 200, 1, 1.0, tau=0.25), 4)
    0.1622
    """
    _check_problem(n, n_features, lipschitz)
    check_rates(tau, tau)
    check_neighbors(k, 8, n)
    error = bayes_error(eta)
    vote = math.sqrt(2 / k) * (error + tau / (1 - 2 * tau))
    reach = max(lipschitz, math.sqrt(lipschitz)) * math.sqrt(n_features)
    return error + vote + 5 * reach * (k / n) ** (1 / (1 + n_features))


def bound_1nn(
    eta: np.ndarray, n: float, n_features: int, lipschitz: float, tau: float
) -> tuple[float, float]:
    """Return Theorem 3's bounds on the error of 1-NN with rate τ in both classes.

    From R* + (1 − 2R*)τ to 2R* + (1 − 4R*)τ, both widened by 3L√d(1 − 2τ)/(2 n^(1/(1+d))), which
    is nothing for n = ∞.

    >>> bound_1nn(np.array([0.25, 0.75]), math.inf, 2, 1.0, tau=0.25)
    (0.375, 0.5)
    """
    _check_problem(n, n_features, lipschitz)
    check_rates(tau, tau)
    error = bayes_error(eta)
    reach = 1.5 * lipschitz * math.sqrt(n_features) * (1 - 2 * tau)
    reach /= n ** (1 / (1 + n_features))
    return error + (1 - 2 * error) * tau - reach, 2 * error + (1 - 4 * error) * tau + reach


def _chance(
    n: float, k: int, n_features: int, lipschitz: float, tau_pos: float, tau_neg: float
) -> float:
    """Return the part of Theorems 1 and 5 that votes and far neighbours cost."""
    power = 1 / (1 + n_features)
    slope = (1 - tau_pos - tau_neg) * lipschitz / math.sqrt(n_features)
    return 1 / math.sqrt(k) + 2 * slope ** (n_features * power) * (k / n) ** power


def _check_problem(n: float, n_features: int, lipschitz: float) -> None:
    check_at_least("n", n, 1)
    check_at_least("n_features", n_features, 1)
    check_above("lipschitz", lipschitz, 0)
