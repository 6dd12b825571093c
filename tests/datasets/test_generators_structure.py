"""How waveform, mixtures, bits, histograms and the toy sets are built."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from noisebench.datasets.generators import (
    gaussian_mixture,
    noisy_xor,
    synsep,
    two_gaussians,
    visual_words,
    waveform,
)
from noisebench.neighbors import kneighbors


def hubness(X: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """Return leave-one-out 5-NN accuracy under Manhattan distance, and how often each is listed."""
    _, lists = kneighbors(X, X, 5, "manhattan", exclude_self=True)
    votes = np.stack([(y[lists] == label).sum(axis=1) for label in range(y.max() + 1)])
    return float(np.mean(votes.argmax(axis=0) == y)), np.bincount(lists.ravel(), minlength=len(X))


def test_waveform_means_are_averages_of_two_waves():
    X, y = waveform(60_000, binary=False, standardize=False, rng=np.random.default_rng(0))
    waves = [[max(6 - abs(j - peak), 0) for j in range(1, 22)] for peak in (7, 15, 11)]
    for label, (first, second) in enumerate([(0, 1), (0, 2), (1, 2)]):
        expected = (np.array(waves[first]) + np.array(waves[second])) / 2
        assert X[y == label].mean(axis=0) == pytest.approx(expected, abs=0.06)
        # Where one wave is 6 and the other 2 or so, u uniform adds (difference²)/12.
        variance = 1 + (np.array(waves[first]) - np.array(waves[second])) ** 2 / 12
        assert X[y == label].var(axis=0) == pytest.approx(variance, rel=0.06)


def test_binary_waveform_tells_one_class_from_the_others():
    _, three = waveform(300, binary=False, rng=np.random.default_rng(1))
    X, two = waveform(300, rng=np.random.default_rng(1))
    assert np.array_equal(two, three == 1)
    assert X.mean(axis=0) == pytest.approx(np.zeros(21), abs=1e-12)
    assert X.std(axis=0) == pytest.approx(np.ones(21))


def test_mixture_sizes_lie_in_the_range_and_reach_its_ends():
    sizes = [
        np.bincount(gaussian_mixture(class_size=(3, 5), n_features=2, rng=rng)[1], minlength=10)
        for rng in map(np.random.default_rng, range(30))
    ]
    assert np.unique(sizes).tolist() == [3, 4, 5]


def test_mixture_as_in_the_text_has_twenty_classes():
    X, y = gaussian_mixture(20, (20, 1000), n_features=3, rng=np.random.default_rng(0))
    counts = np.bincount(y)
    assert len(counts) == 20
    assert counts.min() >= 20
    assert 300 < counts.max() <= 1000
    assert len(X) == counts.sum()


def test_each_mixture_class_starts_from_an_earlier_one():
    n, n_features = 4000, 60
    rng = np.random.default_rng(2)
    X, y = gaussian_mixture(6, (n, n), shift=2.0, n_features=n_features, rng=rng)
    means = np.array([X[y == label].mean(axis=0) for label in range(6)])
    sigmas = np.array([X[y == label].std(axis=0) for label in range(6)])
    assert means[0] == pytest.approx(np.zeros(n_features), abs=0.5)
    assert sigmas[0].mean() == pytest.approx(4, abs=0.5)
    assert sigmas[0].std() == pytest.approx(1, abs=0.3)
    parents = set()
    for label in range(1, 6):
        steps = (means[label] - means[:label]) / sigmas[:label]
        parent = np.abs(np.abs(steps) - 2).max(axis=1).argmin()
        assert np.abs(steps[parent]) == pytest.approx(np.full(n_features, 2), abs=0.2)
        assert 0.25 < (steps[parent] > 0).mean() < 0.75
        factors = sigmas[label] / sigmas[parent]
        assert 0.7 < factors.min() < 0.85
        assert 1.4 < factors.max() < 1.6
        parents.add(int(parent))
    assert len(parents) > 2


def test_synsep_bits_are_placed_as_defined():
    X, y = synsep(9000, rng=np.random.default_rng(3))
    assert np.unique(X).tolist() == [0, 1]
    assert (X[:, 120:].sum(axis=1) == 20).all()
    # About 643 of 9000 examples switch on each free bit; equal for all of them.
    assert np.abs(X[:, 120:].mean(axis=0) - 20 / 280).max() < 5 * np.sqrt(0.0714 * 0.9286 / 9000)
    for label in range(9):
        rows = X[y == label, :120]
        share = rows.mean(axis=0)
        n_keys = (share > 0).sum()
        assert 20 <= n_keys <= 40
        assert (rows.sum(axis=1) == n_keys - 5).all()
        assert share[share > 0] == pytest.approx(np.full(n_keys, 1 - 5 / n_keys), abs=0.07)
    assert stats.chisquare(np.bincount(y)).pvalue > 0.001


def perceptron_mistakes(X: np.ndarray, y: np.ndarray, n_passes: int) -> list[int]:
    weights = np.zeros((9, X.shape[1]))
    mistakes = []
    for _ in range(n_passes):
        wrong = 0
        for x, label in zip(X, y, strict=True):
            guess = int(np.argmax(weights @ x))
            if guess != label:
                weights[label] += x
                weights[guess] -= x
                wrong += 1
        mistakes.append(wrong)
    return mistakes


def test_synsep_is_linearly_separable():
    first, second = perceptron_mistakes(*synsep(6000, rng=np.random.default_rng(4)), 2)
    assert first < 60
    assert second == 0


def test_synnonsep_replaces_labels_by_any_class():
    n = 20_000
    X, clean = synsep(n, rng=np.random.default_rng(5))
    same, noisy = synsep(n, 0.05, rng=np.random.default_rng(5))
    assert np.array_equal(X, same)
    # A replaced label keeps its class once in nine.
    changed = 0.05 * 8 / 9
    error = np.sqrt(changed * (1 - changed) / n)
    assert np.mean(clean != noisy) == pytest.approx(changed, abs=4 * error)
    assert stats.chisquare(np.bincount(noisy[clean != noisy], minlength=9)).pvalue > 0.001


@pytest.mark.parametrize(("n_classes", "imbalance"), [(3, 1), (3, 5), (7, 1)])
def test_visual_words_are_hubs_and_hard_enough(n_classes, imbalance):
    X, y = visual_words(900, n_classes, imbalance=imbalance, rng=np.random.default_rng(6))
    assert X.sum(axis=1) == pytest.approx(np.ones(900))
    assert (X >= 0).all()
    share, listed = hubness(X, y)
    assert 0.5 < share < 0.9
    assert stats.skew(listed) > 1.5


def test_visual_words_classes_shrink_geometrically():
    _, y = visual_words(700, 3, 20, imbalance=4, rng=np.random.default_rng(7))
    assert np.bincount(y).tolist() == [400, 200, 100]


def test_zero_rows_become_the_hubs_as_the_vocabulary_grows():
    tops, shares = [], []
    for n_words in (50, 1000):
        rng = np.random.default_rng(8)
        X, y = visual_words(600, n_words=n_words, imbalance=2, zero_rows=5, rng=rng)
        zero = np.flatnonzero(X.sum(axis=1) == 0)
        assert len(zero) == 5
        assert (y[zero] == 2).all()
        share, listed = hubness(X, y)
        tops.append(set(np.argsort(-listed, kind="stable")[:5]) == set(zero))
        shares.append(share)
    assert tops == [False, True]
    assert shares[0] > 0.7
    # Worse than always naming the largest class, which has 45 % of the images.
    assert shares[1] < 0.4


def test_two_gaussians_lie_left_and_right():
    X, y = two_gaussians(40_000, rng=np.random.default_rng(9))
    assert np.bincount(y).tolist() == [20_000, 20_000]
    assert X[y == 0].mean(axis=0) == pytest.approx([-1, 0], abs=0.03)
    assert X[y == 1].mean(axis=0) == pytest.approx([1, 0], abs=0.03)
    assert X[y == 1].std(axis=0) == pytest.approx([1, 1], abs=0.03)


@pytest.mark.parametrize(("label_noise", "wrong"), [(0.0, 0), (0.05, 5), (0.125, 13), (1.0, 100)])
def test_xor_has_exactly_the_asked_number_of_wrong_labels(label_noise, wrong):
    X, y = noisy_xor(label_noise=label_noise, rng=np.random.default_rng(10))
    corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    assert (X - np.tile(corners, (25, 1))).std() == pytest.approx(0.35, abs=0.05)
    assert np.sum(y != np.tile([1, 0, 0, 1], 25)) == wrong
