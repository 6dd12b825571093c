"""A data set as the harness sees it: features, clean labels, a metric and published partitions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noisebench.components import versions_of
from noisebench.errors import DataError


@dataclass(frozen=True, eq=False)
class Partition:
    """One published split; rows stand in the published order, which decides ties in distance."""

    train: np.ndarray
    test: np.ndarray


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features ``X`` (n × d), clean labels ``y`` coded 0 … C−1, and what belongs to them.

    ``X`` holds float64, one series a row for time series; or strings, one text a row, where the
    first of ``fold_steps`` encodes them. ``fold_steps`` are the transformers that learn from each
    training part, as configurations; ``origin`` says in a few words where the data came from.

    Examples
    --------
    >>> import numpy as np
    >>> data = Dataset("toy", np.eye(3), np.array([0, 1, 1]), ("no", "yes"))
    >>> data.class_counts
    {'no': 1, 'yes': 2}
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    classes: tuple[str, ...]
    metric: str = "euclidean"
    partitions: tuple[Partition, ...] = ()
    fold_steps: tuple[Mapping[str, Any], ...] = ()
    origin: str = ""

    def __post_init__(self) -> None:
        if self.X.ndim != 2 or len(self.X) != len(self.y):
            raise DataError(
                f"Data set '{self.name}': X must be a table with one row per label, "
                f"got shape {self.X.shape} for {len(self.y)} labels."
            )

    @property
    def is_text(self) -> bool:
        return self.X.dtype.kind == "U"

    @property
    def class_counts(self) -> dict[str, int]:
        counts = np.bincount(self.y, minlength=len(self.classes))
        return {name: int(count) for name, count in zip(self.classes, counts, strict=True)}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over the content (values, labels, class names, metric, partitions, fold steps).

        Where the data came from does not count.
        """
        digest = hashlib.sha256()
        for array in (self.X, self.y, *self._partition_arrays()):
            array = np.ascontiguousarray(array)
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            digest.update(array.view(np.uint8).data if array.size else b"")
        digest.update("\0".join((self.metric, *self.classes)).encode())
        if self.fold_steps:
            steps = [dict(step) for step in self.fold_steps]
            # Their code counts, too, since what it computes is not in X.
            digest.update(json.dumps([steps, versions_of(steps)], sort_keys=True).encode())
        return digest.hexdigest()

    def _partition_arrays(self) -> list[np.ndarray]:
        return [rows for part in self.partitions for rows in (part.train, part.test)]


def check_dataset(data: Dataset) -> None:
    """Refuse a table that no classifier can learn from, and say what is wrong with it."""
    bad = np.zeros(0) if data.is_text else ~np.isfinite(data.X)
    if data.fold_steps and not data.is_text:
        bad &= ~np.isnan(data.X)  # a step of the folds may be there to impute what is missing
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise DataError(
            f"Data set '{data.name}' has {int(bad.sum())} NaN or infinite values, the first in "
            f"row {row}, column {column}; impute them or drop those rows."
        )
    if np.unique(data.y).size < 2:
        raise DataError(f"Data set '{data.name}' has members of one class only; two are needed.")
