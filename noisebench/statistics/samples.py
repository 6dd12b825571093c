"""The checks that every test puts its numbers through, and what counts as equal."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from noisebench.errors import InputError

#: Numbers that differ by no more than this share of the largest score are taken as equal. Scores
#: are ratios and means of at most some millions of counts, so true gaps are far wider (1e-7),
#: while what summing and subtracting in double precision adds is far smaller (1e-15).
ROUNDING = 1e-12


def check_sample(name: str, values: ArrayLike, at_least: int = 1) -> np.ndarray:
    """Return ``values`` as floats, or say what keeps them from being one finite row of numbers.

    >>> check_sample("a", [1, 2])
    array([1., 2.])
    """
    sample = _as_floats(name, values)
    if sample.ndim != 1:
        raise InputError(
            f"{name} must be one-dimensional, got shape {sample.shape}; pass one row of numbers."
        )
    if sample.size < at_least:
        raise InputError(
            f"{name} must hold at least {at_least} values, got {sample.size}; "
            "add repetitions, folds or data sets."
        )
    _check_finite(name, sample)
    return sample


def check_pair(a: ArrayLike, b: ArrayLike, at_least: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Return two samples whose entries belong together one by one, each through `check_sample`."""
    first, second = check_sample("a", a, at_least), check_sample("b", b, at_least)
    if first.size != second.size:
        raise InputError(
            f"a and b must have equal lengths, got {first.size} and {second.size}; "
            "keep what both methods have been run on."
        )
    return first, second


def check_scores(scores: ArrayLike) -> np.ndarray:
    """Return a finite (data sets × methods) array with two of each or more."""
    table = _as_floats("scores", scores)
    if table.ndim != 2 or min(table.shape) < 2:
        raise InputError(
            "scores must be an array of at least 2 data sets (rows) by 2 methods (columns), "
            f"got shape {table.shape}; add what is missing."
        )
    _check_finite("scores", table)
    return table


def check_share(name: str, value: float) -> float:
    """Return ``value`` if it lies strictly between 0 and 1, as a significance level does."""
    if not 0 < value < 1:
        raise InputError(
            f"{name} must lie between 0 and 1, got {value}; write 5% as 0.05, for instance."
        )
    return float(value)


def check_count(name: str, value: int, at_least: int) -> int:
    """Return ``value`` if it is a whole number of sufficient size."""
    if not isinstance(value, Integral) or value < at_least:
        raise InputError(f"{name} must be a whole number from {at_least} up, got {value}.")
    return int(value)


def check_ratio(test_over_train: float) -> float:
    """Return the ratio of test to training size if it is one."""
    if not 0 <= test_over_train < np.inf:
        raise InputError(
            f"test_over_train must be a finite number from 0 up, got {test_over_train}; "
            "for k-fold cross-validation it is 1 / (k - 1)."
        )
    return float(test_over_train)


def largest(*samples: np.ndarray) -> float:
    """Return the largest absolute value, the scale that `ROUNDING` is a share of."""
    return max(float(np.abs(sample).max()) for sample in samples)


def merge_equal(values: np.ndarray, tolerance: float) -> np.ndarray:
    """Return ``values`` with those equal up to ``tolerance`` replaced by the smallest of them.

    Values are linked along their sorted order instead of rounded to a grid: two neighbours can
    never end up on different sides of a grid line.

    >>> merge_equal(np.array([0.1 + 0.2, 0.5, 0.3]), 1e-12)
    array([0.3, 0.5, 0.3])
    """
    order = np.argsort(values)
    ordered = values[order]
    starts = np.concatenate([[True], np.diff(ordered) > tolerance])
    merged = np.empty_like(values)
    merged[order] = ordered[starts][np.cumsum(starts) - 1]
    return merged


def _as_floats(name: str, values: ArrayLike) -> np.ndarray:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be an array of numbers, got {values!r}.") from error


def _check_finite(name: str, values: np.ndarray) -> None:
    wrong = np.argwhere(~np.isfinite(values))
    if wrong.size:
        place = ", ".join(str(index) for index in wrong[0])
        raise InputError(
            f"{name} must be finite, got {values[tuple(wrong[0])]} at position {place}; "
            "replace it, or leave it out for every method."
        )
