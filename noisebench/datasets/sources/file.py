"""Files in the user's own folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from noisebench.datasets.cache import check_sha256
from noisebench.datasets.folders import DATA_VARIABLE, data_root
from noisebench.datasets.sources.base import SourceUnavailable
from noisebench.datasets.sources.parts import PartsSource
from noisebench.errors import InputError


class FileSource(PartsSource):
    """Files below the user's data folder (NOISEBENCH_DATA), or at absolute paths.

    Parameters
    ----------
    files : list of str
        The files, in the order in which their rows follow one another; gzip is recognised by
        content.
    format : str
        A format of `noisebench.datasets.readers.read`.
    sha256 : list of str
        The checksum of each file, those of ``label_files`` after the others; none are checked
        when the list is empty.
    label_files, parts, labels, notes, expect
        See `PartsSource`.
    **options
        Options of the reader.

    Examples
    --------
    >>> FileSource(["heart/heart.libsvm"], "libsvm").describe()
    'file heart/heart.libsvm'
    """

    def __init__(
        self,
        files: Sequence[str],
        format: str,
        sha256: Sequence[str] = (),
        label_files: Sequence[str] = (),
        parts: Sequence[Mapping[str, Any]] = (),
        labels: Mapping[Any, Any] | None = None,
        notes: str = "",
        expect: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(files, format, label_files, parts, labels, notes, expect, options)
        names = [*self.files, *self.label_files]
        if sha256 and (isinstance(sha256, str) or len(sha256) != len(names)):
            raise InputError(
                f"sha256 needs a list with one entry for each of the {len(names)} files "
                f"({', '.join(names)})."
            )
        self.checksums = dict(zip(names, sha256, strict=True)) if sha256 else {}

    def describe(self) -> str:
        more = f" and {len(self.files) - 1} more" if len(self.files) > 1 else ""
        return f"file {self.files[0]}{more}"

    def obstacle(self) -> str | None:
        for name in (*self.files, *self.label_files):
            path = locate(name)
            if path is None:
                return (
                    f"no data folder is set; put {name} into one and set {DATA_VARIABLE} to "
                    f"that folder."
                )
            if not path.is_file():
                return f"there is no file {path}; put it there."
        return None

    def fetch(self) -> dict[str, bytes]:
        obstacle = self.obstacle()
        if obstacle:
            raise SourceUnavailable(obstacle)
        contents = {}
        for name in dict.fromkeys((*self.files, *self.label_files)):
            path = locate(name)
            assert path is not None
            try:
                contents[name] = path.read_bytes()
            except OSError as error:
                raise SourceUnavailable(f"{path} cannot be read ({error.strerror}).") from error
            if name in self.checksums:
                check_sha256(contents[name], self.checksums[name], f"File {path}")
        return contents


def locate(name: str) -> Path | None:
    """Return where a file should lie, or None for a relative path while no data folder is set."""
    path, root = Path(name), data_root()
    if path.is_absolute():
        return path
    return None if root is None else root / path
