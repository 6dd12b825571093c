"""The steps of a catalogue entry, carried out in order; those for training parts set aside.

A step with ``fit: train`` learns from each training part and transforms both parts. It is kept
as configuration (``Dataset.fold_steps``) and carried out by `transform_fold` in the worker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from noisebench.components import build, check_parameters
from noisebench.datasets.preprocessing.step import text_columns
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError
from noisebench.seeds import rng_for

Config = Mapping[str, Any]


def preprocess(
    name: str, table: Table, configs: Sequence[Config]
) -> tuple[Table, tuple[dict[str, Any], ...]]:
    """Return the table after all steps that see all rows, and the steps left for the folds.

    Random steps draw from a generator that the data set's name and the step's class fix, so that
    the same set comes out for every seed of an experiment and in every sweep.
    """
    fold_steps: list[dict[str, Any]] = []
    for config in configs:
        config = dict(config)
        what = f"Data set '{name}', step {_short_name(config)}"
        fit = config.pop("fit", "all")
        if fit not in ("all", "train"):
            raise InputError(f"{what}: fit must be 'all' or 'train', got {fit!r}.")
        if fit == "all" and fold_steps:
            raise InputError(f"{what}: a step after one with `fit: train` needs `fit: train`, too.")
        if fit == "train":
            check_parameters(config, what)
            fold_steps.append(config)
        else:
            table = _carry_out(name, what, config, table)
    return table, tuple(fold_steps)


def transform_fold(
    X_train: np.ndarray, X_test: np.ndarray, steps: Sequence[Config], name: str
) -> tuple[Any, Any]:
    """Fit each step on the training part's features and transform both parts with it.

    Parts are dense arrays, or sparse ones where the last step returns such.
    """
    for config in steps:
        transformer = build(config, f"dataset '{name}'")
        X_train = transformer.fit_transform(X_train)
        X_test = transformer.transform(X_test)
    return X_train, X_test


def to_matrix(name: str, features: pd.DataFrame, fold_steps: Sequence[Config]) -> np.ndarray:
    """Return the features as float64, or as strings where a step of the folds is to encode text."""
    words = text_columns(features)
    if not words:
        return np.ascontiguousarray(features.to_numpy(dtype=np.float64))
    if len(words) < features.shape[1] or not fold_steps:
        raise DataError(
            f"Data set '{name}': column {features.columns[words[0]]} holds words, not numbers; "
            f"encode it in the entry's preprocessing, for instance with "
            f"noisebench.datasets.preprocessing.OneHot."
        )
    if features.isna().to_numpy().any():
        raise DataError(f"Data set '{name}': some texts are missing; drop those rows.")
    return features.to_numpy(dtype=object).astype(np.str_)


def _carry_out(name: str, what: str, config: Config, table: Table) -> Table:
    step = build(config, what)
    try:
        if hasattr(step, "apply"):
            # Overrides stand in brackets after the name; they must not change the draw.
            axes = {"dataset": name.partition("[")[0], "step": type(step).__name__}
            changed: Table = step.apply(table, rng_for(0, "preprocessing", **axes))
            return changed
        if hasattr(step, "fit_transform"):
            return Table(_transform(step, table.features), table.target)
    except (ValueError, TypeError) as error:
        raise DataError(f"{what}: {' '.join(str(error).split())}") from error
    raise InputError(f"{what} is neither a table step (apply) nor a transformer (fit_transform).")


def _transform(step: Any, features: pd.DataFrame) -> pd.DataFrame:
    numbers = not text_columns(features)
    result = step.fit_transform(features.to_numpy(dtype=np.float64) if numbers else features)
    if sparse.issparse(result):
        raise ValueError(
            "the step returns a sparse matrix, which a data set cannot hold; give it "
            "`fit: train`, or make it return a dense one."
        )
    result = np.asarray(result)
    if result.ndim != 2 or len(result) != len(features):
        raise ValueError(f"a transformer must keep the {len(features)} rows, got {result.shape}.")
    columns = features.columns if result.shape[1] == features.shape[1] else None
    return pd.DataFrame(result, index=features.index, columns=columns)


def _short_name(config: Config) -> str:
    return str(config.get("_target_", "without a _target_")).rpartition(".")[2]
