"""A run's folder: configuration, provenance, and rows that survive a kill at any moment.

Rows arrive as small Parquet shards, each written whole, and are merged into one file from time to
time. A crash between a merge and the removal of what was merged leaves a row in two files; it is
told by its identity and counted once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from filelock import FileLock, Timeout

from noisebench.engine.study import Study
from noisebench.errors import DataError, InputError
from noisebench.files import write_json, write_text, write_whole

#: The layout of the folder; raised when an older noisebench could misread a newer folder.
LAYOUT = 1
#: How many shards may lie about before they are merged.
_MOST_SHARDS = 24

KEYS = ("dataset", "noise", "learner", "protocol", "seed", "repeat", "fold")
LEADING = (
    "dataset",
    "noise",
    "learner",
    "repeat",
    "fold",
    "accuracy",
    "n_train",
    "n_test",
    "n_flipped",
    "fit_seconds",
    "predict_seconds",
)
TRAILING = (
    "balanced_accuracy",
    "macro_f1",
    "protocol",
    "seed",
    "shared_neighbors",
    "warnings",
    "task",
)
#: Columns that measure the machine, not the method: the only ones that may differ between runs.
TIMES = ("fit_seconds", "predict_seconds")


class RunStore:
    """The folder of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows_folder = folder / "rows"

    @classmethod
    def open(cls, folder: Path) -> RunStore:
        """Open a run that exists, or say why this folder is none."""
        store = cls(folder)
        if not folder.is_dir():
            raise InputError(f"There is no run at {folder}; `noisebench run … name=` makes one.")
        store.check_layout()
        return store

    @classmethod
    def create(cls, folder: Path) -> RunStore:
        """Open a run, or make its folder."""
        store = cls(folder)
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file; choose another name= or output=.")
        if store._config_path.exists() or (folder.is_dir() and any(folder.iterdir())):
            store.check_layout()
        try:
            store.rows_folder.mkdir(parents=True, exist_ok=True)
            write_text(folder / ".writable", "")
            (folder / ".writable").unlink()
        except OSError as error:
            raise InputError(
                f"Cannot write to {folder} ({error.strerror}); choose another output=."
            ) from error
        return store

    @property
    def _config_path(self) -> Path:
        return self.folder / "config.yaml"

    def check_layout(self) -> None:
        """Refuse folders that are no run, or of a layout that this version does not know."""
        if not self._config_path.exists():
            if set(os.listdir(self.folder)) <= {"rows", ".lock", ".writable"}:
                return  # a run that was stopped before it began
            raise InputError(
                f"{self.folder} holds files but no config.yaml, so it is no run of noisebench; "
                f"choose another name."
            )
        layout = self.read_config().get("layout_version")
        if layout != LAYOUT:
            raise InputError(
                f"{self.folder} has layout {layout}, this noisebench reads layout {LAYOUT}; "
                f"open it with the version that wrote it (see its provenance.json)."
            )

    def lock(self) -> FileLock:
        """Return the lock that a command holds while it writes the run."""
        return FileLock(self.folder / ".lock")

    def acquire(self) -> FileLock:
        """Take the lock, or say who holds it."""
        lock = self.lock()
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise InputError(
                f"Another command is writing {self.folder}; wait for it or choose another name=."
            ) from error
        return lock

    def read_config(self) -> dict[str, Any]:
        """Return config.yaml as plain data."""
        try:
            plain = yaml.safe_load(self._config_path.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
            raise DataError(f"{self._config_path} cannot be read: {error}") from error
        if not isinstance(plain, dict):
            raise DataError(f"{self._config_path} is no configuration of a run.")
        return plain

    def write_config(self, study: Study, settings: dict[str, Any]) -> None:
        plain = {"layout_version": LAYOUT, "settings": settings, **study.to_plain()}
        text = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100)
        write_text(self._config_path, text)

    def study(self) -> Study:
        """Return the study that this run computes."""
        return Study.from_plain(self.read_config())

    def read_rows(self) -> pd.DataFrame:
        """Return all finished rows, each once, in an order that only they decide."""
        parts = [self._read_shard(path) for path in self._shards()]
        parts = [part for part in parts if len(part)]
        if not parts:
            return pd.DataFrame(columns=[*LEADING, *TRAILING])
        rows = pd.concat(parts, ignore_index=True).drop_duplicates("task", ignore_index=True)
        own = sorted(set(rows.columns) - {*LEADING, *TRAILING})
        rows = rows.sort_values(list(KEYS), kind="stable", ignore_index=True)
        return rows[[*LEADING, *own, *TRAILING]]

    def _shards(self) -> list[Path]:
        return sorted(self.rows_folder.glob("*.parquet"))

    def _read_shard(self, path: Path) -> pd.DataFrame:
        import pyarrow.parquet
        from pyarrow import ArrowException

        try:
            # Read as plain Arrow: metadata that pandas would act on is left aside.
            return pyarrow.parquet.read_table(path).replace_schema_metadata().to_pandas()
        except (ArrowException, OSError) as error:
            raise DataError(
                f"{path} is damaged ({error}); delete it and run the same command again: only "
                f"its rows are computed anew."
            ) from error

    def append(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write rows as one more shard, and merge shards when there are many."""
        if rows:
            self._write_shard(pd.DataFrame(list(rows)))
        if len(self._shards()) > _MOST_SHARDS:
            self.merge()

    def merge(self) -> None:
        """Put all rows into one file."""
        old = self._shards()
        if len(old) > 1:
            kept = self._write_shard(self.read_rows())
            for path in old:
                if path != kept:
                    path.unlink()

    def _write_shard(self, rows: pd.DataFrame) -> Path:
        from noisebench.components import digest

        name = digest(sorted(rows["task"]), 16)
        path = self.rows_folder / f"{name}.parquet"
        write_whole(path, lambda part: rows.to_parquet(part, index=False))
        return path

    def write_failures(self, failures: Sequence[dict[str, Any]]) -> None:
        """Keep what failed in this command, with tracebacks; nothing of it counts as done."""
        path = self.folder / "failures.json"
        if failures:
            write_json(path, list(failures))
        else:
            path.unlink(missing_ok=True)

    def read_failures(self) -> list[dict[str, Any]]:
        path = self.folder / "failures.json"
        if not path.exists():
            return []
        found = json.loads(path.read_text(encoding="utf-8"))
        return list(found)
