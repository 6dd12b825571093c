"""Neighbour learners given distances instead of features answer the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier

from noisebench.learners import KNN, RobustKNN
from noisebench.neighbors import NeighborTable
from noisebench.neighbors.graphs import read_precomputed

LEARNERS = [KNN(4), KNN(3, ties="first"), RobustKNN(5, 7), RobustKNN(200, 300)]


def case(seed: int):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (60, 2)).astype(float)  # many ties and duplicates
    y = rng.integers(0, 2, 60)
    return X, y, rng.permutation(60)[:45], np.arange(60)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_a_neighbour_graph_and_a_matrix_stand_for_the_features(learner, seed):
    X, y, train, _ = case(seed)
    test = np.setdiff1d(np.arange(60), train)
    expected = learner.set_params(metric="euclidean").fit(X[train], y[train]).predict(X[test])
    fold = NeighborTable.build(X, n_neighbors=20).restrict(train, test, 45)
    lengths = learner.list_lengths(len(train))
    learner.set_params(metric="precomputed")
    graphs = [
        lists.to_graph(length) if length else csr_matrix((len(lists.indices), len(train)))
        for lists, length in zip((fold.train, fold.test), lengths, strict=True)
    ]
    assert learner.fit(graphs[0], y[train]).predict(graphs[1]).tolist() == expected.tolist()
    matrix = cdist(X, X[train])
    learner.fit(matrix[train], y[train])
    assert learner.predict(matrix[test]).tolist() == expected.tolist()


def test_graphs_of_scikit_learn_are_read_in_canonical_order():
    graph = csr_matrix(np.array([[3.0, 1.0, 2.0], [1.0, 1.0, 5.0]]))
    lists = read_precomputed(graph, 2)
    assert lists.indices.tolist() == [[1, 2], [0, 1]]
    assert lists.distances.tolist() == [[1.0, 2.0], [1.0, 1.0]]


def test_a_point_is_left_out_of_its_own_list_by_index():
    X = np.zeros((3, 1))
    graph = KNeighborsClassifier(3).fit(X, [0, 1, 0]).kneighbors_graph(X, 3, mode="distance")
    lists = read_precomputed(graph, 2, exclude_self=True)
    assert np.sort(lists.indices).tolist() == [[1, 2], [0, 2], [0, 1]]


def test_a_graph_that_is_too_shallow_is_refused():
    graph = csr_matrix(np.array([[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]))
    with pytest.raises(ValueError, match="holds 2 neighbours of some row, 3 are needed"):
        read_precomputed(graph, 3)


def test_a_fit_needs_square_distances():
    with pytest.raises(ValueError, match="must be square"):
        KNN(1, metric="precomputed").fit(np.zeros((2, 3)), [0, 1])
