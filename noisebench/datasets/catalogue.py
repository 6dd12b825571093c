"""From a catalogue entry to a checked data set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from noisebench.components import build
from noisebench.datasets.dataset import Dataset, Partition, check_dataset
from noisebench.datasets.expectation import check_classes, check_expected
from noisebench.datasets.labels import class_names, is_quantity, order_classes, rename_labels
from noisebench.datasets.preprocessing.pipeline import preprocess, to_matrix
from noisebench.datasets.sources import FileSource, Source, SourceUnavailable
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError, did_you_mean

#: What an entry may say about a data set; all other keys are parameters that its sources use.
FACTS = (
    "title",
    "papers",
    "licence",
    "citation",
    "notes",
    "stand_in",
    "expect",
    "metric",
    "sources",
    "preprocessing",
    "partitions",
)


def load_dataset(name: str, entry: Mapping[str, Any]) -> Dataset:
    """Return the data set of a catalogue entry, from the first of its sources that has it.

    Parameters
    ----------
    name : str
        The entry's name; random steps of its preprocessing depend on it and on nothing else.
    entry : mapping
        The entry's YAML file as plain data.

    Raises
    ------
    SourceUnavailable
        When no source has it here and now; the message names each of them and what would help.
    DataError
        When what a source delivers is damaged or not the table that the entry describes.
    """
    _check_keys(name, entry)
    source, raw = load_table(name, entry)
    table, fold_steps = preprocess(name, raw, entry.get("preprocessing") or [])
    if is_quantity(raw.target):
        _check_binarised(name, table, source, entry)
    # A step that drops rows may have left a class without members.
    present = set(table.target.astype(str))
    classes = [label for label in class_names(table.target) if label in present]
    data = Dataset(
        name=name,
        X=to_matrix(name, table.features, fold_steps),
        y=np.asarray(order_classes(table.target, classes).cat.codes, dtype=np.int64),
        classes=tuple(classes),
        metric=entry.get("metric", "euclidean"),
        partitions=_load_partitions(name, entry, source, len(raw.target), table),
        fold_steps=fold_steps,
        origin=source.describe(),
    )
    check_dataset(data)
    return data


def load_table(name: str, entry: Mapping[str, Any]) -> tuple[Source, Table]:
    """Return the first source that has the table, and the table, checked but not preprocessed."""
    refusals = []
    for source in sources_of(name, entry):
        try:
            return source, _check_table(name, source.load(), source, entry)
        except SourceUnavailable as error:
            refusals.append(f"{source.describe()}: {error}")
    tried = " ".join(f"({number}) {text}" for number, text in enumerate(refusals, start=1))
    raise SourceUnavailable(f"Data set '{name}' cannot be had here and now. Tried: {tried}")


def sources_of(name: str, entry: Mapping[str, Any]) -> list[Source]:
    """Return the sources of an entry in the order in which they are tried."""
    configs = entry.get("sources") or []
    if not configs:
        raise InputError(f"Data set '{name}' names no sources; its YAML file needs a list of them.")
    return [build(config, f"dataset '{name}'") for config in configs]


def _check_keys(name: str, entry: Mapping[str, Any]) -> None:
    """Parameters for sources are plain values; a list or mapping of another name is a mistake."""
    for key, value in entry.items():
        if key not in FACTS and isinstance(value, Mapping | list):
            raise InputError(
                f"Data set '{name}': its entry has an unknown part '{key}'. "
                f"{did_you_mean(str(key), FACTS)}"
            )


def _expected(source: Source, entry: Mapping[str, Any]) -> dict[str, Any]:
    return {**(entry.get("expect") or {}), **(source.expect or {})}


def _check_table(name: str, table: Table, source: Source, entry: Mapping[str, Any]) -> Table:
    expect = _expected(source, entry)
    if is_quantity(table.target):
        check_expected(name, table, expect, source.describe())
        return table
    target = rename_labels(table.target, source.labels)
    check_expected(name, Table(table.features, target), expect, source.describe())
    listed = expect.get("classes")
    ordered = order_classes(target, listed if isinstance(listed, Mapping) else None)
    return Table(table.features, ordered)


def _check_binarised(name: str, table: Table, source: Source, entry: Mapping[str, Any]) -> None:
    """Check the classes that preprocessing has made of a quantity."""
    if is_quantity(table.target):
        raise DataError(
            f"Data set '{name}' has numbers for a target, not classes; add "
            f"noisebench.datasets.preprocessing.BinariseTarget to its preprocessing."
        )
    check_classes(name, table.target, _expected(source, entry), source.describe())


def _load_partitions(
    name: str, entry: Mapping[str, Any], source: Source, n_rows: int, table: Table
) -> tuple[Partition, ...]:
    """Return the published partitions, which count the rows of the published file."""
    config = entry.get("partitions")
    if not config or not isinstance(source, FileSource):
        return ()
    if not np.array_equal(table.features.index, np.arange(n_rows)):
        raise InputError(
            f"Data set '{name}' has published partitions, whose row numbers mean nothing after "
            f"preprocessing that drops rows; take one of the two out of its entry."
        )
    partitions: tuple[Partition, ...] = build(config, f"dataset '{name}'").load(n_rows)
    return partitions
