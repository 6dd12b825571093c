"""The transition-matrix extension of RkNN: RkNN itself for two classes, gains for three."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noisebench.learners import KNN, RobustKNN, TransitionKNN
from noisebench.learners.multiclass import read_transition
from noisebench.noise import TransitionNoise
from tests.learners.literal_rules import T4, Y4, order_points, random_case


def literal_answers(X, y, queries, k, k_noise, n_classes):
    """Solve for the clean class probabilities of each query by least squares."""
    orders = order_points(X, X, exclude_self=True)
    votes = [np.bincount(y[[i, *orders[i][:k_noise]]], minlength=n_classes) for i in range(len(X))]
    rows = []
    for c in range(n_classes):
        top = max(v[c] for v in votes)
        rows.append(np.mean([v / v.sum() for v in votes if v[c] == top], axis=0))
    matrix = np.array(rows)
    if np.linalg.matrix_rank(matrix, tol=1e-5) < n_classes:
        matrix = np.eye(n_classes)
    answers = []
    for order in order_points(queries, X):
        near = y[order[:k]]
        shares = np.bincount(near, minlength=n_classes) / len(near)
        eta = np.linalg.lstsq(matrix.T, shares, rcond=None)[0]
        best = np.flatnonzero(eta >= eta.max() - 1e-9)
        answers.append(int(best[-1] if n_classes == 2 else best[0]))
    return matrix, answers


@pytest.mark.parametrize("block", range(10))
def test_two_classes_are_decided_as_by_robust_knn(block):
    for seed in range(100 * block, 100 * block + 100):
        rng = np.random.default_rng(seed)
        X, y, queries = random_case(rng)
        k, k_noise = int(rng.integers(1, 30)), int(rng.integers(1, 30))
        robust = RobustKNN(k, k_noise).fit(X, y)
        learner = TransitionKNN(k, k_noise).fit(X, y)
        assert learner.predict(queries).tolist() == robust.predict(queries).tolist(), seed
        if robust.tau_pos_ + robust.tau_neg_ < 1:
            expected = [
                [1 - robust.tau_neg_, robust.tau_neg_],
                [robust.tau_pos_, 1 - robust.tau_pos_],
            ]
            assert np.allclose(learner.transition_, expected), seed


@pytest.mark.parametrize("block", range(10))
def test_more_classes_are_decided_as_by_the_literal_rule(block):
    for seed in range(100 * block, 100 * block + 100):
        rng = np.random.default_rng(seed)
        n_classes = 3 + seed % 2
        X, y, queries = random_case(rng, n_classes)
        k, k_noise = int(rng.integers(1, 30)), int(rng.integers(1, 12))
        matrix, answers = literal_answers(X, y, queries, k, k_noise, n_classes)
        learner = TransitionKNN(k, k_noise).fit(X, y)
        assert np.allclose(learner.transition_, matrix), seed
        assert learner.predict(queries).tolist() == answers, seed


def test_rows_are_read_off_the_points_surest_of_a_class():
    votes = np.array([[4, 1, 0], [2, 3, 0], [0, 3, 2], [1, 0, 4], [0, 1, 4]])
    expected = [[0.8, 0.2, 0.0], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]]
    assert np.allclose(read_transition(votes), expected)


def test_without_noise_the_vote_is_plain():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = rng.normal(size=(300, 2)) + 6 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    learner = TransitionKNN(7, 20).fit(X, y)
    assert learner.transition_.tolist() == np.eye(3).tolist()
    assert learner.predict(X).tolist() == KNN(7).fit(X, y).predict(X).tolist()


@pytest.mark.parametrize("known", [True, False])
def test_asymmetric_noise_among_three_classes_is_undone(known):
    matrix = np.array([[0.55, 0.45, 0.0], [0.0, 1.0, 0.0], [0.1, 0.0, 0.9]])
    gains = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 3, 2000)
        X = rng.normal(size=(2000, 2)) + 2.5 * np.array([[0, 0], [1, 0], [0, 1]])[y]
        noisy = TransitionNoise(matrix).corrupt(y[:1000], rng)
        learner = TransitionKNN(40, 80, transition=matrix if known else None)
        learner.fit(X[:1000], noisy)
        assert np.abs(learner.transition_ - matrix).max() < 0.15
        plain = KNN(40).fit(X[:1000], noisy)
        gains.append(learner.score(X[1000:], y[1000:]) - plain.score(X[1000:], y[1000:]))
    assert min(gains) > 0.02


def test_distances_stand_for_the_features():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), rng.integers(0, 3, 80)
    expected = TransitionKNN(5, 9).fit(X[:60], y[:60]).predict(X[60:])
    learner = TransitionKNN(5, 9, metric="precomputed")
    assert learner.list_lengths(60) == (9, 5)
    assert TransitionKNN(5, 9, transition=np.eye(3)).list_lengths(60) == (0, 5)
    matrix = cdist(X, X[:60])
    assert learner.fit(matrix[:60], y[:60]).predict(matrix[60:]).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("transition", "message"),
    [
        (np.eye(3), r"for each of the 2 classes, got shape \(3, 3\)"),
        ([[0.5, 0.4], [0.0, 1.0]], "sum to 1"),
        ([[1.5, -0.5], [0.0, 1.0]], "rows of probabilities"),
        ([[0.3, 0.7], [0.3, 0.7]], "must be invertible"),
    ],
)
def test_matrices_that_are_no_transitions_are_refused(transition, message):
    with pytest.raises(ValueError, match=message):
        TransitionKNN(transition=transition).fit(T4, Y4)


def test_a_noise_parameter_below_one_is_refused():
    with pytest.raises(ValueError, match="noise_neighbors must be at least 1, got 0"):
        TransitionKNN(noise_neighbors=0).fit(T4, Y4)
