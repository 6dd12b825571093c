"""Average ranks and Friedman's test."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from noisebench.errors import InputError
from noisebench.statistics import average_ranks, friedman


def test_average_ranks_by_hand():
    scores = [[0.9, 0.8, 0.7, 0.7], [0.5, 0.6, 0.6, 0.6]]
    # 1 2 3.5 3.5 and 4 2 2 2.
    assert average_ranks(scores).tolist() == [2.5, 2, 2.75, 2.75]
    # 4 3 1.5 1.5 and 1 3 3 3.
    assert average_ranks(scores, greater_is_better=False).tolist() == [2.5, 3, 2.25, 2.25]


def test_scores_equal_up_to_rounding_tie():
    assert average_ranks([[0.1 + 0.2, 0.3], [0.5, 0.4]]).tolist() == [1.25, 1.75]


def test_friedman_by_hand():
    # Ranks 123 123 213 123: sums 5 7 12, χ² = 12/(4·3·4) (25 + 49 + 144) - 3·4·4 = 6.5, and
    # F = 3·6.5 / (4·2 - 6.5) = 13.
    scores = [[3, 2, 1], [30, 20, 10], [2, 3, 1], [0.3, 0.2, 0.1]]
    result = friedman(scores)
    assert result.statistic == pytest.approx(6.5)
    assert result.p_value == pytest.approx(math.exp(-6.5 / 2))
    assert result.f_statistic == pytest.approx(13)
    assert result.f_p_value == pytest.approx(stats.f.sf(13, 2, 6))
    assert result.average_ranks.tolist() == [1.25, 1.75, 3]
    assert (result.n, result.k) == (4, 3)


def test_demsars_friedman(demsar_ranks):
    # He prints χ² = 9.28 without tie correction; three pairs and one four are tied.
    untied_share = 1 - (3 * (2**3 - 2) + 4**3 - 4) / (14 * 4 * (4**2 - 1))
    result = friedman(demsar_ranks, greater_is_better=False)
    assert round(result.statistic * untied_share, 2) == 9.28
    assert result.f_p_value < result.p_value < 0.05


@pytest.mark.parametrize("levels", [3, 1000])
@pytest.mark.parametrize("greater_is_better", [True, False])
def test_friedman_agrees_with_scipy(levels, greater_is_better):
    scores = np.random.default_rng(levels).integers(levels, size=(12, 5)) / levels
    result = friedman(scores, greater_is_better)
    expected = stats.friedmanchisquare(*scores.T)
    assert result.statistic == pytest.approx(expected.statistic)
    assert result.p_value == pytest.approx(expected.pvalue)
    chi = expected.statistic
    assert result.f_statistic == pytest.approx(11 * chi / (12 * 4 - chi))
    assert result.f_p_value == pytest.approx(stats.f.sf(result.f_statistic, 4, 44))


def test_direction_turns_the_ranks_only():
    scores = np.random.default_rng(2).normal(size=(6, 4))
    up, down = friedman(scores), friedman(scores, greater_is_better=False)
    assert up.average_ranks + down.average_ranks == pytest.approx(5)
    assert (up.statistic, up.f_statistic) == (down.statistic, down.f_statistic)


def test_all_tied():
    result = friedman(np.full((5, 3), 0.7))
    assert (result.statistic, result.p_value) == (0, 1)
    assert (result.f_statistic, result.f_p_value) == (0, 1)
    assert result.average_ranks.tolist() == [2, 2, 2]


def test_balanced_ranks():
    result = friedman([[1, 2], [2, 1]])
    assert (result.statistic, result.f_statistic, result.f_p_value) == (0, 0, 1)


def test_same_order_everywhere():
    result = friedman([[3, 2, 1]] * 7)
    assert result.statistic == pytest.approx(7 * 2)
    assert (result.f_statistic, result.f_p_value) == (math.inf, 0)


@pytest.mark.parametrize("shape", [(1, 3), (3, 1), (4,), (2, 2, 2), (0, 3)])
def test_scores_must_be_a_table(shape):
    with pytest.raises(InputError, match="scores must be an array of at least 2 data sets"):
        friedman(np.zeros(shape))


def test_missing_score_is_named():
    with pytest.raises(InputError, match="scores must be finite, got nan at position 1, 2"):
        average_ranks([[1, 2, 3], [1, 2, math.nan]])
