"""Folds cut out of a table equal a fresh search among their training points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisebench.errors import InputError
from noisebench.neighbors import NeighborTable
from noisebench.neighbors.engines import _PROPOSERS
from tests.neighbors.neighbor_oracles import (
    KINDS,
    METRICS,
    make_points,
    measure_all,
    search_literally,
)

WINDOWS = (None, 0.0, 0.3)


def make_case(rng, metric, n, kind):
    """Return X and the options of its table; small series for warping."""
    if metric == "dtw":
        return make_points(rng, kind, n, int(rng.integers(1, 6))), {"window": rng.choice(WINDOWS)}
    if metric == "precomputed":
        D = make_points(rng, "integer", n, n)
        return D, {}
    engines = ["brute", *(name for name, kind in _PROPOSERS.items() if metric in kind.metrics)]
    return make_points(rng, kind, n, int(rng.integers(1, 6))), {"engine": rng.choice(engines)}


def make_split(rng, n):
    """Return a training list, often unsorted, and queries that sometimes lie in it."""
    order = rng.permutation(n)
    n_train = int(rng.integers(1, n + 1))
    train, test = order[:n_train], order[n_train:]
    if rng.random() < 0.5:
        train = np.sort(train)
    if rng.random() < 0.2:
        test = np.append(test, train[:3])
    return train, test


def check_fold(table, keys, train, test, k):
    fold = table.restrict(train, test, k)
    for lists, rows, exclude in ((fold.test, test, False), (fold.train, train, True)):
        expected, places = search_literally(keys, rows, train, k, exclude_self=exclude)
        assert np.array_equal(lists.indices, places)
        assert np.array_equal(lists.distances, table.space.distances(expected))
        assert (lists.n_points, lists.n_candidates) == (len(train), len(train) - exclude)
    return fold


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("case", range(36))
def test_random_folds_equal_a_fresh_search(metric, case):
    rng = np.random.default_rng([case, METRICS.index(metric)])
    largest = 40 if metric == "dtw" else (300 if case % 6 == 0 else 60)
    n = int(rng.integers(2, largest + 1))
    X, options = make_case(rng, metric, n, KINDS[case % len(KINDS)])
    table = NeighborTable.build(X, metric, int(rng.integers(1, n)), **options)
    keys = measure_all(X, metric, options.get("window"))
    for _ in range(2):
        train, test = make_split(rng, n)
        check_fold(table, keys, train, test, int(rng.integers(1, n + 1)))


grids = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=2), min_size=n, max_size=n),
        st.permutations(range(n)),
        st.integers(1, n),
        st.integers(1, n - 1),
        st.integers(1, n),
        st.sampled_from(["euclidean", "manhattan", "chebyshev", "cosine", "hamming", "dtw"]),
    )
)


@settings(max_examples=300, deadline=None)
@given(grids)
def test_no_small_grid_contradicts_a_fresh_search(case):
    points, order, n_train, depth, k, metric = case
    X = np.array(points, dtype=float)
    table = NeighborTable.build(X, metric, depth)
    check_fold(table, measure_all(X, metric), order[:n_train], order[n_train:], k)


def test_position_in_the_training_list_decides_ties():
    X = np.array([[0.0], [1.0], [-1.0], [1.0]])
    table = NeighborTable.build(X, n_neighbors=3)
    assert table.restrict([1, 2, 3], [0], 2).test.indices.tolist() == [[0, 1]]
    assert table.restrict([3, 2, 1], [0], 2).test.indices.tolist() == [[0, 1]]
    assert table.restrict([2, 3, 1], [0], 3).train.indices.tolist() == [[1, 2], [2, 0], [1, 0]]


def test_a_tie_beyond_the_end_of_the_list_is_found():
    # The table of depth 2 knows points 1 and 2 only; point 3, as far, comes first in training.
    X = np.array([[0.0], [1.0], [-1.0], [1.0]])
    table = NeighborTable.build(X, n_neighbors=2)
    assert table.indices[0].tolist() == [1, 2]
    assert table.restrict([3, 1, 2], [0], 2).test.indices.tolist() == [[0, 1]]


def test_a_query_in_the_training_list_finds_itself_among_its_duplicates():
    table = NeighborTable.build([[1.0], [1.0], [2.0]], n_neighbors=2)
    assert table.restrict([0, 1, 2], [1], 2).test.indices.tolist() == [[0, 1]]
    assert table.restrict([1, 2], [1], 2).test.indices.tolist() == [[0, 1]]


def test_one_training_point_has_no_neighbours():
    fold = NeighborTable.build([[1.0], [4.0], [2.0]]).restrict([1], [0, 2], 5)
    assert fold.test.distances.tolist() == [[3], [2]]
    assert fold.train.indices.shape == (1, 0)


def test_only_short_rows_are_searched_again(monkeypatch):
    X = np.arange(40.0)[:, None] ** 1.5
    table = NeighborTable.build(X, n_neighbors=6)
    asked = []
    search = type(table.space).search
    monkeypatch.setattr(
        type(table.space), "search", lambda *a, **kw: asked.extend(a[1]) or search(*a, **kw)
    )
    # Rows 0 and 1 have all their six neighbours among the held-out points 0 … 7.
    fold = table.restrict(np.arange(8, 40), np.arange(8), 1)
    assert fold.test.indices.tolist() == [[0]] * 8
    assert asked == [row for row in range(8) if not (table.indices[row] >= 8).any()]
    assert 0 < len(asked) < 8


def literal_classes(keys, train, labels, k, n_classes):
    distances = np.full((len(train), n_classes, k), np.inf)
    indices = np.full((len(train), n_classes, k), -1)
    for i, row in enumerate(train):
        for label in range(n_classes):
            ranked = sorted(
                (keys[row, point], place)
                for place, point in enumerate(train)
                if labels[place] == label and place != i
            )[:k]
            for j, (key, place) in enumerate(ranked):
                distances[i, label, j], indices[i, label, j] = key, place
    return distances, indices


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("case", range(30))
def test_nearest_of_each_class(case):
    rng = np.random.default_rng(case)
    n = int(rng.integers(3, 50))
    X = make_points(rng, KINDS[case % len(KINDS)], n, 2)
    table = NeighborTable.build(X, "manhattan", int(rng.integers(1, n)))
    train, _ = make_split(rng, n)
    labels = rng.choice(3, len(train), p=[0.8, 0.15, 0.05])
    k = int(rng.integers(1, 6))
    found = table.restrict(train, [], k).train_by_class(labels, k, n_classes=3)
    expected = literal_classes(measure_all(X, "manhattan"), train, labels, k, 3)
    assert np.array_equal(found[0], expected[0])
    assert np.array_equal(found[1], expected[1])


def test_graphs_of_the_papers_small_line():
    # Marchiori's between-class graph with K = 1 on ten points of two classes.
    x = np.array([0.0, 1.0, 2.2, 3.0, 4.1, 5.5, 6.2, 7.4, 8.1, 9.5])[:, None]
    y = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 1])
    fold = NeighborTable.build(x, n_neighbors=2).restrict(np.arange(10), [], 1)
    _, near = fold.train_by_class(y, 1)
    between = {tuple(sorted((i, int(near[i, 1 - y[i], 0])))) for i in range(10)}
    within = {tuple(sorted((i, int(near[i, y[i], 0])))) for i in range(10)}
    assert between == {(0, 3), (1, 3), (2, 3), (3, 4), (4, 5), (6, 7), (7, 8), (7, 9)}
    assert within == {(0, 1), (1, 2), (2, 4), (3, 5), (4, 7), (5, 6), (8, 9)}


@pytest.mark.parametrize(
    ("train", "test", "k", "message"),
    [
        ([], [0], 1, "at least one point and none twice"),
        ([1, 1], [0], 1, "2 rows with 1 different ones"),
        ([0, 5], [1], 1, "row numbers from 0 to 3, got 0 to 5"),
        ([0, 1], [-1], 1, "test must hold row numbers"),
        ([True, False, True, True], [1], 1, "numpy.flatnonzero"),
        ([0, 1], [2], 0, "k must be at least 1"),
    ],
)
def test_bad_folds_are_named(train, test, k, message):
    table = NeighborTable.build(np.eye(4), n_neighbors=2)
    with pytest.raises(InputError, match=message):
        table.restrict(train, test, k)


def test_labels_must_fit_the_training_list():
    fold = NeighborTable.build(np.eye(4), n_neighbors=2).restrict([0, 1, 2], [3], 1)
    with pytest.raises(InputError, match=r"one per point \(3\)"):
        fold.train_by_class(np.array([0, 1, 0, 1]), 1)
    with pytest.raises(InputError, match="n_classes must be at least 3"):
        fold.train_by_class(np.array([0, 1, 2]), 1, n_classes=2)
