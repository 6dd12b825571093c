"""Nearest neighbours of queries that are not part of a table."""

import numpy as np
import pytest

from noisebench.errors import InputError
from noisebench.neighbors import kneighbors, nearest
from tests.neighbors.neighbor_oracles import METRICS, make_points, measure_all, search_literally


def test_a_query_between_two_points_prefers_the_lower_index():
    line = np.array([[0.0], [1.0], [3.0]])
    distances, indices = kneighbors(np.array([[2.0]]), line, 2)
    assert (distances.tolist(), indices.tolist()) == ([[1.0, 1.0]], [[1, 2]])
    assert indices.dtype == np.intp


def test_a_query_that_is_a_point_finds_itself_unless_excluded():
    line = np.array([[0.0], [1.0], [3.0]])
    assert kneighbors(line, line, 1)[1].tolist() == [[0], [1], [2]]
    assert kneighbors(line, line, 1, exclude_self=True)[1].tolist() == [[1], [0], [1]]
    assert kneighbors(line[:2], line, 1, exclude_self=True)[1].tolist() == [[1], [0]]


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("n", [30, 400])
def test_queries_equal_a_literal_search(metric, n):
    if (metric, n) == ("dtw", 400):
        n = 60
    rng = np.random.default_rng(n)
    X = make_points(rng, "integer", n, n if metric == "precomputed" else 3)
    keys = measure_all(X, metric)
    rows, columns = np.arange(10), np.arange(10, n)
    queries = X[:10, 10:] if metric == "precomputed" else X[:10]
    distances, indices = kneighbors(queries, X[10:], 7, metric)
    expected, places = search_literally(keys, rows, columns, 7, exclude_self=False)
    assert np.array_equal(indices, places)
    final = {"euclidean": np.sqrt, "hamming": lambda key: key / 3}.get(metric, lambda key: key)
    assert np.array_equal(distances, final(expected))


def test_precomputed_queries_leave_themselves_out_and_stay_unchanged():
    D = np.array([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])
    before = D.copy()
    assert kneighbors(D, D, 1, "precomputed", exclude_self=True)[1].tolist() == [[1], [0], [1]]
    assert np.array_equal(D, before)


def test_nearest_settles_ties_at_the_cut():
    block = np.array([[1.0, 0, 1, 1, 0], [5.0, 4, 3, 2, 1]])
    assert nearest(block, 3).tolist() == [[1, 4, 0], [4, 3, 2]]
    assert nearest(block, 5).tolist() == [[1, 4, 0, 2, 3], [4, 3, 2, 1, 0]]


@pytest.mark.parametrize(
    ("queries", "k", "metric", "message"),
    [
        (np.zeros((1, 2)), 4, "euclidean", "between 1 and 3, got 4"),
        (np.zeros((1, 2)), 0, "euclidean", "between 1 and 3, got 0"),
        (np.zeros((1, 3)), 1, "euclidean", "the 2 features of points, got 3"),
        (np.zeros((1, 2)), 1, "minkowsky", "'minkowsky' is not known"),
        (np.full((1, 2), np.inf), 1, "euclidean", "queries must hold finite numbers"),
    ],
)
def test_bad_input_is_named(queries, k, metric, message):
    with pytest.raises(InputError, match=message):
        kneighbors(queries, np.zeros((3, 2)), k, metric)
