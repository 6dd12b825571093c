"""Damaged files: whatever happens to the bytes, a reader answers with a table or a DataError.

``NOISEBENCH_MUTATIONS`` sets the number of damaged files over all formats.
"""

from __future__ import annotations

import gzip
import os
import random
import zlib

import numpy as np
import pytest
import reader_writers as files

from noisebench.datasets.readers import FORMATS, read
from noisebench.errors import DataError

N_MUTATIONS = int(os.environ.get("NOISEBENCH_MUTATIONS", "10000"))

NUMBERS: list[float | None] = [1.5, None, -2.0, 0.0]
TEXTS = ["a", "b c", "é", "a"]
LABELS = ["p", "q", "q", "p"]
VALUES = [["a", "b c", "é"], ["p", "q"]]
COLUMNS = [NUMBERS, TEXTS, LABELS]
MATRIX = np.array([[1.5, 0.0, 3.0], [0.0, 0.0, -2.0], [7.0, 1e-5, 0.0]])
CLASSES = np.array([1.0, -1.0, 1.0])
PACKED_CSV = gzip.compress(files.write_csv(COLUMNS), mtime=0)
IMAGES = np.arange(24).reshape(3, 2, 4)

# Pieces that mean something to one format or another, so that damage reaches deep.
PIECES = [
    b",", b"\n", b"\r", b"\t", b" ", b'"', b"'", b"\\", b":", b"{", b"}", b"%", b"@", b"@data\n",
    b"?", b"NaN", b"inf", b"1e999", b"999999999999", b"-1", b"0", b"_", b"\0", b"\xff", b"\xc3\xa9",
    b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\x1f\x8b", b"PK\x03\x04",
]  # fmt: skip

CASES: dict[str, tuple[str, bytes, dict[str, object]]] = {
    "csv": ("csv", files.write_csv(COLUMNS, header=["u", "v", "y"]), {"header": True}),
    "csv, blanks": ("csv", files.write_csv(COLUMNS, delimiter=" "), {"delimiter": " "}),
    "csv, gzip": ("csv", PACKED_CSV, {"max_bytes": 10**6}),
    "libsvm": ("libsvm", files.write_libsvm(MATRIX, CLASSES.tolist()), {}),
    "arff": ("arff", files.write_declared(COLUMNS, values_of=VALUES), {}),
    "arff, sparse": ("arff", files.write_sparse_arff(COLUMNS, VALUES), {}),
    "keel": ("keel", files.write_declared(COLUMNS, dialect="keel", values_of=VALUES), {}),
    "ucr": ("ucr", files.write_ucr(MATRIX.tolist(), ["1", "2", "1"]), {}),
    "ts": ("ts", files.write_ts([[1.5, 2.0], [0.5], [1.0, np.nan]], ["p", "q", "p"]), {}),
    "idx": ("idx", files.write_idx(IMAGES), {"labels": files.write_idx(np.arange(3))}),
    "text": ("text", files.write_text(TEXTS, LABELS), {}),
    "npz": ("npz", files.write_npz(MATRIX, CLASSES, packed=False), {}),
    "npz, packed": ("npz", files.write_npz(MATRIX, np.array(LABELS[:3]), packed=True), {}),
    "npz, inside": ("npz", files.write_npy(MATRIX), {}),
    "mat": ("mat", files.write_mat(MATRIX, CLASSES, packed=False, thin=False), {}),
    "mat, packed": ("mat", files.write_mat(MATRIX, CLASSES, packed=True, thin=False), {}),
    "mat, sparse": ("mat", files.write_mat(MATRIX, CLASSES, packed=False, thin=True), {}),
    "parquet": ("parquet", files.write_parquet(COLUMNS, packed=False), {"label": "c2"}),
    "parquet, packed": ("parquet", files.write_parquet(COLUMNS, packed=True), {"label": "c2"}),
}

# What is damaged before it is packed, so that the checksum of the archive does not stop it.
PACKERS = {"npz, inside": lambda data: files.zip_arrays(X=data, y=files.write_npy(CLASSES))}


def damage(data: bytes, rng: random.Random) -> bytes:
    """Delete, insert, flip, cut or double something, one to four times."""
    content = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(content) + 1)
        end = min(len(content), start + rng.choice([1, 1, 2, 8, 40]))
        kind = rng.choice(["delete", "insert", "replace", "flip", "flip", "double", "cut"])
        if kind == "delete":
            del content[start:end]
        elif kind == "insert":
            content[start:start] = rng.choice([rng.choice(PIECES), rng.randbytes(end - start)])
        elif kind == "replace":
            content[start:end] = rng.choice(PIECES)
        elif kind == "double":
            content[start:start] = content[start:end]
        elif kind == "flip" and start < len(content):
            content[start] ^= 1 << rng.randrange(8)
        elif kind == "cut" and rng.random() < 0.2:
            del content[start:]
    return bytes(content)


def test_every_format_has_a_case() -> None:
    assert {name for name, _, _ in CASES.values()} == set(FORMATS)


@pytest.mark.parametrize("case", sorted(CASES))
def test_sound_files_are_read(case: str) -> None:
    name, data, options = CASES[case]
    files.check_table(read(PACKERS.get(case, bytes)(data), name, **options))


@pytest.mark.parametrize("case", sorted(CASES))
def test_damaged_files_give_a_table_or_a_data_error(case: str) -> None:
    name, data, options = CASES[case]
    rng = random.Random(zlib.crc32(case.encode()))
    for _ in range(-(-N_MUTATIONS // len(CASES))):
        damaged, settings = PACKERS.get(case, bytes)(damage(data, rng)), dict(options)
        if "labels" in settings and rng.random() < 0.3:
            damaged, settings["labels"] = data, damage(files.write_idx(np.arange(3)), rng)
        try:
            check_outcome(damaged, name, settings)
        except BaseException as error:
            raise AssertionError(f"read({damaged!r}, {name!r}, **{settings!r})") from error


def check_outcome(data: bytes, name: str, options: dict[str, object]) -> None:
    message = ""
    try:
        table = read(data, name, **options)
    except DataError as error:
        message = str(error)
    if message:
        assert message.startswith("the data")
        assert message.isprintable()
    else:
        files.check_table(table)
