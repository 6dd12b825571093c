"""A loaded table compared with what its catalogue entry promises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from noisebench.datasets.labels import is_quantity
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError

_KEYS = ("rows", "features", "classes")


def check_expected(name: str, table: Table, expect: Mapping[str, Any], origin: str) -> None:
    """Refuse a table that differs from its entry, and say everything that differs.

    The classes of a quantity (`is_quantity`) are compared once it has been binarised, by
    `check_classes`.
    """
    unknown = [key for key in expect if key not in _KEYS]
    if unknown:
        raise InputError(f"Data set '{name}': expect knows {', '.join(_KEYS)}, not '{unknown[0]}'.")
    differences = [
        *_compare("rows", len(table.target), expect.get("rows")),
        *_compare("features", table.features.shape[1], expect.get("features")),
    ]
    if not is_quantity(table.target):
        differences += compare_classes(table.target, expect.get("classes"))
    _refuse(name, differences, origin)


def check_classes(name: str, target: pd.Series, expect: Mapping[str, Any], origin: str) -> None:
    """Refuse a target whose classes differ from the entry's."""
    _refuse(name, compare_classes(target, expect.get("classes")), origin)


def compare_classes(target: pd.Series, wanted: Mapping[Any, int] | int | None) -> list[str]:
    """Return one phrase for each way in which the classes are not the wanted ones.

    >>> compare_classes(pd.Series(["a", "a", "c"]), {"a": 2, "b": 1})
    ["no class 'b' where 1 row is expected", "1 row of class 'c', which is not expected"]
    """
    counts = {str(label): int(n) for label, n in target.value_counts(sort=False).items() if n}
    if wanted is None:
        return []
    if not isinstance(wanted, Mapping):
        return _compare("classes", len(counts), wanted)
    listed = {str(label): int(n) for label, n in wanted.items()}
    differences = []
    for label, n in listed.items():
        if label not in counts:
            differences.append(f"no class '{label}' where {_rows(n)} expected")
        elif counts[label] != n:
            differences.append(f"{counts[label]} rows of class '{label}' instead of {n}")
    for label in counts.keys() - listed.keys():
        n = counts[label]
        differences.append(
            f"{n} {'row' if n == 1 else 'rows'} of class '{label}', which is not expected"
        )
    return differences


def _compare(what: str, found: int, wanted: int | None) -> list[str]:
    return [] if wanted is None or wanted == found else [f"{found} {what} instead of {wanted}"]


def _rows(n: int) -> str:
    return "1 row is" if n == 1 else f"{n} rows are"


def _refuse(name: str, differences: list[str], origin: str) -> None:
    if differences:
        raise DataError(
            f"Data set '{name}' from {origin} is not the one that its entry describes: "
            f"{'; '.join(differences)}. Use another source, or, if this version is meant, say so "
            f"under `expect` of that source or in an entry of its own."
        )
