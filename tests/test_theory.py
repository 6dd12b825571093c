"""Theorems as functions: values worked by hand, refused assumptions, simulations beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisebench import theory
from noisebench.datasets.generators import reeve_kaban_eta, sine_surface, sine_surface_eta
from noisebench.errors import InputError
from noisebench.learners import KNN, RobustKNN
from noisebench.learners.rates import estimate_range_knn
from noisebench.noise import ClassConditionalNoise


def sine_grid(side):
    """Return points spread evenly over the unit square, and η of the sine surface there."""
    ticks = (np.arange(side) + 0.5) / side
    grid = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    return grid, sine_surface_eta(grid)


_, ETA = sine_grid(1000)
LINE = ((np.arange(9000) + 0.5) / 9000)[:, None]


def test_points_are_misled_between_the_two_thresholds():
    eta = np.array([0.0, 0.3, 0.4, 0.45, 0.5, 0.55, 1.0])
    # Noise lifts η to 0.8η + 0.2, which passes 1/2 at η = 0.375.
    expected = [False, False, True, True, False, False, False]
    assert theory.is_misled(eta, 0.0, 0.2).tolist() == expected
    assert theory.is_misled(1 - eta, 0.2, 0.0).tolist() == expected
    assert not theory.is_misled(eta, 0.3, 0.3).any()


def test_hard_points_are_the_misled_ones_and_those_without_margin():
    eta = np.linspace(0, 1, 41)
    for rates in [(0.0, 0.2), (0.3, 0.1), (0.25, 0.25)]:
        misled = theory.is_misled(eta, *rates)
        assert (theory.is_hard(eta, *rates, margin=0) == misled).all()
        near = np.abs(theory.corrupt_eta(eta, *rates) - 0.5) < 0.1 - 1e-12
        hard = theory.is_hard(eta, *rates, margin=0.1)
        assert (hard == (misled | near) & (eta != 0.5)).all()
        threshold = (1 + rates[1] - rates[0]) / 2
        assert not theory.is_hard(eta, *rates, margin=0, threshold=threshold).any()
    exact = np.array([0.25, 0.75])
    assert not theory.is_hard(exact, 0.0, 0.0, margin=0.25).any()
    assert theory.is_hard(exact, 0.0, 0.0, margin=0.26).all()


@pytest.mark.parametrize(
    ("rates", "limit", "mass"),
    [
        ((0.1, 0.2), 0.3053, 0.1255),
        ((0.2, 0.1), 0.3053, 0.1255),
        ((0.3, 0.1), 0.3312, 0.2366),
        ((0.1, 0.3), 0.3312, 0.2366),
        ((0.1, 0.4), 0.3869, 0.3572),
        ((0.4, 0.4), 0.2974, 0.0),
    ],
)
def test_limits_on_the_sine_surface(rates, limit, mass):
    assert theory.bayes_error(ETA) == pytest.approx(0.5 - 2 / math.pi**2, abs=1e-5)
    assert theory.limit_knn(ETA, *rates) == pytest.approx(limit, abs=1e-4)
    assert theory.is_misled(ETA, *rates).mean() == pytest.approx(mass, abs=1e-3)


@pytest.mark.parametrize(
    ("tau", "limit"), [(0, 0.375), (0.1, 0.4), (0.2, 0.425), (0.3, 0.45), (0.4, 0.475)]
)
def test_limits_of_one_neighbour_on_the_sine_surface(tau, limit):
    assert theory.limit_1nn(ETA, tau) == pytest.approx(limit, abs=1e-4)
    low, high = theory.bound_1nn(ETA, math.inf, 2, math.pi, tau)
    assert low <= limit <= high


@pytest.mark.parametrize(
    ("p0", "p1", "bayes", "limit"),
    [
        (0.1, 0.3, 0.305556, 0.379630),
        (0.3, 0.1, 0.305556, 0.379630),
        (0.2, 0.4, 0.291667, 0.416667),
    ],
)
def test_limits_on_the_example_of_reeve_and_kaban(p0, p1, bayes, limit):
    eta = reeve_kaban_eta(LINE, p0, p1)
    assert theory.bayes_error(eta) == pytest.approx(bayes, abs=1e-6)
    assert theory.limit_knn(eta, tau_pos=p1, tau_neg=p0) == pytest.approx(limit, abs=1e-6)
    plateau = np.abs(eta - np.median(eta)) < 1e-12
    assert plateau.mean() == pytest.approx(1 / 3, abs=1e-3)
    assert theory.is_misled(eta, tau_pos=p1, tau_neg=p0)[plateau].all()


def test_theorem_1_adds_what_its_proof_adds():
    n, k, d, lipschitz, rates = 10**6, 400, 2, 3.0, (0.1, 0.3)
    eta = np.linspace(0, 1, 501)
    slope = 0.6 * lipschitz
    # The proof covers the square by boxes of side µ: Δ and the last term follow from it.
    side = max(
        math.sqrt(math.log(k) / k) / (2 * slope * math.sqrt(d)),
        (k * math.sqrt(d) / (n * slope)) ** (1 / (1 + d)),
    )
    margin = theory.find_margin(n, k, d, lipschitz, *rates)
    assert margin == pytest.approx(2 * slope * side * math.sqrt(d))
    hard = theory.is_hard(eta, *rates, margin=margin).mean()
    boxes = 2 * (k / n) * (k * math.sqrt(d) / (n * slope)) ** (-d / (1 + d))
    expected = theory.bayes_error(eta) + hard + 1 / math.sqrt(k) + boxes
    assert theory.bound_knn(eta, n, k, d, lipschitz, *rates) == pytest.approx(expected)


def test_theorems_1_and_5_tend_to_their_limits():
    problem = {"n_features": 2, "lipschitz": math.pi, "tau_pos": 0.1, "tau_neg": 0.3}
    bayes, misled = theory.bayes_error(ETA), theory.is_misled(ETA, 0.1, 0.3).mean()
    far = theory.bound_knn(ETA, n=1e30, k=10**12, **problem)
    assert far == pytest.approx(bayes + misled, abs=0.01)
    assert theory.bound_rknn(ETA, n=1e30, k=10**12, **problem) == pytest.approx(bayes, abs=0.01)


def test_theorem_2_by_hand():
    # R* = 0.1: 0.1 + 0.1·0.1 + 0.1·0.25/0.5 + 5·2·√4·(200/10¹²)^(1/5)
    bound = theory.bound_symmetric(np.array([0.1, 0.9]), 10**12, 200, 4, 2.0, tau=0.25)
    assert bound == pytest.approx(0.16 + 20 * (2e-10) ** 0.2)
    flat = theory.bound_symmetric(np.array([0.1]), 10**12, 200, 4, 0.25, tau=0.25)
    assert flat == pytest.approx(0.16 + 5 * 0.5 * 2 * (2e-10) ** 0.2)


def test_theorem_3_by_hand():
    low, high = theory.bound_1nn(np.array([0.1, 0.9]), 10**6, 2, 1.0, tau=0.2)
    reach = 1.5 * math.sqrt(2) * 0.6 / 100
    assert (low, high) == pytest.approx((0.1 + 0.8 * 0.2 - reach, 0.2 + 0.6 * 0.2 + reach))


def test_theorems_of_reeve_and_kaban_by_hand():
    setting = {"smoothness": 0.5, "constant": 2.0, "delta": 0.1}
    assert theory.pointwise_error(800, 50, **setting) == pytest.approx(
        math.sqrt(math.log(30) / 100) + 2 * math.sqrt(0.125)
    )
    assert theory.maximum_error(800, 50, **setting) == pytest.approx(
        math.sqrt(math.log(48_000) / 100) + 4 * math.sqrt(0.125)
    )
    error = math.sqrt(math.log(144_000) / 50) + 4 * math.sqrt(0.125)
    bound = theory.excess_risk(800, 50, 0.3, 0.1, **setting, margin=1.0, margin_constant=2.0)
    assert bound == pytest.approx(2 * (8 * error / 0.6) ** 2 + 0.1)
    log = math.log(18 * 10**6 / 0.1)
    best = theory.excess_risk_at_best(10**6, 0.3, 0.1, **setting, margin=1.0)
    assert best == pytest.approx((64 * math.sqrt(2) / 0.6) ** 2 * math.sqrt(log / 1e6) + 0.1)


def test_the_best_number_of_neighbours_gives_the_promised_rate():
    assert theory.theory_neighbors(1000, 1, 3, 0.05) == 90
    for n in (10**5, 10**7, 10**9):
        k = theory.theory_neighbors(n, 1, 3)
        at_best = theory.excess_risk_at_best(n, 0.3, 0.1, 1, 3)
        assert theory.excess_risk(n, k, 0.3, 0.1, 1, 3) <= at_best
    gain = theory.excess_risk_at_best(10**9, 0.1, 0.1, delta=1e-9) / theory.excess_risk_at_best(
        10**12, 0.1, 0.1, delta=1e-9
    )
    assert gain == pytest.approx(1000 ** theory.rate_exponent(1.0), rel=0.2)


def test_few_points_bring_the_best_number_into_range():
    assert theory.theory_neighbors(10**6, 1, 1e6, 0.05) == math.ceil(4 * math.log(60) + 1)
    assert theory.theory_neighbors(100, 1, 0.01) == 50
    assert [theory.theory_neighbors(n) for n in (1, 2, 3, 4)] == [1, 1, 1, 2]


def test_the_bound_on_the_maximum_holds():
    exceeded = 0
    for seed in range(50):
        rng = np.random.default_rng(seed)
        X = rng.random((400, 1))
        drawn = (rng.random(400) < X[:, 0]).astype(float)  # f(x) = x is smooth with λ = 1, ω = 2
        _, highest = estimate_range_knn(X, drawn, 60)
        exceeded += abs(highest - 1) > theory.maximum_error(400, 60, 1, 2)
    assert exceeded <= 50 * 0.05


REFUSED = [
    (lambda: theory.is_misled([0.5], 0.5, 0.5), "sum to less than 1, got 0.5 and 0.5"),
    (lambda: theory.is_misled([0.5], -0.1, 0.5), "at least 0"),
    (lambda: theory.bayes_error([0.5, 1.2]), "eta must hold probabilities .* from 0.5 to 1.2"),
    (lambda: theory.bayes_error([]), "got 0 values"),
    (lambda: theory.is_hard([0.5], 0, 0, margin=-1), "margin must be at least 0, got -1"),
    (lambda: theory.find_margin(100, 1, 2, 1.0, 0, 0), "k must lie between 2 and 100"),
    (lambda: theory.find_margin(100, 101, 2, 1.0, 0, 0), "got 101"),
    (lambda: theory.find_margin(100, 9, 0, 1.0, 0, 0), "n_features must be at least 1"),
    (lambda: theory.find_margin(100, 9, 2, 0.0, 0, 0), "lipschitz must be above 0"),
    (lambda: theory.bound_symmetric([0.1], 100, 7, 2, 1.0, 0.1), "k must lie between 8 and 100"),
    (lambda: theory.bound_1nn([0.1], 100, 2, 1.0, 0.5), "sum to less than 1"),
    (lambda: theory.pointwise_error(1000, 17), "k must lie between 17.3774 and 500 here, got 17"),
    (lambda: theory.pointwise_error(1000, 501), "got 501"),
    (lambda: theory.maximum_error(1000, 15), "k must lie between 15.7555 and 500 here, got 15"),
    (lambda: theory.excess_risk(1000, 90, 0.6, 0.4), "sum to less than 1"),
    (lambda: theory.excess_risk(1000, 17, 0.1, 0.4), "got 17"),
    (lambda: theory.excess_risk(1000, 90, 0.1, 0.1, delta=0), "delta must lie strictly between"),
    (lambda: theory.excess_risk(1000, 90, 0.1, 0.1, smoothness=0), "smoothness must be above 0"),
    (lambda: theory.excess_risk(1000, 90, 0.1, 0.1, constant=0), "constant must be above 0"),
    (lambda: theory.excess_risk(1000, 90, 0.1, 0.1, margin_constant=0.5), "margin_constant"),
    (lambda: theory.excess_risk_at_best(100, 0.1, 0.1), "n must be at least 166 .* got 100"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_a_theorem_does_not_speak_of_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_assumptions_are_checked_on_samples():
    grid, eta = sine_grid(25)
    theory.check_lipschitz(grid, eta, math.pi)
    with pytest.raises(InputError, match="lipschitz must be at least 3.1"):
        theory.check_lipschitz(grid, eta, 2.9)
    with pytest.raises(InputError, match="at least inf"):
        theory.check_lipschitz(np.zeros((2, 1)), np.array([0.1, 0.2]), 5)
    theory.check_range(eta)
    with pytest.raises(InputError, match="within 0.05 of 0 and of 1, got 0 to 0.9"):
        theory.check_range(np.array([0.0, 0.9]))
    even = np.linspace(0, 1, 1001)
    theory.check_margin(even, margin=1, margin_constant=2.01)
    with pytest.raises(InputError, match="margin 1 with margin_constant 1 allows"):
        theory.check_margin(even, margin=1)
    theory.check_margin(reeve_kaban_eta(LINE), margin=0)


@pytest.fixture(scope="module")
def measured():
    """Return mean errors (k, rule) of kNN and RkNN with known rates for three noise pairs."""
    grid, eta = sine_grid(40)
    ks, errors = (1, 100, 200), {}
    for rates in [(0.1, 0.3), (0.3, 0.1), (0.2, 0.2)]:
        draws = []
        for seed in range(2):
            rng = np.random.default_rng(seed)
            X, y = sine_surface(3000, rng=rng)
            noisy = ClassConditionalNoise(*rates).corrupt(y, rng)
            rules = [[KNN(k), RobustKNN(k, rates=rates)] for k in ks]
            draws.append(
                [
                    [error_of(rule.fit(X, noisy).predict(grid), eta) for rule in pair]
                    for pair in rules
                ]
            )
        errors[rates] = np.mean(draws, axis=0)
    return eta, errors


def error_of(predicted, eta):
    return np.where(predicted == 1, 1 - eta, eta).mean()


@pytest.mark.parametrize("rates", [(0.1, 0.3), (0.3, 0.1)])
def test_asymmetric_noise_misleads_knn_and_not_rknn(measured, rates):
    eta, errors = measured
    bayes = theory.bayes_error(eta)
    plain, robust = errors[rates][1:].min(axis=0)
    assert plain - bayes >= 0.02
    assert robust - bayes <= 0.01
    assert plain == pytest.approx(theory.limit_knn(eta, *rates), abs=0.015)


def test_symmetric_noise_leaves_knn_consistent(measured):
    eta, errors = measured
    assert errors[0.2, 0.2][1:, 0].min() - theory.bayes_error(eta) <= 0.01
    assert (errors[0.2, 0.2][:, 0] == errors[0.2, 0.2][:, 1]).all()


def test_one_neighbour_stays_between_the_limits(measured):
    eta, errors = measured
    low, high = theory.bound_1nn(eta, math.inf, 2, math.pi, 0.2)
    one = errors[0.2, 0.2][0, 0]
    assert low < one < high
    assert one == pytest.approx(theory.limit_1nn(eta, 0.2), abs=0.015)


def test_measured_errors_keep_the_bounds(measured):
    eta, errors = measured
    for rates, rows in errors.items():
        for k, (plain, robust) in zip((1, 100, 200), rows, strict=True):
            if k > 1:
                setting = 3000, k, 2, math.pi, *rates
                assert plain <= theory.bound_knn(eta, *setting)
                assert robust <= theory.bound_rknn(eta, *setting)
    assert errors[0.2, 0.2][1, 0] <= theory.bound_symmetric(eta, 3000, 100, 2, math.pi, 0.2)
