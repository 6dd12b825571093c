"""Files written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a temporary file beside ``path``, then put it in place at once.

    A reader, or a crash, sees the old file or the new one, never a part of it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    part = Path(name)
    try:
        write(part)
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
        part.chmod(0o666 & ~_umask())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text file whole."""
    write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Write plain data as readable JSON."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def _umask() -> int:
    # The mask can be read only by setting it; mkstemp's own mode would hide files from a group.
    mask = os.umask(0)
    os.umask(mask)
    return mask
