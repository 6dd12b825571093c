from __future__ import annotations

import pandas as pd
import pytest

from noisebench.components import Component
from noisebench.engine.study import combine
from noisebench.errors import InputError
from noisebench.reference.comparison import compare
from noisebench.report.results import Question, summarise
from noisebench.report.tables import Style, set_comparison

SPEC = {
    "paper": "gao",
    "table": "gao_table2",
    "value": "mean",
    "noise": {"tau_pos": "tau_pos", "tau_neg": "tau_neg"},
    "learners": {"rknn": {"method": "RkNN"}, "knn": {"method": "kNN"}},
}


def setting(spec, **entry):
    """A study of three learners on one data set with two noises, and its results."""
    noises = {"a": {"tau_pos": 0.1, "tau_neg": 0.2}, "b": {"rate": 0.3}}
    parts = {
        "dataset": [Component("dataset", "mine", {"papers": {"gao": "heart"}, **entry})],
        "noise": [Component("noise", name, config) for name, config in noises.items()],
        "learner": [Component("learner", name, {}) for name in ("rknn", "knn", "svm")],
        "protocol": [Component("protocol", "p", {})],
    }
    study = combine(parts, [0], {"reference": spec})
    rows = pd.DataFrame(
        {
            "dataset": "mine",
            "noise": cell.noise,
            "learner": cell.learner,
            "protocol": "p",
            "seed": 0,
            "repeat": 0,
            "fold": fold,
            "accuracy": 0.85,
            "n_train": 3,
            "n_test": 1,
        }
        for cell in study.cells
        for fold in range(2)
    )
    return summarise(rows, Question()), study


def test_cells_are_found_by_data_set_noise_and_learner():
    pairs = compare(*setting(SPEC))
    assert [(pair.noise, pair.learner, pair.paper) for pair in pairs] == [
        ("a", "knn", 0.8353),
        ("a", "rknn", 0.8544),
    ]
    assert pairs[1].difference == pytest.approx(0.85 - 0.8544)
    text = set_comparison(pairs, Style(percent=False, labels={"rknn": "RkNN"}))
    assert "RkNN     0.8500  0.8544     −0.0044" in text
    assert "Median absolute difference over 2 cells: 0.0095." in text or "0.0096" in text


def test_stand_ins_and_other_data_are_not_compared():
    assert compare(*setting(SPEC, stand_in=True)) == []
    assert compare(*setting(SPEC, papers={"marchiori": "HEART"})) == []
    assert compare(*setting(None)) == []


def test_a_wrong_column_is_named():
    with pytest.raises(InputError, match="no column 'methd'"):
        compare(*setting({**SPEC, "learners": {"knn": {"methd": "kNN"}}}))


def test_an_ambiguous_cell_is_refused():
    with pytest.raises(InputError, match="has 8 cells"):
        compare(*setting({**SPEC, "learners": {"knn": {}}}))
