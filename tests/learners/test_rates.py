"""Noise-rate estimators: worked examples, agreement with each other, and known noise."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from noisebench.errors import InputError
from noisebench.learners import PlugInKNN, RobustKNN
from noisebench.learners.rates import (
    Extremes,
    estimate_range_knn,
    estimate_rates_knn,
    estimate_rates_liu_tao,
    estimate_rates_menon,
)
from noisebench.neighbors import NeighborTable
from noisebench.noise import ClassConditionalNoise
from tests.learners.literal_rules import T4, Y4, order_points, random_case, read_rates


def two_clouds(tau_pos, tau_neg, n=800, seed=0):
    """Return points of two clouds that hardly meet, with noisy labels."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 2)) + 4 * y[:, None]
    return X, ClassConditionalNoise(tau_pos, tau_neg).corrupt(y, rng)


def test_the_worked_example():
    assert estimate_rates_knn(T4, Y4, 3) == (0.0, 0.25)
    assert estimate_rates_knn(T4, Y4, 4, form="reeve_kaban") == (0.0, 0.25)
    assert estimate_rates_knn(T4, Y4, 1, form="reeve_kaban") == (0.0, 0.0)


@pytest.mark.parametrize("block", range(10))
def test_nearest_neighbour_estimates_equal_the_literal_ones(block):
    for seed in range(100 * block, 100 * block + 100):
        rng = np.random.default_rng(seed)
        X, y, _ = random_case(rng)
        k = int(rng.integers(1, 30))
        expected = read_rates(order_points(X, X, exclude_self=True), y, range(len(X)), k)
        assert estimate_rates_knn(X, y, k) == pytest.approx(expected, abs=1e-12), seed
        shifted = estimate_rates_knn(X, y, k + 1, form="reeve_kaban")
        assert shifted == pytest.approx(expected, abs=1e-12), seed


def test_estimates_are_those_of_the_learners():
    X, y = two_clouds(0.1, 0.3, n=120)
    robust, plugin = RobustKNN(noise_neighbors=9).fit(X, y), PlugInKNN(9).fit(X, y)
    assert estimate_rates_knn(X, y, 9) == (robust.tau_pos_, robust.tau_neg_)
    plugged = estimate_rates_knn(X, y, 9, form="reeve_kaban")
    assert plugged == (plugin.tau_pos_, plugin.tau_neg_)
    words = np.array(["a", "b"])[y]
    assert estimate_rates_knn(X, words, 9) == (robust.tau_pos_, robust.tau_neg_)
    graph = NeighborTable.build(X, n_neighbors=9).to_graph()
    assert estimate_rates_knn(graph, y, 9, "precomputed") == (robust.tau_pos_, robust.tau_neg_)


def test_equal_votes_leave_the_threshold_at_one_half():
    assert Extremes(2, 2, 4).threshold == (1, 2)
    assert Extremes(1, 2, 4).threshold == (3, 8)


@pytest.mark.parametrize("rates", [(0.1, 0.3), (0.3, 0.1), (0.2, 0.2)])
@pytest.mark.parametrize(
    "estimate",
    [
        lambda X, y: estimate_rates_knn(X, y, 200),
        lambda X, y: estimate_rates_knn(X, y, 200, form="reeve_kaban"),
        estimate_rates_liu_tao,
        estimate_rates_menon,
    ],
    ids=["gao", "reeve_kaban", "liu_tao", "menon"],
)
def test_every_estimator_comes_near_the_true_rates(estimate, rates):
    found = np.mean([estimate(*two_clouds(*rates, seed=seed)) for seed in range(4)], axis=0)
    assert found == pytest.approx(rates, abs=0.15)
    if rates[0] != rates[1]:
        assert (found[0] > found[1]) == (rates[0] > rates[1])


def test_estimates_follow_the_classes_when_they_swap_names():
    X, y = two_clouds(0.1, 0.3)
    for estimate in (estimate_rates_knn, estimate_rates_menon):
        one, other = estimate(X, y), estimate(X, 1 - y)
        assert one == pytest.approx(other[::-1], abs=0.01)


def test_any_probabilistic_classifier_serves_menon():
    X, y = two_clouds(0.1, 0.3)
    model = LogisticRegression()
    posterior = LogisticRegression().fit(X, y).predict_proba(X)[:, 1]
    assert estimate_rates_menon(X, y, model) == (1 - posterior.max(), posterior.min())
    assert not hasattr(model, "coef_")


def test_the_range_of_a_function_is_that_of_its_local_means():
    values = np.array([0.0, 3.0, 1.0, 8.0])
    assert estimate_range_knn(np.arange(4.0)[:, None], values, 1) == (0.0, 8.0)
    # Of two equally near neighbours the first in order counts: means (1.5, 1.5, 2, 4.5).
    assert estimate_range_knn(np.arange(4.0)[:, None], values, 2) == (1.5, 4.5)
    assert estimate_range_knn(np.arange(4.0)[:, None], values, 9) == (3.0, 3.0)


def test_random_choices_are_repeated_by_the_seed():
    X, y = two_clouds(0.1, 0.3, n=300)
    for estimate in (estimate_rates_liu_tao, estimate_rates_menon):
        assert estimate(X, y, random_state=1) == estimate(X, y, random_state=1)
        assert estimate(X, y, random_state=1) != estimate(X, y, random_state=2)


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="form must be 'gao' or 'reeve_kaban', got 'menon'"):
        estimate_rates_knn(T4, Y4, form="menon")
    with pytest.raises(InputError, match="n_neighbors must be at least 1, got 0"):
        estimate_rates_knn(T4, Y4, 0)
    with pytest.raises(InputError, match="two classes, got 3 classes"):
        estimate_rates_knn(T4, np.arange(18) % 3)
