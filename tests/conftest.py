"""What tests of several folders share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from noisebench.cli import main
from noisebench.engine.store import TIMES, RunStore


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name file contents by their length: some hold the time at which a test made them."""
    return f"{argname}{len(val)}" if isinstance(val, bytes) else None


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, as a user does."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def noisebench(here: Path) -> Callable[..., int]:
    """Run a command line in-process, in an empty folder, and return its exit code."""

    def run(line: str, *words: str) -> int:
        return main([*line.split(), *words])

    return run


def stored_rows(folder: str | Path) -> pd.DataFrame:
    """Return a run's rows without the columns that measure the machine."""
    return RunStore.open(Path(folder)).read_rows().drop(columns=list(TIMES))
