from __future__ import annotations

from pathlib import Path

import pytest

from noisebench.components import build
from noisebench.configuration import GROUPS, ConfigSpace, packaged_conf
from noisebench.errors import InputError
from noisebench.overrides import COMPONENTS, Alternative

SPACE = ConfigSpace()
CHOICES = [(g, c) for g in ("noise", "learner", "protocol") for c in SPACE.choices(g)]


def one(kind: str, choice: str | None = None, space: ConfigSpace = SPACE, **settings: object):
    alternative = Alternative(choice, dict(settings))
    [component] = space.components({kind: [alternative]})[kind]
    return component


@pytest.mark.parametrize(("group", "choice"), CHOICES)
def test_every_packaged_component_composes_and_builds(group, choice):
    component = one(group, choice)
    assert component.name == choice
    assert component.build() is not None
    assert "label" not in component.config


@pytest.mark.parametrize("choice", SPACE.choices("executor"))
def test_every_executor_builds(choice):
    assert hasattr(build(SPACE.settings([f"executor={choice}"])["executor"], "executor"), "run")


def test_every_group_has_choices():
    for group in GROUPS:
        assert SPACE.choices(group), group


def test_the_defaults_name_choices_that_exist():
    chosen = SPACE.settings([])["choices"]
    for group in COMPONENTS:
        assert chosen[group] in SPACE.choices(group)


def test_names_tell_what_differs_from_the_file():
    assert one("learner", "knn", n_neighbors=3).name == "knn[n_neighbors=3]"
    assert one("learner", "knn", n_neighbors=5).name == "knn"
    assert one("learner", "knn", label="other").name == "knn"
    assert one("protocol", "cv4x10", repeats=2).name == "cv4x10"
    assert one("protocol", "cv4x10", n_folds=5).name == "cv4x10[n_folds=5]"
    nested = {"steps.1.1.C": 2.0}
    assert one("learner", "svm_rbf", **nested).name == "svm_rbf[steps.1.1.C=2.0]"


def test_labels_follow_the_settings():
    assert one("noise", "class_conditional", tau_pos=0.4, tau_neg=0.2).label == "τ₊=0.4, τ₋=0.2"


def test_a_class_of_ones_own_needs_no_file():
    component = one("learner", None, _target_="sklearn.svm.SVC", C=2.0)
    assert component.name == "SVC[C=2.0]"
    assert component.build().C == 2.0


def test_a_folder_of_ones_own_adds_choices(tmp_path: Path):
    (tmp_path / "learner").mkdir()
    (tmp_path / "learner" / "mine.yaml").write_text("defaults: [knn]\nn_neighbors: 9\n")
    component = one("learner", "mine", ConfigSpace((tmp_path,)))
    assert component.name == "mine"
    assert component.build().n_neighbors == 9


def test_a_file_that_hides_a_packaged_one_is_refused(tmp_path: Path):
    (tmp_path / "learner").mkdir()
    (tmp_path / "learner" / "knn.yaml").write_text("_target_: noisebench.learners.KNN\n")
    with pytest.raises(InputError, match="rename one of them"):
        ConfigSpace((tmp_path,))


def test_a_malformed_file_is_named_with_its_line(tmp_path: Path):
    (tmp_path / "learner").mkdir()
    (tmp_path / "learner" / "bad.yaml").write_text("a: b: c\n")
    with pytest.raises(InputError, match=r"bad\.yaml.*line 1"):
        one("learner", "bad", ConfigSpace((tmp_path,)))


def test_an_open_interpolation_is_refused(tmp_path: Path):
    (tmp_path / "learner").mkdir()
    (tmp_path / "learner" / "bad.yaml").write_text("_target_: a.B\nx: ${.y}\n")
    with pytest.raises(InputError, match="learner 'bad'"):
        one("learner", "bad", ConfigSpace((tmp_path,)))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["sed=1"], "Did you mean seed"),
        (["executor=jobli"], "Did you mean joblib"),
        (["executor.n_job=2"], "n_job"),
    ],
)
def test_misspelt_settings_are_refused(words, message):
    with pytest.raises(InputError, match=message):
        SPACE.settings(words)


def test_a_misspelt_choice_gets_near_matches():
    with pytest.raises(InputError, match="There is no learner 'rknnn'. Did you mean rknn or knn"):
        one("learner", "rknnn")


def test_removing_what_is_not_there_is_refused():
    with pytest.raises(InputError, match="no 'k' to remove"):
        SPACE.components({"learner": [Alternative("knn", {}, ("k",))]})


def test_removing_a_setting_leaves_the_class_its_default():
    [part] = SPACE.components({"learner": [Alternative("knn", {}, ("n_neighbors",))]})["learner"]
    assert "n_neighbors" not in part.config
    assert part.name == "knn[~n_neighbors]"


def test_the_packaged_folder_is_found():
    assert (packaged_conf() / "config.yaml").is_file()
