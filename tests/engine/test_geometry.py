"""Shared neighbours change the time that a run takes, and nothing else."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from noisebench.engine import geometry
from noisebench.engine.geometry import table_depth
from tests.conftest import stored_rows

SWEEP = (
    "run -q -m dataset=iris,breast_cancer noise=none,uniform learner=knn learner.n_neighbors=1,4,7 "
    "protocol.repeats=2 executor=serial"
)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("NOISEBENCH_CACHE", str(tmp_path / "cache"))
    geometry.open_table.cache_clear()
    yield tmp_path / "cache"
    geometry.open_table.cache_clear()


def test_rows_are_the_same_with_and_without_the_table(noisebench, monkeypatch, own_cache):
    assert noisebench(f"{SWEEP} name=shared") == 0
    assert list(own_cache.rglob("indices.npy"))
    monkeypatch.setattr("noisebench.engine.plan.shares_table", lambda *_: False)
    assert noisebench(f"{SWEEP} name=alone") == 0
    shared, alone = stored_rows("runs/shared"), stored_rows("runs/alone")
    assert shared.pop("shared_neighbors").all()
    assert not alone.pop("shared_neighbors").any()
    pd.testing.assert_frame_equal(shared, alone, check_exact=True)


def test_a_learner_with_a_metric_of_its_own_searches_for_itself(noisebench):
    line = "run -q -m dataset=iris learner=knn learner.metric=euclidean,manhattan name=a"
    assert noisebench(f"{line} protocol.repeats=1 executor=serial") == 0
    by_learner = stored_rows("runs/a").groupby("learner")["shared_neighbors"].all()
    assert by_learner.to_dict() == {
        "knn[metric=euclidean]": True,
        "knn[metric=manhattan]": False,
    }


def test_neighbour_learners_measure_as_their_data_set_says(noisebench, here):
    (here / "own" / "dataset").mkdir(parents=True)
    (here / "own" / "dataset" / "streets.yaml").write_text(
        "defaults: [iris]\nmetric: manhattan\ntitle: iris by blocks\n"
    )
    words = "protocol.repeats=3 executor=serial learner.n_neighbors=3"
    assert noisebench(f"run -q dataset=streets {words} name=a --config-dir own") == 0
    assert noisebench(f"run -q dataset=iris {words} learner.metric=manhattan name=b") == 0
    # Another name draws other folds, so compare the learner on all of them together.
    a, b = (stored_rows(f"runs/{name}")["accuracy"].mean() for name in "ab")
    assert a == pytest.approx(b, abs=0.02)
    assert stored_rows("runs/a")["shared_neighbors"].all()


def test_most_lists_of_a_fold_are_long_enough():
    rng = np.random.default_rng(0)
    for length, n_rows, n_train in [(5, 1000, 750), (50, 7400, 400), (100, 5000, 4500)]:
        depth = table_depth(length, n_rows, n_train)
        assert depth is not None
        trained = rng.random((2000, depth)) < n_train / n_rows
        assert (trained.sum(axis=1) < length).mean() < 0.01


def test_no_table_where_a_search_in_the_fold_is_as_cheap():
    assert table_depth(5, 7400, 10) is None
    assert table_depth(0, 1000, 750) is None
    assert table_depth(90, 100, 75) == 99  # of few points, all neighbours are kept
