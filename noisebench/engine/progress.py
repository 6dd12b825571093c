"""How far a run is: a bar on a terminal, plain lines in a log, or nothing."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self, TextIO

from noisebench.engine.plan import Plan


class TimeLeft:
    """Estimates the time left from what finished tasks of each kind took.

    Tasks differ in cost by orders of magnitude, so a plain rate misleads. The estimate adds up the
    mean cost of each kind (data set and learner) over what is left of it, and divides by the work
    done per second. The clock starts with the first result: workers that are still starting up
    say nothing about what comes after.

    Examples
    --------
    >>> left = TimeLeft({("iris", "knn"): 3, ("iris", "svm"): 1})
    >>> left.add("iris", "knn", 1.0, now=30.0)
    >>> left.add("iris", "svm", 9.0, now=35.0)
    >>> left.add("iris", "knn", 1.0, now=35.0)
    >>> left.seconds(now=35.0)
    0.5
    """

    def __init__(self, counts: dict[tuple[str, str], int]) -> None:
        self._left = Counter(counts)
        self._cost: dict[tuple[str, str], list[float]] = defaultdict(list)
        self._first: float | None = None
        self._spent = 0.0

    def add(self, dataset: str, learner: str, seconds: float | None, now: float) -> None:
        """Note a finished task, or with None one that failed."""
        self._left[dataset, learner] -= 1
        if seconds is None:
            return
        self._cost[dataset, learner].append(seconds)
        if self._first is None:
            self._first = now
        elif now > self._first:
            self._spent += seconds

    def seconds(self, now: float) -> float | None:
        """Return the seconds left, None before there is anything to go by."""
        if self._first is None or not self._spent:
            return None
        expected = sum(self._mean(kind) * count for kind, count in self._left.items())
        return expected * (now - self._first) / self._spent

    def _mean(self, kind: tuple[str, str]) -> float:
        """Return the mean cost of a kind, failing that of its data set, failing that of all."""
        for known in (
            self._cost.get(kind, []),
            [cost for key, costs in self._cost.items() if key[0] == kind[0] for cost in costs],
            [cost for costs in self._cost.values() for cost in costs],
        ):
            if known:
                return sum(known) / len(known)
        return 0.0


class Progress:
    """Counts finished tasks; says nothing. The base of the ways to show it."""

    def __init__(self, plan: Plan) -> None:
        kinds = Counter(
            (task.cell.dataset, task.cell.learner) for job in plan.jobs for task in job.tasks
        )
        self.total = plan.n_tasks
        self.done = 0
        self.failed = 0
        self._time_left = TimeLeft(kinds)
        self._start = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.show(final=True)

    def add(self, rows: Iterable[dict[str, Any]], failures: Iterable[dict[str, Any]]) -> None:
        """Note what came back from a worker, and show it."""
        now = self.elapsed
        for row in rows:
            self.done += 1
            cost = row["fit_seconds"] + row["predict_seconds"]
            self._time_left.add(row["dataset"], row["learner"], cost, now)
        for failure in failures:
            self.done += 1
            self.failed += 1
            self._time_left.add(failure["dataset"], failure["learner"], None, now)
        self.show()

    def show(self, final: bool = False) -> None:
        """Show the state; the base class does not."""

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._start

    def status(self) -> str:
        """Return the state in a few words."""
        rate = self.done / self.elapsed if self.elapsed else 0.0
        parts = [f"{self.done}/{self.total} tasks", f"{rate:.1f}/s"]
        left = self._time_left.seconds(self.elapsed)
        if self.done < self.total:
            parts.append(f"{clock(left)} left" if left is not None else "time left unknown yet")
        if self.failed:
            parts.append(f"{self.failed} failed")
        return ", ".join(parts)


class LineProgress(Progress):
    """A line now and then, for logs; the first after a second, then ever more rarely."""

    def __init__(self, plan: Plan, stream: TextIO | None = None) -> None:
        super().__init__(plan)
        self._stream = stream or sys.stderr
        self._next = 1.0

    def show(self, final: bool = False) -> None:
        if final or self.elapsed >= self._next:
            self._next = max(self.elapsed + 10, 1.2 * self.elapsed)
            print(f"noisebench: {self.status()}", file=self._stream, flush=True)


class BarProgress(Progress):
    """A live bar on a terminal."""

    def __init__(self, plan: Plan) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as RichProgress

        super().__init__(plan)
        self._bar = RichProgress(
            BarColumn(bar_width=30),
            TextColumn("{task.percentage:>3.0f} %"),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
        )
        self._task = self._bar.add_task(self.status(), total=self.total)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.show(final=True)
        self._bar.stop()

    def show(self, final: bool = False) -> None:
        self._bar.update(self._task, completed=self.done, description=self.status())


def progress_for(plan: Plan, quiet: bool) -> Progress:
    """Return the way to show progress that fits where the output goes."""
    if quiet or not plan.jobs:
        return Progress(plan)
    return BarProgress(plan) if sys.stderr.isatty() else LineProgress(plan)


def clock(seconds: float) -> str:
    """Return a duration as people say it.

    >>> clock(42.4), clock(125), clock(7500)
    ('42 s', '2 min 5 s', '2 h 5 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
