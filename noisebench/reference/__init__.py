"""The papers' printed figures, as tidy tables; the README beside them says how they were read."""

from __future__ import annotations

from importlib.resources import files

import pandas as pd

from noisebench.errors import InputError, did_you_mean


def reference_names() -> list[str]:
    """Return the names of the tables, such as ``gao_table2``."""
    folder = files(__name__)
    return sorted(path.name[:-4] for path in folder.iterdir() if path.name.endswith(".csv"))


def load_reference(name: str) -> pd.DataFrame:
    """Return a table of the papers.

    >>> load_reference("gao_table1").shape
    (20, 3)
    """
    if name not in reference_names():
        raise InputError(f"There is no reference '{name}'. {did_you_mean(name, reference_names())}")
    with files(__name__).joinpath(f"{name}.csv").open(encoding="utf-8") as stream:
        # "none" is a word of these tables, not a missing value.
        return pd.read_csv(stream, keep_default_na=False, na_values=[""])
