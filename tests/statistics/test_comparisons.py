"""The tests by name."""

from __future__ import annotations

import pytest

from noisebench.errors import InputError
from noisebench.statistics import TESTS


@pytest.mark.parametrize(
    ("name", "p_value", "outcome"),
    [
        ("paired-t", 0.016198, "win"),
        ("corrected-t", 0.055767, "tie"),
        # Differences .02 .04 .01 -.01 .05 .01 .02 .05 with ranks 4.5 6 2 2 7.5 2 4.5 7.5:
        # W+ = 34, W- = 2, Σ rank² = 201, z = 32 / √201.
        ("wilcoxon", 0.024001, "win"),
        ("bayesian-t", 0.313792, "win"),
    ],
)
def test_each_test_by_name(runs, name, p_value, outcome):
    result = TESTS[name](*runs, test_over_train=1 / 9)
    assert result.p_value == pytest.approx(p_value, abs=5e-7)
    assert result.outcome(0.05) == outcome


def test_names():
    assert sorted(TESTS) == ["bayesian-t", "corrected-t", "paired-t", "wilcoxon"]
    with pytest.raises(TypeError):
        TESTS["sign"] = TESTS["wilcoxon"]


@pytest.mark.parametrize("name", TESTS)
def test_wrong_input_is_refused_by_every_test(runs, name):
    a, b = runs
    with pytest.raises(InputError, match="test_over_train must be a finite number"):
        TESTS[name](a, b, test_over_train=-1)
    with pytest.raises(InputError, match="a and b must have equal lengths, got 8 and 7"):
        TESTS[name](a, b[:7], test_over_train=0.25)
    with pytest.raises(InputError, match="a must be finite, got nan at position 2"):
        TESTS[name]([0.1, 0.2, float("nan")], b[:3], test_over_train=0.25)
