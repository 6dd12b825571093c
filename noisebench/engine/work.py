"""What a worker does with a job: draw, fit, predict, score; one row or one failure per task."""

from __future__ import annotations

import copy
import json
import time
import traceback
import warnings
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np

from noisebench.components import check_parameters, first_sentence
from noisebench.datasets import Dataset
from noisebench.datasets.preprocessing import transform_fold
from noisebench.engine.draws import draw_noise, seed_learner, splits_of
from noisebench.engine.plan import Job, Task
from noisebench.engine.sharing import open_dataset
from noisebench.engine.threads import one_thread
from noisebench.errors import InputError
from noisebench.protocols import Split
from noisebench.scores import measure


@dataclass(frozen=True)
class JobResult:
    """The rows of a job, and the tasks that failed with what went wrong."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    failures: list[dict[str, Any]] = field(default_factory=list)
    cpu_seconds: float = 0.0


def run_job(job: Job) -> JobResult:
    """Run all tasks of one fold. A failing task costs no other its row."""
    start = time.process_time()
    try:
        for task in job.tasks:
            # Classes are imported first: a library that comes in later brings its own threads.
            check_parameters(task.learner.config, f"learner '{task.learner.name}'")
        with one_thread():
            result = _run_tasks(job)
    except Exception as error:
        result = JobResult(failures=[_failure(job, task, error) for task in job.tasks])
    return replace(result, cpu_seconds=time.process_time() - start)


def _run_tasks(job: Job) -> JobResult:
    result = JobResult()
    data = open_dataset(job.data)
    split = splits_of(job.protocol.build(), data, job.seed, job.repeat)[job.fold]
    prepared = _prepare(data, split) if data.fold_steps else None
    noisy: dict[str, np.ndarray] = {}
    for task in job.tasks:
        try:
            if task.noise.name not in noisy:
                noisy[task.noise.name] = draw_noise(
                    task.noise, data, split, job.seed, job.repeat, job.fold
                )
            parts = _prepare(data, split) if prepared is None else copy.deepcopy(prepared)
            result.rows.append(_run_task(job, task, data, split, parts, noisy[task.noise.name]))
        except Exception as error:
            result.failures.append(_failure(job, task, error))
    return result


def _prepare(data: Dataset, split: Split) -> tuple[Any, Any]:
    """Return the features of both parts, after the steps that learn from the training part."""
    X_train, X_test = np.asarray(data.X[split.train]), np.asarray(data.X[split.test])
    return transform_fold(X_train, X_test, data.fold_steps, data.name)


def _run_task(
    job: Job,
    task: Task,
    data: Dataset,
    split: Split,
    parts: tuple[Any, Any],
    y_train: np.ndarray,
) -> dict[str, Any]:
    learner = task.learner.build()
    seed_learner(learner, task.learner, data, job.seed, job.repeat, job.fold)
    X_train, X_test = parts
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = time.perf_counter()
        learner.fit(X_train, y_train)
        fitted = time.perf_counter()
        predicted = np.asarray(learner.predict(X_test))
        end = time.perf_counter()
    return {
        **asdict(task.cell),
        "repeat": job.repeat,
        "fold": job.fold,
        **measure(data.y[split.test], predicted.astype(np.int64)),
        "n_train": len(split.train),
        "n_test": len(split.test),
        "n_flipped": int((y_train != data.y[split.train]).sum()),
        "fit_seconds": fitted - start,
        "predict_seconds": end - fitted,
        "warnings": _summarise(caught),
        "task": task.id,
        **{name: _figure(learner, name) for name in task.learner.record},
    }


def _figure(learner: Any, name: str) -> Any:
    """Return a fitted attribute as one value of a row; what is no number or word becomes JSON."""
    try:
        value = attrgetter(name)(learner)
    except AttributeError as error:
        raise InputError(f"record: a fitted {type(learner).__name__} has no '{name}'.") from error
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return json.dumps(value, default=str, sort_keys=True)


def _summarise(caught: list[warnings.WarningMessage]) -> str:
    lines = [
        f"{item.category.__name__}: {first_sentence(item.message)}"
        for item in caught
        if isinstance(item.message, Warning)
    ]
    return "; ".join(dict.fromkeys(lines))


def _failure(job: Job, task: Task, error: Exception) -> dict[str, Any]:
    return {
        **asdict(task.cell),
        "repeat": job.repeat,
        "fold": job.fold,
        "task": task.id,
        "error": f"{type(error).__name__}: {first_sentence(error)}",
        "traceback": "".join(traceback.format_exception(error)),
    }
