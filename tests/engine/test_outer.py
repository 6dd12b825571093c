"""The choice on the test folds themselves, against a literal search over all values."""

from __future__ import annotations

import pytest

from tests.conftest import stored_rows

WORDS = "dataset=breast_cancer noise=class_conditional protocol.repeats=2 executor=serial"


def test_the_best_k_over_the_test_folds_is_taken(noisebench):
    grid = "learner=knn learner.n_neighbors=5,15,40,90"
    assert noisebench(f"run -q -m {WORDS} {grid} name=all") == 0
    every = stored_rows("runs/all")
    means = every.groupby(["repeat", "learner"])["accuracy"].mean().unstack()
    outer = f"run -q {WORDS} learner=knn_outer learner.grid=[5,15,40,90] name=outer"
    assert noisebench(outer) == 0
    rows = stored_rows("runs/outer")
    assert rows.groupby("repeat")["accuracy"].mean().tolist() == pytest.approx(
        means.max(axis=1).tolist()
    )
    assert (rows.groupby("repeat")["n_neighbors"].nunique() == 1).all()


def test_the_best_pair_over_the_test_folds_is_taken(noisebench):
    pairs = "learner=rknn learner.n_neighbors=10,40 learner.noise_neighbors=20,60"
    assert noisebench(f"run -q -m {WORDS} {pairs} name=all") == 0
    every = stored_rows("runs/all")
    means = every.groupby(["repeat", "learner"])["accuracy"].mean().unstack()
    outer = "learner=rknn_outer learner.grid=[10,40] learner.noise_grid=[20,60]"
    assert noisebench(f"run -q {WORDS} {outer} name=outer") == 0
    rows = stored_rows("runs/outer")
    assert rows.groupby("repeat")["accuracy"].mean().tolist() == pytest.approx(
        means.max(axis=1).tolist()
    )


def test_a_learner_with_a_metric_of_its_own_cannot_choose_so(noisebench, capsys):
    line = f"run -q {WORDS} learner=knn_outer learner.metric=chebyshev name=a"
    assert noisebench(line) == 1
    assert "selection=outer is for KNNCV and RobustKNNCV" in capsys.readouterr().err
