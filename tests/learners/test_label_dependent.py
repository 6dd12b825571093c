"""Label-dependent costs: worked example, a literal selection, and the plain machine."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.svm import SVC

from noisebench.learners import LabelDependentSVM
from noisebench.learners.cross_validation import deal_folds, pick_best
from noisebench.learners.gaussian import Distances
from noisebench.learners.label_dependent import C_GRID, WIDTH_FACTORS, label_costs, score_machines


def noisy_ring(n, rates, seed=0):
    """A disc in a square; returns features, clean and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 2))
    clean = (np.hypot(*X.T) < 0.8).astype(int)
    return X, clean, np.where(rng.random(n) < np.where(clean, *rates), 1 - clean, clean)


def test_costs_of_the_worked_example():
    assert label_costs(np.array([1.0, -1.0]), (0.3, 0.1)).tolist() == pytest.approx([0.6, 0.4])


@pytest.mark.parametrize("seed", range(20))
def test_costs_move_the_threshold_to_where_the_clean_posterior_is_a_half(seed):
    tau_pos, tau_neg = np.random.default_rng(seed).uniform(0, 0.49, 2)
    eta = np.linspace(0, 1, 100)
    noisy = (1 - tau_pos - tau_neg) * eta + tau_neg
    up, down = label_costs(np.array([1.0, -1.0]), (tau_pos, tau_neg))
    assert ((noisy * up > (1 - noisy) * down) == (eta > 0.5)).all()


def test_grids():
    assert sorted(WIDTH_FACTORS) == [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8]
    assert C_GRID == (1 / 16, 1 / 4, 1, 4, 16, 64, 256)


def test_folds_are_dealt_evenly():
    for n in (2, 3, 4, 9, 30):
        folds = deal_folds(n, np.random.default_rng(n))
        sizes = [len(test) for _, test in folds]
        assert len(folds) == min(4, n)
        assert max(sizes) - min(sizes) <= 1
        assert sorted(np.concatenate([test for _, test in folds])) == list(range(n))
        for train, test in folds:
            assert sorted([*train, *test]) == list(range(n))
    assert deal_folds(1, np.random.default_rng(0)) == []


def test_equal_means_go_to_the_first_candidate():
    # 0.1 + 0.2 + 0.3 is not 0.6 to the last bit.
    assert pick_best(np.array([[0.6, 0.1], [0.0, 0.2], [0.0, 0.3]])) == 0
    assert pick_best(np.array([[0.1, 0.6], [0.2, 0.0], [0.3, 0.0]])) == 0
    assert pick_best(np.array([[[0.1, 0.2], [0.3, 0.3]]])) == 2
    assert pick_best(np.empty((0, 5))) == 0


def literal_selection(X, y, clean, rates, seed):
    """Choose the width by plain accuracy on clean labels, then C by cost-weighted accuracy."""
    pairs = [np.linalg.norm(X[i] - X[j]) for i in range(len(X)) for j in range(i)]
    parts = np.empty(len(X), dtype=int)
    parts[np.random.default_rng(seed).permutation(len(X))] = np.arange(len(X)) % 4
    alpha = (1 - rates[0] + rates[1]) / 2
    costs = np.where(y == 1, 1 - alpha, alpha)

    def score(labels, weights, width, C):
        total = 0.0
        for fold in range(4):
            train, test = parts != fold, parts == fold
            machine = SVC(C=C, gamma=0.5 / width**2)
            machine.fit(X[train], labels[train], sample_weight=weights[train])
            hits = machine.predict(X[test]) == labels[test]
            total += weights[test][hits].sum() / weights[test].sum()
        return round(total / 4, 9)

    exponents = range(-4, 9, 2)
    plain = {
        (w, c): score(clean, np.ones(len(X)), 2.0**w * np.median(pairs), 2.0**c)
        for w in range(-3, 4)
        for c in exponents
    }
    # Equal scores: the wider kernel, then the smaller C.
    best = max(plain, key=lambda pair: (plain[pair], pair[0], -pair[1]))
    width = 2.0 ** best[0] * np.median(pairs)
    noisy = {c: score(y, costs, width, 2.0**c) for c in exponents}
    chosen = max(noisy, key=lambda c: (noisy[c], -c))
    return width, 2.0**chosen, costs


@pytest.mark.parametrize("seed", range(12))
def test_the_selection_equals_a_literal_one(seed):
    rng = np.random.default_rng(seed)
    rates = tuple(rng.uniform(0, 0.4, 2))
    X, clean, y = noisy_ring(40, rates, seed)
    labels = clean if seed % 2 else y
    width, C, costs = literal_selection(X, y, labels, rates, seed)
    learner = LabelDependentSVM(rates, random_state=seed)
    learner.fit(X, y, clean_labels=clean if seed % 2 else None)
    assert (learner.width_, learner.C_) == (pytest.approx(width), C)
    queries = rng.uniform(-1, 1, (30, 2))
    plain = SVC(C=C, gamma=0.5 / width**2).fit(X, y, sample_weight=costs)
    scores = plain.decision_function(queries)
    clear = np.abs(scores) > 0.01
    assert (learner.predict(queries) == (scores > 0))[clear].all()


@pytest.mark.parametrize("rate", [0.0, 0.2, 0.4])
def test_equal_rates_give_the_plain_machine_at_half_the_cost(rate):
    X, _, y = noisy_ring(80, (rate, rate))
    ours = LabelDependentSVM((rate, rate), width=0.5, C=3.0).fit(X, y)
    plain = SVC(C=1.5, gamma=2.0).fit(X, y)
    assert np.allclose(ours.decision_function(X), plain.decision_function(X), atol=5e-3)


def test_clean_labels_decide_the_width_and_nothing_else():
    X, clean, y = noisy_ring(80, (0.4, 0.1), seed=3)
    learner = LabelDependentSVM((0.4, 0.1), random_state=0)
    without = learner.fit(X, y).width_
    width = learner.fit(X, y, clean_labels=clean).width_
    assert width != without
    known = LabelDependentSVM((0.4, 0.1), width=width, random_state=0).fit(X, y)
    assert known.C_ == learner.C_
    assert np.array_equal(known.decision_function(X), learner.decision_function(X))


def test_clean_labels_may_be_words():
    X, clean, y = noisy_ring(60, (0.2, 0.1))
    words = np.array(["no", "yes"])
    learner = LabelDependentSVM((0.2, 0.1), random_state=0).fit(X, y, clean_labels=clean)
    other = LabelDependentSVM((0.2, 0.1), random_state=0)
    other.fit(X, words[y], clean_labels=words[clean])
    assert other.width_ == learner.width_
    assert (other.predict(X) == words[learner.predict(X)]).all()


@pytest.mark.parametrize("labels", [[0, 1], [0, 1, 2] + 37 * [0], np.zeros((40, 1))])
def test_clean_labels_that_do_not_fit_are_refused(labels):
    X, _, y = noisy_ring(40, (0.2, 0.1))
    with pytest.raises(ValueError, match="clean_labels must be one of the classes"):
        LabelDependentSVM((0.2, 0.1)).fit(X, y, clean_labels=labels)


def test_scores_weigh_hits_by_their_cost():
    # Two far clusters, each with one stranger: whatever the fold, the majority of its cluster wins.
    X = np.concatenate([np.linspace(0, 1, 10), np.linspace(100, 101, 10)])[:, None]
    signs = np.where(X[:, 0] > 50, 1.0, -1.0)
    signs[[3, 13]] *= -1
    costs = np.where(signs > 0, 0.8, 0.2)
    even = np.arange(20) % 2 == 0
    folds = [(np.flatnonzero(even), np.flatnonzero(~even))]  # both strangers are held out
    scores = score_machines(Distances.read(X, "euclidean"), signs, costs, [10.0], folds, [1.0])
    assert scores.shape == (1, 1, 1)
    assert scores[0, 0, 0] == pytest.approx((4 * 0.2 + 4 * 0.8) / (5 * 0.2 + 5 * 0.8))


def test_distances_stand_for_the_features():
    X, clean, y = noisy_ring(60, (0.3, 0.1))
    queries = np.random.default_rng(1).uniform(-1, 1, (30, 2))
    learner = LabelDependentSVM((0.3, 0.1), random_state=0)
    expected = learner.fit(X, y, clean_labels=clean).decision_function(queries)
    chosen = learner.width_, learner.C_
    learner.set_params(metric="precomputed").fit(cdist(X, X), y, clean_labels=clean)
    assert (learner.width_, learner.C_) == (pytest.approx(chosen[0]), chosen[1])
    assert np.allclose(learner.decision_function(cdist(queries, X)), expected, atol=5e-3)


def test_a_part_of_the_points_may_select():
    X, clean, y = noisy_ring(200, (0.3, 0.1))
    learner = LabelDependentSVM((0.3, 0.1), selection_size=40, random_state=0)
    assert len(learner.fit(X, y, clean_labels=clean).support_) > 40  # all points train
    folds = learner._deal(200, np.random.default_rng(0))
    used = np.concatenate([test for _, test in folds])
    assert len(set(used)) == len(used) == 40
    assert used.max() >= 40


def test_the_corrected_machine_beats_the_plain_one():
    X, clean, y = noisy_ring(400, (0.45, 0.02))
    corrected = LabelDependentSVM((0.45, 0.02), random_state=0).fit(X, y, clean_labels=clean)
    plain = LabelDependentSVM((0, 0), random_state=0).fit(X, y, clean_labels=clean)
    assert corrected.score(X, clean) > plain.score(X, clean) + 0.05


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rates": (0.6, 0.4)}, "sum to less than 1"),
        ({"width": 0.0}, "width must be positive, got 0.0"),
        ({"C": -1}, "C must be positive, got -1"),
        ({"selection_size": 0}, "selection_size must be positive, got 0"),
    ],
)
def test_bad_parameters_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        LabelDependentSVM(**settings).fit([[0.0], [1.0]], [0, 1])


def test_three_classes_are_refused():
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        LabelDependentSVM().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
