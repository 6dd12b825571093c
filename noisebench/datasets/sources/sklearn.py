"""The small data sets that scikit-learn ships."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from noisebench.datasets.sources.base import Source
from noisebench.datasets.table import Table
from noisebench.errors import InputError, did_you_mean

_SHIPPED = ("breast_cancer", "digits", "iris", "wine")


class SklearnSource(Source):
    """A ``sklearn.datasets.load_…`` function.

    Examples
    --------
    >>> SklearnSource("iris").load().target.value_counts().to_dict()
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """

    def __init__(
        self,
        name: str,
        labels: Mapping[Any, Any] | None = None,
        notes: str = "",
        expect: Mapping[str, Any] | None = None,
    ) -> None:
        if name not in _SHIPPED:
            hint = did_you_mean(name, _SHIPPED)
            raise InputError(f"scikit-learn ships no data set '{name}'. {hint}")
        self.name = name
        self.labels = labels
        self.notes = notes
        self.expect = expect

    def describe(self) -> str:
        return f"scikit-learn (load_{self.name})"

    def load(self) -> Table:
        import sklearn.datasets

        bunch = getattr(sklearn.datasets, f"load_{self.name}")()
        features = pd.DataFrame(bunch.data, dtype="float64")
        return Table(features, pd.Series([str(bunch.target_names[code]) for code in bunch.target]))
