"""Nemenyi, Holm and the comparison with a control."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from noisebench.errors import InputError
from noisebench.statistics import (
    average_ranks,
    critical_difference,
    friedman_holm,
    holm,
    nemenyi,
)


def test_demsars_comparison_with_a_control(demsar_ranks):
    # Demšar 2006, Section 3.2.2; he divides rounded ranks by a rounded error. Holm's levels .05/3,
    # .05/2 and .05 reject the second and the last.
    result = friedman_holm(demsar_ranks, control=0, greater_is_better=False)
    assert result.control == 0
    assert result.average_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert result.statistics == pytest.approx([0, 2.342, 0.512, 2.416], abs=2e-3)
    assert result.p_values == pytest.approx([1, 0.019, 0.607, 0.016], abs=2e-3)
    p = result.p_values
    # 2 p[1] would fall below the smaller p-value's 3 p[3].
    assert result.adjusted == pytest.approx([1, 3 * p[3], p[2], 3 * p[3]])
    assert (result.adjusted < 0.05).tolist() == [False, True, False, True]


def test_direction_and_control(demsar_ranks):
    # The same table as scores, the last method as control: all others rank worse.
    result = friedman_holm(-demsar_ranks, control=3)
    assert result.average_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert (result.statistics[:3] < 0).all()
    assert (result.statistics[3], result.p_values[3], result.adjusted[3]) == (0, 1, 1)


def test_demsars_nemenyi(demsar_ranks):
    # Nothing at 5%; at 10% plain C4.5 differs from the two whose m is tuned.
    p = nemenyi(demsar_ranks)
    assert (p > 0.05).all()
    assert (p[0] < 0.10).tolist() == [False, True, False, True]
    assert (p[1:, 1:] > 0.10).all()


@pytest.mark.parametrize(
    ("k", "q"),
    [
        (2, 1.960),
        (3, 2.343),
        (4, 2.569),
        (5, 2.728),
        (6, 2.850),
        (7, 2.949),
        (8, 3.031),
        (9, 3.102),
        (10, 3.164),
    ],
)
def test_critical_difference_follows_the_printed_quantiles(k, q):
    # Demšar 2006, Table 5a, three decimals.
    expected = q * np.sqrt(k * (k + 1) / (6 * 20))
    assert critical_difference(k, 20) == pytest.approx(expected, rel=5e-4)


def test_demsars_critical_differences():
    assert round(critical_difference(4, 14), 2) == 1.25
    assert round(critical_difference(4, 14, alpha=0.10), 2) == 1.12


@pytest.mark.parametrize("levels", [3, 1000])
def test_nemenyi_agrees_with_posthocs(levels):
    posthocs = pytest.importorskip("scikit_posthocs")
    scores = np.random.default_rng(levels).integers(levels, size=(9, 5)) / levels
    expected = posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    assert nemenyi(scores) == pytest.approx(expected, abs=1e-9)


def test_nemenyi_is_a_z_test_for_two_methods():
    # The range of two normal deviates is √2 |z|: ranks 1.125 and 1.875, z = .75 √8.
    scores = np.array([[2, 1]] * 7 + [[1, 2]])
    assert nemenyi(scores)[0, 1] == pytest.approx(2 * stats.norm.sf(0.75 * np.sqrt(8)), rel=1e-6)


def test_nemenyi_turns_at_the_critical_difference():
    gap = critical_difference(3, 30)
    scores = np.random.default_rng(0).normal([0.0, 0.4, 0.9], size=(30, 3))
    ranks = average_ranks(scores)
    p = nemenyi(scores)
    far = np.abs(ranks[:, None] - ranks) > gap
    assert ((p < 0.05) == far).all()
    assert far.any()
    assert not far[0, 1]


def test_nemenyi_shape():
    p = nemenyi(np.random.default_rng(1).normal(size=(6, 4)))
    assert (p == p.T).all()
    assert (np.diag(p) == 1).all()
    assert (nemenyi(np.ones((4, 3))) == 1).all()


def test_holm_by_hand():
    # Sorted .005 .01 .03 .04 times 4 3 2 1 = .02 .03 .06 .04, the last raised to .06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.4, 0.6]).tolist() == [0.8, 0.8]
    assert holm([0.9, 0.6]).tolist() == [1, 1]
    assert holm([0.2]).tolist() == [0.2]


def test_holm_is_the_step_down_rule():
    # Reject the smallest while p <= level / (number left), stop at the first that is not.
    rng = np.random.default_rng(3)
    for _ in range(50):
        p = rng.uniform(0, 0.1, 6).round(3)
        for level in (0.01, 0.0503, 0.1007):
            rejected = np.zeros(6, bool)
            for left, index in zip(range(6, 0, -1), np.argsort(p), strict=True):
                if p[index] > level / left:
                    break
                rejected[index] = True
            assert ((holm(p) <= level) == rejected).all()


def test_holm_agrees_with_statsmodels():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(4).uniform(size=20) ** 3
    assert holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1])


@pytest.mark.parametrize("p_values", [[-0.1, 0.5], [0.5, 1.1]])
def test_holm_takes_probabilities(p_values):
    with pytest.raises(InputError, match="p_values must lie between 0 and 1"):
        holm(p_values)


@pytest.mark.parametrize("control", [-1, 3, 1.0, "kNN"])
def test_control_must_be_a_column(control):
    with pytest.raises(InputError, match=f"control must be a column from 0 to 2, got {control}"):
        friedman_holm(np.eye(3), control)


def test_critical_difference_out_of_range():
    with pytest.raises(InputError, match="n_methods must be a whole number from 2 up, got 1"):
        critical_difference(1, 10)
    with pytest.raises(InputError, match=r"n_datasets .* got 2\.5"):
        critical_difference(3, 2.5)
    with pytest.raises(InputError, match="alpha must lie between 0 and 1, got 5"):
        critical_difference(3, 10, alpha=5)
