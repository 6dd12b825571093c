"""Reeve and Kabán's plug-in rule against worked examples, its literal form and its promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from noisebench.datasets.generators import reeve_kaban, reeve_kaban_eta
from noisebench.learners import KNN, PlugInKNN, RobustKNN
from noisebench.neighbors import NeighborTable
from noisebench.noise import ClassConditionalNoise
from noisebench.theory import bayes_error
from tests.learners.literal_rules import (
    T4,
    Y4,
    find_threshold,
    order_points,
    random_case,
    reaches,
    read_rates,
)


def test_the_worked_example():
    learner = PlugInKNN(4).fit(T4, Y4)
    assert (learner.tau_neg_, learner.tau_pos_, learner.threshold_) == (0.25, 0.0, 0.625)
    assert learner.predict([[13.4], [14.3]]).tolist() == [0, 1]
    # Shares of 1/2 and 3/4 among four neighbours, taken back through the noise.
    expected = [[1 - 1 / 3, 1 / 3], [1 / 3, 1 - 1 / 3]]
    assert np.allclose(learner.predict_proba([[13.4], [14.3]]), expected)


@pytest.mark.parametrize("block", range(10))
def test_the_rule_equals_its_literal_form(block):
    for seed in range(100 * block, 100 * block + 100):
        rng = np.random.default_rng(seed)
        X, y, queries = random_case(rng)
        k = int(rng.integers(1, len(X) + 3))
        orders = order_points(X, X, exclude_self=True)
        rates = read_rates(orders, y, range(len(X)), k - 1)
        threshold = find_threshold(*rates)
        learner = PlugInKNN(k).fit(X, y)
        assert (learner.tau_pos_, learner.tau_neg_) == pytest.approx(rates, abs=1e-12), seed
        expected = [reaches(order, y, k, threshold) for order in order_points(queries, X)]
        assert learner.predict(queries).tolist() == expected, seed


@pytest.mark.parametrize("k", [2, 7, 30])
def test_it_is_robust_knn_with_one_neighbour_less_for_the_noise(k):
    rng = np.random.default_rng(k)
    X, y = rng.normal(size=(50, 2)), rng.integers(0, 2, 50)
    robust, plugin = RobustKNN(k, k - 1).fit(X, y), PlugInKNN(k).fit(X, y)
    assert plugin.threshold_ == robust.threshold_
    assert plugin.predict(X).tolist() == robust.predict(X).tolist()


def test_duplicates_count_after_the_point_itself():
    # Each point's own label comes first, then those of its duplicates in their order.
    learner = PlugInKNN(2).fit([[0.0], [0.0], [0.0]], [0, 1, 0])
    assert (learner.tau_neg_, learner.tau_pos_) == (0.0, 0.5)


@pytest.mark.parametrize(("constant", "k"), [(3.0, 90), (1.0, 186)])
def test_the_theory_says_how_many_neighbours(constant, k):
    rng = np.random.default_rng(0)
    X, y = rng.random((1000, 1)), rng.integers(0, 2, 1000)
    learner = PlugInKNN("theory", constant=constant).fit(X, y)
    fixed = PlugInKNN(k).fit(X, y)
    assert learner.n_neighbors == "theory"
    assert learner.n_neighbors_ == k
    assert learner.list_lengths(1000) == (k - 1, k)
    assert learner.threshold_ == fixed.threshold_
    assert learner.predict(X).tolist() == fixed.predict(X).tolist()
    assert PlugInKNN(rates=(0.1, 0.2), constant=constant).list_lengths(1000) == (0, k)


def test_known_rates_replace_the_estimates():
    learner = PlugInKNN(4, rates=(0.0, 0.25)).fit(T4, Y4)
    assert (learner.tau_pos_, learner.tau_neg_, learner.threshold_) == (0.0, 0.25, 0.625)
    assert learner.predict([[13.4], [14.3]]).tolist() == [0, 1]


@pytest.mark.parametrize("k", [1, 6, "theory"])
def test_a_graph_stands_for_the_features(k):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (80, 2)).astype(float), rng.integers(0, 2, 80)
    train, test = np.arange(60), np.arange(60, 80)
    learner = PlugInKNN(k).fit(X[train], y[train])
    expected = learner.predict(X[test])
    lengths = learner.list_lengths(60)
    fold = NeighborTable.build(X, n_neighbors=79).restrict(train, test, 60)
    graph = fold.train.to_graph(lengths[0]) if lengths[0] else csr_matrix((60, 60))
    learner.set_params(metric="precomputed").fit(graph, y[train])
    assert learner.predict(fold.test.to_graph(lengths[1])).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (PlugInKNN("best"), "n_neighbors must be a whole number or 'theory', got 'best'"),
        (PlugInKNN(0), "n_neighbors must be at least 1, got 0"),
        (PlugInKNN(delta=1.0), "delta must lie strictly between 0 and 1"),
    ],
)
def test_bad_parameters_are_refused_when_fitting(learner, message):
    with pytest.raises(ValueError, match=message):
        learner.fit(T4, Y4)


def test_three_classes_are_refused():
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        PlugInKNN().fit(T4, np.arange(18) % 3)


def test_the_plug_in_rule_is_consistent_where_the_vote_is_not():
    grid = ((np.arange(1000) + 0.5) / 1000)[:, None]
    eta = reeve_kaban_eta(grid)
    excess = {}
    for n in (500, 8000):
        draws = []
        for seed in range(4):
            rng = np.random.default_rng(seed)
            X, y = reeve_kaban(n, rng=rng)
            noisy = ClassConditionalNoise(tau_pos=0.3, tau_neg=0.1).corrupt(y, rng)
            plugin = PlugInKNN(constant=3.0).fit(X, noisy)
            rules = plugin, KNN(plugin.n_neighbors_).fit(X, noisy)
            risks = [np.where(rule.predict(grid) == 1, 1 - eta, eta).mean() for rule in rules]
            draws.append(np.array(risks) - bayes_error(eta))
        excess[n] = np.mean(draws, axis=0)
    assert excess[8000][0] <= excess[500][0] / 3
    assert excess[8000][1] >= excess[500][1] / 2
