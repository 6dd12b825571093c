"""kNN and RkNN against worked examples, literal formulas and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from noisebench.learners import KNN, RobustKNN

T1 = np.array([0.0, 1.0, 2.2, 3.0, 4.1, 5.5, 6.2, 7.4, 8.1, 9.5])[:, None]
Y1 = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 1])
T4 = np.array([i + 0.01 * i**2 for i in range(18)])[:, None]
Y4 = np.array(3 * [1, 0, 0, 0] + 6 * [1])


def literal_lists(queries, points, k, metric="euclidean", exclude_self=False):
    """Sort all points by distance and index, one query at a time."""
    distance = {
        "euclidean": lambda a, b: sum((u - v) ** 2 for u, v in zip(a, b, strict=True)),
        "manhattan": lambda a, b: sum(abs(u - v) for u, v in zip(a, b, strict=True)),
    }[metric]
    lists = []
    for i, query in enumerate(queries):
        order = sorted((distance(query, p), j) for j, p in enumerate(points))
        lists.append([j for _, j in order if not (exclude_self and i == j)][:k])
    return lists


def literal_rknn(X, y, queries, k, k_noise):
    """Algorithm 1 with closed intervals, in fractions of whole numbers."""
    sums = [
        y[i] + sum(y[j] for j in neighbours)
        for i, neighbours in enumerate(literal_lists(X, X, k_noise, exclude_self=True))
    ]
    size = k_noise + 1
    tau_neg, tau_pos = min(sums) / size, 1 - max(sums) / size
    answers = []
    for neighbours in literal_lists(queries, X, k):
        votes = sum(y[j] for j in neighbours)
        low, high = min(sums), max(sums)
        if low == high:
            answers.append(int(2 * votes >= k))
        else:
            answers.append(int(2 * votes * size >= k * (low + high)))
    return tau_pos, tau_neg, answers


def random_case(rng, integer):
    n, d = int(rng.integers(4, 40)), int(rng.integers(1, 4))
    X = rng.integers(0, 4, (n, d)).astype(float) if integer else rng.normal(size=(n, d))
    queries = rng.integers(0, 4, (7, d)).astype(float) if integer else rng.normal(size=(7, d))
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    return X, y, queries


def test_knn_on_the_worked_example():
    assert KNN(3).fit(T1, Y1).predict([[4.9]]).tolist() == [1]
    assert KNN(1).fit(T1, Y1).predict([[4.9]]).tolist() == [1]
    assert KNN(3).fit(T1, Y1).predict_proba([[4.9]]).tolist() == [[1 / 3, 2 / 3]]


def test_rknn_on_the_worked_example():
    learner = RobustKNN(5, 3).fit(T4, Y4)
    assert (learner.tau_neg_, learner.tau_pos_, learner.threshold_) == (0.25, 0.0, 0.625)
    queries = [[13.4], [14.3], [12.5]]
    assert learner.predict(queries).tolist() == [0, 1, 0]
    assert KNN(5).fit(T4, Y4).predict(queries).tolist() == [1, 1, 0]


@pytest.mark.parametrize("seed", range(60))
def test_rknn_equals_the_literal_algorithm(seed):
    rng = np.random.default_rng(seed)
    X, y, queries = random_case(rng, integer=seed % 2 == 0)
    k, k_noise = int(rng.integers(1, len(X))), int(rng.integers(1, len(X)))
    tau_pos, tau_neg, answers = literal_rknn(X, y, queries, k, k_noise)
    learner = RobustKNN(k, k_noise).fit(X, y)
    assert learner.tau_pos_ == pytest.approx(tau_pos, abs=1e-12)
    assert learner.tau_neg_ == pytest.approx(tau_neg, abs=1e-12)
    assert learner.predict(queries).tolist() == answers


@pytest.mark.parametrize("seed", range(40))
def test_knn_equals_the_literal_vote(seed):
    rng = np.random.default_rng(seed)
    X, _, queries = random_case(rng, integer=seed % 2 == 0)
    n_classes = 2 + seed % 3
    y = rng.integers(0, n_classes, len(X))
    y[:n_classes] = range(n_classes)
    k, metric = int(rng.integers(1, len(X) + 1)), ["euclidean", "manhattan"][seed % 2]
    expected = []
    for neighbours in literal_lists(queries, X, k, metric):
        votes = [sum(y[j] == c for j in neighbours) for c in range(n_classes)]
        top = [c for c in range(n_classes) if votes[c] == max(votes)]
        expected.append(top[-1] if n_classes == 2 else top[0])
    assert KNN(k, metric).fit(X, y).predict(queries).tolist() == expected


@pytest.mark.parametrize("k", [1, 3, 5])
def test_knn_agrees_with_scikit_learn_where_no_distances_tie(k):
    rng = np.random.default_rng(0)
    X, y, queries = rng.normal(size=(80, 3)), rng.integers(0, 2, 80), rng.normal(size=(50, 3))
    theirs = KNeighborsClassifier(k).fit(X, y)
    ours = KNN(k).fit(X, y)
    assert ours.predict(queries).tolist() == theirs.predict(queries).tolist()
    assert np.allclose(ours.predict_proba(queries), theirs.predict_proba(queries))


def test_equal_votes_of_two_classes_go_to_the_second():
    X, y = [[0.0], [1.0]], ["a", "b"]
    assert KNN(2).fit(X, y).predict([[0.1]]).tolist() == ["b"]


def test_equal_votes_can_go_to_the_first_class_to_reach_the_count():
    X, y = [[0.0], [1.0], [2.0], [3.0]], [1, 0, 0, 1]
    assert KNN(4, ties="first").fit(X, y).predict([[-1.0]]).tolist() == [0]
    assert KNN(4).fit(X, y).predict([[-1.0]]).tolist() == [1]


def test_the_order_of_training_points_decides_equal_distances():
    assert KNN(1).fit([[1.0], [-1.0]], [0, 1]).predict([[0.0]]).tolist() == [0]
    assert KNN(1).fit([[1.0], [-1.0]], [1, 0]).predict([[0.0]]).tolist() == [1]


def test_equal_noise_in_both_classes_leaves_the_plain_vote():
    X, y = T1, np.array([0, 1] * 5)
    learner = RobustKNN(4, 9).fit(X, y)  # every first vote is over all points
    assert learner.threshold_ == 0.5
    assert learner.predict(X).tolist() == KNN(4).fit(X, y).predict(X).tolist()


def test_known_rates_replace_the_estimates():
    learner = RobustKNN(5, 3, rates=(0.0, 0.25)).fit(T4, Y4)
    assert (learner.tau_pos_, learner.tau_neg_, learner.threshold_) == (0.0, 0.25, 0.625)
    assert learner.predict([[13.4]]).tolist() == [0]


def test_a_vote_equal_to_the_threshold_is_class_one():
    # 3 of 5 neighbours against a threshold of exactly 0.6: rounding must not decide.
    learner = RobustKNN(5, rates=(0.1, 0.3)).fit([[float(i)] for i in range(5)], [1, 1, 1, 0, 0])
    assert learner.predict([[2.0]]).tolist() == [1]


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (KNN(0), "n_neighbors must be at least 1, got 0"),
        (KNN(3, ties="x"), "ties must be 'class' or 'first', got 'x'"),
        (RobustKNN(3, 0), "noise_neighbors must be at least 1, got 0"),
        (RobustKNN(3, rates=(0.6, 0.4)), "sum to less than 1"),
        (RobustKNN(3, rates=(-0.1, 0.4)), "at least 0"),
    ],
)
def test_bad_parameters_are_refused_when_fitting(learner, message):
    with pytest.raises(ValueError, match=message):
        learner.fit(T1, Y1)


def test_rknn_refuses_three_classes():
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        RobustKNN().fit([[0.0], [1.0], [2.0]], [0, 1, 2])


def test_more_neighbours_than_points_means_all_points():
    assert KNN(99).fit(T1, Y1).predict([[0.0]]).tolist() == [1]
    learner = RobustKNN(99, 99).fit(T1, Y1)
    assert learner.threshold_ == 0.5
