"""Runs as a user starts them: same rows for any executor, order, crash and growth."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
import yaml

from noisebench.engine.store import RunStore
from tests.conftest import stored_rows

SWEEP = "run -q -m dataset=iris,wine noise=none,uniform learner=knn,naive_bayes protocol.repeats=2 "


def equal(a: pd.DataFrame, b: pd.DataFrame) -> bool:
    pd.testing.assert_frame_equal(a, b, check_exact=True)
    return True


def test_rows_are_the_same_for_any_executor_and_number_of_workers(noisebench):
    ways = ["executor=serial", "executor.n_jobs=1", "executor.n_jobs=2", "executor.n_jobs=4"]
    for number, way in enumerate(ways):
        assert noisebench(f"{SWEEP} name=run{number} {way}") == 0
    reference = stored_rows("runs/run0")
    assert len(reference) == 2 * 2 * 2 * 2 * 4
    for number in range(1, len(ways)):
        assert equal(stored_rows(f"runs/run{number}"), reference)


def test_learners_that_draw_are_seeded_by_what_they_are(noisebench):
    line = "run -q dataset=iris protocol.repeats=1 learner=random_forest learner.n_estimators=3"
    assert noisebench(f"{line} name=a executor=serial") == 0
    assert noisebench(f"{line} name=b executor.n_jobs=2") == 0
    assert equal(stored_rows("runs/a"), stored_rows("runs/b"))
    assert noisebench(f"{line} name=c executor=serial seed=1") == 0
    assert not stored_rows("runs/a")["accuracy"].equals(stored_rows("runs/c")["accuracy"])


def test_permuted_and_grown_sweeps_reuse_what_is_finished(noisebench, capsys):
    words = "run -m dataset=iris noise=none,uniform protocol.repeats=2 executor=serial name=demo"
    assert noisebench(f"{words} learner=knn,naive_bayes") == 0
    before = stored_rows("runs/demo")
    capsys.readouterr()
    assert noisebench(f"{words} learner=naive_bayes,knn") == 0
    assert "32 tasks: 0 computed, 32 reused" in capsys.readouterr().err
    assert equal(stored_rows("runs/demo"), before)
    assert noisebench(f"{words} learner=decision_tree,naive_bayes,knn") == 0
    assert "48 tasks: 16 computed, 32 reused" in capsys.readouterr().err
    after = stored_rows("runs/demo")
    kept = after[after["learner"] != "decision_tree"].reset_index(drop=True)
    assert equal(kept, before)


def test_more_repeats_add_to_a_run(noisebench, capsys):
    words = "run dataset=iris executor=serial name=demo"
    assert noisebench(f"{words} protocol.repeats=1") == 0
    assert noisebench(f"{words} protocol.repeats=3") == 0
    assert "12 tasks: 8 computed, 4 reused" in capsys.readouterr().err


def test_noise_and_folds_are_the_same_for_all_learners_and_tests_stay_clean(noisebench):
    line = "run -q -m dataset=iris noise=uniform learner=knn,majority executor=serial name=a"
    assert noisebench(line) == 0
    flips = stored_rows("runs/a").pivot(
        index=["repeat", "fold"], columns="learner", values="n_flipped"
    )
    assert (flips["knn"] == flips["majority"]).all()
    assert flips["knn"].nunique() > 5
    # Labels that are all wrong in training teach a learner to be wrong on clean test labels.
    swapped = "run -q dataset=breast_cancer noise=transition noise.matrix=[[0,1],[1,0]] name=b"
    assert noisebench(f"{swapped} protocol.repeats=1 executor=serial") == 0
    rows = stored_rows("runs/b")
    assert rows["accuracy"].max() < 0.15
    assert (rows["n_flipped"] == rows["n_train"]).all()


def test_a_failing_task_costs_no_other_its_row_and_is_tried_again(noisebench, here, capsys):
    (here / "moody.py").write_text(
        "from pathlib import Path\n"
        "from noisebench.learners import KNN\n"
        "class Moody(KNN):\n"
        "    def fit(self, X, y):\n"
        "        if Path('bad').exists():\n"
        "            raise RuntimeError('in a mood')\n"
        "        return super().fit(X, y)\n"
    )
    line = "run -m dataset=iris protocol.repeats=1 executor=serial name=a learner._target_="
    (here / "bad").write_text("")
    words = f"{line}moody.Moody,noisebench.learners.KNN"
    assert noisebench(words) == 1
    told = capsys.readouterr().err
    assert "8 tasks: 4 computed, 0 reused, 4 failed" in told
    assert "Failed: Moody on iris, none, repeat 0, fold 0: RuntimeError: in a mood" in told
    [first, *_] = json.loads((here / "runs/a/failures.json").read_text())
    assert "raise RuntimeError('in a mood')" in first["traceback"]
    (here / "bad").unlink()
    assert noisebench(words) == 0
    assert "8 tasks: 4 computed, 4 reused, 0 failed" in capsys.readouterr().err
    assert not (here / "runs/a/failures.json").exists()


def test_on_error_stop_keeps_what_was_finished(noisebench, here):
    (here / "broken.py").write_text(
        "from noisebench.learners import KNN\n"
        "class Broken(KNN):\n"
        "    def predict(self, X):\n"
        "        raise MemoryError\n"
    )
    line = "run -q dataset=iris protocol.repeats=3 executor=serial on_error=stop name=a "
    assert noisebench(f"{line} learner._target_=broken.Broken") == 1
    assert len(RunStore.open(here / "runs/a").read_failures()) == 1


def test_warnings_of_learners_are_told_and_kept(noisebench, here, capsys):
    line = "run dataset=iris protocol.repeats=1 executor=serial name=a learner=logistic"
    assert noisebench(f"{line} learner.steps.1.1.max_iter=1") == 0
    told = capsys.readouterr().err
    assert "Warning (" in told
    assert "ConvergenceWarning" in told
    assert stored_rows("runs/a")["warnings"].str.contains("ConvergenceWarning").all()


def test_provenance_tells_where_a_result_comes_from(noisebench, here):
    line = "run -q dataset=iris protocol.repeats=1 executor=serial name=a"
    assert noisebench(line) == 0
    assert noisebench(line) == 0
    known = json.loads((here / "runs/a/provenance.json").read_text())
    assert set(known["data"]) == {"iris"}
    assert len(known["data"]["iris"]) == 64
    first, second = known["sessions"]
    assert (first["computed"], first["reused"]) == (4, 0)
    assert (second["computed"], second["reused"]) == (0, 4)
    assert {"numpy", "scikit-learn"} <= set(first["packages"])
    assert first["wall_seconds"] > 0
    assert first["cpu_seconds"] > 0
    config = yaml.safe_load((here / "runs/a/config.yaml").read_text())
    assert config["settings"]["seed"] == 0
    assert config["learner"]["knn"]["config"]["n_neighbors"] == 5


def test_what_a_learner_estimates_is_kept_in_the_rows(noisebench):
    words = "run -q dataset=breast_cancer noise=class_conditional learner=rknn name=a"
    assert noisebench(f"{words} protocol.repeats=1 executor=serial") == 0
    rows = stored_rows("runs/a")
    assert (
        (rows["threshold_"] - (1 + rows["tau_neg_"] - rows["tau_pos_"]) / 2).abs() < 1e-12
    ).all()
    assert (rows["tau_neg_"] > rows["tau_pos_"]).all()


def start(words: str, here: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "noisebench", *words.split()]
    return subprocess.Popen(command, cwd=here, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


SLOW = """
import time
from noisebench.learners import KNN
class Slow(KNN):
    def fit(self, X, y):
        time.sleep(0.15)
        return super().fit(X, y)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_killed_goes_on_where_it_stopped(noisebench, here, number, capsys):
    (here / "slow.py").write_text(SLOW)
    words = "run -m dataset=iris noise=none,uniform protocol.repeats=4 learner._target_=slow.Slow"
    words += " executor.n_jobs=2 seed=0"
    process = start(f"{words} name=killed", here)
    shards = here / "runs/killed/rows"
    deadline = time.monotonic() + 60
    while not (shards.exists() and list(shards.glob("*.parquet"))):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, number)
    code = process.wait(timeout=60)
    assert code == (-signal.SIGKILL if number == signal.SIGKILL else 130)
    saved = len(stored_rows("runs/killed"))
    assert 0 < saved < 32
    assert noisebench(f"{words} name=killed") == 0
    assert f"32 tasks: {32 - saved} computed, {saved} reused" in capsys.readouterr().err
    assert noisebench(f"{words} name=whole") == 0
    assert equal(stored_rows("runs/killed"), stored_rows("runs/whole"))


def test_two_commands_do_not_write_one_run_at_once(noisebench, here, capsys):
    assert noisebench("run -q dataset=iris protocol.repeats=1 executor=serial name=a") == 0
    with RunStore.open(here / "runs/a").acquire():
        assert noisebench("run -q dataset=iris protocol.repeats=2 executor=serial name=a") == 2
    assert "Another command is writing" in capsys.readouterr().err
