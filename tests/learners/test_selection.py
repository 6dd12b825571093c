"""k and k′ chosen by cross-validation: literal rules, distances for features, building blocks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from scipy.stats import hypergeom
from sklearn.model_selection import GridSearchCV

from noisebench.errors import InputError
from noisebench.learners import KNN, KNNCV, RobustKNN, RobustKNNCV
from noisebench.learners.hits import count_hits, count_hits_above, count_hits_rknn
from noisebench.learners.inner import list_depth, open_table
from noisebench.neighbors import NeighborTable
from tests.learners.literal_rules import (
    T4,
    Y4,
    deal,
    find_threshold,
    order_points,
    random_case,
    reaches,
    read_rates,
    vote,
)


def choose(score, folds, n, candidates):
    """Return the first candidate with the best mean accuracy over the folds."""
    means = []
    for candidate in candidates:
        shares = []
        for fold in folds:
            inside = [i for i in range(n) if i not in fold]
            shares.append(Fraction(score(candidate, fold, inside), len(fold)))
        means.append(sum(shares) / len(shares))
    return candidates[means.index(max(means))]


def literal_knn_cv(X, y, queries, grid, n_folds, seed, truth, n_classes):
    orders = order_points(X, X, exclude_self=True)

    def score(k, fold, inside):
        near = {i: [j for j in orders[i] if j in inside] for i in fold}
        return sum(vote(near[i], y, k, n_classes) == truth[i] for i in fold)

    k = choose(score, deal(len(X), n_folds, seed), len(X), sorted(grid))
    return k, [vote(order, y, k, n_classes) for order in order_points(queries, X)]


def literal_rknn_cv(X, y, queries, grid, noise_grid, n_folds, seed, truth):
    orders = order_points(X, X, exclude_self=True)

    def score(pair, fold, inside):
        near = [[j for j in order if j in inside] for order in orders]
        threshold = find_threshold(*read_rates(near, y, inside, pair[1]))
        return sum(reaches(near[i], y, pair[0], threshold) == truth[i] for i in fold)

    pairs = [(k, k_noise) for k in sorted(grid) for k_noise in sorted(noise_grid)]
    pair = choose(score, deal(len(X), n_folds, seed), len(X), pairs)
    rates = read_rates(orders, y, range(len(X)), pair[1])
    threshold = find_threshold(*rates)
    return pair, rates, [reaches(o, y, pair[0], threshold) for o in order_points(queries, X)]


def random_grid(rng, size):
    return [int(k) for k in rng.choice(np.arange(1, 30), size, replace=False)]


@pytest.mark.parametrize("block", range(10))
def test_knn_cv_equals_the_literal_selection(block):
    for seed in range(100 * block, 100 * block + 100):
        rng = np.random.default_rng(seed)
        n_classes = 2 + seed % 2
        X, y, queries = random_case(rng, n_classes)
        clean = rng.integers(0, n_classes, len(y))
        grid, n_folds = random_grid(rng, 4), int(rng.integers(2, 6))
        truth, selection = (clean, "clean") if seed % 3 == 0 else (y, "noisy")
        k, answers = literal_knn_cv(X, y, queries, grid, n_folds, seed, truth, n_classes)
        learner = KNNCV(grid, n_folds, selection, random_state=seed)
        learner.fit(X, y, clean_labels=clean)
        assert learner.best_n_neighbors_ == k, seed
        assert learner.predict(queries).tolist() == answers, seed


@pytest.mark.parametrize("block", range(10))
def test_rknn_cv_equals_the_literal_selection(block):
    for seed in range(100 * block, 100 * block + 100):
        rng = np.random.default_rng(seed)
        X, y, queries = random_case(rng, most=18)
        clean = rng.integers(0, 2, len(y))
        grids, n_folds = (random_grid(rng, 3), random_grid(rng, 2)), int(rng.integers(2, 5))
        truth, selection = (clean, "clean") if seed % 3 == 0 else (y, "noisy")
        pair, rates, answers = literal_rknn_cv(X, y, queries, *grids, n_folds, seed, truth)
        learner = RobustKNNCV(*grids, n_folds, selection, random_state=seed)
        learner.fit(X, y, clean_labels=clean)
        assert (learner.best_n_neighbors_, learner.best_noise_neighbors_) == pair, seed
        assert (learner.tau_pos_, learner.tau_neg_) == pytest.approx(rates, abs=1e-12), seed
        assert learner.predict(queries).tolist() == answers, seed


@pytest.mark.parametrize("seed", range(40))
def test_known_rates_leave_k_to_choose(seed):
    rng = np.random.default_rng(seed)
    X, y, queries = random_case(rng)
    grid, rates = random_grid(rng, 4), (Fraction(1, 10), Fraction(3, 10))
    threshold = find_threshold(*rates)
    orders = order_points(X, X, exclude_self=True)

    def score(k, fold, inside):
        near = {i: [j for j in orders[i] if j in inside] for i in fold}
        return sum(reaches(near[i], y, k, threshold) == y[i] for i in fold)

    k = choose(score, deal(len(X), 4, seed), len(X), sorted(grid))
    learner = RobustKNNCV(grid, rates=(0.1, 0.3), random_state=seed).fit(X, y)
    assert (learner.best_n_neighbors_, learner.best_noise_neighbors_) == (k, 0)
    assert (learner.tau_pos_, learner.tau_neg_, learner.threshold_) == (0.1, 0.3, 0.6)
    assert learner.cv_scores_.shape == (4, 1)
    expected = [reaches(order, y, k, threshold) for order in order_points(queries, X)]
    assert learner.predict(queries).tolist() == expected


def test_a_single_candidate_is_the_fixed_rule():
    queries = [[13.4], [14.3], [12.5]]
    learner = RobustKNNCV([5], [3], random_state=0).fit(T4, Y4)
    assert (learner.tau_neg_, learner.tau_pos_, learner.threshold_) == (0.25, 0.0, 0.625)
    assert learner.predict(queries).tolist() == [0, 1, 0]
    plain = KNNCV([5], random_state=0).fit(T4, Y4)
    assert plain.predict(queries).tolist() == [1, 1, 0]
    expected = KNN(5).fit(T4, Y4).predict_proba(queries)
    assert plain.predict_proba(queries).tolist() == expected.tolist()


def test_scores_agree_with_a_grid_search():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 2)), rng.integers(0, 2, 90)
    folds = deal(90, 4, seed=3)
    splits = [(np.setdiff1d(np.arange(90), fold), np.array(fold)) for fold in folds]
    grids = {"n_neighbors": [5, 10, 80], "noise_neighbors": [5, 20, 40]}
    theirs = GridSearchCV(RobustKNN(), grids, cv=splits).fit(X, y)
    ours = RobustKNNCV(*grids.values(), random_state=3).fit(X, y)
    scores = theirs.cv_results_["mean_test_score"].reshape(3, 3)
    assert np.allclose(ours.cv_scores_, scores)
    assert ours.best_n_neighbors_ == theirs.best_params_["n_neighbors"]
    assert ours.best_noise_neighbors_ == theirs.best_params_["noise_neighbors"]
    plain = GridSearchCV(KNN(), {"n_neighbors": [5, 10, 80]}, cv=splits).fit(X, y)
    chosen = KNNCV([5, 10, 80], random_state=3).fit(X, y)
    assert np.allclose(chosen.cv_scores_, plain.cv_results_["mean_test_score"])


def test_ties_go_to_the_smallest_candidates_whatever_their_order():
    X = np.arange(40.0)[:, None]
    y = (X[:, 0] >= 20).astype(int)
    X[20:] += 1000
    learner = RobustKNNCV([7, 3, 5], [4, 2], random_state=0).fit(X, y)
    assert (learner.cv_scores_ == 1).all()
    assert (learner.best_n_neighbors_, learner.best_noise_neighbors_) == (3, 2)
    assert KNNCV([7, 3, 5], random_state=0).fit(X, y).best_n_neighbors_ == 3


def test_the_seed_decides_the_inner_folds():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    scores = [KNNCV(random_state=seed).fit(X, y).cv_scores_.tolist() for seed in (0, 0, 1)]
    assert scores[0] == scores[1] != scores[2]


LEARNERS = [
    KNNCV([1, 4, 9], random_state=1),
    RobustKNNCV([3, 8], [2, 15], random_state=1),
    RobustKNNCV([3, 8], rates=(0.1, 0.2), random_state=1),
    KNNCV(random_state=1),  # every candidate but a few is clipped
    RobustKNNCV(random_state=1),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_graphs_and_matrices_stand_for_the_features(learner, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (110, 2)).astype(float)  # many ties and duplicates
    y, rows = rng.integers(0, 2, 110), rng.permutation(110)
    train, test = rows[:85], rows[85:]
    own = learner.set_params(metric="euclidean").fit(X[train], y[train])
    expected, scores = own.predict(X[test]), own.cv_scores_
    lengths = learner.list_lengths(85)
    fold = NeighborTable.build(X, n_neighbors=40).restrict(train, test, max(lengths))
    learner.set_params(metric="precomputed")
    learner.fit(fold.train.to_graph(lengths[0]), y[train])
    assert (learner.cv_scores_ == scores).all()
    assert learner.predict(fold.test.to_graph(lengths[1])).tolist() == expected.tolist()
    matrix = cdist(X, X[train])
    learner.fit(matrix[train], y[train])
    assert (learner.cv_scores_ == scores).all()
    assert learner.predict(matrix[test]).tolist() == expected.tolist()


def test_lists_are_deep_enough_for_inner_folds_and_no_deeper_than_needed():
    for longest, n, n_folds in [(5, 200, 4), (100, 500, 4), (100, 20_000, 4), (30, 900, 2)]:
        depth = list_depth(longest, n, n_folds)
        outside = n - 1 - -(-n // n_folds)
        short = hypergeom.cdf(longest - 1, n - 1, outside, depth)
        assert depth == longest + -(-n // n_folds) or short < 2e-12
        assert depth * (1 - 1 / n_folds) < longest + 8 * np.sqrt(longest) + 20
    assert list_depth(100, 60, 4) == 59
    depths = [list_depth(20, n, 4) for n in range(2, 400)]
    assert depths == sorted(depths)


def test_a_shallow_graph_is_refused_with_the_remedy():
    X = np.random.default_rng(0).normal(size=(300, 2))
    graph = NeighborTable.build(X, n_neighbors=20).to_graph()
    learner = KNNCV([5, 10], metric="precomputed")
    needed = learner.list_lengths(300)[0]
    with pytest.raises(ValueError, match=f"holds 20 neighbours of some row, {needed} are needed"):
        learner.fit(graph, np.arange(300) % 2)
    table = open_table(csr_matrix(graph), "precomputed", 20)
    near = table.indices[0, :15]
    with pytest.raises(InputError, match="must leave 10 neighbours .* build it with up to 299"):
        table.restrict(np.setdiff1d(np.arange(300), near), [0], 10).test.indices  # noqa: B018


def test_hits_are_those_of_the_learners():
    rng = np.random.default_rng(0)
    X, queries = rng.integers(0, 6, (60, 2)).astype(float), rng.normal(3, 2, (40, 2))
    labels, truth = rng.integers(0, 2, (3, 60)), rng.integers(0, 2, 40)
    table = NeighborTable.build(np.concatenate([X, queries]), n_neighbors=99)
    fold = table.restrict(np.arange(60), 60 + np.arange(40), 60)
    grid, noise_grid = [1, 6, 90], [4, 70]
    pairs = count_hits_rknn(fold.test, fold.train, labels, truth, grid, noise_grid)
    plain = count_hits(fold.test, labels, truth, grid)
    known = count_hits_above(fold.test, labels, truth, grid, threshold=0.6)
    for level, y in enumerate(labels):
        for i, k in enumerate(grid):
            for j, k_noise in enumerate(noise_grid):
                hit = RobustKNN(k, k_noise).fit(X, y).predict(queries) == truth
                assert pairs[level, i, j] == hit.sum()
            assert plain[level, i] == (KNN(k).fit(X, y).predict(queries) == truth).sum()
            robust = RobustKNN(k, rates=(0.1, 0.3)).fit(X, y)
            assert known[level, i] == (robust.predict(queries) == truth).sum()


def test_labels_may_be_words():
    rng = np.random.default_rng(0)
    X, y, clean = rng.normal(size=(60, 2)), rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    words = np.array(["no", "yes"])
    learner = RobustKNNCV([3, 9], [3], selection="clean", random_state=0)
    scores = learner.fit(X, y, clean_labels=clean).cv_scores_
    predicted = learner.predict(X)
    learner.fit(X, words[y], clean_labels=words[clean])
    assert learner.cv_scores_.tolist() == scores.tolist()
    assert learner.predict(X).tolist() == words[predicted].tolist()


def test_a_clean_class_that_no_noisy_label_has_is_never_hit():
    learner = KNNCV([1, 5], selection="clean", random_state=0)
    assert (learner.fit(T4, Y4, clean_labels=np.full(18, 2)).cv_scores_ == 0).all()


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (KNNCV([]), r"grid must hold whole numbers of at least 1, got \[\]"),
        (KNNCV([5, 0]), r"grid must hold whole numbers of at least 1, got \[5, 0\]"),
        (RobustKNNCV([5], [2.5]), r"noise_grid must hold whole numbers .* got \[2.5\]"),
        (KNNCV(folds=1), "folds must be a whole number of at least 2, got 1"),
        (KNNCV(selection="outer"), "selection must be 'noisy' or 'clean', got 'outer'"),
        (KNNCV(selection="clean"), "clean_labels must be given to fit"),
        (RobustKNNCV(rates=(0.6, 0.4)), "sum to less than 1"),
    ],
)
def test_bad_parameters_are_refused_when_fitting(learner, message):
    with pytest.raises(ValueError, match=message):
        learner.fit(T4, Y4)


def test_rknn_cv_refuses_three_classes():
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        RobustKNNCV().fit(T4, np.arange(18) % 3)
