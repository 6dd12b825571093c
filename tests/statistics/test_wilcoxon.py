"""The signed-rank test: small cases, tables of critical values, a published table."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from noisebench.statistics import WilcoxonResult, wilcoxon_signed_rank
from noisebench.statistics.wilcoxon import _find_normal_p


def test_worked_by_hand():
    # Ranks 6 1 3 2 5 8 4 7.
    d = np.array([2.4, -0.4, 0.8, 0.6, -2.3, 12, 1.8, 8.2])
    result = wilcoxon_signed_rank(d, np.zeros(8))
    assert (result.w_plus, result.w_minus, result.n) == (30, 6, 8)
    assert result.statistic == 6
    assert result.p_value == 0.109375
    assert result.outcome(0.15) == "win"
    assert result.outcome(0.05) == "tie"
    # The normal distribution would say .0929; zeros do not count towards the 25.
    assert _find_normal_p(np.array([6.0, -1, 3, 2, -5, 8, 4, 7])) == pytest.approx(0.0929, abs=5e-5)
    assert wilcoxon_signed_rank(np.append(d, [0] * 20), np.zeros(28)) == result


def test_exact_p_by_enumeration():
    # All sign patterns of the ranks 1..7 are equally likely.
    d = np.array([3.0, -1.0, 7.5, 2.0, -0.5, 6.0, 4.0])
    ranks = stats.rankdata(np.abs(d))
    sums = np.array([ranks @ signs for signs in itertools.product((0, 1), repeat=7)])
    smaller = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    expected = 2 * (sums <= smaller).mean()
    assert wilcoxon_signed_rank(d, np.zeros(7)).p_value == pytest.approx(expected)


def make_differences(n: int, w_minus: int) -> np.ndarray:
    """Differences with absolute values 1..n whose negative ranks sum to ``w_minus``."""
    d = np.arange(1.0, n + 1)
    for rank in range(n, 0, -1):
        if rank <= w_minus:
            d[rank - 1] *= -1
            w_minus -= rank
    return d


@pytest.mark.parametrize(
    ("n", "alpha", "critical"), [(19, 0.01, 32), (19, 0.05, 46), (20, 0.01, 37), (20, 0.05, 52)]
)
def test_critical_values(n, alpha, critical):
    at, past = (
        wilcoxon_signed_rank(make_differences(n, w), np.zeros(n)) for w in (critical, critical + 1)
    )
    assert (at.w_minus, past.w_minus) == (critical, critical + 1)
    assert at.p_value <= alpha < past.p_value


@pytest.mark.parametrize(("n", "method"), [(24, "exact"), (25, "exact"), (26, "normal")])
def test_exact_up_to_25_differences(n, method):
    d = make_differences(n, 90)
    mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
    normal = 2 * stats.norm.sf((mean - 90) / np.sqrt(variance))
    exact = stats.wilcoxon(d, method="exact").pvalue
    assert exact != pytest.approx(normal, rel=1e-3)
    expected = {"exact": exact, "normal": normal}[method]
    assert wilcoxon_signed_rank(d, np.zeros(n)).p_value == pytest.approx(expected, rel=1e-12)
    # Zeros are dropped before counting.
    padded = np.concatenate([d, np.zeros(5)])
    assert wilcoxon_signed_rank(padded, np.zeros(n + 5)).p_value == pytest.approx(expected)


def test_ties_take_the_normal_distribution():
    # |d| = 1 1 2 3 3 3: ranks 1.5 1.5 3 5 5 5, W+ = 1.5 + 3 + 10 = 14.5, W- = 6.5; variance
    # 6·7·13/24 less (2³ - 2 + 3³ - 3)/48 for the ties.
    d = np.array([1.0, -1.0, 2.0, 3.0, -3.0, 3.0])
    result = wilcoxon_signed_rank(d, np.zeros(6))
    assert (result.w_plus, result.w_minus) == (14.5, 6.5)
    z = (14.5 - 10.5) / np.sqrt(6 * 7 * 13 / 24 - (6 + 24) / 48)
    assert result.p_value == pytest.approx(2 * stats.norm.sf(z), rel=1e-12)


def test_gaps_equal_up_to_rounding_tie():
    a, b = np.array([0.3, 0.3, 0.9]), np.array([0.2, 0.4, 0.5])
    assert np.unique(np.abs(a - b)).size == 3
    result = wilcoxon_signed_rank(a, b)
    assert (result.w_plus, result.w_minus) == (4.5, 1.5)


def test_zero_up_to_rounding_is_dropped():
    assert wilcoxon_signed_rank([0.1 + 0.2, 0.9], [0.3, 0.8]).n == 1


def test_decimals_make_gaps_tie():
    a, b = [1.04, 0.0, 3.0, 0.01], [0.0, 0.96, 0.0, 0.0]
    assert wilcoxon_signed_rank(a, b).w_plus == 1 + 3 + 4
    result = wilcoxon_signed_rank(a, b, decimals=1)
    assert (result.w_plus, result.w_minus, result.n) == (1.5 + 3, 1.5, 3)


def test_nothing_but_ties():
    result = wilcoxon_signed_rank([1.0, 2.0], [1.0, 2.0])
    assert result == WilcoxonResult(w_plus=0.0, w_minus=0.0, p_value=1.0, n=0)
    assert result.statistic == 0
    assert result.outcome(0.05) == "tie"


def test_side_is_that_of_the_rank_sums():
    # Nine small gains outweigh one loss that turns the mean.
    d = np.append(np.arange(1.0, 10.0), -1000.0)
    assert d.mean() < 0
    result = wilcoxon_signed_rank(d, np.zeros(10))
    assert (result.w_plus, result.w_minus) == (45, 10)
    assert result.outcome(0.1) == "win"
    assert wilcoxon_signed_rank(np.zeros(10), d).outcome(0.1) == "loss"


@pytest.mark.parametrize(
    ("k", "rival", "n", "w_plus", "w_minus", "p_value"),
    [
        (1, "wilson", 19, 177, 13, "0.0010"),
        (1, "none", None, None, None, "0.0008"),
        (3, "wilson", 18, 145, 26, "0.0095"),
        (3, "none", None, None, None, "0.0050"),
        (5, "wilson", None, None, None, "0.12"),
        (5, "none", None, None, None, "0.098"),
    ],
)
def test_marchiori_table_2(read_reference, k, rival, n, w_plus, w_minus, p_value):
    table = read_reference("marchiori_table2.csv").query("k == @k")
    by_filter = table.pivot(index="dataset", columns="filter", values="accuracy")
    assert len(by_filter) == 19
    result = wilcoxon_signed_rank(by_filter["laplace"], by_filter[rival], decimals=1)
    if n is not None:
        assert (result.n, result.w_plus, result.w_minus) == (n, w_plus, w_minus)
    assert f"{result.p_value:.{len(p_value) - 2}f}" == p_value
    assert result.outcome(0.01) == ("tie" if k == 5 else "win")
