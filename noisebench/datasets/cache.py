"""The cache of downloads: files named by their content, written whole, checked on every use.

``files/ab/ab12…`` holds the bytes whose SHA-256 is ab12…, with ``ab12….json`` beside it, which
says what they are. ``names/….json`` leads from a name, such as an OpenML number, to such a file.
Nothing in it is a pickle, and nothing is trusted because it lies there.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from filelock import FileLock

from noisebench.datasets.folders import CACHE_VARIABLE, cache_folder
from noisebench.errors import DataError, InputError
from noisebench.files import write_json, write_whole

_logger = logging.getLogger(__name__)


def sha256_of(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Finding:
    """One file of the cache as `Cache.verify_all` found it; ``problem`` is empty when sound."""

    path: Path
    name: str
    problem: str = ""


class Cache:
    """A folder of downloads, shared by all processes of a user.

    Parameters
    ----------
    folder : Path, optional
        By default `cache_folder`.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> cache = Cache(Path(folder.name))
    >>> cache.obtain(sha256_of(b"1,a"), "toy.csv", lambda: b"1,a")
    b'1,a'
    >>> cache.holds(sha256_of(b"1,a"))
    True
    >>> folder.cleanup()
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder()

    def holds(self, sha256: str) -> bool:
        """Tell whether a file is there, without reading it."""
        return self._path(sha256).is_file()

    def obtain(self, sha256: str, name: str, download: Callable[[], bytes]) -> bytes:
        """Return the bytes with this SHA-256, downloading them if they are not there.

        Of many processes that ask at once, one downloads and the others wait for it.
        """
        data = self.read(sha256)
        if data is None:
            with self.lock(sha256):
                data = self.read(sha256)
                if data is None:
                    self._discard_damaged(sha256)
                    data = download()
                    check_sha256(data, sha256, name)
                    self.write(data, name)
        return data

    def obtain_named(
        self, name: str, download: Callable[[], tuple[bytes, dict[str, Any]]]
    ) -> tuple[bytes, dict[str, Any]]:
        """Return bytes and the facts about them, downloading both if the name is not known.

        For downloads whose SHA-256 is known only afterwards; it becomes one of the facts.
        """
        kept = self.read_named(name)
        if kept is None:
            with self.lock(name):
                kept = self.read_named(name)
                if kept is None:
                    self._discard_damaged((self.recall(name) or {}).get("sha256", ""))
                    data, facts = download()
                    facts = {**facts, "sha256": self.write(data, name)}
                    with self._explained():
                        write_json(self._name_path(name), facts)
                    kept = data, facts
        return kept

    def read_named(self, name: str) -> tuple[bytes, dict[str, Any]] | None:
        """Return the bytes and facts kept under a name, or None where there are none or damage."""
        facts = self.recall(name) or {}
        data = self.read(str(facts.get("sha256")))
        return None if data is None else (data, facts)

    def read(self, sha256: str) -> bytes | None:
        """Return the bytes with this SHA-256, or None where they are missing or damaged."""
        try:
            data = self._path(sha256).read_bytes()
        except OSError:
            return None
        return data if sha256_of(data) == sha256 else None

    def write(self, data: bytes, name: str) -> str:
        """Keep bytes and return their SHA-256; ``name`` says in messages what they are."""
        sha256 = sha256_of(data)
        path = self._path(sha256)
        with self._explained():
            write_whole(path, lambda part: part.write_bytes(data))
            write_json(_facts_path(path), {"name": name, "sha256": sha256, "bytes": len(data)})
        return sha256

    def recall(self, name: str) -> dict[str, Any] | None:
        """Return the facts kept under a name, or None."""
        return _read_facts(self._name_path(name))

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Keep all other processes and threads that ask for this lock waiting."""
        path = self.folder / "locks" / f"{quote(name, safe='')}.lock"
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(path)
            lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def verify_all(self) -> list[Finding]:
        """Read every file and compare it with its SHA-256."""
        files = sorted((self.folder / "files").glob("??/*"))
        stems = sorted({path.with_suffix("") for path in files if not path.name.startswith(".")})
        names = sorted((self.folder / "names").glob("*.json"))
        return [*(self._verify(path) for path in stems), *(self._verify_name(p) for p in names)]

    def _verify(self, path: Path) -> Finding:
        facts = _read_facts(_facts_path(path)) or {}
        name = str(facts.get("name", path.name))
        if not path.is_file():
            return Finding(path, name, "the file is gone, only the facts about it are left")
        if not sha256_of(path.read_bytes()) == path.name == facts.get("sha256", path.name):
            return Finding(path, name, "the content has changed since it was stored")
        return Finding(path, name)

    def _verify_name(self, path: Path) -> Finding:
        facts = _read_facts(path)
        if facts is None:
            return Finding(path, path.stem, "cannot be read")
        if not self.holds(str(facts.get("sha256"))):
            return Finding(path, path.stem, "leads to a file that is gone")
        return Finding(path, path.stem)

    def _discard_damaged(self, sha256: str) -> None:
        path = self._path(sha256)
        if path.is_file():
            name = (_read_facts(_facts_path(path)) or {}).get("name", "a download")
            _logger.warning("Cached file %s (%s) is damaged; it is fetched again.", path, name)
            with self._explained():
                path.unlink()
                _facts_path(path).unlink(missing_ok=True)

    def _path(self, sha256: str) -> Path:
        return self.folder / "files" / sha256[:2] / sha256

    def _name_path(self, name: str) -> Path:
        return self.folder / "names" / f"{quote(name, safe='')}.json"

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(
                f"The cache folder {self.folder} cannot be written ({error.strerror}); "
                f"set {CACHE_VARIABLE} to a folder that can."
            ) from error


def check_sha256(data: bytes, expected: str, what: str) -> None:
    """Refuse bytes that are not the ones meant."""
    found = sha256_of(data)
    if found != expected.lower():
        raise DataError(
            f"{what} has the SHA-256 {found}, but the catalogue pins {expected}; it is damaged or "
            f"another version, so get the pinned one."
        )


def _facts_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.json")


def _read_facts(path: Path) -> dict[str, Any] | None:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return facts if isinstance(facts, dict) else None
