"""Where jobs run. Every executor gives the same rows; they differ in where and how fast."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import parent_process
from typing import Any, Protocol, TypeVar

from noisebench.errors import InputError

J = TypeVar("J")
R = TypeVar("R")


class Executor(Protocol):
    """Runs a function over jobs and yields results as they come, in any order."""

    def run(self, function: Callable[[J], R], jobs: Iterable[J]) -> Iterator[R]: ...

    def describe(self) -> str: ...


class SerialExecutor:
    """One job after the other, in this process."""

    def run(self, function: Callable[[J], R], jobs: Iterable[J]) -> Iterator[R]:
        for job in jobs:
            yield function(job)

    def describe(self) -> str:
        return "this process"


class JoblibExecutor:
    """Worker processes on this machine, through joblib's loky.

    Parameters
    ----------
    n_jobs : int, default=-1
        Number of workers; -1 means one per core.
    """

    def __init__(self, n_jobs: int = -1) -> None:
        if not isinstance(n_jobs, int) or n_jobs == 0:
            raise InputError(f"executor.n_jobs must be a number of workers or -1, got {n_jobs!r}.")
        self.n_jobs = n_jobs

    def run(self, function: Callable[[J], R], jobs: Iterable[J]) -> Iterator[R]:
        from joblib import Parallel, delayed

        parallel = Parallel(n_jobs=self.n_jobs, return_as="generator_unordered")
        results = parallel(delayed(_call)(function, job, tuple(sys.path)) for job in jobs)
        try:
            yield from results
        except KeyboardInterrupt:
            _kill_workers()
            raise

    def describe(self) -> str:
        from joblib import effective_n_jobs

        return f"{effective_n_jobs(self.n_jobs)} joblib workers"


def _call(function: Callable[[Any], R], job: Any, path: tuple[str, ...]) -> R:
    """Run one job in a worker as if it ran in the command that it works for.

    A worker leaves Ctrl-C to that command, and finds the modules that it finds: workers are
    reused, and may have been started before the import path was as it is now.
    """
    if parent_process() is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path.extend(entry for entry in path if entry not in sys.path)
    return function(job)


def _kill_workers() -> None:
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=False, kill_workers=True)
