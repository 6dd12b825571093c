"""One thread per task: sums in BLAS and OpenMP depend on how many threads share them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold the thread pools of this process at one thread."""
    with _controller(frozenset(_native())).limit(limits=1):
        yield


def _native() -> list[str]:
    """Return the modules that bring thread pools, as far as they are loaded by now."""
    pools = ("numpy", "scipy.linalg", "sklearn", "torch", "numba.np.ufunc.omppool")
    return [name for name in pools if name in sys.modules]


@cache
def _controller(loaded: frozenset[str]) -> ThreadpoolController:
    # Looking for the pools takes milliseconds, so it is done again only when a package came in.
    return ThreadpoolController()
