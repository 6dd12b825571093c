"""Where a result comes from: versions, code revision, machine, data, and the time it took."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import noisebench
from noisebench.engine.store import RunStore
from noisebench.files import write_json

_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "pyarrow", "joblib", "hydra-core")


def environment() -> dict[str, Any]:
    """Return the versions and the machine that results may depend on."""
    return {
        "noisebench": noisebench.__version__,
        "revision": code_revision(),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in _PACKAGES},
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def code_revision() -> dict[str, Any] | None:
    """Return the commit of the checkout that runs and whether it was changed since.

    None outside a checkout: an installed release is told by its version.
    """
    folder = Path(noisebench.__file__).parent
    commit = _git(folder, "rev-parse", "HEAD")
    tracked = _git(folder, "ls-files", "__init__.py")
    if not commit or not tracked:
        return None
    return {"commit": commit, "dirty": bool(_git(folder.parent, "status", "--porcelain"))}


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()


def read_provenance(store: RunStore) -> dict[str, Any]:
    """Return provenance.json, empty for a new run."""
    path = store.folder / "provenance.json"
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def record_session(store: RunStore, facts: dict[str, Any], session: dict[str, Any]) -> None:
    """Add one command's session to the run's provenance."""
    known = read_provenance(store)
    sessions = [*known.get("sessions", []), {**environment(), **session}]
    write_json(store.folder / "provenance.json", {**known, **facts, "sessions": sessions})


def changed_packages(store: RunStore) -> list[str]:
    """Return how the packages at hand differ from those that began the run."""
    sessions = read_provenance(store).get("sessions", [])
    if not sessions:
        return []
    then, now = sessions[0]["packages"], environment()["packages"]
    return [
        f"{name} {then[name]} → {now[name]}"
        for name in now
        if then.get(name, now[name]) != now[name]
    ]
