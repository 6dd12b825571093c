"""Worked cases, exact counts and frequencies of the noise models."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from noisebench.errors import InputError
from noisebench.noise import (
    ClassConditionalNoise,
    NoiseModel,
    NoNoise,
    PercentageNoise,
    TransitionNoise,
    UniformNoise,
    flipped,
)

#: A draw as good as any fails a frequency test at this level once in a thousand seeds.
LEVEL = 0.001


def corrupt(model: NoiseModel, y: np.ndarray, seed: int = 0, n_classes: int | None = None):
    return model.corrupt(y, np.random.default_rng(seed), n_classes=n_classes)


def counts_by_class(y: np.ndarray, noisy: np.ndarray, n_classes: int) -> np.ndarray:
    table = np.zeros((n_classes, n_classes), dtype=int)
    np.add.at(table, (y, noisy), 1)
    return table


def p_value(observed: np.ndarray, shares: list[float]) -> float:
    return float(stats.chisquare(observed, observed.sum() * np.array(shares)).pvalue)


def test_no_noise_returns_an_equal_copy():
    y = np.array([0, 2, 1])
    noisy = corrupt(NoNoise(), y)
    assert noisy.tolist() == [0, 2, 1]
    assert noisy is not y


@pytest.mark.parametrize("model", [UniformNoise(0.0), UniformNoise(0, True), PercentageNoise(0)])
def test_rate_zero_flips_nothing(model):
    y = np.arange(50) % 3
    assert corrupt(model, y).tolist() == y.tolist()


@pytest.mark.parametrize("model", [UniformNoise(1.0), UniformNoise(1, True), PercentageNoise(100)])
def test_rate_one_flips_everything(model):
    y = np.arange(50) % 3
    assert flipped(y, corrupt(model, y)).all()


def test_two_classes_leave_only_one_way_to_flip():
    assert corrupt(UniformNoise(1.0), np.array([0, 1, 1, 0])).tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize(
    ("percent", "n", "count"),
    [
        (20, 120, 24),
        (10, 276, 28),
        (40, 615, 246),
        (20, 12, 2),
        (20, 13, 3),
        (50, 5, 3),
        (35, 90, 32),
    ],
)
def test_percentage_is_exact_with_halves_up(percent, n, count):
    y = np.arange(n) % 2
    assert flipped(y, corrupt(PercentageNoise(percent), y)).sum() == count
    assert flipped(y, corrupt(UniformNoise(percent / 100, exact=True), y)).sum() == count


def test_exact_noise_chooses_every_point_equally_often():
    y = np.arange(10) % 2
    hits = sum(
        flipped(y, corrupt(PercentageNoise(30), y, seed)).astype(int) for seed in range(2000)
    )
    assert hits.sum() == 6000
    # Without replacement the counts are less scattered than chi-square supposes: bound each.
    assert np.abs(hits - 600).max() < 4 * np.sqrt(2000 * 0.3 * 0.7)


@pytest.mark.parametrize("model", [UniformNoise(0.3), UniformNoise(0.3, True), PercentageNoise(30)])
def test_flips_go_to_every_other_class_alike(model):
    y = np.repeat(np.arange(4), 5000)
    table = counts_by_class(y, corrupt(model, y), 4)
    for label in range(4):
        shares = [0.7 if other == label else 0.1 for other in range(4)]
        assert p_value(table[label], shares) > LEVEL


def test_uniform_flips_are_binomial_in_number():
    y = np.zeros(40, dtype=int)
    model = UniformNoise(0.25)
    numbers = [flipped(y, corrupt(model, y, seed, 2)).sum() for seed in range(2000)]
    assert np.mean(numbers) == pytest.approx(10, abs=4 * np.sqrt(7.5 / 2000))
    assert np.var(numbers) == pytest.approx(7.5, rel=0.15)


def test_a_class_without_members_can_be_drawn():
    y = np.array([0, 1] * 100)
    assert set(corrupt(UniformNoise(0.5), y, n_classes=3)) == {0, 1, 2}
    assert set(corrupt(UniformNoise(0.5), y)) == {0, 1}


def test_a_higher_rate_only_adds_flips():
    y = np.arange(200) % 5
    for exact in (False, True):
        low, high = (corrupt(UniformNoise(rate, exact), y, seed=3) for rate in (0.2, 0.4))
        hit = flipped(y, low)
        assert hit.any()
        assert np.array_equal(low[hit], high[hit])
        assert flipped(y, high).sum() > hit.sum()


def test_class_conditional_rates_belong_to_the_true_class():
    y = np.repeat([0, 1], 20_000)
    table = counts_by_class(y, corrupt(ClassConditionalNoise(tau_pos=0.1, tau_neg=0.3), y), 2)
    assert p_value(table[0], [0.7, 0.3]) > LEVEL
    assert p_value(table[1], [0.1, 0.9]) > LEVEL


def test_class_conditional_follows_the_mixed_posterior():
    # eta_tilde = (1 - tau_pos - tau_neg) eta + tau_neg, here 0.6 * 0.4 + 0.1 = 0.34
    rng = np.random.default_rng(5)
    y = (rng.random(50_000) < 0.4).astype(int)
    noisy = ClassConditionalNoise(tau_pos=0.3, tau_neg=0.1).corrupt(y, rng)
    assert noisy.mean() == pytest.approx(0.34, abs=4 * np.sqrt(0.34 * 0.66 / 50_000))


def test_one_sided_noise_keeps_the_other_class():
    y = np.repeat([0, 1], 100)
    noisy = corrupt(ClassConditionalNoise(tau_pos=0.0, tau_neg=0.9), y)
    assert (noisy[100:] == 1).all()
    assert (noisy[:100] == 1).sum() > 70


def test_transition_rows_are_the_frequencies():
    matrix = [[0.8, 0.2, 0.0], [0.1, 0.6, 0.3], [0.0, 0.0, 1.0]]
    y = np.repeat([0, 1, 2], 20_000)
    table = counts_by_class(y, corrupt(TransitionNoise(matrix), y), 3)
    assert table[0, 2] == 0
    assert table[2].tolist() == [0, 0, 20_000]
    assert p_value(table[0, :2], [0.8, 0.2]) > LEVEL
    assert p_value(table[1], matrix[1]) > LEVEL


def test_a_permutation_matrix_renames_the_classes():
    y = np.array([0, 1, 2, 1])
    noisy = corrupt(TransitionNoise([[0, 1, 0], [0, 0, 1], [1, 0, 0]]), y)
    assert noisy.tolist() == [1, 2, 0, 2]


@pytest.mark.parametrize(
    "model",
    [
        NoNoise(),
        UniformNoise(0.3),
        UniformNoise(0.3, exact=True),
        PercentageNoise(20),
        ClassConditionalNoise(0.1, 0.3),
        TransitionNoise([[0.5, 0.5], [0, 1]]),
    ],
    ids=repr,
)
def test_an_empty_part_stays_empty(model):
    noisy = corrupt(model, np.array([], dtype=int), n_classes=2)
    assert noisy.shape == (0,)
    assert noisy.dtype == np.int64


def test_repr_shows_the_parameters():
    assert repr(NoNoise()) == "NoNoise()"
    assert repr(UniformNoise(0.3)) == "UniformNoise(rate=0.3, exact=False)"
    assert repr(PercentageNoise(20)) == "PercentageNoise(percent=20)"
    assert (
        repr(ClassConditionalNoise(0.1, 0.3)) == "ClassConditionalNoise(tau_pos=0.1, tau_neg=0.3)"
    )
    assert repr(TransitionNoise([[1, 0], [0.5, 0.5]])) == (
        "TransitionNoise(matrix=[[1.0, 0.0], [0.5, 0.5]])"
    )


def test_the_matrix_is_a_copy_that_cannot_be_changed():
    rows = [[1.0, 0.0], [0.5, 0.5]]
    model = TransitionNoise(rows)
    rows[0][0] = 0.0
    assert model.matrix[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        model.matrix[0, 0] = 0.0


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan"), float("inf"), "0.3", None, True])
def test_bad_rates_fail_when_the_model_is_made(rate):
    with pytest.raises(InputError, match="rate must be a number from 0 to 1, got"):
        UniformNoise(rate)
    with pytest.raises(InputError, match="tau_pos must be a number from 0 to 1, got"):
        ClassConditionalNoise(rate, 0.1)
    with pytest.raises(InputError, match="tau_neg must be a number from 0 to 1, got"):
        ClassConditionalNoise(0.1, rate)


@pytest.mark.parametrize("percent", [-1, 100.5, float("nan"), "20"])
def test_bad_percentages_fail_when_the_model_is_made(percent):
    with pytest.raises(InputError, match="percent must be a number from 0 to 100, got"):
        PercentageNoise(percent)


@pytest.mark.parametrize("rates", [(0.5, 0.5), (0.6, 0.5), (1.0, 0.0), (0.3, 0.7), (0.9, 0.1)])
def test_rates_that_sum_to_one_are_refused(rates):
    with pytest.raises(InputError, match=r"tau_pos \+ tau_neg must be less than 1"):
        ClassConditionalNoise(*rates)


@pytest.mark.parametrize(
    "matrix",
    [
        [[0.9, 0.2], [0.1, 0.9]],
        [[1.1, -0.1], [0.0, 1.0]],
        [[0.5, 0.5]],
        [[1.0]],
        [[0.5, 0.5], [1.0]],
        [0.5, 0.5],
        0.5,
        [[float("nan"), 1.0], [0.0, 1.0]],
        [["a", "b"], ["c", "d"]],
    ],
)
def test_what_is_no_transition_matrix_is_refused(matrix):
    with pytest.raises(InputError, match="matrix must be a square table"):
        TransitionNoise(matrix)


def test_models_with_a_fixed_number_of_classes_refuse_others():
    binary = ClassConditionalNoise(0.1, 0.3)
    with pytest.raises(InputError, match=r"ClassConditionalNoise\(.*rates for 2 classes.* with 3"):
        corrupt(binary, np.array([0, 1, 2]))
    with pytest.raises(InputError, match=r"rates for 2 classes.* with 5"):
        corrupt(binary, np.array([0, 1]), n_classes=5)
    with pytest.raises(InputError, match=r"rates for 3 classes.* with 2"):
        corrupt(TransitionNoise(np.eye(3)), np.array([0, 1]), n_classes=2)
    with pytest.raises(InputError, match=r"rates for 3 classes.* with 4"):
        corrupt(TransitionNoise(np.eye(3)), np.array([0, 3]))


def test_a_sample_without_its_last_class_is_no_error():
    y = np.zeros(200, dtype=int)
    assert set(corrupt(ClassConditionalNoise(0.1, 0.5), y)) == {0, 1}
    assert corrupt(TransitionNoise(np.eye(3)), y).tolist() == y.tolist()


@pytest.mark.parametrize("model", [UniformNoise(0.3), PercentageNoise(20)])
def test_one_class_has_nowhere_to_flip_to(model):
    with pytest.raises(InputError, match="n_classes must be at least 2"):
        corrupt(model, np.zeros(20, dtype=int))


@pytest.mark.parametrize("model", [NoNoise(), UniformNoise(0.3), ClassConditionalNoise(0.1, 0.3)])
def test_illegal_labels_are_refused(model):
    with pytest.raises(InputError, match="whole class codes, got 1 dimensions of float64"):
        corrupt(model, np.array([0.0, 1.0]))
    with pytest.raises(InputError, match="got 2 dimensions"):
        corrupt(model, np.array([[0, 1]]))
    with pytest.raises(InputError, match="codes from 0 to 1 for n_classes=2, got -1"):
        corrupt(model, np.array([1, -1]))
    with pytest.raises(InputError, match="codes from 0 to 1 for n_classes=2, got 2"):
        corrupt(model, np.array([0, 2]), n_classes=2)


def test_flipped_compares_point_by_point():
    assert flipped(np.array([0, 1, 2]), np.array([0, 2, 2])).tolist() == [False, True, False]
    with pytest.raises(InputError, match=r"shapes \(2,\) and \(3,\)"):
        flipped(np.zeros(2), np.zeros(3))
