"""The Bayesian t-test, down to the published counts."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.special import beta

from noisebench.errors import InputError
from noisebench.statistics import bayesian_t, bayesian_t_from_summary, win_tie_loss
from noisebench.statistics.bayes import log_bayes_factor


def weigh_two_of_40(t: float):
    """Two samples of 40 with unit deviation whose pooled t is ``t``."""
    return bayesian_t_from_summary(t * math.sqrt(2 / 40), 1.0, 40, 0.0, 1.0, 40)


@pytest.mark.parametrize(
    ("t", "expected"), [(0, 0.090633), (2, 0.621550), (2.5, 1.762317), (3, 6.069232)]
)
def test_bayes_factor_of_two_samples_of_40(t, expected):
    result = weigh_two_of_40(t)
    assert result.degrees == 78
    assert result.statistic == pytest.approx(t)
    assert result.bayes_factor == pytest.approx(expected, abs=5e-7)


def test_runs_as_two_samples(runs):
    result = bayesian_t(*runs)
    assert result.statistic == pytest.approx(2.444176, abs=5e-7)
    assert result.degrees == 14
    assert result.bayes_factor == pytest.approx(2.186828, abs=5e-7)
    assert result.posterior == pytest.approx(0.686208, abs=5e-7)
    assert result.p_value == pytest.approx(1 - 0.686208, abs=5e-7)
    assert result.outcome() == "win"
    assert bayesian_t(*reversed(runs)).outcome() == "loss"


def test_runs_as_pairs(runs):
    result = bayesian_t(*runs, paired=True)
    assert result.statistic == pytest.approx(3.147984, abs=5e-7)
    assert result.degrees == 7
    # Γ(7/2) Γ(1) / (Γ(4) Γ(1/2)) = (15/8) / 6 and (1 + t²/7)³.
    assert result.bayes_factor == pytest.approx(15 / 48 * (1 + 3.147984**2 / 7) ** 3, rel=1e-5)


def test_printed_figures_of_heart():
    result = bayesian_t_from_summary(0.8544, 0.0452, 40, 0.8353, 0.0458, 40)
    assert result.statistic == pytest.approx(1.877273, abs=5e-7)
    assert result.bayes_factor == pytest.approx(0.496781, abs=5e-7)
    assert result.outcome() == "tie"


def test_unequal_sizes():
    # nu = 5, pooled variance (2·4 + 3·1) / 5 = 2.2, t = 1 / √(2.2 (1/3 + 1/4)).
    result = bayesian_t_from_summary(3.0, 2.0, 3, 2.0, 1.0, 4)
    assert result.degrees == 5
    assert result.statistic == pytest.approx(1 / math.sqrt(2.2 * 7 / 12))


@pytest.mark.parametrize(("degrees", "boundary"), [(78, 2.240339), (39, 2.108541), (14, 1.925789)])
def test_boundary_of_a_difference(degrees, boundary):
    assert log_bayes_factor(boundary - 1e-6, degrees, -0.5) < 0
    assert log_bayes_factor(boundary + 1e-6, degrees, -0.5) > 0


@pytest.mark.parametrize("a_prior", [-0.75, -0.5, 0.0])
def test_closed_form_is_the_integral(a_prior):
    # Integrate the factor of a fixed prior variance v over its Pearson type VI density, with
    # u = v n1 n2 / (n1 + n2), so that the scale drops out, and u = x / (1 - x).
    t, nu = 2.5, 14
    b = nu / 2 - a_prior - 2

    def integrand(x: float) -> float:
        u = x / (1 - x)
        fixed = (1 + u) ** -0.5 * ((1 + t * t / nu) / (1 + t * t / (nu * (1 + u)))) ** (
            (nu + 1) / 2
        )
        density = u**b * (1 + u) ** (-a_prior - b - 2) / beta(a_prior + 1, b + 1)
        return fixed * density / (1 - x) ** 2

    integral, _ = quad(integrand, 0, 1, limit=200)
    assert math.exp(log_bayes_factor(t, nu, a_prior)) == pytest.approx(integral, rel=1e-6)
    if a_prior == -0.5:
        assert integral == pytest.approx(2.390866, abs=1e-6)


@pytest.mark.parametrize("bound", ["low", "high"])
def test_gao_table_3(read_reference, bound):
    keys = ["dataset", "tau_pos", "tau_neg", "method"]
    table = read_reference("gao_table2.csv").set_index(keys).sort_index()
    # Two deviations are only known to three digits; the counts are the same at both ends.
    cells = read_reference("unreadable_cells.csv").query("file == 'gao_table2.csv'")
    assert table["std"].isna().sum() == len(cells) == 2
    for cell in cells.itertuples():
        tau_pos, tau_neg = cell.setting.removeprefix("tau ").split(",")
        place = (cell.dataset, float(tau_pos), float(tau_neg), cell.method)
        table.loc[place, "std"] = getattr(cell, bound)
    printed = read_reference("gao_win_tie_loss.csv").query("test == 'bayesian_t_test'")
    assert len(printed) == 7
    for row in printed.itertuples():
        counts = count_against(table, row.method)
        assert counts == (row.win, row.tie, row.loss), f"RkNN against {row.method}: {counts}"


def count_against(table: pd.DataFrame, rival: str):
    ours, theirs = (table.xs(method, level="method") for method in ("RkNN", rival))
    assert len(ours) == 60
    assert ours.index.equals(theirs.index)
    return win_tie_loss(
        bayesian_t_from_summary(our.mean, our.std, 40, their.mean, their.std, 40).outcome()
        for our, their in zip(ours.itertuples(), theirs.itertuples(), strict=True)
    )


def test_no_variance():
    same = bayesian_t([0.5, 0.5], [0.5, 0.5])
    assert same.statistic == 0
    assert same.outcome() == "tie"
    apart = bayesian_t([0.5, 0.5], [0.7, 0.7])
    assert apart.statistic == -math.inf
    assert (apart.bayes_factor, apart.posterior, apart.p_value) == (math.inf, 1.0, 0.0)
    assert apart.outcome() == "loss"


def test_rounding_is_no_difference():
    assert bayesian_t([0.1 + 0.2] * 3, [0.3] * 3).outcome() == "tie"


def test_huge_factor_is_infinite_and_its_logarithm_is_not():
    result = weigh_two_of_40(1e12)
    assert result.bayes_factor == math.inf
    assert math.isfinite(result.log_bayes_factor)
    assert result.posterior == 1


def test_level_is_ignored(runs):
    result = bayesian_t(*runs)
    assert result.p_value > 0.05
    assert result.outcome(0.05) == result.outcome(0.001) == "win"


def test_prior_out_of_range(runs):
    with pytest.raises(InputError, match="a_prior must be above -1, got -1"):
        bayesian_t(*runs, a_prior=-1)
    with pytest.raises(InputError, match=r"a_prior=-0\.5 needs more than 1 degrees .* got 1"):
        bayesian_t([0.1, 0.3], [0.2, 0.1], paired=True)


def test_summary_out_of_range():
    with pytest.raises(InputError, match="std1 and std2 must not be negative, got -1 and 1"):
        bayesian_t_from_summary(0.5, -1, 40, 0.5, 1, 40)
    with pytest.raises(InputError, match="n2 must be a whole number from 2 up, got 1"):
        bayesian_t_from_summary(0.5, 1, 40, 0.5, 1, 1)
    with pytest.raises(InputError, match="std1 and std2 must be finite, got nan at position 1"):
        bayesian_t_from_summary(0.5, 1, 40, 0.5, np.nan, 40)
