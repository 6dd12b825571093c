from __future__ import annotations

import sys
from pathlib import Path

import pytest

from noisebench.components import Component, build, code_version, digest, versions_of
from noisebench.errors import InputError
from noisebench.source_code import source_digest


def test_nested_parts_are_built():
    config = {
        "_target_": "sklearn.pipeline.Pipeline",
        "steps": [["classify", {"_target_": "sklearn.svm.SVC", "C": 3}]],
    }
    assert build(config, "learner").named_steps["classify"].C == 3


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"_target_": "nowhere.Thing"}, "cannot import 'nowhere.Thing'"),
        ({"_target_": "sklearn.svm.SVX"}, "'sklearn.svm' has no 'SVX'. Did you mean SV"),
        ({"_target_": "Thing"}, "cannot import 'Thing'"),
        ({"_target_": "sklearn.svm.SVC", "c": 1}, "SVC has no parameter 'c'. Did you mean C"),
        (
            {"_target_": "noisebench.learners.KNN", "n_neighbours": 1},
            "no parameter 'n_neighbours'. Did you mean n_neighbors",
        ),
        (
            {"_target_": "noisebench.protocols.RepeatedKFold", "n_folds": 1},
            "n_folds must be a whole number of at least 2, got 1",
        ),
    ],
)
def test_what_cannot_be_built_is_refused_with_a_remedy(config, message):
    with pytest.raises(InputError, match=f"^learner 'x': .*{message}"):
        build(config, "learner 'x'")


def test_identity_knows_parameters_and_code_but_no_labels():
    config = {"_target_": "noisebench.learners.KNN", "n_neighbors": 3}
    named = Component("learner", "a", config, label="A")
    other = Component("learner", "b", dict(reversed(config.items())), label="B", record=("x",))
    assert digest(named.identity()) == digest(other.identity())
    changed = Component("learner", "a", {**config, "n_neighbors": 4}, label="A")
    assert digest(named.identity()) != digest(changed.identity())


def test_versions_name_nested_classes_of_other_packages():
    import sklearn

    steps = [["classify", {"_target_": "sklearn.svm.SVC"}]]
    versions = versions_of({"_target_": "sklearn.pipeline.Pipeline", "steps": steps})
    assert versions == {
        "sklearn.pipeline.Pipeline": f"scikit-learn {sklearn.__version__}",
        "sklearn.svm.SVC": f"scikit-learn {sklearn.__version__}",
    }


@pytest.fixture
def own_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A package on the import path: main imports helper, and not other."""
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "ownpackage"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "main.py").write_text("from .helper import f\n\n\nclass A:\n    x = f()\n")
    (folder / "helper.py").write_text("def f():\n    return 1\n")
    (folder / "other.py").write_text("y = 1\n")

    def fresh() -> str:
        from noisebench import source_code

        for function in (source_digest, source_code._tree, source_code._path):
            function.cache_clear()
        return source_digest("ownpackage.main")

    yield folder, fresh
    fresh()
    for name in [name for name in sys.modules if name.startswith("ownpackage")]:
        del sys.modules[name]


def test_editing_code_changes_its_version(own_package):
    folder, fresh = own_package
    before = fresh()
    (folder / "main.py").write_text("from .helper import f\n\n\nclass A:\n    x = f() + 1\n")
    assert fresh() != before


def test_editing_what_the_code_imports_changes_its_version(own_package):
    folder, fresh = own_package
    before = fresh()
    (folder / "helper.py").write_text("def f():\n    return 2\n")
    assert fresh() != before


def test_comments_docstrings_and_strangers_do_not_count(own_package):
    folder, fresh = own_package
    before = fresh()
    text = '"""New words."""\nfrom .helper import f\n\n\n# more words\nclass A:\n    x = f()\n'
    (folder / "main.py").write_text(text)
    (folder / "other.py").write_text("y = 2\n")
    assert fresh() == before


def test_own_learners_know_the_neighbour_search_they_rest_on():
    from noisebench.source_code import _closure

    assert "noisebench.neighbors.search" in _closure("noisebench.learners.neighbors")
    assert len(code_version("noisebench.learners.KNN")) == 16
