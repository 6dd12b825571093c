"""Published partitions, read from the user's data folder beside the data.

Row numbers are those of the data file, so partitions belong to the `FileSource` of an entry and
to entries whose preprocessing keeps all rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np

from noisebench.datasets.cache import check_sha256
from noisebench.datasets.dataset import Partition
from noisebench.datasets.sources.file import locate
from noisebench.errors import DataError


class PartitionFile(ABC):
    """A text file of row numbers, one list a line.

    Parameters
    ----------
    file : str
        A path below the data folder (NOISEBENCH_DATA), or an absolute one.
    sha256 : str, optional
        The file's checksum.
    """

    def __init__(self, file: str, sha256: str | None = None) -> None:
        self.file = file
        self.sha256 = sha256

    def load(self, n_rows: int) -> tuple[Partition, ...]:
        """Return the partitions of a table of ``n_rows`` rows; none where the file is not there."""
        path = locate(self.file)
        if path is None or not path.is_file():
            return ()
        partitions = self._parse(self._read_lines(path), n_rows)
        for number, partition in enumerate(partitions, start=1):
            _check_partition(partition, n_rows, f"{path}, partition {number}")
        return tuple(partitions)

    @abstractmethod
    def _parse(self, lines: list[tuple[str, list[str]]], n_rows: int) -> list[Partition]:
        """Make partitions of the lines, each with the place that messages name."""

    def _read_lines(self, path: Path) -> list[tuple[str, list[str]]]:
        data = path.read_bytes()
        if self.sha256:
            check_sha256(data, self.sha256, f"File {path}")
        try:
            lines = data.decode("ascii").splitlines()
        except UnicodeDecodeError as error:
            raise DataError(f"{path} is no text of row numbers (byte {error.start}).") from error
        return [
            (f"{path}, line {number}", line.split(","))
            for number, line in enumerate(lines, start=1)
            if line.strip()
        ]


class SplitsFile(PartitionFile):
    """Lines of ``realisation,train|test,`` and then row numbers from 0, as for Rätsch's sets.

    Partitions come in the order in which their first lines stand in the file, rows in the order
    of the line, which decides ties in distance.
    """

    def _parse(self, lines: list[tuple[str, list[str]]], n_rows: int) -> list[Partition]:
        sides: dict[str, dict[str, np.ndarray]] = {}
        for where, (realisation, *rest) in lines:
            side = rest[0].strip() if rest else ""
            if side not in ("train", "test"):
                raise DataError(f"{where}: the second field must be train or test, got '{side}'.")
            parts = sides.setdefault(realisation.strip(), {})
            if side in parts:
                raise DataError(f"{where}: realisation {realisation} has a second {side} part.")
            parts[side] = _row_numbers(rest[1:], where)
        for realisation, parts in sides.items():
            if len(parts) < 2:
                raise DataError(
                    f"{self.file}: realisation {realisation} needs a train and a test part, has "
                    f"only {next(iter(parts))}."
                )
        return [Partition(parts["train"], parts["test"]) for parts in sides.values()]


class LabelledIndexFile(PartitionFile):
    """Lines of the labelled rows (from 0) of a semi-supervised benchmark, as for Chapelle's sets.

    Marchiori tests on the labelled rows and trains on all others, which come in ascending order.
    """

    def _parse(self, lines: list[tuple[str, list[str]]], n_rows: int) -> list[Partition]:
        partitions = []
        for where, fields in lines:
            test = _row_numbers(fields, where)
            partitions.append(Partition(np.setdiff1d(np.arange(n_rows), test), test))
        return partitions


def _row_numbers(fields: list[str], where: str) -> np.ndarray:
    tokens = [field.strip() for field in fields]
    bad = [token for token in tokens if not (token.isdigit() and len(token) < 10)]
    if bad or not tokens:
        shown = f"'{bad[0]}'" if bad else "nothing"
        raise DataError(f"{where}: row numbers from 0 are expected, got {shown}.")
    return np.array([int(token) for token in tokens], dtype=np.intp)


def _check_partition(partition: Partition, n_rows: int, where: str) -> None:
    rows = np.concatenate([partition.train, partition.test])
    if not len(partition.train) or not len(partition.test):
        raise DataError(f"{where}: both parts need rows.")
    if rows.max() >= n_rows:
        raise DataError(
            f"{where}: row {rows.max()} is beyond the last of the {n_rows} rows (from 0)."
        )
    values, counts = np.unique(rows, return_counts=True)
    if (counts > 1).any():
        raise DataError(
            f"{where}: row {values[counts > 1][0]} occurs more than once; every row belongs to "
            f"one part at most, once."
        )
