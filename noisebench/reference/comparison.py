"""Our figures beside a paper's, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from noisebench.engine.study import Study
from noisebench.errors import InputError
from noisebench.reference import load_reference
from noisebench.report.results import Results


@dataclass(frozen=True)
class Pair:
    """One cell of a table: our mean and the printed one, both as fractions."""

    dataset: str
    noise: str
    learner: str
    ours: float
    paper: float

    @property
    def difference(self) -> float:
        return self.ours - self.paper


def compare(results: Results, study: Study) -> list[Pair]:
    """Return every cell that the experiment's paper prints too.

    The experiment's ``reference`` names the paper and its table, the column of the figures, and
    how cells are found: ``noise`` maps columns to parameters of the noise model, ``learners`` the
    names of learners to values of columns. Stand-ins for unpublished data are never compared.
    """
    spec = study.layout.get("reference")
    if not spec:
        return []
    table = load_reference(spec["table"])
    pairs = []
    for line in results.lines:
        for learner in results.learners:
            entry = results.entries.get((line, learner))
            keys = _keys(study, spec, *line, learner)
            if entry is None or keys is None:
                continue
            printed = _look_up(table, keys, spec)
            if printed is not None:
                pairs.append(Pair(*line, learner, entry.mean, printed))
    return pairs


def _keys(
    study: Study, spec: Mapping[str, Any], dataset: str, noise: str, learner: str
) -> dict[str, Any] | None:
    """Return what finds a cell in the paper's table, None where the paper has no such cell."""
    entry = study.component("dataset", dataset).config
    name = (entry.get("papers") or {}).get(spec["paper"])
    method = (spec.get("learners") or {}).get(learner)
    if name is None or method is None or entry.get("stand_in"):
        return None
    config = study.component("noise", noise).config
    wanted = spec.get("noise") or {}
    if any(parameter not in config for parameter in wanted.values()):
        return None
    rates = {column: config[parameter] for column, parameter in wanted.items()}
    return {"dataset": name, **rates, **method}


def _look_up(table: pd.DataFrame, keys: Mapping[str, Any], spec: Mapping[str, Any]) -> float | None:
    chosen = pd.Series(True, index=table.index)
    for column, value in keys.items():
        if column not in table:
            raise InputError(f"reference '{spec['table']}' has no column '{column}'.")
        chosen &= table[column] == value
    found = table.loc[chosen, spec["value"]].dropna()
    if len(found) > 1:
        raise InputError(f"reference '{spec['table']}' has {len(found)} cells for {dict(keys)}.")
    return float(found.iloc[0]) / (100 if spec.get("percent") else 1) if len(found) else None
