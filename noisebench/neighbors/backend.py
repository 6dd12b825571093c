"""Compiled kernels or their plain twins, and how many threads share the rows."""

from __future__ import annotations

import importlib
import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from noisebench.errors import InputError

#: Pieces per thread: small enough to even out unequal rows, large enough to be worth a call.
_PIECES = 4


def is_compiled() -> bool:
    """Tell whether the compiled kernels are wanted; ``NOISEBENCH_JIT=0`` asks for the twins."""
    return os.environ.get("NOISEBENCH_JIT", "1") != "0"


def kernels(name: str) -> Any:
    """Return the kernels called ``name``: compiled ones, or twins that give the same bits.

    The compiler is imported here and not before, so that the package itself stays light.

    >>> kernels("votes").__name__.split(".")[-1]
    'votes'
    """
    kind = "compiled" if is_compiled() else "plain"
    return importlib.import_module(f"noisebench.neighbors.{kind}.{name}")


def count_threads(n_threads: int | None) -> int:
    """Return the number of threads to use: the argument, or what numba was told.

    The twins hold the interpreter most of the time, so that more than one would not help them.
    """
    check_threads(n_threads)
    if n_threads is not None:
        return n_threads
    if not is_compiled():
        return 1
    import numba

    return int(numba.get_num_threads())


def check_threads(n_threads: int | None) -> None:
    """Refuse a number of threads that is none."""
    if n_threads is not None and n_threads < 1:
        raise InputError(f"n_threads must be at least 1 or None, got {n_threads}.")


def share_rows(kernel: Callable[..., None], n_rows: int, n_threads: int | None, *args: Any) -> None:
    """Call ``kernel(start, stop, *args)`` on pieces of the rows, several at a time.

    Kernels release the interpreter and write to rows of their own only, so that the result does
    not depend on the number of threads. Plain threads rather than the compiler's own pool also
    survive a fork and calls from several threads.
    """
    # No rows, no kernel, and above all no search for the number of threads.
    if n_rows == 0:
        return
    workers = min(count_threads(n_threads), n_rows)
    if workers == 1:
        kernel(0, n_rows, *args)
        return
    pieces = min(n_rows, workers * _PIECES)
    bounds = [n_rows * piece // pieces for piece in range(pieces + 1)]
    with ThreadPoolExecutor(workers) as pool:
        jobs = [
            pool.submit(kernel, start, stop, *args) for start, stop in itertools.pairwise(bounds)
        ]
        for job in jobs:
            job.result()
