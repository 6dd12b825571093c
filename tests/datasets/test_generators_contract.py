"""What all generators have in common: types, sizes of the papers, seeds, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from noisebench.datasets import generators
from noisebench.errors import InputError

#: Rows, columns and classes of each set at its default size.
SIZES = {
    "banana": (5300, 2, 2),
    "g10n": (550, 10, 2),
    "g50c": (550, 50, 2),
    "noisy_xor": (100, 2, 2),
    "reeve_kaban": (16_000, 1, 2),
    "ringnorm": (7400, 20, 2),
    "sine_surface": (15_000, 2, 2),
    "synsep": (100_000, 400, 9),
    "two_gaussians": (20, 2, 2),
    "twonorm": (7400, 20, 2),
    "visual_words": (2731, 400, 3),
    "waveform": (5000, 21, 2),
}


def draw(name: str, seed: int = 0, **arguments: object):
    return getattr(generators, name)(**arguments, rng=np.random.default_rng(seed))


@pytest.mark.parametrize("name", SIZES)
def test_default_sizes_are_those_of_the_papers(name):
    X, y = draw(name)
    n_samples, n_features, n_classes = SIZES[name]
    assert X.shape == (n_samples, n_features)
    assert X.dtype == np.float64
    assert y.shape == (n_samples,)
    assert y.dtype == np.int64
    assert np.unique(y).tolist() == list(range(n_classes))
    assert np.isfinite(X).all()


@pytest.mark.parametrize("name", SIZES)
def test_a_seed_fixes_the_set(name):
    X, y = draw(name, n_samples=40)
    again, labels = draw(name, n_samples=40)
    other, _ = draw(name, seed=1, n_samples=40)
    assert np.array_equal(X, again)
    assert np.array_equal(y, labels)
    assert not np.array_equal(X, other)


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("n_samples", [1, 0, -3, 2.5, True, "100"])
def test_bad_sizes_are_refused(name, n_samples):
    with pytest.raises(InputError, match="n_samples must be a whole number of at least"):
        draw(name, n_samples=n_samples)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("banana", {"spread": 0}, "spread must be a finite number above 0, got 0"),
        ("banana", {"spread": float("inf")}, "spread must be a finite number above 0"),
        ("synsep", {"label_noise": 1.2}, "label_noise must be a number from 0 to 1, got 1.2"),
        ("noisy_xor", {"label_noise": -0.1}, "label_noise must be a number from 0 to 1"),
        ("noisy_xor", {"label_noise": float("nan")}, "label_noise must be a number"),
        ("reeve_kaban", {"p0": 0.3, "p1": 0.3}, "two different rates inside"),
        ("reeve_kaban", {"p0": 0.0}, "inside .* got p0=0.0, p1=0.3"),
        ("reeve_kaban", {"p1": 0.5}, "two different rates inside"),
        ("reeve_kaban", {"p0": "0.1"}, "p0 must be a number from 0 to 0.5, got '0.1'"),
        ("gaussian_mixture", {"n_classes": 1}, "n_classes must be .* at least 2"),
        ("gaussian_mixture", {"n_features": 0}, "n_features must be .* at least 1"),
        ("gaussian_mixture", {"n_features": True}, "n_features must be .* got True"),
        ("gaussian_mixture", {"class_size": (300, 20)}, "class_size must be two numbers"),
        ("gaussian_mixture", {"class_size": (0, 20)}, "class_size must be two numbers"),
        ("gaussian_mixture", {"class_size": 300}, "class_size must be two numbers"),
        ("gaussian_mixture", {"class_size": (20.5, 30)}, "each end of class_size must be a whole"),
        ("gaussian_mixture", {"class_size": (20, 30.5)}, "each end of class_size must be a whole"),
        ("gaussian_mixture", {"shift": -1}, "shift must be a finite number above 0"),
        ("gaussian_mixture", {"spread": (1.5,)}, "spread must be two numbers"),
        ("gaussian_mixture", {"spread": (0.5, "1")}, "spread must be two numbers"),
        ("visual_words", {"n_classes": 1}, "n_classes must be .* at least 2"),
        ("visual_words", {"n_words": 1}, "n_words must be .* at least 2"),
        ("visual_words", {"imbalance": 0.5}, "imbalance must be a number from 1"),
        ("visual_words", {"zero_rows": -1}, "zero_rows must be .* at least 0"),
        ("visual_words", {"n_samples": 30, "zero_rows": 11}, r"\[10, 10, 10\].*11 zero rows"),
        ("visual_words", {"n_samples": 2}, r"class sizes \[1, 0, 1\]"),
        ("visual_words", {"imbalance": 1e9}, "raise n_samples or lower imbalance"),
    ],
)
def test_bad_arguments_are_refused(name, arguments, message):
    with pytest.raises(InputError, match=message):
        draw(name, **arguments)
