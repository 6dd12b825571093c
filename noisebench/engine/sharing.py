"""Data sets handed to workers once, as memory-mapped files in a scratch folder.

The folder lives as long as the command: nothing in it is ever older than the data it holds.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType

import numpy as np

from noisebench.datasets.dataset import Dataset, Partition


@dataclass(frozen=True)
class DataHandle:
    """Where a worker finds a data set; small enough to travel with every job."""

    folder: str
    name: str
    classes: tuple[str, ...]
    metric: str
    fingerprint: str
    n_partitions: int


class Scratch:
    """A folder for the data sets of one command; use it as a context manager."""

    def __init__(self) -> None:
        _remove_orphans()
        self._folder = tempfile.TemporaryDirectory(
            prefix=f"noisebench-{os.getpid()}-", ignore_cleanup_errors=True
        )
        self._handles: dict[str, DataHandle] = {}

    def __enter__(self) -> Scratch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        open_dataset.cache_clear()
        self._folder.cleanup()

    def share(self, data: Dataset) -> DataHandle:
        """Write a data set for the workers, once."""
        if data.fingerprint not in self._handles:
            folder = Path(self._folder.name) / data.fingerprint
            folder.mkdir()
            np.save(folder / "X.npy", data.X)
            np.save(folder / "y.npy", data.y)
            steps = json.dumps([dict(step) for step in data.fold_steps])
            (folder / "fold_steps.json").write_text(steps, encoding="utf-8")
            for number, part in enumerate(data.partitions):
                np.savez(folder / f"partition{number}.npz", train=part.train, test=part.test)
            self._handles[data.fingerprint] = DataHandle(
                str(folder),
                data.name,
                data.classes,
                data.metric,
                data.fingerprint,
                len(data.partitions),
            )
        return self._handles[data.fingerprint]


def _remove_orphans() -> None:
    """Remove the folders of commands that were killed before they could do it themselves."""
    for folder in Path(tempfile.gettempdir()).glob("noisebench-*-*"):
        number = folder.name.split("-")[1]
        if number.isdigit() and not _is_running(int(number)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # someone else's process
        return True
    return True


@lru_cache(maxsize=8)
def open_dataset(handle: DataHandle) -> Dataset:
    """Return a shared data set, its features mapped read-only into memory."""
    folder = Path(handle.folder)
    partitions = []
    for number in range(handle.n_partitions):
        with np.load(folder / f"partition{number}.npz", allow_pickle=False) as part:
            partitions.append(Partition(part["train"], part["test"]))
    data = Dataset(
        name=handle.name,
        X=np.load(folder / "X.npy", mmap_mode="r", allow_pickle=False),
        y=np.load(folder / "y.npy", allow_pickle=False),
        classes=handle.classes,
        metric=handle.metric,
        partitions=tuple(partitions),
        fold_steps=tuple(json.loads((folder / "fold_steps.json").read_text(encoding="utf-8"))),
    )
    data.__dict__["fingerprint"] = handle.fingerprint  # known, so not computed again
    return data
