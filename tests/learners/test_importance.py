"""Importance reweighting: worked examples, literal formulas, reductions to plain learners."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from noisebench.learners import ImportanceReweightedLogistic, ImportanceReweightedSVM, gaussian
from noisebench.learners.gaussian import Distances
from noisebench.learners.importance import importance_weights, vote_posterior

BOTH = [ImportanceReweightedSVM, ImportanceReweightedLogistic]


def random_case(seed, n=None):
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(6, 30))
    X = rng.normal(size=(n, int(rng.integers(1, 4))))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    y[:2] = 0, 1
    return rng, X, y


def noisy_ring(n, rates, seed=0):
    """A disc in a square; returns features, clean and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    clean = (np.hypot(*X.T) < 0.8).astype(int)
    return X, clean, np.where(rng.random(n) < np.where(clean, *rates), 1 - clean, clean)


def noisy_half(n, rates, seed=0):
    """Two sides of a plane; returns features, clean and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    clean = (X.sum(axis=1) > 0.3).astype(int)
    return X, clean, np.where(rng.random(n) < np.where(clean, *rates), 1 - clean, clean)


def test_weights_of_the_worked_example():
    posterior = np.array([0.4, 0.7, 0.05, 0.6, 0.3, 0.25])
    signs = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    weights = importance_weights(posterior, signs, (0.3, 0.1))
    assert weights.round(6).tolist() == [1.25, 1.428571, 0.0, 0.833333, 0.0, 0.0]


def test_a_label_that_cannot_occur_has_no_weight():
    assert importance_weights(np.zeros(2), np.array([1.0, -1.0]), (0.3, 0.0)).tolist() == [0, 0]


@pytest.mark.parametrize("seed", range(20))
def test_weights_turn_the_noisy_density_into_the_clean_one(seed):
    rng = np.random.default_rng(seed)
    tau_pos, tau_neg = rng.uniform(0, 0.49, 2)
    eta = rng.uniform(0, 1, 50)
    noisy = (1 - tau_pos - tau_neg) * eta + tau_neg
    up = importance_weights(noisy, np.ones(50), (tau_pos, tau_neg))
    down = importance_weights(1 - noisy, -np.ones(50), (tau_pos, tau_neg))
    assert np.allclose(up * noisy, eta)
    assert np.allclose(down * (1 - noisy), 1 - eta)


@pytest.mark.parametrize("seed", range(40))
def test_votes_equal_the_literal_count(seed):
    _, X, y = random_case(seed)
    X = X.round() if seed % 2 else X  # ties and duplicates
    k = math.ceil(math.sqrt(len(X)))
    expected = []
    for i in range(len(X)):
        others = sorted((sum((X[i] - X[j]) ** 2), j) for j in range(len(X)) if j != i)
        expected.append((y[i] + sum(y[j] for _, j in others[: k - 1])) / k)
    signs = 2.0 * y - 1
    assert vote_posterior(X, signs, "euclidean").tolist() == expected
    assert np.allclose(vote_posterior(cdist(X, X), signs, "precomputed"), expected)


def test_a_single_point_votes_for_itself():
    assert vote_posterior(np.zeros((1, 1)), np.ones(1), "euclidean").tolist() == [1.0]


@pytest.mark.parametrize("posterior", ["kliep", "knn"])
@pytest.mark.parametrize("seed", range(10))
def test_without_noise_the_machine_is_the_plain_one(seed, posterior):
    _, X, y = random_case(seed, n=40)
    ours = ImportanceReweightedSVM((0, 0), posterior, C=2.0, random_state=seed).fit(X, y)
    plain = SVC(C=2.0, gamma=0.5 / ours.width_**2).fit(X, y)
    assert np.allclose(ours.weights_, 1)
    assert np.allclose(ours.decision_function(X), plain.decision_function(X), atol=5e-3)


@pytest.mark.parametrize("seed", range(10))
def test_without_noise_the_regression_is_the_plain_one(seed):
    _, X, y = random_case(seed, n=40)
    ours = ImportanceReweightedLogistic((0, 0), C=2.0, random_state=seed).fit(X, y)
    plain = LogisticRegression(C=2.0, tol=1e-10, max_iter=1000).fit(X, y)
    assert np.allclose(ours.coef_, plain.coef_, atol=1e-5)
    assert np.allclose(ours.intercept_, plain.intercept_, atol=1e-5)


@pytest.mark.parametrize("posterior", ["kliep", "knn"])
@pytest.mark.parametrize("seed", range(25))
def test_predictions_equal_a_literal_program(seed, posterior):
    rng, X, y = random_case(seed, n=50)
    rates = tuple(rng.uniform(0, 0.4, 2))
    machine = ImportanceReweightedSVM(rates, posterior).fit(X, y)
    regression = ImportanceReweightedLogistic(rates, posterior).fit(X, y)
    width = np.median([np.linalg.norm(X[i] - X[j]) for i in range(50) for j in range(i)])
    weights = []
    chances = literal_chances(X, y, width, posterior)
    for chance, label in zip(chances, y, strict=True):
        observed = chance if label else 1 - chance
        # rates[0] flips class 1, rates[1] flips class 0: subtract the other class's rate.
        beta = (observed - rates[1 if label else 0]) / ((1 - sum(rates)) * observed)
        weights.append(max(0.0, beta))
    weights = np.array(weights)
    assert np.allclose(machine.weights_, weights, atol=5e-3)
    assert np.allclose(regression.weights_, weights, atol=5e-3)
    kept, queries = weights > 1e-9, rng.normal(size=(20, X.shape[1]))
    plain = [
        SVC(gamma=0.5 / width**2).fit(X[kept], y[kept], weights[kept]),
        LogisticRegression(tol=1e-8).fit(X[kept], y[kept], weights[kept]),
    ]
    for ours, theirs in zip((machine, regression), plain, strict=True):
        scores = theirs.decision_function(queries)
        clear = np.abs(scores) > 0.02
        assert clear.sum() >= 15
        assert (ours.predict(queries) == (scores > 0))[clear].all()


def slow_ratio(kernel, member, rounds=30_000):
    """Fixed-point iteration for mixture weights, as slow as it is simple."""
    scaled = kernel / kernel.mean(axis=0)
    own, weights = scaled[member], np.full(kernel.shape[1], 1 / kernel.shape[1])
    for _ in range(rounds):
        weights = weights * (own / (own @ weights)[:, None]).mean(axis=0)
    return scaled @ weights


def literal_chances(X, y, width, posterior):
    if posterior == "knn":
        return vote_posterior(X, 2.0 * y - 1, "euclidean")
    kernel = np.exp(-cdist(X, X, "sqeuclidean") / (2 * width**2))
    joint = [np.mean(y == c) * slow_ratio(kernel[:, y == c], y == c, 10_000) for c in (0, 1)]
    return joint[1] / (joint[0] + joint[1])


@pytest.mark.parametrize("posterior", ["kliep", "knn"])
@pytest.mark.parametrize("rates", [(0.3, 0.1), "estimate"])
def test_distances_stand_for_the_features(posterior, rates):
    rng, X, y = random_case(1, n=80)
    queries = rng.normal(size=(30, X.shape[1]))
    learner = ImportanceReweightedSVM(rates, posterior, random_state=0)
    expected = learner.fit(X, y).decision_function(queries)
    learner.set_params(metric="precomputed").fit(cdist(X, X), y)
    assert np.allclose(
        learner.decision_function(cdist(queries, X)), expected, atol=2e-3
    )  # to the accuracy of libsvm
    assert learner.__sklearn_tags__().input_tags.pairwise


def test_many_points_are_measured_without_a_matrix(monkeypatch):
    rng, X, y = random_case(2, n=80)
    queries = rng.normal(size=(30, X.shape[1]))
    learner = ImportanceReweightedSVM((0.2, 0.1), random_state=0)
    expected = learner.fit(X, y).decision_function(queries)
    monkeypatch.setattr(gaussian, "MATRIX_LIMIT", 20)
    assert Distances.read(X, "euclidean").matrix is None
    assert np.allclose(learner.fit(X, y).decision_function(queries), expected, atol=5e-3)


@pytest.mark.parametrize("learner", BOTH)
def test_estimated_rates_are_those_of_a_vote(learner):
    X, _, y = noisy_half(300, (0.1, 0.4))
    fitted = learner(random_state=0).fit(X, y)
    assert fitted.tau_neg_ > fitted.tau_pos_ >= 0
    known = learner((fitted.tau_pos_, fitted.tau_neg_), random_state=0).fit(X, y)
    assert np.array_equal(known.weights_, fitted.weights_)


@pytest.mark.parametrize("posterior", ["kliep", "knn"])
def test_corrected_learners_beat_plain_ones(posterior):
    for learner, (X, clean, y) in zip(
        BOTH, [noisy_ring(600, (0.4, 0.02)), noisy_half(600, (0.4, 0.02))], strict=True
    ):
        corrected = learner((0.4, 0.02), posterior, random_state=0).fit(X, y)
        plain = learner((0, 0), posterior, random_state=0).fit(X, y)
        assert corrected.score(X, clean) > plain.score(X, clean) + 0.05


@pytest.mark.parametrize("learner", BOTH)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rates": (0.6, 0.4)}, "sum to less than 1"),
        ({"rates": (-0.1, 0.4)}, "at least 0"),
        ({"rates": (0.1, 0.2, 0.3)}, "two numbers"),
        ({"rates": "00"}, "two numbers"),
        ({"rates": "guess"}, "must be 'estimate' or two numbers"),
        ({"rates": None}, "must be 'estimate' or two numbers"),
        ({"rates": (0.1, float("nan"))}, "two numbers"),
        ({"posterior": "other"}, "posterior must be 'kliep' or 'knn', got 'other'"),
        ({"C": 0}, "C must be positive, got 0"),
    ],
)
def test_bad_parameters_are_refused(learner, settings, message):
    with pytest.raises(ValueError, match=message):
        learner(**settings).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"width": -1.0}, "width must be positive, got -1.0"),
        ({"metric": "cosine"}, "metric must be 'euclidean' or 'precomputed', got 'cosine'"),
        ({"metric": "precomputed"}, "must be square"),
    ],
)
def test_bad_kernels_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        ImportanceReweightedSVM(**settings).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("learner", BOTH)
def test_three_classes_are_refused(learner):
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        learner().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
