"""What no test of two samples may depend on, on random input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisebench.statistics import TESTS, average_ranks, friedman, holm, wilcoxon_signed_rank

OPPOSITE = {"win": "loss", "tie": "tie", "loss": "win"}

# Shares of 200 test points, so that ties and constant differences occur.
scores = st.integers(0, 200).map(lambda hits: hits / 200)
pairs = st.lists(st.tuples(scores, scores), min_size=2, max_size=40)
ratios = st.floats(0.01, 1)
relaxed = settings(deadline=None, max_examples=60)


def compare(name, pairs, ratio):
    a, b = np.array(pairs).T
    return TESTS[name](a, b, test_over_train=ratio)


@pytest.mark.parametrize("name", TESTS)
@relaxed
@given(pairs=pairs, ratio=ratios)
def test_swapping_the_methods_turns_the_outcome(name, pairs, ratio):
    result = compare(name, pairs, ratio)
    swapped = compare(name, [(b, a) for a, b in pairs], ratio)
    assert 0 <= result.p_value <= 1
    assert swapped.p_value == pytest.approx(result.p_value, abs=1e-12)
    for alpha in (0.01, 0.05, 0.5):
        assert swapped.outcome(alpha) == OPPOSITE[result.outcome(alpha)]


@pytest.mark.parametrize("name", TESTS)
@relaxed
@given(data=st.data(), pairs=pairs, ratio=ratios)
def test_order_of_runs_does_not_matter(name, data, pairs, ratio):
    shuffled = data.draw(st.permutations(pairs))
    result, other = compare(name, pairs, ratio), compare(name, shuffled, ratio)
    assert other.p_value == pytest.approx(result.p_value, abs=1e-9)
    assert other.statistic == pytest.approx(result.statistic, abs=1e-9)


@pytest.mark.parametrize("name", TESTS)
@relaxed
@given(pairs=pairs, ratio=ratios, shift=st.floats(-10, 10))
def test_common_constant_does_not_matter(name, pairs, ratio, shift):
    result = compare(name, pairs, ratio)
    shifted = compare(name, np.array(pairs) + shift, ratio)
    assert shifted.p_value == pytest.approx(result.p_value, abs=1e-9)
    assert shifted.statistic == pytest.approx(result.statistic, rel=1e-9, abs=1e-9)


@relaxed
@given(pairs=pairs)
def test_correction_never_makes_a_difference_more_significant(pairs):
    plain, corrected = (compare(name, pairs, 1 / 9) for name in ("paired-t", "corrected-t"))
    assert corrected.p_value >= plain.p_value
    assert corrected.mean_difference == plain.mean_difference


@relaxed
@given(pairs=pairs)
def test_rank_sums_add_up(pairs):
    a, b = np.array(pairs).T
    result = wilcoxon_signed_rank(a, b)
    assert result.n == (a != b).sum()
    assert result.w_plus + result.w_minus == result.n * (result.n + 1) / 2


tables = st.tuples(st.integers(2, 8), st.integers(2, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(scores, min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


@relaxed
@given(data=st.data(), table=tables)
def test_permuting_methods_permutes_ranks(data, table):
    table = np.array(table)
    order = data.draw(st.permutations(range(table.shape[1])))
    ranks, permuted = average_ranks(table), friedman(table[:, order])
    assert permuted.average_ranks.tolist() == ranks[order].tolist()
    assert ranks.sum() == pytest.approx(table.shape[1] * (table.shape[1] + 1) / 2)
    assert permuted.statistic == friedman(table).statistic


@relaxed
@given(p_values=st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_never_lowers(p_values):
    adjusted = holm(p_values)
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()
    assert (adjusted >= p_values).all()
    assert adjusted.max() <= 1
