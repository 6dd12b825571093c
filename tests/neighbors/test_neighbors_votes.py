"""Votes over grids of k, RkNN's threshold, and lists that are too short for them."""

from fractions import Fraction

import numpy as np
import pytest

from noisebench.errors import InputError
from noisebench.neighbors import (
    NeighborTable,
    count_votes,
    estimate_rates,
    predict_rknn,
    predict_votes,
    sum_labels,
)
from tests.neighbors.neighbor_oracles import make_points

LINE = np.arange(18) + 0.01 * np.arange(18) ** 2
QUERIES = [13.4, 14.3, 12.5]
LABELS = np.array([1, 0, 0, 0] * 3 + [1] * 6)


@pytest.fixture
def fold():
    table = NeighborTable.build(np.append(LINE, QUERIES)[:, None])
    return table.restrict(np.arange(18), np.arange(18, 21), 17)


def random_fold(seed, n=60, depth=40):
    rng = np.random.default_rng(seed)
    table = NeighborTable.build(make_points(rng, "integer", n, 2), n_neighbors=depth)
    order = rng.permutation(n)
    return table.restrict(order[: n // 2], order[n // 2 :], 20), rng


@pytest.mark.usefixtures("backend")
def test_rknn_on_the_worked_example(fold):
    assert fold.test.indices[:, :5].tolist() == [
        [12, 11, 13, 10, 14], [13, 12, 14, 11, 15], [11, 12, 10, 13, 9],
    ]  # fmt: skip
    assert sum_labels(fold.test, LABELS, [5]).tolist() == [[3, 4, 2]]
    assert predict_votes(fold.test, LABELS, [5]).tolist() == [[1, 1, 0]]
    assert estimate_rates(fold.train, LABELS, [3]).tolist() == [[0.0, 0.25]]
    assert predict_rknn(fold.test, fold.train, LABELS, [5], [3]).tolist() == [[[0, 1, 0]]]


def literal_rknn(fold, labels, k, k_noise):
    """Gao, Yang and Zhou's estimates and threshold, in fractions."""
    shares = []
    for own, near in enumerate(fold.train.indices):
        values = [labels[own], *labels[near[:k_noise]]]
        shares.append(Fraction(int(sum(values)), len(values)))
    minus, plus = min(shares), 1 - max(shares)
    threshold = (1 + minus - plus) / 2 if min(shares) < max(shares) else Fraction(1, 2)
    answers = []
    for near in fold.test.indices:
        values = labels[near[:k]]
        answers.append(int(Fraction(int(values.sum()), len(values)) >= threshold))
    return answers, (plus, minus)


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("seed", range(5))
def test_rknn_equals_the_rule_in_fractions(seed):
    fold, rng = random_fold(seed)
    labels = (rng.random((4, 30)) < [[0.1], [0.5], [0.9], [2.0]]).astype(int)
    grid, noise_grid = [1, 2, 5, 10, 20], [1, 4, 7, 20]
    found = predict_rknn(fold.test, fold.train, labels, grid, noise_grid)
    rates = estimate_rates(fold.train, labels, noise_grid)
    assert found.shape == (4, 5, 4, 30)
    for level in range(4):
        for i, k in enumerate(grid):
            for j, k_noise in enumerate(noise_grid):
                answers, expected = literal_rknn(fold, labels[level], k, k_noise)
                assert found[level, i, j].tolist() == answers
                assert rates[level, j] == pytest.approx([float(rate) for rate in expected])


@pytest.mark.parametrize("label", [0, 1])
def test_rknn_with_one_class_only_answers_that_class(fold, label):
    labels = np.full(18, label)
    assert predict_rknn(fold.test, fold.train, labels, [4], [3]).tolist() == [[[label] * 3]]


@pytest.mark.usefixtures("backend")
def test_votes_equal_counting(fold):
    labels = np.random.default_rng(0).integers(0, 3, (2, 18))
    grid = [9, 1, 4]
    votes = count_votes(fold.test, labels, grid, 4)
    first, last = (predict_votes(fold.test, labels, grid, 4, ties=t) for t in ("first", "last"))
    for level in range(2):
        for i, k in enumerate(grid):
            for row, near in enumerate(fold.test.indices):
                counts = np.bincount(labels[level][near[:k]], minlength=4)
                best = np.flatnonzero(counts == counts.max())
                assert votes[level, i, row].tolist() == counts.tolist()
                assert (first[level, i, row], last[level, i, row]) == (best[0], best[-1])


def test_one_labelling_or_many_give_the_same(fold):
    labels = np.random.default_rng(1).integers(0, 2, (3, 18))
    for each in (
        lambda y: count_votes(fold.test, y, [3, 5], 2),
        lambda y: predict_votes(fold.test, y, [3, 5]),
        lambda y: predict_rknn(fold.test, fold.train, y, [3, 5], [4]),
        lambda y: estimate_rates(fold.train, y, [4]),
        lambda y: fold.train.class_occurrences(y, 4, 2),
    ):
        assert np.array_equal(each(labels), np.stack([each(y) for y in labels]))


@pytest.mark.usefixtures("backend")
def test_class_occurrences_equal_counting():
    fold, rng = random_fold(7)
    labels = rng.integers(0, 3, 30)
    counts = fold.train.class_occurrences(labels, 6, 4)
    expected = np.zeros((30, 4), dtype=int)
    for row, near in enumerate(fold.train.indices):
        for point in near[:6]:
            expected[point, labels[row]] += 1
    assert np.array_equal(counts, expected)
    assert np.array_equal(counts.sum(axis=1), fold.train.occurrences(6))


def test_k_beyond_the_points_means_all_of_them():
    table = NeighborTable.build(np.array([[0.0], [1.0], [3.0]]))
    fold = table.restrict([0, 1], [2], 50)
    labels = np.array([1, 0])
    assert sum_labels(fold.test, labels, [1, 2, 99]).tolist() == [[0], [1], [1]]
    assert estimate_rates(fold.train, labels, [99]).tolist() == [[0.5, 0.5]]
    # Both points see one 1 of two: no spread, so the threshold is 1/2, and 1 of 2 reaches it.
    assert predict_rknn(fold.test, fold.train, labels, [99], [99]).tolist() == [[[1]]]


def test_rknn_from_a_single_training_point():
    fold = NeighborTable.build(np.array([[0.0], [1.0]])).restrict([0], [1], 3)
    assert predict_rknn(fold.test, fold.train, np.array([1]), [3], [3]).tolist() == [[[1]]]


def test_lists_that_are_too_short_are_refused(fold):
    short = fold.test.head(5)
    with pytest.raises(InputError, match="at most 5, the depth of these lists, got 6"):
        predict_votes(short, LABELS, [5, 6])
    with pytest.raises(InputError, match="at most 5"):
        short.to_graph(7)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: predict_votes(f.test, LABELS, [5], ties="random"), "'first' or 'last'"),
        (lambda f: predict_votes(f.test, LABELS, [0]), "at least 1, got 0"),
        (lambda f: predict_votes(f.test, LABELS[:5], [5]), r"one per point \(18\)"),
        (lambda f: predict_votes(f.test, LABELS - 1, [5]), "class numbers from 0 on"),
        (lambda f: predict_votes(f.test, LABELS * 0.5, [5]), "got float64 of shape"),
        (lambda f: count_votes(f.test, LABELS, [5], 1), "n_classes must be at least 2"),
        (lambda f: predict_rknn(f.test, f.train, LABELS * 2, [5], [5]), "0 or 1, got 2"),
        (lambda f: f.train.class_occurrences(LABELS, 2, 1), "n_classes must be at least 2"),
    ],
)
def test_bad_input_is_named(fold, call, message):
    with pytest.raises(InputError, match=message):
        call(fold)
