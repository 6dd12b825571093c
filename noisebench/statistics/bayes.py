"""The Bayesian t-test of Wang & Liu (2016), by which Gao et al. count wins and losses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaln

from noisebench.errors import InputError
from noisebench.statistics.counts import Outcome, name_direction
from noisebench.statistics.samples import check_count, check_pair, check_sample
from noisebench.statistics.ttests import paired_t, t_ratio


@dataclass(frozen=True)
class BayesResult:
    """Evidence for a difference first minus second, with equal prior odds of both hypotheses.

    Attributes
    ----------
    statistic : float
        The t statistic, pooled or paired.
    degrees : int
        Its degrees of freedom, the paper's ν.
    log_bayes_factor : float
        Natural logarithm of the Bayes factor; the factor itself soon overflows.
    """

    statistic: float
    degrees: int
    log_bayes_factor: float

    @property
    def bayes_factor(self) -> float:
        """How much likelier the data are with a difference than without, the paper's BF10."""
        with np.errstate(over="ignore"):
            return float(np.exp(self.log_bayes_factor))

    @property
    def posterior(self) -> float:
        """Probability that there is a difference, given the data."""
        return float(expit(self.log_bayes_factor))

    @property
    def p_value(self) -> float:
        """Probability that there is no difference, ``1 - posterior``.

        It stands where other tests have a p-value but is no error rate: do not hold it against
        a significance level.
        """
        return float(expit(-self.log_bayes_factor))

    def outcome(self, alpha: float | None = None) -> Outcome:
        """Return ``"win"`` if a difference is likelier than none and the first is larger.

        ``alpha`` is accepted so that all results can be asked alike, and ignored: the rule is
        BF10 > 1, the one that yields the counts of Gao et al., Table 3.
        """
        del alpha
        return name_direction(self.statistic) if self.log_bayes_factor > 0 else "tie"


def bayesian_t(
    a: ArrayLike, b: ArrayLike, *, paired: bool = False, a_prior: float = -0.5
) -> BayesResult:
    """Weigh two methods' runs against each other.

    Parameters
    ----------
    a, b : array-like of shape (n,)
        Scores of the two methods on the same runs. For samples of different sizes see
        `bayesian_t_from_summary`.
    paired : bool
        Whether to use the run by run differences. Gao et al. treat the runs as two independent
        samples, hence the default.
    a_prior : float
        Hyper-parameter of the prior, the paper's a, above -1.

    Examples
    --------
    >>> a = [0.80, 0.84, 0.82, 0.79, 0.85, 0.83, 0.81, 0.86]
    >>> b = [0.78, 0.80, 0.81, 0.80, 0.80, 0.82, 0.79, 0.81]
    >>> result = bayesian_t(a, b)
    >>> round(result.bayes_factor, 6), round(result.posterior, 6), result.outcome()
    (2.186828, 0.686208, 'win')
    """
    first, second = check_pair(a, b)
    if paired:
        degrees = first.size - 1
        return _weigh(paired_t(first, second).statistic, degrees, a_prior)
    return bayesian_t_from_summary(
        first.mean(),
        first.std(ddof=1),
        first.size,
        second.mean(),
        second.std(ddof=1),
        second.size,
        a_prior=a_prior,
    )


def bayesian_t_from_summary(
    mean1: float,
    std1: float,
    n1: int,
    mean2: float,
    std2: float,
    n2: int,
    *,
    a_prior: float = -0.5,
) -> BayesResult:
    """Weigh two independent samples by their means and standard deviations (n - 1), as printed.

    Examples
    --------
    RkNN against kNN on heart at noise rates (0.1, 0.2), in Table 2 of Gao et al.:

    >>> result = bayesian_t_from_summary(0.8544, 0.0452, 40, 0.8353, 0.0458, 40)
    >>> round(result.statistic, 6), round(result.bayes_factor, 6), result.outcome()
    (1.877273, 0.496781, 'tie')
    """
    means = check_sample("mean1 and mean2", [mean1, mean2])
    stds = check_sample("std1 and std2", [std1, std2])
    if stds.min() < 0:
        raise InputError(
            f"std1 and std2 must not be negative, got {std1} and {std2}; "
            "pass mean, deviation and size of each sample in this order."
        )
    sizes = np.array([check_count("n1", n1, 2), check_count("n2", n2, 2)])
    degrees = int(sizes.sum()) - 2
    pooled = math.sqrt(((sizes - 1) * stds**2).sum() / degrees)
    statistic = t_ratio(
        float(means[0] - means[1]), pooled, float((1 / sizes).sum()), float(np.abs(means).max())
    )
    return _weigh(statistic, degrees, a_prior)


def log_bayes_factor(statistic: float, degrees: int, a_prior: float) -> float:
    """Return ln BF10 = ln[Γ(ν/2) Γ(a+3/2) / (Γ((ν+1)/2) Γ(a+1))] + (ν-2a-2)/2 · ln(1 + t²/ν).

    It is the integral over the variance of a normal prior on the effect size, that variance
    having a Pearson type VI density with parameters a and b = ν/2 - a - 2.

    >>> round(math.exp(log_bayes_factor(2.5, 78, -0.5)), 6)
    1.762317
    """
    gammas = (
        gammaln(degrees / 2)
        + gammaln(a_prior + 1.5)
        - gammaln((degrees + 1) / 2)
        - gammaln(a_prior + 1)
    )
    exponent = degrees / 2 - a_prior - 1
    return float(gammas + exponent * math.log1p(statistic**2 / degrees))


def _weigh(statistic: float, degrees: int, a_prior: float) -> BayesResult:
    if not a_prior > -1:
        raise InputError(f"a_prior must be above -1, got {a_prior}; the usual choice is -0.5.")
    # The prior's other parameter, b, must be above -1 as well, or its density has no integral.
    if not degrees > 2 * a_prior + 2:
        raise InputError(
            f"a_prior={a_prior} needs more than {2 * a_prior + 2:g} degrees of freedom, "
            f"got {degrees}; add runs."
        )
    return BayesResult(statistic, degrees, log_bayes_factor(statistic, degrees, a_prior))
