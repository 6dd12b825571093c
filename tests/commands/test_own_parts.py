"""What users bring along: classes, folders of YAML, experiments."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.conftest import stored_rows


def test_any_scikit_learn_classifier_is_a_learner(noisebench):
    words = "learner._target_=sklearn.ensemble.RandomForestClassifier learner.n_estimators=5"
    assert noisebench(f"run -q dataset=iris protocol.repeats=1 executor=serial name=a {words}") == 0
    rows = stored_rows("runs/a")
    assert set(rows["learner"]) == {"RandomForestClassifier[n_estimators=5]"}
    assert rows["accuracy"].mean() > 0.9


def test_a_folder_of_ones_own_brings_learner_noise_data_and_experiment(noisebench, here, capsys):
    (here / "mine.py").write_text(
        "import numpy as np\n"
        "from sklearn.base import BaseEstimator, ClassifierMixin\n"
        "class Constant(ClassifierMixin, BaseEstimator):\n"
        "    def __init__(self, answer=1):\n        self.answer = answer\n"
        "    def fit(self, X, y):\n        self.share_ = float(np.mean(y))\n        return self\n"
        "    def predict(self, X):\n        return np.full(len(X), self.answer)\n"
        "class AllOnes:\n"
        "    def corrupt(self, y, rng, n_classes=None):\n        return np.ones_like(y)\n"
        "def coin(*, rng, n=40):\n    return rng.normal(size=(n, 2)), np.arange(n) % 2\n"
    )
    files = {
        "learner/constant.yaml": "_target_: mine.Constant\nanswer: 1\nrecord: [share_]\n",
        "noise/all_ones.yaml": "# Every label becomes 1.\n_target_: mine.AllOnes\n",
        "dataset/coin.yaml": (
            "title: coin\nsources:\n  - _target_: noisebench.datasets.sources.GeneratorSource\n"
            "    function: mine.coin\nexpect: {rows: 40, features: 2, classes: 2}\n"
        ),
        "experiment/own.yaml": (
            "title: Mine\ndatasets: [coin]\nnoises: [all_ones, none]\n"
            "learners: [constant, {constant: {answer: 0}}]\nprotocol: cv4x10\n"
            "table: {baseline: constant}\nprofiles: {quick: {noises: [none]}}\n"
        ),
    }
    for name, text in files.items():
        path = here / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert noisebench("run experiment=own --config-dir own executor=serial name=a") == 0
    assert "Mine" in capsys.readouterr().out
    rows = stored_rows("runs/a")
    assert len(rows) == 2 * 2 * 40
    noisy = rows[rows["noise"] == "all_ones"]
    assert (noisy["share_"] == 1.0).all()
    assert (noisy["n_flipped"] > 0).all()
    assert np.allclose(rows["accuracy"].groupby(rows["learner"]).mean(), 0.5)
    assert noisebench("run -q experiment=own profile=quick --config-dir own executor=serial") == 0
    quick = stored_rows("runs/own-quick")
    assert set(quick["noise"]) == {"none"}
    assert set(quick["repeat"]) == {0, 1}
    assert noisebench("list learners --config-dir own") == 0
    assert "constant" in capsys.readouterr().out


GONE = (
    "title: gone\nsources:\n  - _target_: noisebench.datasets.sources.FileSource\n"
    "    files: [nowhere.csv]\n    format: csv\n"
)


def test_data_that_cannot_be_had_are_left_out_of_an_experiment_but_refused_by_name(
    noisebench, here, capsys
):
    for name, text in {
        "dataset/gone.yaml": GONE,
        "experiment/own.yaml": "datasets: [gone, iris]\nlearners: [knn, majority]\n",
        "experiment/lost.yaml": "datasets: [gone]\n",
    }.items():
        (here / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        (here / "own" / name).write_text(text)
    words = "--config-dir own protocol.repeats=1 executor=serial"
    assert noisebench(f"run experiment=own {words} name=a") == 0
    assert "Not at hand, left out: gone." in capsys.readouterr().err
    assert set(stored_rows("runs/a")["dataset"]) == {"iris"}
    assert noisebench(f"run experiment=lost {words}") == 2
    assert "None of the data sets can be had" in capsys.readouterr().err
    assert noisebench(f"run dataset=gone {words}") == 2
    assert "Data set 'gone' cannot be had here and now" in capsys.readouterr().err


def test_the_command_line_replaces_an_experiments_list(noisebench):
    line = "run -q -m experiment=gao_table2 dataset=breast_cancer learner=majority,knn name=a"
    assert noisebench(f"{line} noise=none protocol.repeats=1 executor=serial") == 0
    rows = stored_rows("runs/a")
    assert set(rows["learner"]) == {"majority", "knn"}
    assert set(rows["noise"]) == {"none"}
    assert len(rows) == 8


@pytest.fixture
def small(here):
    """An experiment of one's own: two learners on one data set."""
    (here / "own" / "experiment").mkdir(parents=True)
    (here / "own" / "experiment" / "small.yaml").write_text(
        "title: Small\ndatasets: [breast_cancer]\nnoises: [none, class_conditional]\n"
        "learners: [rknn, knn]\nprotocol: cv4x10\ntable: {baseline: rknn}\n"
    )
    return "--config-dir own protocol.repeats=1 executor=serial"


def test_settings_alone_change_every_entry_of_an_experiments_list(noisebench, small):
    assert noisebench(f"run -q experiment=small learner.n_neighbors=7 name=a {small}") == 0
    learners = set(stored_rows("runs/a")["learner"])
    assert learners == {"rknn[n_neighbors=7]", "knn[n_neighbors=7]"}


def test_a_dry_run_checks_and_writes_nothing(noisebench, here, capsys):
    assert noisebench("run --dry-run -m dataset=iris,wine learner=knn,majority name=a") == 0
    assert capsys.readouterr().out.strip() == "runs/a: 4 cells, 160 tasks in 80 jobs."
    assert not (here / "runs").exists()
    assert noisebench("run --dry-run dataset=iris learner.n_neighbors=500") == 2


def test_reproduce_runs_experiments_and_says_where_they_lie(noisebench, small, capsys):
    assert noisebench(f"reproduce --only small {small}") == 0
    told = capsys.readouterr().out
    assert "win/tie/loss" in told
    assert "small: 16 of 16 rows (0 reused), in runs/small-quick/" in told
    assert noisebench(f"reproduce --only small {small}") == 0
    assert "(16 reused)" in capsys.readouterr().out


def test_the_module_runs_as_a_program(here):
    done = subprocess.run(
        [sys.executable, "-m", "noisebench", "--version"], capture_output=True, text=True, cwd=here
    )
    assert done.returncode == 0
    assert done.stdout.startswith("noisebench ")


@pytest.mark.parametrize("heavy", ["sklearn", "pandas", "hydra", "matplotlib", "openml", "scipy"])
def test_help_imports_nothing_heavy(here, heavy):
    code = (
        "import sys\nfrom noisebench.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        f"sys.exit({heavy!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0
