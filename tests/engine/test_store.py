from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from noisebench.components import Component
from noisebench.engine.store import LEADING, TRAILING, RunStore
from noisebench.engine.study import Cell, Study, combine
from noisebench.files import write_text, write_whole


def row(number: int, **more: object) -> dict[str, object]:
    base: dict[str, object] = dict.fromkeys((*LEADING, *TRAILING), 0)
    words = {"dataset": "d", "noise": "n", "learner": "l", "protocol": "p", "warnings": ""}
    own = {"repeat": number, "accuracy": 0.1 * number, "task": f"t{number}"}
    return {**base, **words, **own, **more}


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore.create(tmp_path / "run")


def test_rows_come_back_once_and_sorted_whatever_the_order(store):
    store.append([row(2), row(0)])
    store.append([row(1), row(2)])
    assert store.read_rows()["repeat"].tolist() == [0, 1, 2]


def test_numbers_come_back_to_the_bit(store):
    values = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308]
    store.append([row(i, accuracy=value) for i, value in enumerate(values)])
    assert store.read_rows()["accuracy"].tolist() == values


def test_many_appends_leave_few_files_and_all_rows(store):
    for number in range(100):
        store.append([row(number)])
    assert len(list(store.rows_folder.iterdir())) <= 25
    store.merge()
    assert len(list(store.rows_folder.iterdir())) == 1
    assert store.read_rows()["repeat"].tolist() == list(range(100))


def test_a_crash_between_merge_and_clean_up_loses_and_doubles_nothing(store, monkeypatch):
    store.append([row(0)])
    store.append([row(1)])

    def fail(self: Path, missing_ok: bool = False) -> None:
        raise OSError("power is gone")

    monkeypatch.setattr(Path, "unlink", fail)
    with pytest.raises(OSError, match="power is gone"):
        store.merge()
    monkeypatch.undo()
    assert len(list(store.rows_folder.iterdir())) == 3
    assert store.read_rows()["repeat"].tolist() == [0, 1]


def test_columns_of_learners_stand_between_scores_and_bookkeeping(store):
    store.append([row(0, tau_=0.1)])
    store.append([row(1)])
    rows = store.read_rows()
    assert list(rows.columns) == [*LEADING, "tau_", *TRAILING]
    assert rows["tau_"].isna().tolist() == [False, True]


def test_files_are_whole_or_not_there(tmp_path):
    path = tmp_path / "a" / "file.txt"
    write_text(path, "old")

    def fail(part: Path) -> None:
        part.write_text("half")
        raise RuntimeError("disk gone")

    with pytest.raises(RuntimeError):
        write_whole(path, fail)
    assert path.read_text() == "old"
    assert [p.name for p in path.parent.iterdir()] == ["file.txt"]


def test_a_study_survives_its_file(store):
    parts = {
        kind: [Component(kind, f"{kind}1", {"_target_": "a.B", "x": [1, {"y": None}]}, "L", ("r",))]
        for kind in ("dataset", "noise", "learner", "protocol")
    }
    study = combine(parts, [0, 3], {"title": "τ₊ table"}, optional=True)
    store.write_config(study, {"seed": 0})
    assert store.study() == study
    assert study.cells[1] == Cell("dataset1", "noise1", "learner1", "protocol1", 3)
    assert isinstance(store.study(), Study)


def test_rows_of_an_empty_run_are_an_empty_table(store):
    assert isinstance(store.read_rows(), pd.DataFrame)
    assert store.read_rows().empty
