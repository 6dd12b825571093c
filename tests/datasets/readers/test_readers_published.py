"""Published files in a folder with a ``MANIFEST.csv`` that counts their rows and classes."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from noisebench.datasets.readers import read
from noisebench.datasets.table import Table

FOLDER = os.environ.get("NOISEBENCH_DATA", "")
BLANKS: dict[str, object] = {"delimiter": " "}
FIRST: dict[str, object] = {"label": 0}
OPTIONS: dict[str, dict[str, object]] = {
    "glass": {"drop": [0]},
    "breast_cancer_wisconsin": {"drop": [0]},
    "ozone_eighthr": {"drop": [0]},
    "housing": BLANKS | {"target": "number"},
    "german_numeric": BLANKS,
    "satimage": BLANKS,
    "shuttle": BLANKS,
    "usps": BLANKS | FIRST,
    "letter": FIRST,
    "mushroom": FIRST | {"categorical": "all"},
    "splice.arff": {"drop": ["Instance_name"]},
    "splice_scale_1000.txt": BLANKS | FIRST,
    "g10n.csv": FIRST,
    "g50c.csv": FIRST,
}
FORMATS = {".arff": "arff", ".libsvm": "libsvm", ".tsv": "ucr", ".mat": "mat"}


def list_tables() -> list[dict[str, str]]:
    if not FOLDER:
        return []
    with Path(FOLDER, "MANIFEST.csv").open(newline="") as manifest:
        rows = list(csv.DictReader(manifest))
    others = ("_splits.csv", "_idx.csv", "labels-idx1-ubyte.gz")
    return [row for row in rows if not row["file"].endswith(others)]


def read_published(row: dict[str, str]) -> Table:
    path = Path(FOLDER, row["file"])
    name = path.name.removesuffix(".gz")
    options = OPTIONS.get(name) or OPTIONS.get(row["dataset"], {})
    name_of_format = FORMATS.get(Path(name).suffix, "csv")
    if "images-idx3" in name:
        labels = path.with_name(path.name.replace("images-idx3", "labels-idx1")).read_bytes()
        name_of_format, options = "idx", {"labels": labels}
    elif row["dataset"] == "sms_spam":
        name_of_format = "text"
    return read(path.read_bytes(), name_of_format, where=row["file"], **options)


@pytest.mark.skipif(not FOLDER, reason="NOISEBENCH_DATA names no folder of published files")
@pytest.mark.parametrize("row", list_tables(), ids=lambda row: row["file"])
def test_counts_agree_with_the_manifest(row: dict[str, str]) -> None:
    table = read_published(row)
    assert len(table.target) == int(row["n_instances"])
    if row["n_features"]:
        assert table.features.shape[1] == int(row["n_features"])
    if row["class_counts"]:
        counts = dict(pair.rsplit(":", 1) for pair in row["class_counts"].split(";"))
        # The manifest gives the labels of LIBSVM files with their sign.
        expected = {label.removeprefix("+"): int(count) for label, count in counts.items()}
        assert table.target.value_counts().to_dict() == expected
