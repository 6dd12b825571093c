from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from noisebench.components import Component
from noisebench.composition import compose_run
from noisebench.configuration import ConfigSpace
from noisebench.datasets import Dataset, Partition
from noisebench.engine.draws import draw_noise, splits_of
from noisebench.engine.plan import Plan, make_plan
from noisebench.engine.progress import TimeLeft
from noisebench.engine.sharing import Scratch, open_dataset
from noisebench.noise import UniformNoise
from noisebench.protocols import Split
from noisebench.seeds import seed_for


def plan(words: str) -> Plan:
    with Scratch() as scratch:
        return make_plan(compose_run(ConfigSpace(), words.split(), multirun=True).study, scratch)


def ids(words: str) -> set[str]:
    return plan(f"protocol.repeats=1 dataset=iris {words}").task_ids()


def test_a_task_is_known_by_what_it_computes():
    base = ids("")
    assert len(base) == 4
    assert ids("learner.label=other name=x executor=serial output=elsewhere") == base
    assert ids("learner._target_=noisebench.learners.KNN learner.n_neighbors=5") == base
    for change in (
        "learner.n_neighbors=3",
        "learner.metric=manhattan",
        "noise=uniform",
        "seed=1",
        "dataset=wine",
        "protocol.n_folds=4 protocol.stratified=true",
    ):
        assert not ids(change) & base, change


def test_larger_plans_contain_smaller_ones():
    small = plan("dataset=iris learner=knn protocol.repeats=1").task_ids()
    large = plan("dataset=wine,iris learner=naive_bayes,knn noise=uniform,none protocol.repeats=3")
    assert small < large.task_ids()
    assert len(large.task_ids()) == large.n_tasks == 2 * 2 * 2 * 12


def test_all_tasks_of_a_fold_travel_together_and_large_sets_go_first():
    made = plan("dataset=iris,digits learner=knn,majority noise=none,uniform protocol.repeats=2")
    assert len(made.jobs) == 2 * 8
    assert {len(job.tasks) for job in made.jobs} == {4}
    assert [job.data.name for job in made.jobs[:4]] == ["digits", "iris"] * 2
    left = made.without(task.id for task in made.jobs[0].tasks)
    assert len(left.jobs) == len(made.jobs) - 1


def test_no_draw_knows_of_the_learner_and_no_split_of_the_noise():
    composed = compose_run(
        ConfigSpace(), ["dataset=iris", "noise=uniform,percentage", "learner=knn,majority"], True
    )
    study = composed.study
    with Scratch() as scratch:
        made = make_plan(study, scratch)
        data = open_dataset(made.jobs[0].data)
        protocol = study.component("protocol", "cv4x10").build()
        splits = splits_of(protocol, data, 0, 0)
        again = splits_of(protocol, data, 0, 0)
        assert all((a.train == b.train).all() for a, b in zip(splits, again, strict=True))
        noise = study.component("noise", "uniform")
        first = draw_noise(noise, data, splits[0], 0, 0, 0)
        assert (first == draw_noise(noise, data, splits[0], 0, 0, 0)).all()
        assert (first != draw_noise(noise, data, splits[0], 1, 0, 0)).any()
        assert (first != draw_noise(noise, data, splits[0], 0, 1, 0)).any()


def test_seeds_of_roles_and_places_are_apart():
    seeds = {
        seed_for(seed, role, dataset=name, fold=fold)
        for seed in (0, 1)
        for role in ("split", "noise")
        for name in ("a", "b")
        for fold in range(10)
    }
    assert len(seeds) == 80


def test_shared_data_come_back_the_same_and_cannot_be_written():
    parts = (Partition(np.array([2, 0]), np.array([1])),)
    data = Dataset(
        "toy", np.arange(6.0).reshape(3, 2), np.array([0, 1, 1]), ("a", "b"), "manhattan", parts
    )
    with Scratch() as scratch:
        found = open_dataset(scratch.share(data))
        assert (found.X == data.X).all()
        assert found.fingerprint == data.fingerprint
        assert (found.metric, found.classes) == ("manhattan", ("a", "b"))
        assert found.partitions[0].train.tolist() == [2, 0]
        with pytest.raises(ValueError, match="read-only"):
            found.X[0, 0] = 1


def test_a_fingerprint_sees_every_part_of_the_content():
    def make(X=((0.0,), (1.0,)), y=(0, 1), classes=("a", "b"), metric="euclidean", parts=()):
        return Dataset("n", np.array(X), np.array(y), classes, metric, parts).fingerprint

    prints = {
        make(),
        make(X=((0.0,), (2.0,))),
        make(y=(1, 0)),
        make(classes=("a", "c")),
        make(metric="manhattan"),
        make(parts=(Partition(np.array([0]), np.array([1])),)),
    }
    assert len(prints) == 6
    assert make() == make()


def test_the_time_left_weighs_kinds_of_tasks():
    left = TimeLeft({("a", "slow"): 10, ("a", "fast"): 10})
    assert left.seconds(1.0) is None
    left.add("a", "fast", 1.0, now=1.0)
    left.add("a", "slow", 9.0, now=10.0)
    # 9 slow and 9 fast ones are left, at one second of work per second
    assert left.seconds(10.0) == pytest.approx(90.0)


class Wholesale(UniformNoise):
    """Uniform noise drawn over the whole set, once per repeat."""

    scope = "dataset"


def test_noise_is_drawn_per_fold_or_once_per_repeat_as_the_model_says():
    data = Dataset("toy", np.zeros((40, 1)), np.arange(40) % 2, ("a", "b"))
    rows = np.arange(40)
    split = Split(rows[:30], rows[30:])
    path = f"{__name__}.Wholesale"
    for target, same in (("noisebench.noise.UniformNoise", False), (path, True)):
        noise = Component("noise", "n", {"_target_": target, "rate": 0.4})
        first, second = (draw_noise(noise, data, split, 0, 0, fold) for fold in (0, 1))
        assert (first == second).all() == same
        other = draw_noise(noise, data, split, 0, 1, 0)
        assert (first != other).any()
    # A draw over the whole set: overlapping training parts agree where they overlap.
    late = draw_noise(noise, data, Split(rows[10:], rows[:10]), 0, 0, 2)
    assert (late[:20] == first[10:]).all()


def test_folders_of_killed_commands_are_removed_and_those_of_living_ones_kept(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    orphan, alive = (tmp_path / f"noisebench-{pid}-x" for pid in (gone.pid, os.getpid()))
    foreign = tmp_path / "noisebench-mine-x"
    for folder in (orphan, alive, foreign):
        folder.mkdir()
    with Scratch():
        assert not orphan.exists()
        assert alive.exists()
        assert foreign.exists()
