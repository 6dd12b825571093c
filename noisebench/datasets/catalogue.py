"""From a catalogue entry to a checked data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from noisebench.components import build
from noisebench.datasets.dataset import Dataset, check_dataset
from noisebench.datasets.sources import Source, SourceUnavailable
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError

#: What an entry may say about a data set; all other keys are parameters that its sources use.
FACTS = ("title", "sources", "expect", "metric", "preprocessing", "papers", "notes")


def load_dataset(name: str, entry: Mapping[str, Any]) -> Dataset:
    """Return the data set of a catalogue entry, from the first of its sources that has it."""
    table = _load_table(name, entry)
    _check_expected(name, table, entry.get("expect") or {})
    classes = _class_names(table.target, entry.get("expect") or {})
    codes = {label: code for code, label in enumerate(classes)}
    data = Dataset(
        name=name,
        X=_preprocess(name, _to_numbers(name, table.features), entry),
        y=np.array([codes[label] for label in table.target], dtype=np.int64),
        classes=tuple(classes),
        metric=entry.get("metric", "euclidean"),
    )
    check_dataset(data)
    return data


def sources_of(name: str, entry: Mapping[str, Any]) -> list[Source]:
    """Return the sources of an entry in the order in which they are tried."""
    configs = entry.get("sources") or []
    if not configs:
        raise InputError(f"Data set '{name}' names no sources; its YAML file needs a list of them.")
    return [build(config, f"dataset '{name}'") for config in configs]


def _load_table(name: str, entry: Mapping[str, Any]) -> Table:
    refusals = []
    for source in sources_of(name, entry):
        try:
            return source.load()
        except SourceUnavailable as error:
            refusals.append(f"{source.describe()}: {error}")
    raise DataError(f"Data set '{name}' cannot be had here. " + " ".join(refusals))


def _check_expected(name: str, table: Table, expect: Mapping[str, Any]) -> None:
    """Compare a table with what its entry promises, and list every difference."""
    counts = table.target.value_counts().to_dict()
    found = {"rows": len(table.target), "features": table.features.shape[1], "classes": counts}
    differences = []
    for key, value in found.items():
        wanted = expect.get(key)
        if isinstance(wanted, Mapping):
            wanted = {str(label): count for label, count in wanted.items()}
        elif key == "classes":
            value = len(counts)
        if wanted is not None and wanted != value:
            differences.append(f"{value} {key} instead of {wanted}")
    if differences:
        raise DataError(f"Data set '{name}' is not the expected one: {'; '.join(differences)}.")


def _class_names(target: pd.Series, expect: Mapping[str, Any]) -> list[str]:
    """Return the classes in the order of the entry, which makes the last of two the positive one.

    Where the entry lists none, numbers are ordered as numbers and words as words.
    """
    listed = expect.get("classes")
    if isinstance(listed, Mapping):
        return [str(label) for label in listed]
    labels = [str(label) for label in pd.unique(target)]
    try:
        return sorted(labels, key=float)
    except ValueError:
        return sorted(labels)


def _to_numbers(name: str, features: pd.DataFrame) -> np.ndarray:
    words = [column for column in features if not pd.api.types.is_numeric_dtype(features[column])]
    if words:
        raise DataError(
            f"Data set '{name}': column {words[0]} holds words, not numbers; encode it in the "
            f"entry's preprocessing."
        )
    return np.ascontiguousarray(features.to_numpy(dtype=np.float64))


def _preprocess(name: str, X: np.ndarray, entry: Mapping[str, Any]) -> np.ndarray:
    """Apply the entry's transformers to all rows, as the papers do."""
    for config in entry.get("preprocessing") or []:
        X = build(config, f"dataset '{name}'").fit_transform(X)
    return np.ascontiguousarray(X, dtype=np.float64)
