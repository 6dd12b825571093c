"""A user's own file made into a catalogue entry."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from noisebench.datasets.cache import sha256_of
from noisebench.datasets.catalogue import load_dataset
from noisebench.datasets.dataset import Dataset
from noisebench.datasets.labels import class_names, is_quantity
from noisebench.datasets.preprocessing.step import text_columns
from noisebench.datasets.readers import read
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError
from noisebench.files import write_text

_STEPS = "noisebench.datasets.preprocessing"

_ENDINGS = {
    ".arff": "arff",
    ".csv": "csv",
    ".dat": "keel",
    ".data": "csv",
    ".libsvm": "libsvm",
    ".mat": "mat",
    ".npz": "npz",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".svm": "libsvm",
    ".ts": "ts",
    ".tsv": "ucr",
    ".txt": "csv",
}


def guess_format(path: Path) -> str:
    """Return the format that a file's name speaks for.

    >>> guess_format(Path("mine.csv.gz"))
    'csv'
    """
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    if ending not in _ENDINGS:
        raise InputError(
            f"{path}: the ending '{ending}' does not tell the format; say it with --format."
        )
    return _ENDINGS[ending]


def make_entry(
    path: Path, name: str, format: str, options: Mapping[str, Any]
) -> tuple[dict[str, Any], Dataset]:
    """Return a catalogue entry for a file, and the data set that it loads."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read ({error.strerror}).") from error
    table = read(data, format, where=str(path), **options)
    entry = {
        "title": f"{name} ({path.name})",
        "licence": "not stated",
        "expect": _expectation(table),
        "metric": "euclidean",
        "sources": [
            {
                "_target_": "noisebench.datasets.sources.FileSource",
                "files": [str(path.resolve())],
                "sha256": [sha256_of(data)],
                "format": format,
                **options,
            }
        ],
        "preprocessing": [{"_target_": f"{_STEPS}.{step}"} for step in _needed_steps(table)],
    }
    return entry, load_dataset(name, entry)


def write_entry(folder: Path, name: str, entry: Mapping[str, Any]) -> Path:
    """Write an entry below a folder that ``--config-dir`` takes; never over another one."""
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
        raise InputError(f"--name {name!r} must consist of letters, digits, '_' and '-'.")
    path = folder / "dataset" / f"{name}.yaml"
    if path.exists():
        raise InputError(f"{path} is there already; choose another --name or delete it.")
    write_text(path, yaml.safe_dump(dict(entry), sort_keys=False, allow_unicode=True, width=100))
    return path


def _expectation(table: Table) -> dict[str, Any]:
    expect: dict[str, Any] = {"rows": len(table.target), "features": table.features.shape[1]}
    if not is_quantity(table.target):
        counts = table.target.value_counts()
        expect["classes"] = {label: int(counts[label]) for label in class_names(table.target)}
    return expect


def _needed_steps(table: Table) -> list[str]:
    """Return the steps without which the table could not be learnt from."""
    steps = []
    if is_quantity(table.target):
        steps.append("BinariseTarget")
    if table.features.isna().to_numpy().any():
        steps.append("DropIncomplete")
    if text_columns(table.features):
        steps.append("OneHot")
    return steps
