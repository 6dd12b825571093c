"""From a study to independent jobs, with everything checked before any work starts.

A *task* is one row to be: one learner on one noisy fold. Its identity is a hash of what it
computes, so that finished work is found again whatever the order, the executor or the sweep it
was part of. A *job* is what travels to a worker: all tasks of one fold, which share its split
and its noise draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from sklearn.base import is_classifier
from sklearn.utils import get_tags

from noisebench.components import Component, digest
from noisebench.datasets import Dataset, load_dataset
from noisebench.datasets.sources import SourceUnavailable
from noisebench.engine.draws import draw_noise, splits_of
from noisebench.engine.geometry import fill_metric, shares_table, table_depth
from noisebench.engine.knowledge import give_rates
from noisebench.engine.sharing import DataHandle, Scratch
from noisebench.engine.study import Cell, Study
from noisebench.errors import InputError
from noisebench.protocols import Protocol

#: Raised when the way a row is computed changes, so that no row of the old way is taken for new.
ROW_VERSION = 1


@dataclass(frozen=True)
class Task:
    """One row to be: its identity and the components that make it."""

    id: str
    cell: Cell
    noise: Component
    learner: Component


@dataclass(frozen=True)
class Job:
    """All tasks of one fold of one data set."""

    data: DataHandle
    protocol: Component
    seed: int
    repeat: int
    fold: int
    tasks: tuple[Task, ...]
    n_rows: int
    #: How many neighbours of each point are searched once for all, None where each fold searches.
    table_depth: int | None = None
    #: How many neighbours the learners of a fold ask for at the most.
    list_length: int = 0


@dataclass(frozen=True)
class Plan:
    """The jobs of a study and the facts about its data that provenance records."""

    jobs: tuple[Job, ...]
    fingerprints: dict[str, str]
    splits: dict[str, dict[str, str]]
    #: Data sets that cannot be had here and now, and why.
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def n_tasks(self) -> int:
        return sum(len(job.tasks) for job in self.jobs)

    def task_ids(self) -> set[str]:
        return {task.id for job in self.jobs for task in job.tasks}

    def without(self, finished: Iterable[str]) -> Plan:
        """Return the plan of what is left to do."""
        done = set(finished)
        left = []
        for job in self.jobs:
            tasks = tuple(task for task in job.tasks if task.id not in done)
            if tasks:
                left.append(replace(job, tasks=tasks))
        return replace(self, jobs=tuple(left))


def make_plan(study: Study, scratch: Scratch) -> Plan:
    """Load the data, check every combination, and list the jobs.

    Jobs of early repeats come first, those of large data sets first within a fold: so every cell
    is seen early, which makes the time left honest, and no large one is left for the end.
    """
    data, left_out = _load_data(study)
    protocols = {name: part.build() for name, part in study.components["protocol"].items()}
    _check_components(study)
    jobs: list[Job] = []
    splits: dict[str, dict[str, str]] = {}
    cells_at_hand = [cell for cell in study.cells if cell.dataset in data]
    by_place = sorted(cells_at_hand, key=lambda cell: (cell.dataset, cell.protocol, cell.seed))
    for (name, protocol_name, seed), group in groupby(
        by_place, key=lambda cell: (cell.dataset, cell.protocol, cell.seed)
    ):
        cells = list(group)
        protocol = protocols[protocol_name]
        _check_place(study, cells, data[name], protocol, seed)
        splits.setdefault(name, {})[protocol_name] = protocol.describe(data[name])
        handle = scratch.share(data[name])
        part = study.component("protocol", protocol_name)
        jobs += _jobs(study, cells, data[name], handle, part, protocol, seed)
    jobs.sort(key=lambda job: (job.repeat, job.fold, -job.n_rows, job.data.name))
    fingerprints = {name: data[name].fingerprint for name in data}
    return Plan(tuple(jobs), fingerprints, splits, left_out)


def _load_data(study: Study) -> tuple[dict[str, Dataset], dict[str, str]]:
    """Return the data sets at hand, and why the others are not; at least one must be."""
    data, left_out = {}, {}
    for name, part in study.components["dataset"].items():
        try:
            data[name] = load_dataset(name, part.config)
        except SourceUnavailable as error:
            if name not in study.optional:
                raise
            left_out[name] = str(error)
    if not data:
        raise InputError(f"None of the data sets can be had. {' '.join(left_out.values())}")
    return data, left_out


def _jobs(
    study: Study,
    cells: list[Cell],
    data: Dataset,
    handle: DataHandle,
    part: Component,
    protocol: Protocol,
    seed: int,
) -> Iterator[Job]:
    place = {
        "row_version": ROW_VERSION,
        "data": data.fingerprint,
        "dataset": data.name,
        "seed": seed,
        "split": protocol.identity(data),
        "protocol": part.identity()["version"],
    }
    parts = []
    for cell in cells:
        noise, learner = (
            study.component("noise", cell.noise),
            study.component("learner", cell.learner),
        )
        made_of = {"noise": digest(noise.identity()), "learner": digest(learner.identity())}
        parts.append((cell, noise, learner, made_of))
    length, depth = _table_size(study, cells, data, protocol, seed)
    for repeat in range(protocol.n_repeats(data)):
        for fold in range(protocol.n_folds):
            here = {**place, "repeat": repeat, "fold": fold}
            tasks = tuple(
                Task(digest({**here, **made_of}), cell, noise, learner)
                for cell, noise, learner, made_of in parts
            )
            yield Job(handle, part, seed, repeat, fold, tasks, len(data.y), depth, length)


def _table_size(
    study: Study, cells: list[Cell], data: Dataset, protocol: Protocol, seed: int
) -> tuple[int, int | None]:
    """Return the longest list that a learner of these cells needs, and the table to cut it from."""
    smallest = min(len(split.train) for split in splits_of(protocol, data, seed, 0))
    learners = []
    for name in dict.fromkeys(cell.learner for cell in cells):
        part = study.component("learner", name)
        learner = part.build()
        fill_metric(learner, part, data)
        learners.append(learner)
    sharing = [learner for learner in learners if shares_table(learner, data)]
    length = max((max(learner.list_lengths(len(data.y))) for learner in sharing), default=0)
    return length, table_depth(length, len(data.y), smallest)


def _check_components(study: Study) -> None:
    for part in study.components["noise"].values():
        if not callable(getattr(part.build(), "corrupt", None)):
            raise InputError(
                f"noise '{part.name}': {part.config.get('_target_')} has no method "
                f"corrupt(y, rng); `noisebench list noise` shows the noise models at hand."
            )
    for part in study.components["learner"].values():
        if not is_classifier(part.build()):
            raise InputError(
                f"learner '{part.name}': {part.config.get('_target_')} is not a scikit-learn "
                f"classifier; `noisebench list learners` shows those at hand."
            )


def _check_place(
    study: Study, cells: list[Cell], data: Dataset, protocol: Protocol, seed: int
) -> None:
    """Refuse learners and noise models that cannot work on a data set under a protocol."""
    protocol.check(data)
    splits = splits_of(protocol, data, seed, 0)
    for name in dict.fromkeys(cell.noise for cell in cells):
        # One draw for the sake of its errors: a model may be made for two classes only.
        draw_noise(study.component("noise", name), data, splits[0], seed, 0, 0)
    smallest = min(len(split.train) for split in splits)
    for name in dict.fromkeys(cell.learner for cell in cells):
        _check_learner(study.component("learner", name), data, protocol, smallest)
    for learner, noise in dict.fromkeys((cell.learner, cell.noise) for cell in cells):
        part = study.component("learner", learner)
        give_rates(part.build(), part, study.component("noise", noise))


def _check_learner(learner: Component, data: Dataset, protocol: Protocol, smallest: int) -> None:
    built = learner.build()
    if len(data.classes) > 2 and not get_tags(built).classifier_tags.multi_class:
        raise InputError(
            f"learner '{learner.name}' tells two classes apart, but '{data.name}' has "
            f"{len(data.classes)}; leave one of the two out."
        )
    for key, value in _neighbor_counts(built):
        if value > smallest:
            raise InputError(
                f"learner '{learner.name}' asks for {key}={value}, but a training part of "
                f"'{data.name}' under {protocol.describe(data)} has {smallest} points; "
                f"lower learner.{key}."
            )


def _neighbor_counts(learner: Any) -> Iterator[tuple[str, int]]:
    """Yield the configured numbers of neighbours, in a pipeline too."""
    for key, value in learner.get_params(deep=True).items():
        if key.endswith("neighbors") and isinstance(value, int):
            yield key, value
