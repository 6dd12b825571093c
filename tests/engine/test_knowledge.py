"""True rates and clean labels reach the learners that ask for them, and no others."""

from __future__ import annotations

import pytest

from tests.conftest import stored_rows

LEARNER = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Curious(ClassifierMixin, BaseEstimator):
    def __init__(self, rates=None):
        self.rates = rates

    def fit(self, X, y, clean_labels=None):
        self.told_ = str(self.rates)
        self.wrong_ = int((y != clean_labels).sum())
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)
"""


@pytest.fixture
def curious(noisebench, here, monkeypatch):
    (here / "curious.py").write_text(LEARNER)
    (here / "own" / "learner").mkdir(parents=True)
    (here / "own" / "learner" / "curious.yaml").write_text(
        "_target_: curious.Curious\nrecord: [told_, wrong_]\n"
    )
    monkeypatch.syspath_prepend(str(here))
    words = "run -q dataset=breast_cancer learner=curious protocol.repeats=1 executor=serial name=a"
    return lambda more: noisebench(f"{words} --config-dir own {more}")


@pytest.mark.parametrize(
    ("noise", "rates"),
    [
        ("noise=none", "(0.0, 0.0)"),
        ("noise=class_conditional", "(0.1, 0.3)"),
        ("noise=uniform", "(0.3, 0.3)"),
        ("noise=percentage", "(0.2, 0.2)"),
        ("noise=transition", "(0.1, 0.3)"),
    ],
)
def test_rates_come_from_the_noise_model_where_they_are_asked_for(curious, noise, rates):
    assert curious(f"{noise} learner.rates=known") == 0
    rows = stored_rows("runs/a")
    assert set(rows["told_"]) == {rates}
    assert (rows["wrong_"] == rows["n_flipped"]).all()


def test_no_learner_is_told_unasked(curious):
    assert curious("noise=class_conditional") == 0
    assert set(stored_rows("runs/a")["told_"]) == {"None"}


def test_rates_that_tell_nothing_are_refused_before_any_work(curious, here, capsys):
    assert curious("noise=uniform noise.rate=0.5 learner.rates=known") == 2
    assert "has none that two classes can be told apart with" in capsys.readouterr().err
    assert not (here / "runs").exists()
