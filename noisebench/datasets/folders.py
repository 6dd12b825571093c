"""The two folders outside the project: the user's own data, and the cache of downloads."""

from __future__ import annotations

import os
from pathlib import Path

from noisebench.errors import InputError

DATA_VARIABLE = "NOISEBENCH_DATA"
CACHE_VARIABLE = "NOISEBENCH_CACHE"


def data_root() -> Path | None:
    """Return the folder that the environment variable NOISEBENCH_DATA names, if it names one."""
    named = os.environ.get(DATA_VARIABLE)
    return Path(named).expanduser() if named else None


def cache_folder() -> Path:
    """Return the folder of downloads: NOISEBENCH_CACHE, else noisebench in the user's cache."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named).expanduser()
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG rules say that a relative path is to be ignored.
    return (base if base.is_absolute() else Path.home() / ".cache") / "noisebench"


def use_data_root(folder: Path | None) -> None:
    """Make a folder the user's data folder, for this process and those that it starts."""
    if folder is None:
        return
    if not folder.is_dir():
        raise InputError(f"The data folder {folder} is not there; name one that is.")
    os.environ[DATA_VARIABLE] = str(folder.resolve())
