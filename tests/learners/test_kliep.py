"""Density ratios: a slow iteration, the condition of optimality, and known densities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noisebench.learners import kliep
from noisebench.learners.gaussian import Distances, median_distance
from noisebench.learners.kliep import estimate_posterior, fit_ratio


def random_case(seed, n=None):
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(6, 30))
    X = rng.normal(size=(n, int(rng.integers(1, 4))))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    y[:2] = 0, 1
    return rng, X, y


def slow_ratio(kernel, member, rounds=30_000):
    """Fixed-point iteration for mixture weights, as slow as it is simple."""
    scaled = kernel / kernel.mean(axis=0)
    own, weights = scaled[member], np.full(kernel.shape[1], 1 / kernel.shape[1])
    for _ in range(rounds):
        weights = weights * (own / (own @ weights)[:, None]).mean(axis=0)
    return scaled @ weights


@pytest.mark.parametrize("seed", range(8))
def test_the_density_ratio_equals_a_slow_iteration(seed):
    _, X, y = random_case(seed)
    kernel = np.exp(-cdist(X, X[y == 1], "sqeuclidean") / 2)
    ratio, expected = fit_ratio(kernel, y == 1), slow_ratio(kernel, y == 1)
    assert np.log(ratio[y == 1]).mean() >= np.log(expected[y == 1]).mean() - 1e-7
    assert np.allclose(ratio[y == 1], expected[y == 1], atol=2e-3)
    assert ratio.mean() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("seed", range(100))
def test_no_centre_could_improve_the_density_ratio(seed):
    # The optimality condition: the mean of K(·, c)/r over the class, relative to the mean of
    # K(·, c) over all points, nowhere exceeds 1.
    _, X, y = random_case(seed, n=60)
    kernel = np.exp(-cdist(X, X[y == 1], "sqeuclidean"))
    ratio = fit_ratio(kernel, y == 1)
    gains = (kernel[y == 1] / ratio[y == 1, None]).mean(axis=0) / kernel.mean(axis=0)
    assert gains.max() < 1 + 1e-8


def test_far_outliers_do_not_break_the_density_ratio():
    X = np.concatenate([np.linspace(0, 1, 20), [500.0], np.linspace(0.5, 2, 20)])[:, None]
    member = np.arange(41) < 21
    kernel = np.exp(-cdist(X, X[member], "sqeuclidean"))
    ratio = fit_ratio(kernel, member)
    assert ratio[20] == pytest.approx(41 / 21, rel=1e-6)  # alone, so all of its own class
    without_it = fit_ratio(kernel[:, :20], member)  # no centre reaches the outlier
    assert np.isfinite(without_it).all()
    assert without_it[20] == 0


def test_the_posterior_of_two_gaussians_is_found():
    rng = np.random.default_rng(0)
    y = rng.random(2000) < 0.4
    X = rng.normal(size=(2000, 1)) + 2.0 * y[:, None]
    truth = 0.4 / (0.4 + 0.6 * np.exp(2 - 2 * X[:, 0]))
    distances = Distances.read(X, "euclidean")
    width = median_distance(distances, rng)
    posterior = estimate_posterior(distances, 2.0 * y - 1, width, rng)
    assert np.abs(posterior - truth).mean() < 0.05


def test_a_posterior_of_one_class_is_certain():
    distances = Distances.read(np.arange(4.0)[:, None], "euclidean")
    for sign in (-1.0, 1.0):
        posterior = estimate_posterior(distances, np.full(4, sign), 1.0, np.random.default_rng(0))
        assert np.allclose(posterior, sign > 0)


def test_a_point_beyond_all_kernels_gets_the_class_shares(monkeypatch):
    monkeypatch.setattr(kliep, "_CENTERS", 1)
    X = np.array([[0.0], [0.1], [0.2], [0.3], [1e6]])
    signs = np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    for seed in range(10):
        rng = np.random.default_rng(seed)
        outlier_is_centre = np.random.default_rng(seed).permutation(5).tolist()
        reached = outlier_is_centre.index(4) < outlier_is_centre.index(3)
        posterior = estimate_posterior(Distances.read(X, "euclidean"), signs, 0.5, rng)
        assert posterior[4] == (0 if reached else 0.6)
