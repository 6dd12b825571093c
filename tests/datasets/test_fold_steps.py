"""Steps with `fit: train`, from the entry through the shared files to the worker's rows."""

from __future__ import annotations

import numpy as np
import pytest
import yaml
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from noisebench.datasets import Dataset, load_dataset
from noisebench.datasets.preprocessing import GramTfidf
from noisebench.engine.draws import splits_of
from noisebench.engine.sharing import Scratch, open_dataset
from noisebench.protocols import RepeatedKFold
from tests.conftest import stored_rows

MESSAGES = [
    f"{word} number {i}" for i in range(12) for word in ("win a free prize", "see you at home")
]


@pytest.fixture
def conf(here):
    (here / "conf" / "dataset").mkdir(parents=True)
    return here / "conf"


def add_entry(conf, name, entry):
    (conf / "dataset" / f"{name}.yaml").write_text(yaml.safe_dump(entry))
    return load_dataset(name, entry)


def expected_accuracies(data, fit_and_score):
    protocol = RepeatedKFold(n_folds=4, repeats=2)
    splits = [split for repeat in range(2) for split in splits_of(protocol, data, 0, repeat)]
    return [fit_and_score(split.train, split.test) for split in splits]


def test_scaler_learns_from_each_training_part(noisebench, conf):
    entry = {
        "sources": [{"_target_": "noisebench.datasets.sources.SklearnSource", "name": "wine"}],
        "preprocessing": [{"_target_": "sklearn.preprocessing.StandardScaler", "fit": "train"}],
    }
    data = add_entry(conf, "mine", entry)
    line = "run -q dataset=mine protocol=cv4x10 protocol.repeats=2 learner.n_neighbors=3 name=a"
    assert noisebench(f"{line} executor=serial --config-dir {conf}") == 0

    def score(train, test):
        scaler = StandardScaler().fit(data.X[train])
        learner = KNeighborsClassifier(3).fit(scaler.transform(data.X[train]), data.y[train])
        return learner.score(scaler.transform(data.X[test]), data.y[test])

    rows = stored_rows("runs/a")
    assert rows["accuracy"].tolist() == pytest.approx(expected_accuracies(data, score))


def test_texts_become_sparse_rows_in_the_worker(noisebench, conf):
    (conf.parent / "sms").write_text(
        "".join(f"{'spam' if 'free' in m else 'ham'}\t{m}\n" for m in MESSAGES)
    )
    entry = {
        "expect": {"rows": 24, "features": 1, "classes": {"ham": 12, "spam": 12}},
        "sources": [
            {
                "_target_": "noisebench.datasets.sources.FileSource",
                "files": [str(conf.parent / "sms")],
                "format": "text",
            }
        ],
        "preprocessing": [
            {"_target_": "noisebench.datasets.preprocessing.GramTfidf", "fit": "train"}
        ],
    }
    data = add_entry(conf, "sms", entry)
    assert data.is_text
    assert data.X[0, 0] == MESSAGES[0]
    line = "run -q dataset=sms protocol=cv4x10 protocol.repeats=2 name=b"
    learner = "learner._target_=sklearn.naive_bayes.MultinomialNB"
    assert noisebench(f"{line} executor.n_jobs=2 --config-dir {conf}", learner) == 0

    def score(train, test):
        tfidf = GramTfidf().fit(data.X[train])
        learner = MultinomialNB().fit(tfidf.transform(data.X[train]), data.y[train])
        return learner.score(tfidf.transform(data.X[test]), data.y[test])

    rows = stored_rows("runs/b")
    assert rows["accuracy"].tolist() == pytest.approx(expected_accuracies(data, score))


def test_a_task_cannot_change_the_features_of_the_next(noisebench, conf):
    (conf.parent / "vandal.py").write_text(
        "from sklearn.neighbors import KNeighborsClassifier\n"
        "class Vandal(KNeighborsClassifier):\n"
        "    def fit(self, X, y):\n"
        "        X[:] = 0\n"
        "        return super().fit(X, y)\n"
    )
    entry = {
        "sources": [{"_target_": "noisebench.datasets.sources.SklearnSource", "name": "iris"}],
        "preprocessing": [{"_target_": "sklearn.preprocessing.StandardScaler", "fit": "train"}],
    }
    add_entry(conf, "mine", entry)
    (conf / "learner").mkdir()
    (conf / "learner" / "a_vandal.yaml").write_text("_target_: vandal.Vandal\n")
    line = f"run -q dataset=mine protocol.repeats=1 executor=serial --config-dir {conf}"
    assert noisebench(f"{line} learner=knn name=alone") == 0
    assert noisebench(f"{line} -m learner=a_vandal,knn name=both") == 0
    both = stored_rows("runs/both").query("learner == 'knn'")
    assert both["accuracy"].tolist() == stored_rows("runs/alone")["accuracy"].tolist()


def test_sharing_carries_texts_and_steps():
    steps = ({"_target_": "noisebench.datasets.preprocessing.GramTfidf", "length": 3},)
    X = np.array([["ünïcode"], ["two\nlines"]])
    data = Dataset("toy", X, np.array([0, 1]), ("a", "b"), fold_steps=steps)
    with Scratch() as scratch:
        shared = open_dataset(scratch.share(data))
        assert shared.X.tolist() == X.tolist()
        assert shared.fold_steps == steps
        assert shared.fingerprint == data.fingerprint
