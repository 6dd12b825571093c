"""Files written whole or not at all."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a temporary file beside ``path``, then put it in place at once.

    A reader, or a crash, sees the old file or the new one, never a part of it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.parent / f".{path.name}.{uuid.uuid4().hex}.part"
    try:
        part.touch(exist_ok=False)
        write(part)
        with part.open("rb+") as stream:
            os.fsync(stream.fileno())
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
