from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from noisebench.errors import InputError
from noisebench.scores import SCORES, find_score, measure

codes = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


@given(codes)
def test_scores_agree_with_scikit_learn(pairs):
    y_true, y_pred = np.array(pairs).T
    found = measure(y_true, y_pred)
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y_true, y_pred))
    recalls = metrics.recall_score(
        y_true, y_pred, labels=np.unique(y_true), average="macro", zero_division=0
    )
    assert found["balanced_accuracy"] == pytest.approx(recalls)
    f1 = metrics.f1_score(y_true, y_pred, average="macro", zero_division=0)
    assert found["macro_f1"] == pytest.approx(f1)


def test_a_score_carries_its_direction():
    assert find_score("accuracy").greater_is_better
    assert not find_score("error_rate").greater_is_better
    assert not find_score("fit_seconds").greater_is_better
    assert set(measure(np.array([0, 1]), np.array([0, 1]))) <= set(SCORES)


def test_an_unknown_score_gets_near_matches():
    with pytest.raises(InputError, match="Did you mean accuracy"):
        find_score("acuracy")
