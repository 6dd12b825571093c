"""Neighbour tables kept on disk: found by content, checked on use, bounded in size.

A table is a folder of two ``.npy`` files and a small JSON file with their sizes and checksums.
Its name is a hash of the points, the metric, the depth and the version of this format, so that
nothing can be looked up under a wrong name. Folders are written aside and renamed into place.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import time
import uuid
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from noisebench.errors import DataError, InputError
from noisebench.neighbors.spaces import Space, make_space
from noisebench.neighbors.table import NeighborTable, check_depth

#: To be raised when the meaning of a file changes; older tables are then not found any more.
FORMAT = 1

_ARRAYS = {"keys.npy": np.dtype(np.float64), "indices.npy": np.dtype(np.int32)}
_FACTS = "table.json"

#: Unfinished folders older than this (seconds) belong to a process that was killed.
_STALE = 24 * 3600


class TableStore:
    """Neighbour tables in a directory, built on first demand and memory-mapped afterwards.

    Several processes may use the same directory: one builds a table, the others wait for it. If
    the least recently used tables have to go, processes that have them mapped keep their view.

    Parameters
    ----------
    directory
        Where the tables are kept; made if missing.
    max_gb
        Total size in gigabytes (10⁹ bytes) that the tables may take.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = TableStore(folder)
    ...     table = store.get([[0.0], [1.0], [3.0]], "euclidean", 2)
    ...     again = store.get([[0.0], [1.0], [3.0]], "euclidean", 2)
    >>> again.indices.tolist()
    [[1, 2], [0, 2], [1, 0]]
    """

    def __init__(self, directory: str | os.PathLike[str], max_gb: float = 10.0) -> None:
        if not max_gb > 0:
            raise InputError(f"max_gb must be above 0, got {max_gb}.")
        self.directory = Path(directory)
        self.max_gb = max_gb

    def get(
        self,
        X: Any,
        metric: str = "euclidean",
        n_neighbors: int = 100,
        *,
        window: float | None = None,
        n_threads: int | None = None,
    ) -> NeighborTable:
        """Return the table of ``X``, from disk if it is there and whole, else built and kept.

        A damaged table is named in a warning and built again. If the table cannot be written,
        because the disk is full, say, a warning tells so and the table stays in memory.
        Arguments are those of :meth:`NeighborTable.build`.
        """
        space = make_space(X, metric, window)
        depth = check_depth(space, n_neighbors)
        folder = self.directory / table_key(space, depth)
        built = None
        try:
            found = self._find(folder, space, depth)
            if found is None:
                with self._lock(folder.name):
                    # Another process may have built it while this one waited.
                    found = self._find(folder, space, depth, repair=True)
                    if found is None:
                        built = NeighborTable.from_space(space, depth, n_threads=n_threads)
                        self._keep(folder, built)
            found = found or self._find(folder, space, depth)
        except OSError as error:
            found = None
            warnings.warn(
                f"The neighbour table cannot be kept in '{self.directory}' "
                f"({error.strerror or error}); it stays in memory. Free space or name another "
                "directory, so that it is searched only once.",
                RuntimeWarning,
                stacklevel=2,
            )
        return found or built or NeighborTable.from_space(space, depth, n_threads=n_threads)

    def _lock(self, name: str) -> FileLock:
        locks = self.directory / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        return FileLock(locks / f"{name}.lock")

    def _find(
        self, folder: Path, space: Space, depth: int, *, repair: bool = False
    ) -> NeighborTable | None:
        """Return the table in ``folder``, or None if there is none or, with a warning, damage."""
        try:
            return load_table(folder, space, depth)
        except FileNotFoundError:
            if not folder.exists():
                return None
            damage = "a file is missing"
        except DataError as error:
            damage = str(error)
        if repair:
            warnings.warn(
                f"The neighbour table '{folder}' is damaged ({damage}); it is built again.",
                RuntimeWarning,
                stacklevel=3,
            )
            self._remove(folder)
        return None

    def _keep(self, folder: Path, table: NeighborTable) -> None:
        """Write the table aside, make room, and rename it into place."""
        size = table.keys.nbytes + table.indices.nbytes
        if size > self.max_gb * 1e9:
            raise OSError(
                f"it takes {size / 1e9:.3g} GB, more than the bound max_gb={self.max_gb:g}"
            )
        aside = self._make_aside()
        try:
            save_table(aside, table)
            with self._lock("all"):
                self._make_room(_size(aside))
                aside.rename(folder)
        except BaseException:
            shutil.rmtree(aside, ignore_errors=True)
            raise

    def _make_aside(self) -> Path:
        """Make a folder that no one takes for a table."""
        aside = self.directory / f".unfinished-{uuid.uuid4().hex}"
        aside.mkdir()
        return aside

    def _make_room(self, size: int) -> None:
        """Remove the least recently used tables until ``size`` more bytes fit in."""
        for folder in self.directory.glob(".unfinished-*"):
            if time.time() - _last_use(folder) > _STALE:
                shutil.rmtree(folder, ignore_errors=True)
        tables = [facts.parent for facts in self.directory.glob(f"[!.]*/{_FACTS}")]
        folders = sorted(tables, key=_last_use)
        sizes = {folder: _size(folder) for folder in folders}
        total = sum(sizes.values()) + size
        for folder in folders:
            if total <= self.max_gb * 1e9:
                break
            self._remove(folder)
            total -= sizes[folder]

    def _remove(self, folder: Path) -> None:
        """Remove a table at one stroke, as far as others can see."""
        aside = self._make_aside()
        with contextlib.suppress(FileNotFoundError):
            folder.rename(aside / folder.name)
        shutil.rmtree(aside, ignore_errors=True)


def table_key(space: Space, n_neighbors: int) -> str:
    """Return the name under which a table is kept."""
    identity = f"{FORMAT} {space.fingerprint()} {n_neighbors}"
    return hashlib.sha256(identity.encode()).hexdigest()[:40]


def save_table(folder: Path, table: NeighborTable) -> None:
    """Write a table's arrays, then their sizes and checksums."""
    for name, array in (("keys.npy", table.keys), ("indices.npy", table.indices)):
        np.save(folder / name, array, allow_pickle=False)
    facts = {
        "format": FORMAT,
        "metric": table.space.metric,
        "engine": table.engine,
        "files": {
            name: {"bytes": (folder / name).stat().st_size, "sha256": _checksum(folder / name)}
            for name in _ARRAYS
        },
    }
    (folder / _FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")


def load_table(folder: Path, space: Space, n_neighbors: int) -> NeighborTable:
    """Map a table into memory after checking size, checksum, type and shape of its files.

    Raises
    ------
    FileNotFoundError
        If a file is missing.
    DataError
        If a file is not what was written; the message names it.
    """
    try:
        facts = json.loads((folder / _FACTS).read_text(encoding="utf-8"))
        engine, files = str(facts["engine"]), {name: facts["files"][name] for name in _ARRAYS}
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{_FACTS} cannot be read") from error
    shape = len(space), n_neighbors
    keys, indices = (_load_array(folder / name, files[name], shape) for name in _ARRAYS)
    # The time of the last use decides which table goes first.
    os.utime(folder / _FACTS)
    return NeighborTable(space, keys, indices, engine)


def _load_array(path: Path, facts: dict[str, Any], shape: tuple[int, int]) -> np.ndarray:
    size = path.stat().st_size
    if size != facts["bytes"]:
        raise DataError(f"{path.name} has {size} bytes instead of {facts['bytes']}")
    if _checksum(path) != facts["sha256"]:
        raise DataError(f"{path.name} does not match its checksum")
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    if array.dtype != _ARRAYS[path.name] or array.shape != shape:
        raise DataError(f"{path.name} holds {array.dtype} of shape {array.shape}")
    return np.asarray(array)


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _last_use(folder: Path) -> float:
    try:
        facts = folder / _FACTS
        return (facts if facts.exists() else folder).stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _size(folder: Path) -> int:
    try:
        return sum(path.stat().st_size for path in folder.iterdir())
    except FileNotFoundError:
        return 0
