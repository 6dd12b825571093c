"""Figures that the papers print, on data that can be generated."""

from __future__ import annotations

import pandas as pd
import pytest

from noisebench.reference import load_reference
from tests.conftest import stored_rows


@pytest.mark.parametrize("k", [1, 3, 5])
def test_twonorm_without_filter_as_in_marchiori_table_2(noisebench, k):
    words = "dataset=twonorm protocol=holdout protocol.train_size=400 protocol.repeats=40"
    assert noisebench(f"run -q {words} learner.n_neighbors={k} name=a executor=serial") == 0
    table = load_reference("marchiori_table2")
    chosen = (table["dataset"] == "TWONORM") & (table["filter"] == "none") & (table["k"] == k)
    [printed] = table.loc[chosen, "accuracy"]
    assert 100 * stored_rows("runs/a")["accuracy"].mean() == pytest.approx(printed, abs=0.5)


def test_every_reference_table_reads_as_a_table():
    from noisebench.reference import reference_names

    names = reference_names()
    assert {"gao_table2", "marchiori_table2", "tomasev_table4", "agarwal_noise_rates"} <= set(names)
    for name in names:
        table = load_reference(name)
        assert isinstance(table, pd.DataFrame)
        assert len(table) >= 4
