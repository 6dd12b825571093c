"""Points whose labels noise misleads, and the errors that nearest neighbours tend to with them.

All functions take the values of η(x) = P(y = 1 | x) at points drawn from, or spread evenly over,
the distribution of x: shares and means over them stand for probabilities.
"""

from __future__ import annotations

import numpy as np

from noisebench.theory.assumptions import check_at_least, check_eta, check_rates


def corrupt_eta(eta: np.ndarray, tau_pos: float, tau_neg: float) -> np.ndarray:
    """Return η̃ = (1 − τ₊ − τ₋) η + τ₋, the probability of class 1 among noisy labels.

    >>> corrupt_eta(np.array([0.0, 0.5, 1.0]), tau_pos=0.25, tau_neg=0.5)
    array([0.5  , 0.625, 0.75 ])
    """
    check_rates(tau_pos, tau_neg)
    return (1 - tau_pos - tau_neg) * check_eta(eta) + tau_neg


def is_misled(eta: np.ndarray, tau_pos: float, tau_neg: float) -> np.ndarray:
    """Tell which points noise misleads: their likelier noisy label is their less likely true one.

    The set A₀ = {(η − 1/2)(η̃ − 1/2) < 0} of Gao et al. (Equation 3) and of Reeve and Kabán
    (Section 5).

    >>> is_misled(np.array([0.3, 0.45, 0.5, 0.6]), tau_pos=0.0, tau_neg=0.2)
    array([False,  True, False, False])
    """
    return (check_eta(eta) - 0.5) * (corrupt_eta(eta, tau_pos, tau_neg) - 0.5) < 0


def is_hard(
    eta: np.ndarray, tau_pos: float, tau_neg: float, margin: float, threshold: float = 0.5
) -> np.ndarray:
    """Tell which points lack a margin Δ: η̃ is misled, or closer than Δ to the threshold.

    The set A_Δ of Gao et al., which for Δ = 0 is A₀. Points with η = 1/2 do not belong to it: no
    answer is wrong there. With the threshold (1 + τ₋ − τ₊)/2 it is the set A′_Δ of their
    Theorem 5.

    >>> is_hard(np.array([0.3, 0.45, 0.5, 0.6]), tau_pos=0.0, tau_neg=0.2, margin=0.1)
    array([ True,  True, False, False])
    """
    check_at_least("margin", margin, 0)
    given, noisy = check_eta(eta), corrupt_eta(eta, tau_pos, tau_neg)
    upper = (given > 0.5) & (noisy >= threshold + margin)
    lower = (given < 0.5) & (noisy <= threshold - margin)
    return ~(upper | lower | (given == 0.5))


def bayes_error(eta: np.ndarray) -> float:
    """Return the Bayes error R* = E min(η, 1 − η).

    >>> bayes_error(np.array([0.25, 1.0]))
    0.125
    """
    given = check_eta(eta)
    return float(np.minimum(given, 1 - given).mean())


def limit_knn(eta: np.ndarray, tau_pos: float, tau_neg: float) -> float:
    """Return the clean error that kNN on noisy labels tends to, for k → ∞ and k/n → 0.

    The rule becomes η̃ ≥ 1/2, which is wrong on A₀ and nowhere else: the Bayes error and the mean
    of |2η − 1| over A₀.

    >>> limit_knn(np.array([0.25, 0.875]), tau_pos=0.0, tau_neg=0.5)
    0.4375
    """
    given = check_eta(eta)
    return float(np.where(corrupt_eta(eta, tau_pos, tau_neg) >= 0.5, 1 - given, given).mean())


def limit_1nn(eta: np.ndarray, tau: float) -> float:
    """Return the clean error that 1-NN tends to under noise of rate τ in both classes.

    Equation 16 of Gao et al.: τ + (1 − 2τ) E 2η(1 − η).

    >>> limit_1nn(np.array([0.5, 1.0]), tau=0.25)
    0.375
    """
    check_rates(tau, tau)
    given = check_eta(eta)
    return float(tau + (1 - 2 * tau) * (2 * given * (1 - given)).mean())
