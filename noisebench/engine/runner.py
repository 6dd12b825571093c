"""A study from plan to finished rows."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noisebench.components import versions_of
from noisebench.configuration import flatten
from noisebench.engine.executors import Executor
from noisebench.engine.geometry import open_table
from noisebench.engine.plan import Plan, make_plan
from noisebench.engine.progress import progress_for
from noisebench.engine.provenance import changed_packages, record_session
from noisebench.engine.sharing import Scratch
from noisebench.engine.store import RunStore
from noisebench.engine.study import Study
from noisebench.engine.work import JobResult, run_job
from noisebench.errors import InputError
from noisebench.overrides import COMPONENTS

#: Finished rows wait at most this long before they are on disk.
_FLUSH_SECONDS = 1.0


@dataclass
class Outcome:
    """What one command did to a run."""

    store: RunStore
    n_tasks: int
    n_reused: int
    n_computed: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    warnings: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    interrupted: bool = False

    @property
    def n_left(self) -> int:
        return self.n_tasks - self.n_reused - self.n_computed


def run_study(
    study: Study,
    folder: Path,
    executor: Executor,
    *,
    on_error: str = "continue",
    quiet: bool = False,
    settings: dict[str, Any] | None = None,
) -> Outcome:
    """Compute what the run does not have yet, and keep it as it comes.

    All input is checked before the folder is touched. Whatever ends the command, rows that are
    finished stay, and the same call goes on from there.
    """
    if on_error not in ("continue", "stop"):
        raise InputError(f"on_error must be 'continue' or 'stop', got {on_error!r}.")
    with Scratch() as scratch:
        plan = make_plan(study, scratch)
        store = RunStore.create(folder)
        with store.acquire():
            finished = set(store.read_rows()["task"])
            _refuse_other_study(store, study, plan, finished)
            versions = {kind: _versions(study, kind) for kind in COMPONENTS}
            store.write_config(study, {**(settings or {}), "versions": versions})
            left = plan.without(finished)
            outcome = Outcome(store, plan.n_tasks, plan.n_tasks - left.n_tasks)
            outcome.notes += _version_note(store) + _left_out_note(plan)
            _compute(left, outcome, executor, on_error, quiet)
            seeds = sorted({cell.seed for cell in study.cells})
            facts = {
                "seeds": seeds,
                "data": plan.fingerprints,
                "splits": plan.splits,
                "left_out": plan.left_out,
            }
            record_session(store, facts, _session(outcome, executor))
    return outcome


def _compute(plan: Plan, outcome: Outcome, executor: Executor, on_error: str, quiet: bool) -> None:
    start = time.monotonic()
    _search_neighbors(plan)
    waiting: list[dict[str, Any]] = []
    flushed = start
    try:
        with progress_for(plan, quiet) as progress:
            for result in executor.run(run_job, plan.jobs):
                waiting += result.rows
                _note(outcome, result)
                progress.add(result.rows, result.failures)
                if time.monotonic() - flushed > _FLUSH_SECONDS:
                    outcome.store.append(waiting)
                    waiting, flushed = [], time.monotonic()
                if outcome.failures and on_error == "stop":
                    break
    except KeyboardInterrupt:
        outcome.interrupted = True
    finally:
        outcome.store.append(waiting)
        outcome.store.merge()
        outcome.store.write_failures(outcome.failures)
        outcome.seconds = time.monotonic() - start


def _search_neighbors(plan: Plan) -> None:
    """Build the neighbour tables with all cores, before single-threaded workers ask for them."""
    for data, depth in dict.fromkeys((job.data, job.table_depth) for job in plan.jobs):
        if depth is not None:
            open_table(data, depth)


def _note(outcome: Outcome, result: JobResult) -> None:
    outcome.n_computed += len(result.rows)
    outcome.failures += result.failures
    outcome.cpu_seconds += result.cpu_seconds
    for row in result.rows:
        if row["warnings"]:
            line = f"{row['learner']} on {row['dataset']}: {row['warnings']}"
            outcome.warnings[line] = outcome.warnings.get(line, 0) + 1


def _refuse_other_study(store: RunStore, study: Study, plan: Plan, finished: set[str]) -> None:
    """A run may grow; rows that are not part of what is asked for belong to another one."""
    strangers = finished - plan.task_ids()
    if not strangers:
        return
    differences = describe_differences(store.read_config(), study)
    raise InputError(
        f"Run '{store.folder.name}' already holds {len(strangers)} rows of another configuration "
        f"({differences}); choose another name=, or delete {store.folder}."
    )


def describe_differences(old: dict[str, Any], study: Study) -> str:
    """Say in a few words how a stored configuration differs from a study."""
    new = study.to_plain()
    found = []
    for kind in COMPONENTS:
        gone = [name for name in old[kind] if name not in new[kind]]
        found += [f"{kind} '{name}' is missing now" for name in gone]
        for name in new[kind]:
            before = flatten(old[kind].get(name, {}))
            after = flatten(new[kind][name])
            if before:
                keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
                found += [
                    f"{kind} '{name}': {key.removeprefix('config.')} was {before.get(key)}, "
                    f"is {after.get(key)}"
                    for key in keys
                ]
    seeds = [sorted({cell[-1] for cell in plain["cells"]}) for plain in (old, new)]
    if seeds[0] != seeds[1]:
        found.append(f"seed was {_listed(seeds[0])}, is {_listed(seeds[1])}")
    for kind in COMPONENTS:
        then = old.get("settings", {}).get("versions", {}).get(kind, {})
        changed = [
            path for path, code in _versions(study, kind).items() if then.get(path, code) != code
        ]
        found += [f"the code of {path} has changed" for path in changed]
    shown = "; ".join(found[:4]) + ("; …" if len(found) > 4 else "")
    return shown or "its data have changed"


def _versions(study: Study, kind: str) -> dict[str, str]:
    return versions_of([dict(part.config) for part in study.components[kind].values()])


def _version_note(store: RunStore) -> list[str]:
    changed = changed_packages(store)
    if not changed:
        return []
    return [f"This run was begun with other packages ({', '.join(changed)}); rows may differ."]


def _left_out_note(plan: Plan) -> list[str]:
    if not plan.left_out:
        return []
    names = ", ".join(plan.left_out)
    return [f"Not at hand, left out: {names}. `noisebench data info NAME` says how to get each."]


def _session(outcome: Outcome, executor: Executor) -> dict[str, Any]:
    ended = datetime.now(UTC)
    return {
        "ended": ended.isoformat(timespec="seconds"),
        "wall_seconds": round(outcome.seconds, 3),
        "cpu_seconds": round(outcome.cpu_seconds, 3),
        "executor": executor.describe(),
        "computed": outcome.n_computed,
        "reused": outcome.n_reused,
        "failed": len(outcome.failures),
        "interrupted": outcome.interrupted,
        "warnings": outcome.warnings,
    }


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(str, values))
