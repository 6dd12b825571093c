"""What the theorems assume, checked: on their numbers, and on a sample of the problem."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

from noisebench.errors import InputError

#: By how much rounding may break an inequality.
_ROUNDING = 1e-9


def check_rates(tau_pos: float, tau_neg: float) -> None:
    """Refuse rates of which one is negative, or which do not fulfil τ₊ + τ₋ < 1."""
    if min(tau_pos, tau_neg) < 0 or tau_pos + tau_neg >= 1:
        raise InputError(
            "tau_pos and tau_neg must be at least 0 and sum to less than 1, "
            f"got {tau_pos} and {tau_neg}."
        )


def check_above(name: str, value: float, bound: float) -> None:
    """Refuse a number that is not above a bound."""
    if not value > bound:
        raise InputError(f"{name} must be above {bound}, got {value}.")


def check_at_least(name: str, value: float, bound: float) -> None:
    """Refuse a number below a bound."""
    if not value >= bound:
        raise InputError(f"{name} must be at least {bound}, got {value}.")


def check_share(name: str, value: float) -> None:
    """Refuse a number outside the open interval from 0 to 1."""
    if not 0 < value < 1:
        raise InputError(f"{name} must lie strictly between 0 and 1, got {value}.")


def check_neighbors(k: int, low: float, high: float) -> None:
    """Refuse a number of neighbours that a theorem does not speak of."""
    if not low <= k <= high:
        raise InputError(f"k must lie between {low:g} and {high:g} here, got {k}.")


def check_eta(eta: Any) -> np.ndarray:
    """Return class probabilities as numbers, or say why they are none."""
    values = np.asarray(eta, dtype=np.float64)
    if not values.size or not ((values >= 0) & (values <= 1)).all():
        raise InputError(
            f"eta must hold probabilities from 0 to 1, got {values.size} values"
            + (f" from {values.min():g} to {values.max():g}." if values.size else ".")
        )
    return values


def check_lipschitz(X: np.ndarray, eta: np.ndarray, lipschitz: float) -> None:
    """Refuse a Lipschitz constant L that some pair of points contradicts (Gao et al.).

    All pairs are compared, so that a few thousand points are enough.

    >>> check_lipschitz(np.array([[0.0], [0.5]]), np.array([0.0, 1.0]), lipschitz=2)
    >>> check_lipschitz(np.array([[0.0], [0.5]]), np.array([0.0, 1.0]), lipschitz=1.5)
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: lipschitz must be at least 2 for these points, got 1.5.
    """
    apart, rise = pdist(X), pdist(check_eta(eta)[:, None])
    if (rise > lipschitz * apart + _ROUNDING).any():
        steepest = (rise[apart > 0] / apart[apart > 0]).max(initial=0.0)
        if (rise[apart == 0] > 0).any():
            steepest = np.inf
        raise InputError(
            f"lipschitz must be at least {steepest:g} for these points, got {lipschitz:g}."
        )


def check_range(eta: np.ndarray, tolerance: float = 0.05) -> None:
    """Refuse a problem whose η does not come within ``tolerance`` of 0 and of 1.

    Reeve and Kabán's Assumption 2 asks that it reaches both: without points that are certain,
    noise cannot be told from doubt.

    >>> check_range(np.array([0.0, 0.3, 1.0]))
    >>> check_range(np.array([0.2, 0.3, 1.0]))
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: eta must come within 0.05 of 0 and of 1, got 0.2 to 1.
    """
    low, high = check_eta(eta).min(), check_eta(eta).max()
    if low > tolerance or high < 1 - tolerance:
        raise InputError(
            f"eta must come within {tolerance} of 0 and of 1, got {low:g} to {high:g}."
        )


def check_margin(eta: np.ndarray, margin: float, margin_constant: float = 1.0) -> None:
    """Refuse a margin exponent α that the values of η contradict.

    Reeve and Kabán's Assumption 4 (Tsybakov): the mass of 0 < |η − 1/2| < ξ is at most C ξ^α for
    every ξ > 0, with α ≥ 0 and C ≥ 1. α = 0 always holds.

    >>> check_margin(np.array([0.2, 0.5, 0.6]), margin=0)
    >>> check_margin(np.array([0.2, 0.5, 0.6]), margin=1)
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: margin 1 with margin_constant 1 allows a mass of 0.1 closer \
than 0.1 to 1/2, got 0.333.
    """
    check_at_least("margin", margin, 0)
    check_at_least("margin_constant", margin_constant, 1)
    values = check_eta(eta)
    gaps = np.sort(np.abs(values - 0.5)[values != 0.5])
    # Just beyond the i-th smallest gap the mass is i / n: nowhere is it larger for its bound.
    masses = np.arange(1, len(gaps) + 1) / len(values)
    broken = np.flatnonzero(masses > margin_constant * gaps**margin + _ROUNDING)
    if broken.size:
        first = broken[0]
        raise InputError(
            f"margin {margin:g} with margin_constant {margin_constant:g} allows a mass of "
            f"{margin_constant * gaps[first] ** margin:.3g} closer than {gaps[first]:.3g} to 1/2, "
            f"got {masses[first]:.3g}."
        )
