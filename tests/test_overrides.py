from __future__ import annotations

import pytest

from noisebench.errors import InputError
from noisebench.overrides import Alternative, parse


def choices(group: str) -> list[str]:
    return {"learner": ["knn", "knn_fast", "svm"]}.get(group, [])


def test_a_single_run_has_one_alternative_of_each_named_component():
    line = parse(["dataset=iris", "learner.n_neighbors=3", "seed=4"], False, choices)
    assert line.components == {
        "dataset": [Alternative("iris")],
        "learner": [Alternative(None, {"n_neighbors": 3})],
    }
    assert line.seeds == [4]
    assert line.others == []


def test_a_sweep_takes_all_combinations_within_a_component():
    words = ["noise=uniform,percentage", "noise.rate=0.1,0.2"]
    settings = [(a.choice, a.settings) for a in parse(words, True, choices).components["noise"]]
    assert settings == [
        ("uniform", {"rate": 0.1}),
        ("uniform", {"rate": 0.2}),
        ("percentage", {"rate": 0.1}),
        ("percentage", {"rate": 0.2}),
    ]


def test_glob_takes_the_choices_that_match():
    line = parse(["learner=glob(knn*)"], True, choices)
    assert [a.choice for a in line.components["learner"]] == ["knn", "knn_fast"]


def test_quoted_and_nested_values_keep_their_types():
    words = ["learner.a='x,y'", "learner.b=[1,2]", "learner.c={d: 1.5}", "learner.e=null"]
    [alternative] = parse(words, False, choices).components["learner"]
    assert alternative.settings == {"a": "x,y", "b": [1, 2], "c": {"d": 1.5}, "e": None}


def test_a_tilde_removes_a_setting():
    [alternative] = parse(["~learner.n_neighbors"], False, choices).components["learner"]
    assert alternative.removed == ("n_neighbors",)


def test_everything_else_is_passed_on_as_typed():
    assert parse(["name=demo", "executor.n_jobs=2"], False, choices).others == [
        "name=demo",
        "executor.n_jobs=2",
    ]


@pytest.mark.parametrize(
    ("words", "multirun", "message"),
    [
        (["dataset=iris,wine"], False, "add -m to sweep"),
        (["name=a,b"], True, "the same for a whole run"),
        (["dataset"], False, "Cannot read 'dataset'"),
        (["seed=-1"], False, "seed must be a whole number of at least 0"),
        (["seed=x"], False, "seed must be a whole number"),
        (["learner=[a]"], False, "takes the name of a choice"),
    ],
)
def test_bad_words_are_refused_with_a_reason(words, multirun, message):
    with pytest.raises(InputError, match=message):
        parse(words, multirun, choices)
