"""Which methods differ, once Friedman's test says that some do (Demšar 2006)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from noisebench.errors import InputError
from noisebench.statistics.ranks import average_ranks
from noisebench.statistics.samples import check_count, check_sample, check_scores, check_share


@dataclass(frozen=True, eq=False)  # arrays have no single equality
class ControlResult:
    """Each method against a control; entry j of every array belongs to method j.

    Attributes
    ----------
    control : int
        The control's column; its own entries are 0 in ``statistics`` and 1 in the p-values.
    average_ranks : numpy.ndarray
    statistics : numpy.ndarray
        Demšar's z, positive where the method ranks better than the control.
    p_values : numpy.ndarray
        Two-sided, of each comparison on its own.
    adjusted : numpy.ndarray
        The same after Holm's correction for the number of comparisons.
    """

    control: int
    average_ranks: np.ndarray
    statistics: np.ndarray
    p_values: np.ndarray
    adjusted: np.ndarray


def nemenyi(scores: ArrayLike) -> np.ndarray:
    """Return the p-values of all pairs of methods by Nemenyi's test.

    Which direction is better makes no difference: turning it round turns all ranks round.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)

    Returns
    -------
    numpy.ndarray of shape (n_methods, n_methods)
        Symmetric, with ones on the diagonal.

    Examples
    --------
    >>> p = nemenyi([[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.8, 0.9, 0.7], [0.7, 0.6, 0.5]])
    >>> p.round(4)
    array([[1.    , 0.7593, 0.0356],
           [0.7593, 1.    , 0.1805],
           [0.0356, 0.1805, 1.    ]])
    """
    table = check_scores(scores)
    n, k = table.shape
    ranks = average_ranks(table)
    upper = np.triu_indices(k, 1)
    gaps = np.abs(ranks[upper[0]] - ranks[upper[1]])
    # The studentised range is in units of one mean's deviation: √2 less than a difference's.
    ranges = math.sqrt(2) * gaps / _find_rank_error(k, n)
    p_values = np.ones((k, k))
    p_values[upper] = np.clip(stats.studentized_range.sf(ranges, k, np.inf), 0, 1)
    return np.minimum(p_values, p_values.T)


def critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return the gap between average ranks from which Nemenyi's test calls two methods different.

    Examples
    --------
    >>> round(critical_difference(n_methods=4, n_datasets=14), 2)
    1.25
    """
    k = check_count("n_methods", n_methods, 2)
    n = check_count("n_datasets", n_datasets, 2)
    quantile = stats.studentized_range.ppf(1 - check_share("alpha", alpha), k, np.inf)
    return float(quantile / math.sqrt(2)) * _find_rank_error(k, n)


def holm(p_values: ArrayLike) -> np.ndarray:
    """Return p-values adjusted by Holm's step-down procedure, in the given order.

    The smallest of m is multiplied by m, the next by m - 1 and so on; none may end below one
    that was smaller before, and none above 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    given = check_sample("p_values", p_values)
    if given.min() < 0 or given.max() > 1:
        raise InputError(
            f"p_values must lie between 0 and 1, got {given.min():g} to {given.max():g}; "
            "pass probabilities, not statistics."
        )
    order = np.argsort(given, kind="stable")
    scaled = given[order] * np.arange(given.size, 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1)
    return adjusted


def friedman_holm(scores: ArrayLike, control: int, greater_is_better: bool = True) -> ControlResult:
    """Compare each method with a control by average ranks, adjusted after Holm.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
    control : int
        Column of the method that the others are compared with.
    greater_is_better : bool
        Set to False for errors and losses.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4], [0.8, 0.9, 0.7], [0.7, 0.6, 0.5]]
    >>> result = friedman_holm(scores, control=2)
    >>> result.statistics.round(4), result.adjusted.round(4)
    (array([2.4749, 1.7678, 0.    ]), array([0.0267, 0.0771, 1.    ]))
    """
    table = check_scores(scores)
    n, k = table.shape
    if not isinstance(control, Integral) or control not in range(k):
        raise InputError(f"control must be a column from 0 to {k - 1}, got {control}.")
    ranks = average_ranks(table, greater_is_better)
    statistics = (ranks[control] - ranks) / _find_rank_error(k, n)
    p_values = 2 * stats.norm.sf(np.abs(statistics))
    others = np.arange(k) != control
    adjusted = np.ones(k)
    adjusted[others] = holm(p_values[others])
    return ControlResult(int(control), ranks, statistics, p_values, adjusted)


def _find_rank_error(k: int, n: int) -> float:
    # Standard error of the difference of two average ranks among k methods over n data sets.
    return math.sqrt(k * (k + 1) / (6 * n))
