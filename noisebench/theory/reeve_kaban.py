"""Bounds of Reeve and Kabán (2019) on nearest neighbours under unknown asymmetric noise.

η is measure-smooth: |η(x) − η(x′)| ≤ ω · μ(ball about x that reaches x′)^λ, with the exponent λ
(``smoothness``) and ω (``constant``). Each bound holds with probability 1 − δ (``delta``) over
training samples of n points. The papers' p₁ and p₀ are ``tau_pos`` and ``tau_neg``.
"""

from __future__ import annotations

import math

from noisebench.errors import InputError
from noisebench.theory.assumptions import (
    check_above,
    check_at_least,
    check_neighbors,
    check_rates,
    check_share,
)


def theory_neighbors(
    n: int, smoothness: float = 1.0, constant: float = 1.0, delta: float = 0.05
) -> int:
    """Return the number of neighbours that balances the two terms of Theorem 4.3.

    k_n = ⌈(log(18n/δ)/(2ω²))^(1/(2λ+1)) n^(2λ/(2λ+1))⌉, brought into the range of which the
    theorem speaks, 4 log(3/δ) + 1 ≤ k ≤ n/2; where that is empty, to its upper end.

    >>> theory_neighbors(1000, smoothness=1, constant=3, delta=0.05)
    90
    >>> theory_neighbors(20), theory_neighbors(1)
    (10, 1)
    """
    _check_smoothness(n, smoothness, constant, delta)
    best = _best_neighbors(n, smoothness, constant, delta)
    least = math.ceil(4 * math.log(3 / delta) + 1)
    return max(1, min(max(best, least), n // 2))


def pointwise_error(
    n: int, k: int, smoothness: float = 1.0, constant: float = 1.0, delta: float = 0.05
) -> float:
    """Return Theorem 4.1's bound on |f̂(x) − f(x)| for the mean f̂ over the k nearest points.

    √(log(3/δ)/(2k)) + ω(2k/n)^λ, for 4 log(3/δ) + 1 ≤ k ≤ n/2 and any one point, of the sample
    or not.

    >>> round(pointwise_error(1000, 90, smoothness=1, constant=3), 4)
    0.6908
    """
    _check_smoothness(n, smoothness, constant, delta)
    check_neighbors(k, 4 * math.log(3 / delta) + 1, n / 2)
    return math.sqrt(math.log(3 / delta) / (2 * k)) + constant * (2 * k / n) ** smoothness


def maximum_error(
    n: int, k: int, smoothness: float = 1.0, constant: float = 1.0, delta: float = 0.05
) -> float:
    """Return Theorem 4.2's bound on the error of the estimated maximum of a regression function.

    √(log(6n/δ)/(2k)) + 2ω(2k/n)^λ, for 4 log(2/δ) + 1 ≤ k ≤ n/2. The minimum is that of 1 − f.
    See `noisebench.learners.rates.estimate_range_knn` for the estimate.

    The range of k is the printed one. The proof applies Theorem 4.1 to all n points at once, at
    the level δ/(2n), and so needs k ≥ 4 log(6n/δ) + 1.

    >>> round(maximum_error(1000, 90, smoothness=1, constant=3), 4)
    1.3349
    """
    _check_smoothness(n, smoothness, constant, delta)
    check_neighbors(k, 4 * math.log(2 / delta) + 1, n / 2)
    return math.sqrt(math.log(6 * n / delta) / (2 * k)) + 2 * constant * (2 * k / n) ** smoothness


def excess_risk(
    n: int,
    k: int,
    tau_pos: float,
    tau_neg: float,
    smoothness: float = 1.0,
    constant: float = 1.0,
    delta: float = 0.05,
    margin: float = 0.0,
    margin_constant: float = 1.0,
) -> float:
    """Return Theorem 4.3's bound on how far the plug-in rule's risk is above the Bayes risk.

    C (8/(1 − p₀ − p₁) · [√(log(18n/δ)/k) + 2ω(2k/n)^λ])^(α+1) + δ, for
    4 log(3/δ) + 1 ≤ k ≤ n/2, with the margin exponent α and its constant C (Assumption 4). That η
    comes close to 0 and 1 is assumed too: `check_range`.

    As printed. The proof writes the excess risk as the integral of |η − 1/2|; it is that of
    |2η − 1|, and the first term thus doubled on the safe side.

    >>> round(excess_risk(10**9, 10**6, 0.3, 0.1, smoothness=1, constant=3), 4)
    0.2788
    """
    _check_smoothness(n, smoothness, constant, delta)
    _check_noise(tau_pos, tau_neg, margin, margin_constant)
    check_neighbors(k, 4 * math.log(3 / delta) + 1, n / 2)
    error = math.sqrt(math.log(18 * n / delta) / k) + 2 * constant * (2 * k / n) ** smoothness
    return margin_constant * (8 * error / (1 - tau_pos - tau_neg)) ** (margin + 1) + delta


def excess_risk_at_best(
    n: int,
    tau_pos: float,
    tau_neg: float,
    smoothness: float = 1.0,
    constant: float = 1.0,
    delta: float = 0.05,
    margin: float = 0.0,
    margin_constant: float = 1.0,
) -> float:
    """Return Theorem 4.3's bound on the excess risk with k = k_n of `theory_neighbors`.

    C (2^(2λ+5) ω^(1/(2λ+1))/(1 − p₀ − p₁))^(α+1) (log(18n/δ)/n)^(λ(α+1)/(2λ+1)) + δ, for
    n ≥ 5(10ω²)^(1/(2λ)) log(18n/δ).

    >>> round(excess_risk_at_best(10**9, 0.3, 0.1, smoothness=1, constant=3), 4)
    0.9686
    """
    _check_smoothness(n, smoothness, constant, delta)
    _check_noise(tau_pos, tau_neg, margin, margin_constant)
    log = math.log(18 * n / delta)
    least = 5 * (10 * constant**2) ** (1 / (2 * smoothness)) * log
    if n < least:
        raise InputError(f"n must be at least {least:.0f} for this bound, got {n}.")
    factor = 2 ** (2 * smoothness + 5) * constant ** (1 / (2 * smoothness + 1))
    factor = margin_constant * (factor / (1 - tau_pos - tau_neg)) ** (margin + 1)
    return factor * (log / n) ** rate_exponent(smoothness, margin) + delta


def rate_exponent(smoothness: float = 1.0, margin: float = 0.0) -> float:
    """Return λ(α+1)/(2λ+1): the excess risk falls as n to minus this, but for a logarithm.

    >>> rate_exponent(smoothness=1, margin=0.5)
    0.5
    """
    check_above("smoothness", smoothness, 0)
    check_at_least("margin", margin, 0)
    return smoothness * (margin + 1) / (2 * smoothness + 1)


def _best_neighbors(n: int, smoothness: float, constant: float, delta: float) -> int:
    power = 1 / (2 * smoothness + 1)
    balance = (math.log(18 * n / delta) / (2 * constant**2)) ** power
    return math.ceil(balance * n ** (2 * smoothness * power))


def _check_smoothness(n: int, smoothness: float, constant: float, delta: float) -> None:
    check_at_least("n", n, 1)
    check_above("smoothness", smoothness, 0)
    check_above("constant", constant, 0)
    check_share("delta", delta)


def _check_noise(tau_pos: float, tau_neg: float, margin: float, margin_constant: float) -> None:
    check_rates(tau_pos, tau_neg)
    check_at_least("margin", margin, 0)
    check_at_least("margin_constant", margin_constant, 1)
