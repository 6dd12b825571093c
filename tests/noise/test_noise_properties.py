"""Properties on random labels, and agreement with slow versions written from the definitions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisebench.noise import (
    ClassConditionalNoise,
    NoNoise,
    PercentageNoise,
    TransitionNoise,
    UniformNoise,
    flipped,
)

SEEDS = st.integers(0, 2**32 - 1)
#: Two-decimal rates as users write them, so that the exact count is known without rounding.
HUNDREDTHS = st.integers(0, 100)


@st.composite
def labels_and_classes(draw, most_classes=6):
    n_classes = draw(st.integers(2, most_classes))
    y = draw(st.lists(st.integers(0, n_classes - 1), max_size=40))
    return np.array(y, dtype=np.int64), n_classes


def half_up(share: Fraction) -> int:
    return int(share + Fraction(1, 2))


@given(labels_and_classes(), HUNDREDTHS, SEEDS)
def test_exact_models_hit_the_count(case, hundredths, seed):
    y, n_classes = case
    count = half_up(Fraction(hundredths * len(y), 100))
    for model in (PercentageNoise(hundredths), UniformNoise(hundredths / 100, exact=True)):
        noisy = model.corrupt(y, np.random.default_rng(seed), n_classes=n_classes)
        assert flipped(y, noisy).sum() == count


@given(labels_and_classes(), st.floats(0, 1), SEEDS)
def test_uniform_models_keep_their_input_and_the_classes(case, rate, seed):
    y, n_classes = case
    before = y.copy()
    y.setflags(write=False)
    models = (NoNoise(), UniformNoise(rate), UniformNoise(rate, True), PercentageNoise(100 * rate))
    for model in models:
        noisy = model.corrupt(y, np.random.default_rng(seed), n_classes=n_classes)
        assert np.array_equal(y, before)
        assert noisy.shape == y.shape
        assert noisy.dtype == np.int64
        assert np.isin(noisy, np.arange(n_classes)).all()


@given(labels_and_classes(most_classes=2), st.floats(0, 0.99), st.floats(0, 1), SEEDS)
def test_class_conditional_keeps_its_input_and_the_classes(case, tau_pos, share, seed):
    y, _ = case
    before = y.copy()
    model = ClassConditionalNoise(tau_pos, 0.999 * share * (1 - tau_pos))
    noisy = model.corrupt(y, np.random.default_rng(seed), n_classes=2)
    assert np.array_equal(y, before)
    assert noisy.shape == y.shape
    assert np.isin(noisy, [0, 1]).all()


@given(labels_and_classes(), SEEDS)
def test_transition_never_takes_a_way_of_probability_zero(case, seed):
    y, n_classes = case
    rng = np.random.default_rng(seed)
    matrix = rng.random((n_classes, n_classes)) * (rng.random((n_classes, n_classes)) < 0.5)
    matrix += np.eye(n_classes)
    matrix /= matrix.sum(axis=1, keepdims=True)
    noisy = TransitionNoise(matrix).corrupt(y, rng, n_classes=n_classes)
    assert (matrix[y, noisy] > 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_uniform_is_the_definition_label_by_label(seed):
    y = np.random.default_rng(99).integers(4, size=300)
    rng = np.random.default_rng(seed)
    hits, steps = rng.random(300), rng.integers(1, 4, size=300)
    expected = []
    for label, hit, step in zip(y, hits, steps, strict=True):
        others = [(label + ahead) % 4 for ahead in (1, 2, 3)]
        expected.append(others[step - 1] if hit < 0.3 else label)
    assert UniformNoise(0.3).corrupt(y, np.random.default_rng(seed)).tolist() == expected


@pytest.mark.parametrize("seed", range(5))
def test_class_conditional_is_the_definition_label_by_label(seed):
    y = np.random.default_rng(98).integers(2, size=300)
    hits = np.random.default_rng(seed).random(300)
    expected = []
    for label, hit in zip(y, hits, strict=True):
        if label == 1:
            expected.append(0 if hit < 0.1 else 1)
        else:
            expected.append(1 if hit < 0.3 else 0)
    noisy = ClassConditionalNoise(0.1, 0.3).corrupt(y, np.random.default_rng(seed))
    assert noisy.tolist() == expected


@pytest.mark.parametrize("seed", range(5))
def test_transition_is_the_definition_label_by_label(seed):
    matrix = [[0.5, 0.25, 0.25], [0.0, 0.75, 0.25], [0.125, 0.375, 0.5]]
    y = np.random.default_rng(97).integers(3, size=300)
    expected = []
    for label, draw in zip(y, np.random.default_rng(seed).random(300), strict=True):
        observed, reached = 0, matrix[label][0]
        while draw >= reached:
            observed += 1
            reached += matrix[label][observed]
        expected.append(observed)
    assert TransitionNoise(matrix).corrupt(y, np.random.default_rng(seed)).tolist() == expected
