"""Running a composed study and telling how it went; shared by `run` and `reproduce`."""

from __future__ import annotations

import sys
from pathlib import Path

from noisebench.components import build
from noisebench.composition import Composed
from noisebench.datasets.folders import use_data_root
from noisebench.engine.geometry import limit_cache
from noisebench.engine.plan import make_plan
from noisebench.engine.progress import clock
from noisebench.engine.runner import Outcome, run_study
from noisebench.engine.sharing import Scratch
from noisebench.report.outputs import write_outputs


def dry_run(composed: Composed) -> str:
    """Check a study as a run would, and say what it would do."""
    _use_places(composed)
    with Scratch() as scratch:
        plan = make_plan(composed.study, scratch)
    cells = len(composed.study.cells)
    return f"{composed.folder}: {cells} cells, {plan.n_tasks} tasks in {len(plan.jobs)} jobs."


def execute(composed: Composed, *, quiet: bool = False) -> Outcome:
    """Run a study, write its tables and figures, and print the table."""
    settings = composed.settings
    _use_places(composed)
    outcome = run_study(
        composed.study,
        composed.folder,
        build(settings["executor"], "executor"),
        on_error=settings["on_error"],
        quiet=quiet,
        settings=settings,
    )
    _tell(outcome, quiet)
    if outcome.n_left < outcome.n_tasks and not outcome.interrupted:
        text = write_outputs(outcome.store, bold=sys.stdout.isatty())
        if not quiet:
            print(text)
            print(f"Rows, tables and figures lie in {outcome.store.folder}/")
    return outcome


def _use_places(composed: Composed) -> None:
    """Take data and cache from where the settings say."""
    root = composed.settings["data"]["root"]
    use_data_root(Path(root) if root else None)
    limit_cache(composed.settings["cache"]["max_gb"])


def _tell(outcome: Outcome, quiet: bool) -> None:
    """Say on the error stream what was done, what warned and what failed."""
    lines = []
    if not quiet:
        lines.append(
            f"{outcome.n_tasks} tasks: {outcome.n_computed} computed, {outcome.n_reused} reused, "
            f"{len(outcome.failures)} failed, in {clock(outcome.seconds)}."
        )
        lines += outcome.notes
        lines += [f"Warning ({count} ×): {line}" for line, count in outcome.warnings.items()]
    for failure in outcome.failures[:5]:
        place = f"{failure['learner']} on {failure['dataset']}, {failure['noise']}"
        where = f"repeat {failure['repeat']}, fold {failure['fold']}"
        lines.append(f"Failed: {place}, {where}: {failure['error']}")
    if outcome.failures:
        more = len(outcome.failures) - 5
        rest = f"{more} more, and all" if more > 0 else "All"
        lines.append(f"{rest} tracebacks: {outcome.store.folder / 'failures.json'}")
    for line in lines:
        print(line, file=sys.stderr)
