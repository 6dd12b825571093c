"""Student's t on paired scores, plain and corrected for overlapping training sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike
from scipy import stats

from noisebench.statistics.counts import Outcome, decide
from noisebench.statistics.samples import ROUNDING, check_pair, check_ratio, largest


@dataclass(frozen=True)
class TestResult:
    """A two-sided test of the difference first minus second.

    Attributes
    ----------
    statistic : float
        Student's t, infinite when all differences are the same and not 0.
    p_value : float
    mean_difference : float
    n : int
        Number of pairs; the t distribution has one degree of freedom less.
    """

    __test__: ClassVar[bool] = False  # its name makes pytest take it for a test class

    statistic: float
    p_value: float
    mean_difference: float
    n: int

    def outcome(self, alpha: float) -> Outcome:
        """Return ``"win"`` if the first is significantly larger at level ``alpha``."""
        return decide(self.p_value, self.mean_difference, alpha)


def paired_t(a: ArrayLike, b: ArrayLike) -> TestResult:
    """Test by Student's paired t whether two methods differ over the same runs.

    Examples
    --------
    >>> result = paired_t([0.80, 0.84, 0.82, 0.79], [0.78, 0.80, 0.81, 0.78])
    >>> round(result.statistic, 4), round(result.p_value, 4), result.outcome(0.1)
    (2.8284, 0.0663, 'win')
    """
    return corrected_t(a, b, test_over_train=0.0)


def corrected_t(a: ArrayLike, b: ArrayLike, test_over_train: float) -> TestResult:
    """Test paired runs by the corrected resampled t (Nadeau & Bengio 2003, Bouckaert & Frank 2004).

    Runs over resamples of one data set share training points, so their differences vary less
    than those of independent runs; the term ``test_over_train`` widens the variance for it.

    Parameters
    ----------
    a, b : array-like of shape (n,)
        Scores of the two methods on the same n >= 2 runs, in the same order.
    test_over_train : float
        Test size over training size of one run: 1/9 for 10-fold cross-validation, 1/4 for
        80/20 splits. With 0 this is the plain paired t-test.

    Notes
    -----
    Equal differences leave no variance: t is 0 (p = 1) if they are 0 and infinite (p = 0) if
    not. "Equal" means up to rounding: ``0.3 - 0.2`` and ``0.2 - 0.1`` differ in the last digit,
    and dividing by that digit would make a huge t out of nothing.

    Examples
    --------
    >>> result = corrected_t([0.80, 0.84, 0.82, 0.79], [0.78, 0.80, 0.81, 0.78], 1 / 3)
    >>> round(result.statistic, 4), round(result.p_value, 4), result.outcome(0.1)
    (1.8516, 0.1612, 'tie')
    """
    first, second = check_pair(a, b)
    differences = first - second
    n = differences.size
    mean = float(differences.mean())
    statistic = t_ratio(
        mean,
        float(differences.std(ddof=1)),
        1 / n + check_ratio(test_over_train),
        largest(first, second),
    )
    return TestResult(statistic, float(2 * stats.t.sf(abs(statistic), n - 1)), mean, n)


def t_ratio(difference: float, std: float, inflation: float, scale: float) -> float:
    """Return ``difference / (std · √inflation)``, where what rounding alone can make is 0."""
    tolerance = ROUNDING * scale
    if std > tolerance:
        return difference / (std * math.sqrt(inflation))
    return 0.0 if abs(difference) <= tolerance else math.copysign(math.inf, difference)
