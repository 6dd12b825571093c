"""Ranks of several methods over data sets, and Friedman's test of them (Demšar 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from noisebench.statistics.samples import ROUNDING, check_scores, largest, merge_equal


@dataclass(frozen=True, eq=False)  # arrays have no single equality
class FriedmanResult:
    """Whether any of k methods differs from another over n data sets.

    Attributes
    ----------
    statistic, p_value : float
        Friedman's chi-square, corrected for ties, with k - 1 degrees of freedom.
    f_statistic, f_p_value : float
        The less conservative F of Iman & Davenport, with k - 1 and (k - 1)(n - 1) degrees.
    average_ranks : numpy.ndarray of shape (k,)
    n, k : int
    """

    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    average_ranks: np.ndarray
    n: int
    k: int


def average_ranks(scores: ArrayLike, greater_is_better: bool = True) -> np.ndarray:
    """Return the mean rank of each method, 1 for the best of a data set.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Scores that are equal up to rounding errors share their average rank.
    greater_is_better : bool
        Set to False for errors and losses.

    Examples
    --------
    >>> average_ranks([[0.9, 0.8, 0.7], [0.6, 0.6, 0.5]])
    array([1.25, 1.75, 3.  ])
    """
    return rank_rows(check_scores(scores), greater_is_better).mean(axis=0)


def friedman(scores: ArrayLike, greater_is_better: bool = True) -> FriedmanResult:
    """Test by ranks whether all methods perform alike.

    If the methods tie on every data set, both statistics are 0 and both p-values 1; if every
    data set orders them in the same way, F is infinite and its p-value 0.

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.8, 0.9, 0.7], [0.7, 0.6, 0.5]])
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (6.5, 0.0388)
    >>> round(result.f_statistic, 4), round(result.f_p_value, 4)
    (13.0, 0.0066)
    """
    ranks = rank_rows(check_scores(scores), greater_is_better)
    n, k = ranks.shape
    centred = ranks - (k + 1) / 2
    # Ranks are halves, so both sums are exact and may be compared with ==.
    between = float((centred.sum(axis=0) ** 2).sum())
    total = float((centred**2).sum())
    statistic = (k - 1) * between / total if total else 0.0
    f_statistic = _find_iman_davenport(between, total, n)
    return FriedmanResult(
        statistic=statistic,
        p_value=float(stats.chi2.sf(statistic, k - 1)),
        f_statistic=f_statistic,
        f_p_value=float(stats.f.sf(f_statistic, k - 1, (k - 1) * (n - 1))),
        average_ranks=ranks.mean(axis=0),
        n=n,
        k=k,
    )


def rank_rows(scores: np.ndarray, greater_is_better: bool) -> np.ndarray:
    """Return the ranks within each row, best first, ties averaged."""
    directed = -scores if greater_is_better else scores
    merged = [merge_equal(row, ROUNDING * largest(row)) for row in directed]
    return stats.rankdata(merged, axis=1)


def _find_iman_davenport(between: float, total: float, n: int) -> float:
    # (n-1) χ² / (n(k-1) - χ²) with χ² = (k-1) between / total, multiplied out.
    if between == 0:
        return 0.0
    within = n * total - between
    return (n - 1) * between / within if within else math.inf
