"""Small writers of every format, for tests that read back what they wrote."""

from __future__ import annotations

import csv
import io
import struct
import zipfile
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import io as scipy_io
from scipy import sparse

from noisebench.datasets.table import Table

Column = Sequence[float | str | None]


def write_csv(
    columns: Sequence[Column],
    *,
    delimiter: str = ",",
    newline: str = "\n",
    header: Sequence[str] | None = None,
) -> bytes:
    out = io.StringIO()
    writer = csv.writer(
        out, delimiter=delimiter, lineterminator=newline, quoting=csv.QUOTE_NONNUMERIC
    )
    if header is not None:
        writer.writerow(header)
    for row in zip(*columns, strict=True):
        writer.writerow(["?" if value is None else value for value in row])
    return out.getvalue().encode()


def write_libsvm(features: np.ndarray, labels: Sequence[float]) -> bytes:
    lines = []
    for row, label in zip(features, labels, strict=True):
        pairs = [f"{i}:{float(value)!r}" for i, value in enumerate(row, start=1) if value]
        lines.append(" ".join([f"{label:+g}", *pairs]))
    return "\n".join(lines).encode()


def quote(text: str) -> str:
    escapes = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "'" + "".join(escapes.get(letter, letter) for letter in text) + "'"


def write_declared(
    columns: Sequence[Column], *, dialect: str = "arff", values_of: Sequence[Sequence[str]] = ()
) -> bytes:
    """Write ARFF or KEEL with columns a0, a1, …; text columns are nominal, the label last."""
    lines = ["% a comment", "@RELATION 'a toy'"]
    nominal = iter(values_of)
    for position, column in enumerate(columns):
        if any(isinstance(value, str) for value in column):
            kind = "{" + ", ".join(map(quote, next(nominal))) + "}"
        else:
            kind = "real [-1, 1]" if dialect == "keel" else "NUMERIC"
        lines.append(f"@attribute a{position} {kind}")
    if dialect == "keel":
        names = [f"a{position}" for position in range(len(columns))]
        lines += [f"@inputs {', '.join(names[:-1])}", f"@outputs {names[-1]}"]
    lines.append("@data")
    for row in zip(*columns, strict=True):
        lines.append(", ".join(_write_value(value) for value in row))
    return "\n".join(lines).encode()


def write_sparse_arff(columns: Sequence[Column], values_of: Sequence[Sequence[str]]) -> bytes:
    """Write sparse rows, leaving out zeros and the first value of each nominal list."""
    dense = write_declared(columns, values_of=values_of).decode()
    lines = [dense[: dense.index("@data")] + "@data"]
    nominal = iter(values_of)
    defaults = [
        next(nominal)[0] if any(isinstance(value, str) for value in column) else 0
        for column in columns
    ]
    for row in zip(*columns, strict=True):
        entries = [
            f"{i} {_write_value(value)}"
            for i, (value, default) in enumerate(zip(row, defaults, strict=True))
            if value != default
        ]
        lines.append("{" + ", ".join(entries) + "}")
    return "\n".join(lines).encode()


def _write_value(value: float | str | None) -> str:
    if value is None:
        return "?"
    return quote(value) if isinstance(value, str) else repr(value)


def write_ucr(series: Sequence[Sequence[float]], labels: Sequence[str]) -> bytes:
    rows = zip(labels, series, strict=True)
    return "".join(
        "\t".join([label, *("NaN" if np.isnan(v) else repr(v) for v in values)]) + "\n"
        for label, values in rows
    ).encode()


def write_ts(series: Sequence[Sequence[float]], labels: Sequence[str]) -> bytes:
    classes = " ".join(sorted(set(labels)))
    head = (
        "# a comment\n@problemName toy\n@timeStamps false\n@missing true\n@univariate true\n"
        f"@equalLength false\n@classLabel true {classes}\n@data\n"
    )
    lines = [
        ",".join("?" if np.isnan(v) else repr(v) for v in values) + f":{label}"
        for label, values in zip(labels, series, strict=True)
    ]
    return (head + "\n".join(lines)).encode()


def write_idx(array: np.ndarray) -> bytes:
    head = struct.pack(f">{1 + array.ndim}I", 0x0800 + array.ndim, *array.shape)
    return head + array.astype(np.uint8).tobytes()


def write_mat(features: np.ndarray, target: np.ndarray, *, packed: bool, thin: bool) -> bytes:
    out = io.BytesIO()
    matrix = sparse.csc_matrix(features) if thin else features
    scipy_io.savemat(out, {"note": "hi", "X": matrix, "y": target[:, None]}, do_compression=packed)
    return out.getvalue()


def write_npz(features: np.ndarray, target: np.ndarray, *, packed: bool) -> bytes:
    out = io.BytesIO()
    (np.savez_compressed if packed else np.savez)(out, X=features, y=target)
    return out.getvalue()


def write_npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def zip_arrays(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return out.getvalue()


def write_parquet(columns: Sequence[Column], *, packed: bool) -> bytes:
    out = io.BytesIO()
    table = pa.table({f"c{i}": list(column) for i, column in enumerate(columns)})
    pq.write_table(table, out, compression="snappy" if packed else "none")
    return out.getvalue()


def write_text(messages: Sequence[str], labels: Sequence[str]) -> bytes:
    return "".join(f"{a}\t{b}\n" for a, b in zip(labels, messages, strict=True)).encode()


def check_table(table: Table) -> None:
    """Assert what every table promises, whatever it was read from."""
    features, target = table.features, table.target
    assert len(features) == len(target) > 0
    assert features.shape[1] > 0
    assert features.columns.is_unique
    assert all(isinstance(name, str) for name in features.columns)
    for _, column in features.items():
        if column.dtype == np.float64:
            assert not np.isinf(column).any()
        else:
            assert column.dtype == object
            assert all(value is None or isinstance(value, str) for value in column)
    if target.dtype == np.float64:
        assert np.isfinite(target).all()
    else:
        assert target.dtype == object
        assert all(isinstance(value, str) for value in target)


def list_columns(table: Table) -> list[list[float | str | None]]:
    """Return the features as lists with None for a missing value of either kind."""
    return [
        [None if pd.isna(value) else value for value in column]
        for _, column in table.features.items()
    ]
