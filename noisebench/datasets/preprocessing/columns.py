"""Steps that choose or encode the columns of a table, and a scaler to [−1, 1]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from noisebench.datasets.preprocessing.step import TableStep, text_columns
from noisebench.datasets.table import Table
from noisebench.errors import DataError, did_you_mean


class DropColumns(TableStep):
    """Leave out columns.

    Parameters
    ----------
    columns : list of str or int
        Names, or positions from 0.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"id": [7.0], "a": [1.0]}), pd.Series(["n"]))
    >>> DropColumns(["id"]).apply(table, np.random.default_rng(0)).features.columns.tolist()
    ['a']
    """

    def __init__(self, columns: Sequence[str | int]) -> None:
        self.columns = list(columns)

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        dropped = {_find(table.features, column) for column in self.columns}
        kept = [i for i in range(table.features.shape[1]) if i not in dropped]
        return _keep(table, kept, "DropColumns")


class DropConstant(TableStep):
    """Leave out the columns that do not vary; a missing value counts as a value of its own.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"a": [1.0, 1.0], "b": [1.0, 2.0]}), pd.Series(["n", "p"]))
    >>> DropConstant().apply(table, np.random.default_rng(0)).features.columns.tolist()
    ['b']
    """

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        varied = table.features.nunique(dropna=False).to_numpy() > 1
        return _keep(table, np.flatnonzero(varied).tolist(), "DropConstant")


class OneHot(TableStep):
    """Replace each column of words by one 0/1 column per value that occurs, in sorted order.

    A missing value has a 0 in all of them. Columns of numbers stay as they are.

    Examples
    --------
    >>> table = Table(pd.DataFrame({"cap": ["x", "b", None]}), pd.Series(["n", "p", "p"]))
    >>> OneHot().apply(table, np.random.default_rng(0)).features
       cap=b  cap=x
    0    0.0    1.0
    1    1.0    0.0
    2    0.0    0.0
    """

    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        words = set(text_columns(table.features))
        columns: dict[str, np.ndarray] = {}
        for position, name in enumerate(table.features):
            column = table.features.iloc[:, position]
            if position not in words:
                columns[str(name)] = column.to_numpy()
                continue
            for value in sorted(column.dropna().unique()):
                columns[f"{name}={value}"] = (column == value).to_numpy(dtype=np.float64)
        return Table(pd.DataFrame(columns, index=table.features.index), table.target)


class RangeScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Scale each column linearly to [−1, 1]; a column that does not vary becomes 0.

    `sklearn.preprocessing.MinMaxScaler` would send such a column to −1, which a linear method
    takes for a bias term. Missing values stay missing.

    Attributes
    ----------
    lows_, widths_ : ndarray of shape (n_features,)
        Where each column's range begins, and how wide it is.

    Examples
    --------
    >>> RangeScaler().fit_transform([[0.0, 5.0], [1.0, 5.0], [4.0, 5.0]])
    array([[-1. ,  0. ],
           [-0.5,  0. ],
           [ 1. ,  0. ]])
    """

    def fit(self, X: Any, y: Any = None) -> RangeScaler:
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        self.lows_ = np.nanmin(X, axis=0)
        self.widths_ = np.nanmax(X, axis=0) - self.lows_
        return self

    def transform(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        varies = self.widths_ > 0
        # In this order the ends of the range become −1 and 1 without rounding.
        return np.asarray(2 * ((X - self.lows_) / np.where(varies, self.widths_, 1.0)) - varies)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _find(features: pd.DataFrame, column: str | int) -> int:
    names = [str(name) for name in features]
    if isinstance(column, str) and column in names:
        return names.index(column)
    if isinstance(column, int) and -len(names) <= column < len(names):
        return column % len(names)
    hint = did_you_mean(str(column), names)
    raise DataError(f"DropColumns: there is no column {column!r} among {len(names)}. {hint}")


def _keep(table: Table, positions: list[int], who: str) -> Table:
    if not positions:
        raise DataError(f"{who}: no column would be left.")
    return Table(table.features.iloc[:, positions], table.target)
