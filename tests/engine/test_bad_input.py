"""Bad input: exit code 2, one clear sentence, and nothing written."""

from __future__ import annotations

import os

import pytest

CASES = {
    "unknown data set": ("dataset=breast_cancr", "no dataset 'breast_cancr'. Did you mean breast"),
    "unknown noise": ("noise=unifrom", "Did you mean uniform"),
    "unknown learner": ("learner=rkn", "no learner 'rkn'. Did you mean rknn"),
    "unknown protocol": ("protocol=cv4", "no protocol 'cv4'"),
    "unknown executor": ("executor=dusk", "no executor 'dusk'"),
    "unknown experiment": ("experiment=gao_table9", "Did you mean gao_table2"),
    "unknown profile": ("profile=quik", "Did you mean quick"),
    "unknown setting": ("sed=3", "Unknown setting 'sed'"),
    "unknown parameter": ("learner.n_neighbours=3", "Did you mean n_neighbors"),
    "a rate above one": ("noise=uniform noise.rate=1.5", "rate"),
    "a negative rate": ("noise=class_conditional noise.tau_pos=-0.1", "tau_pos"),
    "rates that sum to one": (
        "noise=class_conditional noise.tau_pos=0.5 noise.tau_neg=0.5",
        "tau_pos",
    ),
    "a k beyond the training part": (
        "dataset=iris learner.n_neighbors=113",
        "n_neighbors=113, but a training part of 'iris' under 10 × 4-fold cross-validation has 112",
    ),
    "stratified folds beyond a class": (
        "dataset=wine protocol.stratified=true protocol.n_folds=50",
        "class 'class_2' has 48 members, fewer than the 50 stratified folds",
    ),
    "no classifier": (
        "learner._target_=sklearn.linear_model.Ridge",
        "is not a scikit-learn classif",
    ),
    "a class that is not there": ("learner._target_=sklearn.svm.SVX", "has no 'SVX'"),
    "no noise model": ("noise._target_=builtins.dict", "has no method corrupt"),
    "two-class noise on three classes": ("dataset=iris noise=class_conditional", "class"),
    "a two-class learner on three classes": (
        "dataset=iris learner=rknn",
        "learner 'rknn' tells two classes apart, but 'iris' has 3",
    ),
    "a sweep without -m": ("dataset=iris,wine", "add -m"),
    "a name that climbs": ("name=../x", "plain folder name"),
    "a bad on_error": ("on_error=ignore", "on_error must be 'continue' or 'stop'"),
    "a data folder that is not there": (
        "data.root=nowhere",
        "The data folder nowhere is not there",
    ),
    "no room in the cache": ("cache.max_gb=0", "cache.max_gb must be a number above 0"),
    "no workers": ("executor.n_jobs=0", "executor.n_jobs must be"),
    "a folder of YAML that is not there": ("--config-dir nowhere", "there is no such folder"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_refused_before_any_work(noisebench, here, capsys, case):
    words, message = CASES[case]
    assert noisebench(f"run {words}") == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.strip().splitlines()) == 1
    assert not (here / "runs").exists()


def write_dataset(here, name: str, X: str, y: str) -> None:
    (here / f"module_{name}.py").write_text(
        f"import numpy as np\ndef {name}(*, rng):\n    return np.array({X}, float), np.array({y})\n"
    )
    (here / "conf" / "dataset").mkdir(parents=True)
    (here / "conf" / "dataset" / f"{name}.yaml").write_text(
        "title: own\nsources:\n  - _target_: noisebench.datasets.sources.GeneratorSource\n"
        f"    function: module_{name}.{name}\n"
    )


@pytest.mark.parametrize(
    ("name", "X", "y", "message"),
    [
        ("holes", "[[1], [float('nan')], [2], [3]]", "[0, 1, 0, 1]", "row 1, column 0"),
        ("endless", "[[1], [2], [float('inf')], [3]]", "[0, 1, 0, 1]", "1 NaN or infinite"),
        ("single", "[[1], [2], [3], [4]]", "[0, 0, 0, 0]", "one class only"),
    ],
)
def test_tables_that_teach_nothing_are_refused(
    noisebench, here, capsys, monkeypatch, name, X, y, message
):
    monkeypatch.syspath_prepend(str(here))
    write_dataset(here, name, X, y)
    assert noisebench(f"run dataset={name} --config-dir conf learner.n_neighbors=1") == 2
    assert message in capsys.readouterr().err


def test_a_name_in_use_by_another_configuration_is_refused(noisebench, here, capsys):
    line = "run -q dataset=iris protocol.repeats=1 executor=serial name=a"
    assert noisebench(line) == 0
    before = {path: path.read_bytes() for path in (here / "runs").rglob("*.*") if path.is_file()}
    capsys.readouterr()
    for change, difference in {
        "seed=1": "seed was 0, is 1",
        "learner.n_neighbors=3": "learner 'knn' is missing now",
        "dataset=wine": "dataset 'iris' is missing now",
        "protocol.n_folds=3": "protocol 'cv4x10' is missing now",
    }.items():
        assert noisebench(f"{line} {change}") == 2
        told = capsys.readouterr().err
        assert "already holds 4 rows of another configuration" in told
        assert difference in told
        assert "choose another name=" in told
    assert len(before) > 3
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder_is_refused(noisebench, here, capsys):
    (here / "runs").mkdir(mode=0o500)
    assert noisebench("run dataset=iris name=a") == 2
    assert "Cannot write to" in capsys.readouterr().err


def test_a_file_in_the_way_is_refused(noisebench, here, capsys):
    (here / "runs").write_text("")
    assert noisebench("run dataset=iris name=a") == 2
    assert "Cannot write to runs/a" in capsys.readouterr().err
    (here / "out").mkdir()
    (here / "out" / "a").write_text("")
    assert noisebench("run dataset=iris name=a output=out") == 2
    assert "out/a is a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"notes.txt": "mine"}, "no run of noisebench"),
        ({"config.yaml": "layout_version: 99\n"}, "has layout 99"),
        ({"config.yaml": "just words"}, "is no configuration of a run"),
        ({"config.yaml": "a: [1"}, "cannot be read"),
    ],
)
def test_foreign_and_newer_folders_are_refused(noisebench, here, capsys, files, message):
    folder = here / "runs" / "a"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    for line in ("run dataset=iris name=a", "table runs/a", "rows runs/a"):
        assert noisebench(line) == 2
        assert message in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == set(files)


def test_a_damaged_shard_is_named(noisebench, here, capsys):
    assert noisebench("run -q dataset=iris protocol.repeats=1 executor=serial name=a") == 0
    [shard] = (here / "runs/a/rows").glob("*.parquet")
    shard.write_bytes(shard.read_bytes()[:-20])
    assert noisebench("table runs/a") == 2
    told = capsys.readouterr().err
    assert shard.name in told
    assert "is damaged" in told
