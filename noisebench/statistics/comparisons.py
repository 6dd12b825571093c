"""The tests of two methods on one data set, under the names of the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

from numpy.typing import ArrayLike

from noisebench.statistics.bayes import bayesian_t
from noisebench.statistics.counts import Outcome
from noisebench.statistics.samples import check_ratio
from noisebench.statistics.ttests import corrected_t, paired_t
from noisebench.statistics.wilcoxon import wilcoxon_signed_rank


class Comparison(Protocol):
    """What every test's result can be asked."""

    @property
    def p_value(self) -> float:
        """Probability under equality; for the Bayesian test the probability of equality."""

    def outcome(self, alpha: float) -> Outcome:
        """Return win, tie or loss of the first method; the Bayesian test ignores the level."""


class Compare(Protocol):
    """What every test can be called with."""

    def __call__(self, a: ArrayLike, b: ArrayLike, *, test_over_train: float) -> Comparison:
        """Compare two methods' scores on the same runs."""


def _without_ratio(test: Callable[[ArrayLike, ArrayLike], Comparison]) -> Compare:
    def compare(a: ArrayLike, b: ArrayLike, *, test_over_train: float) -> Comparison:
        # Checked though not used: a wrong ratio should not show up only with another test.
        check_ratio(test_over_train)
        return test(a, b)

    return compare


#: Tests over the runs of one data set by name. ``wilcoxon`` is the signed-rank test over those
#: runs; ``bayesian-t`` takes them as two independent samples, as Gao et al. do.
TESTS: Mapping[str, Compare] = MappingProxyType(
    {
        "paired-t": _without_ratio(paired_t),
        "corrected-t": corrected_t,
        "wilcoxon": _without_ratio(wilcoxon_signed_rank),
        "bayesian-t": _without_ratio(bayesian_t),
    }
)
