"""What the learners of two classes share: rates to go by, and the sign of a score."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noisebench.learners import AROW, UnbiasedLogistic
from noisebench.learners.binary import find_rates, to_signs

#: Noise-free halves of a line with one label in four flipped on the left.
LINE = np.arange(400.0)[:, None]
SIGNS = np.where((np.arange(400) >= 200) | (np.arange(400) % 4 == 0), 1.0, -1.0)


def test_rates_are_estimated_by_the_extremes_of_a_vote():
    # Any 51 points in a row on the left hold 12 or 13 flipped labels.
    assert find_rates("estimate", LINE, SIGNS) == (0.0, pytest.approx(12 / 51))
    assert find_rates("estimate", LINE, -SIGNS) == (pytest.approx(12 / 51), 0.0)


def test_rates_are_estimated_from_distances_too():
    distances = cdist(LINE, LINE)
    assert find_rates("estimate", distances, SIGNS, "precomputed") == (0, pytest.approx(12 / 51))


@pytest.mark.parametrize("n", [2, 20, 51])
def test_no_noise_is_assumed_where_all_votes_are_equal(n):
    signs = np.where(np.arange(n) % 2, 1.0, -1.0)
    assert find_rates("estimate", LINE[:n], signs) == (0.0, 0.0)


def test_no_noise_is_assumed_of_one_class():
    assert find_rates("estimate", LINE[:5], np.ones(5)) == (0.0, 0.0)


def test_rates_may_be_any_pair_of_numbers():
    for rates in ((0.1, 0.2), [0.1, 0.2], np.array([0.1, 0.2])):
        assert find_rates(rates, LINE, SIGNS) == (0.1, 0.2)


def test_the_positive_class_is_the_second_in_sorted_order():
    words = np.where(SIGNS > 0, "b", "a")
    learner = UnbiasedLogistic(ridge=1.0).fit(LINE / 400, words)
    assert (learner.tau_pos_, learner.tau_neg_) == (0.0, pytest.approx(12 / 51))


def test_rounding_does_not_decide_a_score_of_zero():
    assert to_signs(np.array([-1e-12, 0.0, -1e-6])).tolist() == [1, 1, -1]
    fitted = AROW(r=1.0, epochs=1).fit([[1.0], [-1.0]], ["a", "b"])
    fitted.coef_, fitted.intercept_ = np.zeros((1, 1)), np.array([-1e-12])
    assert fitted.predict([[3.0]]).tolist() == ["b"]


def test_one_class_is_the_only_answer():
    assert AROW(random_state=0).fit([[1.0], [2.0]], ["a", "a"]).predict([[9.0]]) == ["a"]
