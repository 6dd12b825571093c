"""The paired and the corrected t-test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from noisebench.errors import InputError
from noisebench.statistics import TestResult, corrected_t, paired_t


def test_paired_t_worked_by_hand(runs):
    result = paired_t(*runs)
    assert result.n == 8
    assert result.mean_difference == pytest.approx(0.02375, abs=1e-12)
    assert result.statistic == pytest.approx(3.147984, abs=5e-7)
    assert result.p_value == pytest.approx(0.016198, abs=5e-7)
    assert result.outcome(0.05) == "win"
    assert result.outcome(0.01) == "tie"


@pytest.mark.parametrize(
    ("ratio", "statistic", "p_value"),
    [(1 / 9, 2.290495, 0.055767), (1 / 3, 1.643981, 0.144180), (1 / 4, 1.817489, 0.111980)],
)
def test_corrected_t_worked_by_hand(runs, ratio, statistic, p_value):
    result = corrected_t(*runs, ratio)
    assert result.statistic == pytest.approx(statistic, abs=5e-7)
    assert result.p_value == pytest.approx(p_value, abs=5e-7)
    assert result.outcome(0.05) == "tie"


@pytest.mark.parametrize(
    ("n", "alpha", "critical"),
    [(8, 0.05, 2.364624), (8, 0.01, 3.499483), (100, 0.05, 1.984217), (100, 0.01, 2.626405)],
)
def test_outcome_turns_at_the_critical_value(n, alpha, critical):
    # Differences 1 ± s with s such that t = 1 / √(s² (1/n + 1/9)) is just short of, then past the
    # critical value of n - 1 degrees of freedom.
    for factor, outcome in ((1 - 1e-6, "tie"), (1 + 1e-6, "win")):
        std = 1 / (critical * factor * math.sqrt(1 / n + 1 / 9))
        signs = np.resize([1.0, -1.0], n)
        differences = 1 + signs * std * math.sqrt((n - 1) / n)
        assert corrected_t(differences, np.zeros(n), 1 / 9).outcome(alpha) == outcome


@pytest.mark.parametrize("n", [2, 3, 10, 100])
def test_paired_t_agrees_with_scipy(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=n), rng.normal(0.3, size=n)
    result, expected = paired_t(a, b), stats.ttest_rel(a, b)
    assert result.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert result.p_value == pytest.approx(expected.pvalue, rel=1e-12)


@pytest.mark.parametrize("ratio", [1 / 9, 1 / 4, 0.5])
def test_corrected_t_agrees_with_weka(ratio):
    # WEKA's corrected paired tester: variance from the sums, and p as the upper tail of t² under
    # the F distribution with 1 and n - 1 degrees of freedom.
    rng = np.random.default_rng(5)
    a, b = rng.uniform(0.7, 0.9, 30), rng.uniform(0.65, 0.9, 30)
    d = a - b
    variance = ((d * d).sum() - d.sum() ** 2 / 30) / 29
    t = d.sum() / 30 / math.sqrt((1 / 30 + ratio) * variance)
    result = corrected_t(a, b, ratio)
    assert result.statistic == pytest.approx(t, rel=1e-10)
    assert result.p_value == pytest.approx(stats.f.sf(t * t, 1, 29), rel=1e-10)


@pytest.mark.parametrize(("repeats", "folds"), [(1, 10), (10, 10), (3, 4)])
def test_corrected_t_agrees_with_the_correlated_posterior(repeats, folds):
    # The posterior of the mean difference is a Student t round the observed one with the same
    # variance factor, so its mass beyond 0 is the one-sided p-value.
    baycomp = pytest.importorskip("baycomp")
    rng = np.random.default_rng(folds)
    a = rng.uniform(0.7, 0.9, repeats * folds)
    b = a + rng.normal(0.01, 0.03, a.size)
    p_left, p_right = baycomp.CorrelatedTTest.probs(a, b, rope=0, runs=repeats)
    result = corrected_t(a, b, 1 / (folds - 1))
    assert result.p_value == pytest.approx(2 * min(p_left, p_right), rel=1e-9)
    assert (result.statistic > 0) == (p_left > p_right)


def test_no_difference_at_all():
    result = corrected_t([0.7, 0.8, 0.9], [0.7, 0.8, 0.9], 0.25)
    assert result == TestResult(statistic=0.0, p_value=1.0, mean_difference=0.0, n=3)
    assert result.outcome(0.05) == "tie"


@pytest.mark.parametrize(("sign", "outcome"), [(1, "win"), (-1, "loss")])
def test_constant_difference_is_infinitely_significant(sign, outcome):
    # 0.3 - 0.2, 0.2 - 0.1 and 0.4 - 0.3 are three different doubles.
    a, b = np.array([0.3, 0.2, 0.4]), np.array([0.2, 0.1, 0.3])
    assert np.unique(a - b).size == 3
    result = paired_t(sign * a, sign * b)
    assert result.statistic == sign * math.inf
    assert result.p_value == 0
    assert result.outcome(0.01) == outcome


def test_differences_made_by_rounding_alone_are_none():
    # 0.1 + 0.2 exceeds 0.3 by one digit in every run: constant, but no difference.
    result = paired_t([0.1 + 0.2] * 4, [0.3] * 4)
    assert result.mean_difference > 0
    assert (result.statistic, result.p_value) == (0.0, 1.0)
    assert result.outcome(0.05) == "tie"


def test_smallest_true_differences_are_kept():
    # One test point in a million decides one run: far above rounding.
    a = np.full(10, 0.9)
    b = a.copy()
    b[0] -= 1e-6
    assert paired_t(a, b).statistic == pytest.approx(1)


def test_two_runs():
    # Differences 1 and 3: mean 2, s = √2, t = 2 / (√2 / √2) = 2; with one degree of freedom the
    # distribution is Cauchy's.
    result = paired_t([1, 3], [0, 0])
    assert result.statistic == pytest.approx(2)
    assert result.p_value == pytest.approx(1 - 2 * math.atan(2) / math.pi)


def test_exact_level_is_not_significant():
    result = TestResult(statistic=2.0, p_value=0.05, mean_difference=0.1, n=9)
    assert result.outcome(0.05) == "tie"
    assert result.outcome(0.0500001) == "win"


@pytest.mark.parametrize("ratio", [-0.1, math.nan, math.inf])
def test_ratio_must_be_one(runs, ratio):
    with pytest.raises(InputError, match=r"test_over_train .* got (-0\.1|nan|inf)"):
        corrected_t(*runs, ratio)


@pytest.mark.parametrize("alpha", [0, 1, 5])
def test_alpha_must_be_a_share(runs, alpha):
    with pytest.raises(InputError, match=f"alpha must lie between 0 and 1, got {alpha}"):
        paired_t(*runs).outcome(alpha)
