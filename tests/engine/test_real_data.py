"""Real data sets through the harness: shared neighbours, published partitions."""

from __future__ import annotations

import os

import numpy as np
import pytest

from noisebench.configuration import ConfigSpace
from noisebench.datasets import Dataset, load_dataset
from noisebench.datasets.overview import catalogue_entries
from noisebench.learners import KNN
from noisebench.neighbors import NeighborTable
from noisebench.protocols import Holdout, RepeatedKFold

SHIPPED = ["iris", "wine", "digits", "breast_cancer"]
FROM_FOLDER = ["heart", "ionosphere", "diabetes", "vehicle", "german", "glass", "haberman", "bupa"]

needs_folder = pytest.mark.skipif(
    "NOISEBENCH_DATA" not in os.environ,
    reason="NOISEBENCH_DATA names no folder with the data files",
)


def load(name: str) -> Dataset:
    return load_dataset(name, catalogue_entries(ConfigSpace(), [name])[name])


@pytest.mark.parametrize(
    "name", [*SHIPPED, *(pytest.param(name, marks=needs_folder) for name in FROM_FOLDER)]
)
def test_votes_from_the_table_equal_votes_from_scratch(name):
    data = load(name)
    table = NeighborTable.build(data.X, data.metric, 120)
    grid = range(5, 105, 5)
    for split in RepeatedKFold(4).splits(data, 0, np.random.default_rng(0)):
        X, y = data.X[split.train], data.y[split.train]
        fold = table.restrict(split.train, split.test, max(grid))
        for k in grid:
            scratch = KNN(k, data.metric).fit(X, y).predict(data.X[split.test])
            shared = KNN(k, "precomputed").fit(fold.train.to_graph(1), y)
            assert (shared.predict(fold.test.to_graph(k)) == scratch).all()


@needs_folder
@pytest.mark.parametrize(
    ("name", "n_parts", "n_train", "n_test"),
    [("banana", 10, 400, 4900), ("heart_raetsch", 10, 170, 100), ("g50c", 10, 500, 50)],
)
def test_published_partitions_drive_the_protocol(noisebench, name, n_parts, n_train, n_test):
    from tests.conftest import stored_rows

    line = f"run -q dataset={name} protocol=partitions learner.n_neighbors=1 name=a executor=serial"
    assert noisebench(line) == 0
    rows = stored_rows("runs/a")
    assert len(rows) == n_parts
    assert set(rows["n_train"]) == {n_train}
    assert set(rows["n_test"]) == {n_test}


@needs_folder
@pytest.mark.parametrize(
    ("name", "k", "printed"),
    [("g50c", 1, 79.6), ("g50c", 3, 88.4), ("g50c", 5, 92.0), ("g10n", 1, 75.2), ("g10n", 5, 78.2)],
)
def test_knn_on_published_splits_equals_marchiori_table_2(name, k, printed):
    data = load(name)
    protocol = Holdout(repeats=10, partitions="published")
    scores = []
    for repeat in range(protocol.n_repeats(data)):
        [split] = protocol.splits(data, repeat, np.random.default_rng(0))
        learner = KNN(k).fit(data.X[split.train], data.y[split.train])
        scores.append(learner.score(data.X[split.test], data.y[split.test]))
    assert 100 * np.mean(scores) == pytest.approx(printed, abs=1e-9)
