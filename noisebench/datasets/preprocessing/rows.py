"""Steps that choose among the rows of a table."""

from __future__ import annotations

import numpy as np

from noisebench.datasets.preprocessing.step import TableStep, take_rows
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError


class DropIncomplete(TableStep):
    """Leave out the rows that lack a value.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": [1.0, None], "b": ["x", "y"]}), pd.Series(["n", "p"]))
    >>> DropIncomplete().apply(table, np.random.default_rng(0)).target.tolist()
    ['n']
    """

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        complete = np.flatnonzero(table.features.notna().all(axis=1))
        if not len(complete):
            raise DataError("DropIncomplete: every row lacks a value, so none would be left.")
        return take_rows(table, complete)


class FirstRows(TableStep):
    """Keep the first rows, such as a published training part.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": np.arange(6.0)}), pd.Series(list("npnpnp")))
    >>> FirstRows(2).apply(table, np.random.default_rng(0)).target.tolist()
    ['n', 'p']
    """

    def __init__(self, n: int) -> None:
        if not isinstance(n, int) or isinstance(n, bool) or n < 1:
            raise InputError(f"n of FirstRows must be a whole number of at least 1, got {n!r}.")
        self.n = n

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        return take_rows(table, np.arange(min(self.n, len(table.target))))


class Subsample(TableStep):
    """Keep some rows, drawn without replacement, in their order.

    Parameters
    ----------
    n : int
        How many rows to keep; all are kept where there are no more.
    stratified : bool, default=False
        Whether each class keeps its share, up to rounding.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"a": np.arange(6.0)}), pd.Series(list("npnpnp")))
    >>> small = Subsample(4, stratified=True).apply(table, np.random.default_rng(0))
    >>> sorted(small.target)
    ['n', 'n', 'p', 'p']
    """

    def __init__(self, n: int, stratified: bool = False) -> None:
        if not isinstance(n, int) or isinstance(n, bool) or n < 1:
            raise InputError(f"n of Subsample must be a whole number of at least 1, got {n!r}.")
        self.n = n
        self.stratified = stratified

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        n_rows = len(table.target)
        if self.n >= n_rows:
            return table
        order = rng.permutation(n_rows)
        places = np.arange(self.n)
        if self.stratified:
            labels = table.target.astype(str).to_numpy()
            order = order[np.argsort(labels[order], kind="stable")]
            # The order runs class by class, so evenly spaced places take a share of each class.
            places = ((places + rng.random()) * n_rows / self.n).astype(np.intp)
        return take_rows(table, np.sort(order[places]))
