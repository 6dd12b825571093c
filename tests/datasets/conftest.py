"""Folders, wheels and entries of a few rows, as data sources deliver them."""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from noisebench.datasets.sources import package

TOY_CSV = b"1,2,-1\n3,4,1\n5,6,1\n7,8,-1\n"


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of downloads."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("NOISEBENCH_CACHE", str(folder))
    monkeypatch.setattr(package, "_refusals", {})
    return folder


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with one small file, toy/toy.csv."""
    folder = tmp_path / "data"
    (folder / "toy").mkdir(parents=True)
    (folder / "toy" / "toy.csv").write_bytes(TOY_CSV)
    monkeypatch.setenv("NOISEBENCH_DATA", str(folder))
    return folder


@pytest.fixture
def no_data_dir(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOISEBENCH_DATA", raising=False)


@pytest.fixture
def wheel_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where pip finds packages; empty at first."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def make_wheel(wheel_dir: Path) -> Callable[..., str]:
    """Put a wheel of some members where pip finds it, and return its SHA-256."""

    def make(members: Mapping[str, bytes], name: str = "toy_data", version: str = "1.0") -> str:
        path = wheel_dir / f"{name}-{version}-py3-none-any.whl"
        about = f"{name}-{version}.dist-info"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, content in members.items():
                archive.writestr(member, content)
            archive.writestr(
                f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            )
            archive.writestr(
                f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{about}/RECORD", "")
        return hashlib.sha256(path.read_bytes()).hexdigest()

    return make


@pytest.fixture
def toy_entry() -> Callable[..., dict[str, Any]]:
    """Return an entry over toy/toy.csv; keywords replace parts of it."""

    def make(**changes: Any) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "title": "Four rows",
            "expect": {"rows": 4, "features": 2, "classes": {"no": 2, "yes": 2}},
            "sources": [
                {
                    "_target_": "noisebench.datasets.sources.FileSource",
                    "files": ["toy/toy.csv"],
                    "format": "csv",
                    "labels": {"-1": "no", "+1": "yes"},
                }
            ],
        }
        return {**entry, **changes}

    return make
