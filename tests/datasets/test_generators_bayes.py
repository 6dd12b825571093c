"""Densities and label probabilities: Bayes errors by exact rules, quadrature and samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from noisebench.datasets.generators import (
    banana,
    g10n,
    g50c,
    reeve_kaban,
    reeve_kaban_eta,
    reeve_kaban_plateau,
    ringnorm,
    sine_surface,
    sine_surface_eta,
    twonorm,
)

N = 100_000


def assert_share(mask: np.ndarray, probability: float) -> None:
    """Four standard errors: a right generator fails for one seed in sixteen thousand."""
    error = np.sqrt(probability * (1 - probability) / mask.size)
    assert mask.mean() == pytest.approx(probability, abs=4 * error)


def test_twonorm_is_as_easy_as_its_bayes_rule():
    X, y = twonorm(N, rng=np.random.default_rng(1))
    assert ndtr(-2) == pytest.approx(0.022750, abs=5e-7)
    assert_share((X.sum(axis=1) > 0) != y, ndtr(-2))
    assert_share(y == 1, 0.5)


def ringnorm_rule(mean: float) -> tuple[np.ndarray, float]:
    """Return the centre and the squared radius of the ball in which class 1 is likelier."""
    # |x - a|² - |x|²/4 < 2 d log 2, completed to a square around 4a/3
    centre = np.full(20, 4 * mean / 3)
    return centre, 4 / 3 * (2 * 20 * np.log(2) + 20 * mean**2 / 3)


def ringnorm_errors(mean: float) -> tuple[float, float]:
    """Return the errors of the Bayes rule on class 0 and on class 1."""
    _, radius = ringnorm_rule(mean)
    norm = 20 * mean**2
    wide = stats.ncx2.cdf(radius / 4, 20, 4 * norm / 9)
    return float(wide), float(stats.ncx2.sf(radius, 20, norm / 9))


def test_ringnorm_is_as_easy_as_its_bayes_rule():
    errors = ringnorm_errors(2 / np.sqrt(20))
    assert np.mean(errors) == pytest.approx(0.012397, abs=5e-7)
    assert np.mean(ringnorm_errors(1 / np.sqrt(20))) == pytest.approx(0.014965, abs=5e-7)
    X, y = ringnorm(N, rng=np.random.default_rng(2))
    centre, radius = ringnorm_rule(2 / np.sqrt(20))
    guess = ((X - centre) ** 2).sum(axis=1) < radius
    for label, error in enumerate(errors):
        assert_share(guess[y == label] != label, error)
    assert_share(y == 1, 0.5)


def test_ringnorm_moments_belong_to_the_right_class():
    X, y = ringnorm(N, rng=np.random.default_rng(3))
    assert X[y == 0].mean(axis=0) == pytest.approx(np.zeros(20), abs=0.05)
    assert X[y == 1].mean(axis=0) == pytest.approx(np.full(20, 2 / np.sqrt(20)), abs=0.05)
    assert X[y == 0].std(axis=0) == pytest.approx(np.full(20, 2), abs=0.05)
    assert X[y == 1].std(axis=0) == pytest.approx(np.ones(20), abs=0.05)


def test_g50c_has_five_per_cent_bayes_error():
    X, y = g50c(N, rng=np.random.default_rng(4))
    assert_share((X.sum(axis=1) > 0) != y, 0.05)
    gap = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    assert gap == pytest.approx(np.full(50, 2 * 0.232617), abs=0.04)


def test_g10n_hides_its_clusters_from_the_label():
    X, y = g10n(N, rng=np.random.default_rng(5))
    assert np.array_equal(X[:, 1] > X[:, 0], y == 1)
    along = X.sum(axis=1) / np.sqrt(10)
    assert along.var() == pytest.approx(1 + 10 * 0.232617**2, rel=0.02)
    assert np.corrcoef(along, y)[0, 1] == pytest.approx(0, abs=4 / np.sqrt(N))


def arc_density(points: np.ndarray, start: float, shift: float, spread: float) -> np.ndarray:
    """Return the density of one noisy arc, the average of Gaussians along it."""
    angles = np.pi * (start + 1.25 * (np.arange(200) + 0.5) / 200)
    centres = 5 * np.column_stack([np.sin(angles), np.cos(angles)]) - shift
    squares = (points**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1) - 2 * points @ centres.T
    return np.exp(-squares / (2 * spread**2)).mean(axis=1) / (2 * np.pi * spread**2)


def banana_densities(points: np.ndarray, spread: float) -> tuple[np.ndarray, np.ndarray]:
    """Return prior times density of class 0 and of class 1."""
    return (
        0.55 * arc_density(points, 0.125, 0.0, spread),
        0.45 * arc_density(points, -0.875, 3.75, spread),
    )


@pytest.mark.parametrize(("spread", "error"), [(1.0, 0.0171), (1.75, 0.0937), (1.8, 0.0989)])
def test_banana_errs_as_its_densities_do(spread, error):
    axis = np.arange(-17, 13, 0.15)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    zero, one = banana_densities(grid, spread)
    assert (zero + one).sum() * 0.15**2 == pytest.approx(1, abs=1e-4)
    exact = np.minimum(zero, one).sum() * 0.15**2
    assert exact == pytest.approx(error, abs=5e-5)
    X, y = banana(20_000, spread, standardize=False, rng=np.random.default_rng(6))
    zero, one = banana_densities(X, spread)
    assert_share((one > zero) != y, exact)


def test_banana_arcs_have_their_centres_of_mass():
    X, y = banana(N, standardize=False, rng=np.random.default_rng(10))
    for label, (start, shift) in enumerate([(0.125, 0.0), (-0.875, 3.75)]):
        first, last = np.pi * start, np.pi * (start + 1.25)
        arc = np.array([np.cos(first) - np.cos(last), np.sin(last) - np.sin(first)])
        centre = 5 * arc / (last - first) - shift
        assert X[y == label].mean(axis=0) == pytest.approx(centre, abs=0.08)


def test_banana_is_standardised_by_default():
    X, y = banana(rng=np.random.default_rng(7))
    raw, labels = banana(standardize=False, rng=np.random.default_rng(7))
    assert X.mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert X.std(axis=0) == pytest.approx([1, 1])
    assert pytest.approx(raw) == X * raw.std(axis=0) + raw.mean(axis=0)
    assert np.array_equal(y, labels)
    assert_share(y == 1, 0.45)


def test_sine_surface_check_values():
    eta = sine_surface_eta(np.array([[0.25, 0.25], [0.25, 0.75], [0.1, 0.2], [0.5, 0.3]]))
    assert eta == pytest.approx([0, 1, 0.220492, 0.5], abs=5e-7)


def test_sine_surface_has_its_bayes_and_nearest_neighbour_errors():
    line = (np.arange(1000) + 0.5) / 1000
    eta = sine_surface_eta(np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2))
    bayes = np.minimum(eta, 1 - eta).mean()
    assert bayes == pytest.approx(0.5 - 2 / np.pi**2, abs=1e-6)
    assert (2 * eta * (1 - eta)).mean() == pytest.approx(0.375, abs=1e-6)
    X, y = sine_surface(N, rng=np.random.default_rng(8))
    assert_share((sine_surface_eta(X) >= 0.5) != y, bayes)
    high = sine_surface_eta(X) > 0.9
    assert_share(y[high] == 1, sine_surface_eta(X[high]).mean())


@pytest.mark.parametrize(
    ("tau_pos", "tau_neg", "error", "misled"),
    [(0.1, 0.2, 0.3053, 0.1255), (0.3, 0.1, 0.3312, 0.2366), (0.1, 0.4, 0.3869, 0.3572)],
)
def test_sine_surface_misleads_plain_neighbours_under_uneven_noise(tau_pos, tau_neg, error, misled):
    line = (np.arange(1500) + 0.5) / 1500
    eta = sine_surface_eta(np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2))
    noisy = (1 - tau_pos - tau_neg) * eta + tau_neg
    guess = noisy >= 0.5
    assert np.where(guess, 1 - eta, eta).mean() == pytest.approx(error, abs=1e-4)
    assert (guess != (eta >= 0.5)).mean() == pytest.approx(misled, abs=1e-3)


@pytest.mark.parametrize(
    ("p0", "p1", "level", "noisy_level", "threshold", "bayes", "limit"),
    [
        (0.1, 0.3, 7 / 12, 0.45, 0.4, 0.305556, 0.379630),
        (0.3, 0.1, 5 / 12, 0.55, 0.6, 0.305556, 0.379630),
        (0.2, 0.4, 0.625, 0.45, 0.4, 0.291667, 0.416667),
    ],
)
def test_reeve_kaban_plateau_crosses_one_half(p0, p1, level, noisy_level, threshold, bayes, limit):
    assert reeve_kaban_plateau(p0, p1) == pytest.approx(level)
    x = (np.arange(300_000) + 0.5) / 300_000
    eta = reeve_kaban_eta(x[:, None], p0, p1)
    noisy = (1 - p0 - p1) * eta + p0
    flat = np.isclose(eta, level, rtol=0, atol=1e-12)
    assert flat.mean() == pytest.approx(1 / 3, abs=1e-5)
    assert noisy[flat] == pytest.approx(np.full(flat.sum(), noisy_level))
    assert noisy_level == pytest.approx((0.5 + threshold) / 2)
    assert (1 + p0 - p1) / 2 == pytest.approx(threshold)
    assert np.minimum(eta, 1 - eta).mean() == pytest.approx(bayes, abs=1e-5)
    assert np.where(noisy >= 0.5, 1 - eta, eta).mean() == pytest.approx(limit, abs=1e-5)


def test_reeve_kaban_break_points():
    eta = reeve_kaban_eta(np.array([[0.0], [0.388889], [0.5], [0.722222], [0.8], [1.0]]))
    assert eta == pytest.approx([0, 0.583333, 0.583333, 0.583333, 0.7, 1], abs=1e-5)


@pytest.mark.parametrize("rates", [(0.1, 0.3), (0.3, 0.1)])
def test_reeve_kaban_labels_follow_eta(rates):
    X, y = reeve_kaban(N, *rates, rng=np.random.default_rng(9))
    eta = reeve_kaban_eta(X, *rates)
    for part in range(5):
        inside = (X[:, 0] >= part / 5) & (X[:, 0] < (part + 1) / 5)
        assert_share(y[inside] == 1, eta[inside].mean())
    assert_share(X[:, 0] < 0.25, 0.25)
