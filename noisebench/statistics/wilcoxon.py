"""Wilcoxon's signed-rank test, which compares two methods over data sets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from noisebench.statistics.counts import Outcome, decide
from noisebench.statistics.samples import ROUNDING, check_pair, largest, merge_equal

#: Above this many differences the exact distribution gives way to the normal one.
LARGEST_EXACT = 25


@dataclass(frozen=True)
class WilcoxonResult:
    """A two-sided signed-rank test of the differences first minus second.

    Attributes
    ----------
    w_plus, w_minus : float
        Sums of the ranks of positive and of negative differences, W+ and W-.
    p_value : float
    n : int
        Number of differences other than 0, the N of the tables of critical values.
    """

    w_plus: float
    w_minus: float
    p_value: float
    n: int

    @property
    def statistic(self) -> float:
        """The smaller rank sum."""
        return min(self.w_plus, self.w_minus)

    def outcome(self, alpha: float) -> Outcome:
        """Return ``"win"`` if the first is significantly larger at level ``alpha``.

        The side is that of the larger rank sum, which one extreme data set cannot turn as it
        can turn the mean.
        """
        return decide(self.p_value, self.w_plus - self.w_minus, alpha)


def wilcoxon_signed_rank(a: ArrayLike, b: ArrayLike, decimals: int | None = None) -> WilcoxonResult:
    """Test whether two methods differ over data sets (or over runs of one).

    Differences of 0 are dropped, equal absolute differences share their average rank. The
    p-value is exact for at most 25 different absolute differences; with ties or more of them it
    comes from the normal distribution, with tie correction and without continuity correction.

    Parameters
    ----------
    a, b : array-like of shape (n,)
        One score of each method for each data set.
    decimals : int, optional
        Round the differences to that many decimals before ranking: those of printed figures,
        where equal gaps must tie. Without it gaps that are equal up to rounding errors tie.

    Examples
    --------
    >>> wilcoxon_signed_rank([81.4, 77.0, 90.2, 65.1, 70.0], [80.4, 77.0, 88.0, 65.4, 67.0])
    WilcoxonResult(w_plus=9.0, w_minus=1.0, p_value=0.25, n=4)
    """
    first, second = check_pair(a, b, at_least=1)
    differences = first - second
    if decimals is not None:
        differences = np.round(differences, decimals)
    tolerance = ROUNDING * largest(first, second)
    differences = differences[np.abs(differences) > tolerance]
    if differences.size == 0:
        return WilcoxonResult(0.0, 0.0, 1.0, 0)
    ranks = stats.rankdata(merge_equal(np.abs(differences), tolerance))
    w_plus = float(ranks[differences > 0].sum())
    w_minus = float(ranks[differences < 0].sum())
    tied = np.unique(ranks).size < ranks.size
    exact = ranks.size <= LARGEST_EXACT and not tied
    signed = np.copysign(ranks, differences)
    p_value = _find_exact_p(signed) if exact else _find_normal_p(signed)
    return WilcoxonResult(w_plus, w_minus, p_value, ranks.size)


def _find_exact_p(signed_ranks: np.ndarray) -> float:
    return float(stats.wilcoxon(signed_ranks, method="exact").pvalue)


def _find_normal_p(signed_ranks: np.ndarray) -> float:
    # Each rank is positive or negative with probability 1/2, so W+ - W- has mean 0 and variance
    # Σ rank²: with tied ranks that sum is the tie-corrected variance, no further term is needed.
    z = signed_ranks.sum() / math.sqrt((signed_ranks**2).sum())
    return float(2 * stats.norm.sf(abs(z)))
