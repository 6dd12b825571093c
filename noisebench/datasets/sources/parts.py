"""A table in one or several files: each checked, read, and put under one another."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from noisebench.datasets.parsed import read_once
from noisebench.datasets.readers import FORMATS, join, read
from noisebench.datasets.sources.base import Source
from noisebench.datasets.table import Table
from noisebench.errors import InputError, did_you_mean


class PartsSource(Source):
    """A source whose table is read from the bytes of files.

    Parameters
    ----------
    files : list of str
        The files, in the order in which their rows follow one another.
    format : str
        A format of `noisebench.datasets.readers.read`.
    label_files : list of str
        For a format that keeps labels apart (idx): the labels of each file.
    parts : list of mapping
        Options that differ between the files, such as the names of the arrays in an archive that
        is listed twice.
    labels, notes, expect
        See `Source`.
    options : mapping
        Options of the reader.
    """

    def __init__(
        self,
        files: Sequence[str],
        format: str,
        label_files: Sequence[str] = (),
        parts: Sequence[Mapping[str, Any]] = (),
        labels: Mapping[Any, Any] | None = None,
        notes: str = "",
        expect: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        if not files or isinstance(files, str):
            raise InputError(f"A source needs a list of one or more files, got {files!r}.")
        if format not in FORMATS:
            raise InputError(f"There is no format '{format}'. {did_you_mean(format, FORMATS)}")
        for key, given in (("label_files", label_files), ("parts", parts)):
            if given and len(given) != len(files):
                raise InputError(
                    f"{key} needs one entry for each of the {len(files)} files, got {len(given)}."
                )
        self.files = list(files)
        self.format = format
        self.label_files = list(label_files)
        self.parts = list(parts)
        self.labels = labels
        self.notes = notes
        self.expect = expect
        self.options = dict(options or {})

    def load(self) -> Table:
        contents = self.fetch()
        ordered = [contents[name] for name in (*self.files, *self.label_files)]
        how = {"format": self.format, "options": self.options, "parts": self.parts}
        return read_once(lambda: self._parse(contents), ordered, how)

    @abstractmethod
    def fetch(self) -> dict[str, bytes]:
        """Return the checked content of every file by its name, or raise SourceUnavailable."""

    def _parse(self, contents: Mapping[str, bytes]) -> Table:
        return join([self._read_part(number, contents) for number in range(len(self.files))])

    def _read_part(self, number: int, contents: Mapping[str, bytes]) -> Table:
        name = self.files[number]
        options = {**self.options, **(self.parts[number] if self.parts else {})}
        if self.label_files:
            options["labels"] = contents[self.label_files[number]]
        return read(contents[name], self.format, where=name, **options)
