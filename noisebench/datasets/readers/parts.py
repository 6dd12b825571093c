"""Parts of a table, such as a published training and test part, put under one another."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from noisebench.datasets.table import Table
from noisebench.errors import DataError


def join(tables: Sequence[Table]) -> Table:
    """Put tables of the same columns under one another, in the given order.

    >>> part = Table(pd.DataFrame({"x0": [1.0]}), pd.Series(["a"], dtype=object))
    >>> join([part, part]).target.tolist()
    ['a', 'a']
    """
    if not tables:
        raise DataError("There are no tables to join; give at least one.")
    for number, table in enumerate(tables[1:], start=1):
        _check_same(tables[0], table, number)
    features = pd.concat([table.features for table in tables], ignore_index=True)
    target = pd.concat([table.target for table in tables], ignore_index=True)
    return Table(features, target)


def _check_same(first: Table, other: Table, number: int) -> None:
    here, there = list(first.features), list(other.features)
    if len(here) != len(there):
        raise DataError(
            f"Part {number} has {len(there)} feature columns where part 0 has {len(here)}; "
            f"read both with the same options."
        )
    for old, new in zip(here, there, strict=True):
        if old != new:
            raise DataError(
                f"Part {number} has column '{new}' where part 0 has '{old}'; the parts need the "
                f"same columns in the same order."
            )
        if first.features[old].dtype != other.features[new].dtype:
            raise DataError(
                f"Column '{old}' holds numbers in one part and text in part {number} or the "
                f"other way round; force one kind when reading, as with categorical=['{old}']."
            )
    if first.target.dtype != other.target.dtype:
        raise DataError(
            f"The target is a class in one part and a number in part {number} or the other way "
            f"round; read both with the same options."
        )
