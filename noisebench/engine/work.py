"""What a worker does with a job: draw, fit, predict, score; one row or one failure per task."""

from __future__ import annotations

import json
import time
import traceback
import warnings
from dataclasses import asdict, dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np

from noisebench.components import check_parameters, first_sentence
from noisebench.engine.draws import seed_learner
from noisebench.engine.folds import FoldData
from noisebench.engine.knowledge import fit_arguments, give_rates
from noisebench.engine.outer import choose_outer
from noisebench.engine.plan import Job, Task
from noisebench.engine.threads import one_thread
from noisebench.errors import InputError
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
    fold = FoldData(job)
    for task in job.tasks:
        try:
            result.rows.append(_run_task(job, task, fold))
        except Exception as error:
            result.failures.append(_failure(job, task, error))
    return result


def _run_task(job: Job, task: Task, fold: FoldData) -> dict[str, Any]:
    learner = choose_outer(task.learner.build(), task.learner, task.noise, fold)
    seed_learner(learner, task.learner, fold.data, job.seed, job.repeat, job.fold)
    give_rates(learner, task.learner, task.noise)
    y_train = fold.noisy_labels(task.noise)
    more = fit_arguments(learner, fold.y_train)
    to_fit, to_ask, shared = fold.inputs(learner, task.learner)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = time.perf_counter()
        learner.fit(to_fit, y_train, **more)
        fitted = time.perf_counter()
        predicted = np.asarray(learner.predict(to_ask))
        end = time.perf_counter()
    return {
        **asdict(task.cell),
        "repeat": job.repeat,
        "fold": job.fold,
        **measure(fold.y_test, predicted.astype(np.int64)),
        "n_train": len(fold.split.train),
        "n_test": len(fold.split.test),
        "n_flipped": int((y_train != fold.y_train).sum()),
        "fit_seconds": fitted - start,
        "predict_seconds": end - fitted,
        "shared_neighbors": shared,
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
