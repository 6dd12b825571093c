"""Nearest neighbours find the sets as hard as the published ones.

1, 3 and 5 neighbours, 400 training points, mean over 30 draws, in per cent.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from noisebench.datasets.generators import (
    banana,
    gaussian_mixture,
    ringnorm,
    twonorm,
    waveform,
)
from noisebench.neighbors import kneighbors


def mean_accuracies(draw: Callable, n_sets: int = 30) -> list[float]:
    """Mean accuracies of 1, 3 and 5 neighbours that learn from 400 points and answer 2000."""
    accuracies = []
    for seed in range(n_sets):
        X, y = draw(2400, rng=np.random.default_rng(seed))
        models = (KNeighborsClassifier(k, algorithm="brute") for k in (1, 3, 5))
        accuracies.append([model.fit(X[:400], y[:400]).score(X[400:], y[400:]) for model in models])
    return (100 * np.mean(accuracies, axis=0)).tolist()


@pytest.mark.parametrize(
    ("draw", "published"),
    [
        (twonorm, [93.3, 95.5, 96.2]),
        (ringnorm, [64.9, 59.5, 56.7]),
        (waveform, [84.1, 86.3, 87.3]),
    ],
)
def test_accuracies_are_the_published_ones(draw, published):
    assert mean_accuracies(draw) == pytest.approx(published, abs=1.0)


def test_banana_is_about_as_hard_as_the_published_set():
    accuracies = mean_accuracies(banana)
    assert accuracies == pytest.approx([85.1, 87.6, 88.4], abs=1.0)
    assert accuracies == pytest.approx([86.4, 87.9, 88.3], abs=1.5)  # the published set


def test_waveform_is_easier_unstandardised():
    raw = mean_accuracies(partial(waveform, standardize=False))
    assert raw == pytest.approx([85.5, 87.5, 88.3], abs=1.0)


def mixture_accuracy(seed: int, **arguments: object) -> float:
    """Return the leave-one-out accuracy of 5-NN; a tied vote goes to the nearer neighbour."""
    X, y = gaussian_mixture(**arguments, rng=np.random.default_rng(seed))
    labels = y[kneighbors(X, X, 5, exclude_self=True)[1]]
    support = (labels[:, :, None] == labels[:, None, :]).sum(axis=2)
    winner = np.take_along_axis(labels, support.argmax(axis=1)[:, None], axis=1).ravel()
    return 100 * float(np.mean(winner == y))


def test_gaussian_mixtures_are_as_hard_as_the_published_ones():
    # 5-NN on the ten published sets: 62.5 on average with a spread of 7.3 between the sets.
    accuracies = [mixture_accuracy(seed) for seed in range(20)]
    error = np.hypot(7.3 / np.sqrt(10), np.std(accuracies) / np.sqrt(20))
    assert np.mean(accuracies) == pytest.approx(62.5, abs=2 * error)


def test_printed_shift_and_spread_make_quite_other_mixtures():
    assert np.mean([mixture_accuracy(seed, shift=0.75) for seed in range(2)]) > 80
    printed = {"shift": 0.75, "spread": (1.5, 2.25), "n_classes": 20}
    assert np.mean([mixture_accuracy(seed, **printed) for seed in range(2)]) < 30
