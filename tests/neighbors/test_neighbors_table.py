"""The neighbour table: canonical order on any data, by any engine."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from noisebench.errors import InputError
from noisebench.neighbors import NeighborTable, engines
from noisebench.neighbors.spaces import make_space
from tests.neighbors.neighbor_oracles import (
    KINDS,
    METRICS,
    make_points,
    measure_all,
    search_literally,
)

T1 = np.array([0.0, 1.0, 2.2, 3.0, 4.1, 5.5, 6.2, 7.4, 8.1, 9.5])[:, None]
ENGINES = [
    ("brute", "euclidean"), ("brute", "manhattan"), ("brute", "chebyshev"), ("brute", "cosine"),
    ("brute", "hamming"), ("kdtree", "euclidean"), ("kdtree", "manhattan"),
    ("kdtree", "chebyshev"), ("matrix", "euclidean"),
]  # fmt: skip


def test_lists_of_a_small_line():
    table = NeighborTable.build(T1, n_neighbors=3)
    assert table.indices.tolist() == [
        [1, 2, 3], [0, 2, 3], [3, 1, 4], [2, 4, 1], [3, 5, 2],
        [6, 4, 7], [5, 7, 8], [8, 6, 5], [7, 9, 6], [8, 7, 6],
    ]  # fmt: skip
    assert table.distances[5] == pytest.approx([0.7, 1.4, 1.9])
    assert (table.engine, table.n_neighbors) == ("brute", 3)


def test_equal_distances_go_to_the_lower_index_at_the_cut_too():
    square = np.array([[1.0, 1], [0, 0], [2, 2], [0, 2], [2, 0]])
    assert NeighborTable.build(square, n_neighbors=2).indices[0].tolist() == [1, 2]


def test_duplicates_are_neighbours_but_a_point_is_not_its_own():
    table = NeighborTable.build([[5.0], [5.0], [5.0], [9.0]], n_neighbors=3)
    assert table.indices.tolist() == [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]
    assert table.distances[0].tolist() == [0, 0, 4]


def test_euclidean_order_is_that_of_squares():
    # Two squares apart by one unit in the last place have the same root.
    base = np.array([[0.0, 0.0], [1.0, 2.0**-26], [1.0, 0.0]])
    table = NeighborTable.build(base, n_neighbors=2)
    assert table.keys[0, 0] < table.keys[0, 1]
    assert table.distances[0, 0] == table.distances[0, 1]
    assert table.indices[0].tolist() == [2, 1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("engine", "metric"), ENGINES)
@pytest.mark.parametrize("size", [(60, 3, 7), (330, 5, 40)])
@pytest.mark.usefixtures("backend")
def test_every_engine_gives_the_canonical_table(kind, engine, metric, size):
    n, d, k = size
    X = make_points(np.random.default_rng(n + d), kind, n, d)
    table = NeighborTable.build(X, metric, k, engine=engine)
    keys = measure_all(X, metric)
    everyone = np.arange(n)
    expected = search_literally(keys, everyone, everyone, k, exclude_self=True)
    assert table.engine == engine
    assert np.array_equal(table.keys, expected[0])
    assert np.array_equal(table.indices, expected[1])


@pytest.mark.parametrize("scale", [1e-170, 1e-3, 1e140])
@pytest.mark.parametrize("engine", ["brute", "kdtree", "matrix"])
def test_very_small_and_large_numbers_keep_the_order(engine, scale):
    X = np.random.default_rng(0).integers(0, 9, (400, 2)) * scale
    table = NeighborTable.build(X, n_neighbors=12, engine=engine)
    everyone = np.arange(400)
    _, expected = search_literally(measure_all(X, "euclidean"), everyone, everyone, 12, True)
    assert np.array_equal(table.indices, expected)


@pytest.mark.parametrize("kind", ["continuous", "offset"])
def test_no_row_of_an_engine_needs_a_second_search_without_ties(monkeypatch, kind):
    asked = []
    space = make_space(make_points(np.random.default_rng(0), kind, 500, 3))
    search = type(space).search
    monkeypatch.setattr(
        type(space), "search", lambda *a, **kw: asked.append(len(a[1])) or search(*a, **kw)
    )
    for engine in ("kdtree", "matrix"):
        engines.find_neighbors(space, 10, engine)
    assert asked == []


def test_an_engine_that_does_not_suit_the_data_is_given_up(monkeypatch):
    proposed = []
    monkeypatch.setattr(engines, "_BLOCK", 100_000)
    propose = engines.TreeEngine._propose
    monkeypatch.setattr(
        engines.TreeEngine, "_propose", lambda *a: proposed.append(len(a[1])) or propose(*a)
    )
    table = NeighborTable.build(np.zeros((1000, 2)), n_neighbors=5, engine="kdtree")
    assert proposed == [100]
    assert table.indices[999].tolist() == [0, 1, 2, 3, 4]


def test_cosine_is_exact_for_parallel_orthogonal_and_zero_rows():
    X = [[3.0, 4, 0], [3, 4, 0], [0, 0, 7], [0, 0, 0], [0, 0, 0], [6, 8, 0]]
    table = NeighborTable.build(X, "cosine", 5)
    assert table.indices[0].tolist() == [1, 5, 2, 3, 4]
    assert table.distances[0].tolist() == [0, 0, 1, 1, 1]
    assert table.indices[3].tolist() == [4, 0, 1, 2, 5]
    assert table.distances[3].tolist() == [0, 1, 1, 1, 1]


def test_cosine_works_where_squares_would_overflow():
    X = np.array([[1.0, 2], [2, 1], [3, 1]])
    plain = NeighborTable.build(X, "cosine", 2)
    scaled = NeighborTable.build(X * [[2.0**900], [2.0**-900], [1]], "cosine", 2)
    assert np.array_equal(plain.keys, scaled.keys)


def test_hamming_is_the_share_of_unequal_entries():
    table = NeighborTable.build([[1, 1, 1, 1], [1, 1, 1, 0], [0, 0, 1, 0]], "hamming", 2)
    assert table.distances.tolist() == [[0.25, 0.75], [0.25, 0.5], [0.5, 0.75]]


def test_precomputed_reads_rows():
    D = np.array([[0.0, 1, 2], [5, 0, 4], [3, 3, 0]])
    table = NeighborTable.build(D, "precomputed", 2)
    assert table.indices.tolist() == [[1, 2], [2, 0], [0, 1]]
    assert table.distances.tolist() == [[1, 2], [4, 5], [3, 3]]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine", "hamming"])
def test_distances_agree_with_scikit_learn(metric):
    X = np.random.default_rng(1).normal(size=(80, 5))
    theirs = NearestNeighbors(n_neighbors=79, metric=metric).fit(X).kneighbors()
    ours = NeighborTable.build(X, metric, 200)
    assert ours.distances == pytest.approx(theirs[0], abs=1e-9)
    if metric != "hamming":
        assert np.array_equal(ours.indices, theirs[1])


def test_occurrences_and_graph():
    table = NeighborTable.build(T1, n_neighbors=3)
    assert table.occurrences(3).tolist() == [1, 3, 4, 4, 3, 3, 4, 4, 3, 1]
    assert table.occurrences(1).tolist() == [1, 1, 1, 2, 0, 1, 1, 1, 2, 0]
    y = np.array([0, 0, 0, 1, 0, 1, 1, 0, 1, 1])
    per_class = table.lists.class_occurrences(y, 3)
    assert per_class[:, 0].tolist() == [1, 2, 3, 4, 1, 2, 1, 0, 1, 0]
    assert per_class[:, 1].tolist() == [0, 1, 1, 0, 2, 1, 3, 4, 2, 1]
    graph = table.to_graph(2)
    assert graph.shape == (10, 10)
    assert graph.getrow(2).indices.tolist() == [3, 1]


def test_graph_serves_scikit_learn_with_its_ties():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (90, 2)).astype(float), rng.integers(0, 3, 90)
    train, test = np.arange(60), np.arange(60, 90)
    fold = NeighborTable.build(X, n_neighbors=89).restrict(train, test, 7)
    model = KNeighborsClassifier(7, metric="precomputed").fit(fold.train.to_graph(), y[train])
    votes = [np.bincount(y[train][row], minlength=3).argmax() for row in fold.test.indices]
    assert model.predict(fold.test.to_graph()).tolist() == votes


def test_the_engine_is_chosen_by_size_dimension_and_metric():
    def chosen(n, d, metric="euclidean"):
        return engines.choose_engine(make_space(np.zeros((n, d)), metric))

    assert chosen(20_000, 2) == chosen(20_000, 2, "manhattan") == "kdtree"
    assert chosen(20_000, 16) == chosen(2000, 1200) == "matrix"
    assert chosen(500, 2) == chosen(500, 16) == chosen(20_000, 5) == "brute"
    assert chosen(20_000, 2, "cosine") == chosen(2000, 400, "manhattan") == "brute"


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.usefixtures("backend")
def test_number_of_threads_changes_nothing(metric):
    X = make_points(np.random.default_rng(5), "integer", 90, 90 if metric == "precomputed" else 5)
    one, two = (NeighborTable.build(X, metric, 30, n_threads=n) for n in (1, 2))
    assert np.array_equal(one.keys, two.keys)
    assert np.array_equal(one.indices, two.indices)


def test_the_table_cannot_be_changed():
    table = NeighborTable.build(T1, n_neighbors=3)
    with pytest.raises(ValueError, match="read-only"):
        table.indices[0, 0] = 7


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        (T1, {"metric": "euclidian"}, "'euclidian' is not known. Did you mean euclidean"),
        (T1, {"engine": "faiss"}, "engine 'faiss' is not known. Known: auto, brute"),
        (T1, {"engine": "matrix", "metric": "manhattan"}, "searches by euclidean only"),
        (T1, {"n_neighbors": 0}, "n_neighbors must be at least 1, got 0"),
        (T1, {"window": 0.1}, "window belongs to metric='dtw' only"),
        (T1, {"n_threads": 0}, "n_threads must be at least 1"),
        (T1[:1], {}, "at least 2 points"),
        (T1[:, 0], {}, "must have 2 dimensions"),
        (T1[:, :0], {}, "at least one feature"),
        ([[0.0], [np.nan]], {}, "finite numbers only"),
        ([[0.0], [1e200]], {}, "rescale the features"),
        (T1, {"metric": "precomputed"}, "square matrix"),
        ([[0.0], [1.0]], {"metric": "dtw", "window": 10}, "between 0 and 1, or None, got 10"),
    ],
)
def test_bad_input_is_named(X, options, message):
    with pytest.raises(InputError, match=message):
        NeighborTable.build(X, **options)


def test_sparse_input_is_refused_with_a_way_out():
    from scipy.sparse import csr_matrix

    with pytest.raises(InputError, match="metric='precomputed'"):
        NeighborTable.build(csr_matrix(T1))
