"""Steps that turn the target into other classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from noisebench.datasets.labels import class_names, is_quantity, make_classes
from noisebench.datasets.preprocessing.step import TableStep, join_words, take_rows
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError


class GroupClasses(TableStep):
    """Put the classes at random into two groups of equal size, which become the two classes.

    Gao et al. make their many-class sets binary so. With an odd number C of classes the first
    group gets ⌊C/2⌋ of them. The first group is the negative class. A set of two classes stays as
    it is.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": np.zeros(5)}), pd.Series(list("abcde")))
    >>> class_names(GroupClasses().apply(table, np.random.default_rng(0)).target)
    ['c+e', 'a+b+d']
    """

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        names = class_names(table.target)
        if len(names) <= 2:
            return table
        first = set(rng.permutation(len(names))[: len(names) // 2].tolist())
        groups = [[name for i, name in enumerate(names) if (i in first) == side] for side in (1, 0)]
        return _merge(table, {"+".join(group): group for group in groups})


class MergeClasses(TableStep):
    """Make new classes of old ones.

    Parameters
    ----------
    groups : mapping
        From each new class to the list of its old ones; the order is that of the new codes, so
        the last of two is the positive class. Every old class belongs to one new one.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": np.zeros(3)}), pd.Series(["1", "2", "3"]))
    >>> step = MergeClasses({"normal": ["1"], "ill": ["2", "3"]})
    >>> step.apply(table, np.random.default_rng(0)).target.tolist()
    ['normal', 'ill', 'ill']
    """

    def __init__(self, groups: Mapping[Any, Sequence[Any]]) -> None:
        self.groups = {str(new): [str(old) for old in group] for new, group in groups.items()}
        members = [old for group in self.groups.values() for old in group]
        if len(self.groups) < 2 or len(set(members)) < len(members):
            raise InputError(
                f"groups of MergeClasses must be two or more that share no class, got {groups!r}."
            )

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        return _merge(table, self.groups)


class SelectClasses(TableStep):
    """Keep the rows of some classes only.

    Parameters
    ----------
    classes : list
        The classes in the order of their codes: the last of two is the positive class.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": np.arange(3.0)}), pd.Series(["1", "2", "3"]))
    >>> SelectClasses([3, 1]).apply(table, np.random.default_rng(0)).target.cat.codes.tolist()
    [1, 0]
    """

    def __init__(self, classes: Sequence[Any]) -> None:
        self.classes = [str(label) for label in classes]

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        known = class_names(table.target)
        missing = [label for label in self.classes if label not in known]
        if missing:
            raise DataError(
                f"SelectClasses: there is no class '{missing[0]}'; there are {join_words(known)}."
            )
        kept = take_rows(table, np.flatnonzero(table.target.astype(str).isin(self.classes)))
        labels = kept.target.astype(str).tolist()
        return Table(kept.features, make_classes(labels, self.classes, kept.target))


class BinariseTarget(TableStep):
    """Make two classes of a quantity: ``low`` up to a threshold, ``high`` (positive) above it.

    Parameters
    ----------
    threshold : float, optional
        By default the median.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": np.zeros(3)}), pd.Series([20.0, 21.0, 22.0]))
    >>> BinariseTarget().apply(table, np.random.default_rng(0)).target.tolist()
    ['low', 'low', 'high']
    """

    def __init__(self, threshold: float | None = None) -> None:
        self.threshold = threshold

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        if not is_quantity(table.target):
            raise DataError(
                "BinariseTarget: the target holds classes, not numbers; read it with the option "
                "`target: number`."
            )
        values = table.target.to_numpy()
        above = values > (np.median(values) if self.threshold is None else self.threshold)
        labels = np.where(above, "high", "low").tolist()
        return Table(table.features, make_classes(labels, ["low", "high"], table.target))


def _merge(table: Table, groups: Mapping[str, Sequence[str]]) -> Table:
    new_of = {old: new for new, group in groups.items() for old in group}
    homeless = [label for label in class_names(table.target) if label not in new_of]
    if homeless:
        raise DataError(
            f"MergeClasses: the classes {join_words(homeless)} are in no group; add them to one."
        )
    labels = [new_of[label] for label in table.target.astype(str)]
    return Table(table.features, make_classes(labels, list(groups), table.target))
