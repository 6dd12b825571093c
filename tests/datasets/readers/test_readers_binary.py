"""idx, MATLAB, npz and Parquet files, sound and damaged."""

from __future__ import annotations

import datetime
import io
import struct
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from reader_writers import write_idx, write_mat, write_npy, write_npz, zip_arrays
from scipy import io as scipy_io

from noisebench.datasets.readers import read
from noisebench.errors import DataError

IMAGES = np.arange(24).reshape(2, 3, 4)
X = np.array([[1.5, 0.0, -2.0], [0.0, np.nan, 4.0]])
Y = np.array([-1.0, 1.0])


def test_idx() -> None:
    table = read(write_idx(IMAGES), "idx", labels=write_idx(np.array([7, 0])))
    assert table.features.to_numpy().tolist() == IMAGES.reshape(2, 12).tolist()
    assert list(table.features)[:2] == ["x0", "x1"]
    assert table.target.tolist() == ["7", "0"]


@pytest.mark.parametrize(
    ("images", "labels", "message"),
    [
        (write_idx(IMAGES)[:-1], write_idx(IMAGES[0, 0]), "2 × 3 × 4 bytes but holds 23"),
        (write_idx(IMAGES) + b"\0", write_idx(IMAGES[0, 0]), "2 × 3 × 4 bytes but holds 25"),
        (write_idx(IMAGES)[:9], b"", "toy: is shorter than its header of 16 bytes"),
        (write_idx(IMAGES), b"", r"toy \(labels\): is shorter than its header of 8 bytes"),
        (write_idx(IMAGES), write_idx(np.arange(3)), "has 3 labels for 2 rows"),
        (write_idx(IMAGES), write_idx(IMAGES), r"\(labels\): begins with the number 2051"),
        (write_idx(IMAGES[0]), write_idx(np.arange(3)), "begins with the number 2050 where"),
        (write_idx(IMAGES[:0]), write_idx(np.arange(0)), "has no rows"),
        (write_idx(IMAGES[:, :0]), write_idx(np.arange(2)), "has no feature column"),
        (
            struct.pack(">4I", 2051, 2**31, 2**31, 4) + bytes(16),
            write_idx(np.arange(2)),
            "announces 2147483648 × 2147483648 × 4 bytes but holds 16",
        ),
    ],
)
def test_idx_errors(images: bytes, labels: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(images, "idx", where="toy", labels=labels)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("thin", [False, True])
def test_mat(packed: bool, thin: bool) -> None:
    table = read(write_mat(X, Y, packed=packed, thin=thin), "mat")
    np.testing.assert_array_equal(table.features.to_numpy(), X)
    assert list(table.features) == ["x0", "x1", "x2"]
    assert table.target.tolist() == ["-1", "1"]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "?"])
def test_mat_number_types(dtype: str) -> None:
    out = io.BytesIO()
    scipy_io.savemat(out, {"A": np.eye(3, dtype=dtype), "b": np.array([3, 1, 3], dtype=dtype)})
    table = read(out.getvalue(), "mat", features="A", target="b")
    assert table.features.to_numpy().tolist() == np.eye(3).tolist()
    assert table.target.tolist() == (["1", "1", "1"] if dtype == "?" else ["3", "1", "3"])


def element(kind: int, data: bytes, order: str = ">") -> bytes:
    return struct.pack(f"{order}II", kind, len(data)) + data + bytes(-len(data) % 8)


def test_mat_big_endian() -> None:
    def matrix(name: bytes, shape: tuple[int, int], values: list[float]) -> bytes:
        parts = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">ii", *shape))
        parts += struct.pack(">HH4s", len(name), 1, name.ljust(4, b"\0"))
        return element(14, parts + element(9, struct.pack(f">{len(values)}d", *values)))

    data = b"MATLAB 5.0".ljust(124) + b"\x01\x00MI"
    data += matrix(b"X", (2, 2), [1, 2, 3, 4]) + matrix(b"y", (2, 1), [5, 6])
    table = read(data, "mat")
    assert table.features.to_numpy().tolist() == [[1, 3], [2, 4]]
    assert table.target.tolist() == ["5", "6"]


def test_mat_passes_over_objects() -> None:
    # An object has its name where a matrix has its shape, and no third part of that kind.
    flags = element(6, struct.pack("<II", 17, 0), "<")
    names = b"".join(element(1, name, "<") for name in (b"t", b"MCOS", b"t\xff"))
    data = write_mat(X, Y, packed=False, thin=False) + element(14, flags + names, "<")
    assert read(data, "mat").target.tolist() == ["-1", "1"]


def save_mat(**variables: object) -> bytes:
    out = io.BytesIO()
    scipy_io.savemat(out, variables)
    return out.getvalue()


GOOD_MAT = write_mat(X, Y, packed=False, thin=False)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (save_mat(X=X, Y=Y), "has no matrix 'y'. (Did you mean|Known:)"),
        (save_mat(X=X, y="ab"), "'y' is not a matrix of real numbers"),
        (save_mat(X=X + 1j, y=Y), "'X' is not a matrix of real numbers"),
        (save_mat(X=np.zeros((2, 2, 2)), y=Y), "features must be a matrix of real numbers"),
        (save_mat(X=X, y=np.eye(2)), "target must be a vector"),
        (save_mat(X=X, y=np.ones(3)), "has 3 labels for 2 rows"),
        (save_mat(X=X, y=[1, np.nan]), "row 1 .* has no label"),
        (save_mat(X=[[1, np.inf]], y=[[1]]), "row 0, column 1 .* is infinite"),
        (save_mat(X=np.zeros((0, 2)), y=np.zeros((0, 1))), "has no rows"),
        (b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM", "is a MATLAB 7.3 file; save it again"),
        (GOOD_MAT[:100], "is not a MATLAB file of version 5"),
        (GOOD_MAT[:-8], "is not a sound MATLAB file .*reaches beyond the end"),
        (GOOD_MAT + b"\1\2\3", "is not a sound MATLAB file .*cut short"),
        (GOOD_MAT + element(9, bytes(8), "<"), "element of type 9 where a matrix should stand"),
        (GOOD_MAT + GOOD_MAT[128:], "has 2 matrices named 'X'"),
    ],
)
def test_mat_errors(data: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data, "mat", where="toy")


def test_mat_shape_beyond_its_data() -> None:
    small, huge = struct.pack("<ii", 2, 3), struct.pack("<ii", 2**30, 2**30)
    with pytest.raises(DataError, match=r"announces shape \(1073741824, 1073741824\) but holds 6"):
        read(GOOD_MAT.replace(small, huge), "mat")
    thin = write_mat(X, Y, packed=False, thin=True)
    tall = thin.replace(small, struct.pack("<ii", 2**30, 3))
    with pytest.raises(DataError, match="asks for 1073741824 × 3 cells"):
        read(tall, "mat")


@pytest.mark.parametrize(
    ("part", "values", "message"),
    [
        ("starts", [0, 1, 0, 2], "do not follow one another"),
        ("starts", [0, 1, 1, -9], "do not follow one another"),
        ("starts", [1, 1, 1, 2], "do not follow one another"),
        ("starts", [0, 1, 1, 99], "has fewer entries than announced"),
        ("rows", [0, 2], "lies outside it"),
        ("rows", [0, -1], "lies outside it"),
    ],
)
def test_mat_sparse_with_wrong_positions(part: str, values: list[int], message: str) -> None:
    # Two entries: row 0 of column 0 and row 1 of column 2.
    data = write_mat(np.array([[5.0, 0, 0], [0, 0, 6.0]]), Y, packed=False, thin=True)
    sound = {"rows": [0, 1], "starts": [0, 1, 1, 2]}[part]
    old, new = (struct.pack(f"<{len(values)}i", *numbers) for numbers in (sound, values))
    tag = struct.pack("<II", 5, len(old))
    assert data.count(tag + old) == 1
    with pytest.raises(DataError, match=message):
        read(data.replace(tag + old, tag + new), "mat")


def test_mat_unpacks_within_its_bound() -> None:
    data = write_mat(np.zeros((100, 100)), np.zeros(100), packed=True, thin=False)
    assert len(read(data, "mat", max_bytes=100_000).target) == 100
    with pytest.raises(DataError, match="unpacks to more than 50000 bytes"):
        read(data, "mat", max_bytes=50_000)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("features", [X, np.asfortranarray(X), X.astype(">f4"), X > 0])
def test_npz(packed: bool, features: np.ndarray) -> None:
    table = read(write_npz(features, np.array(["a", "é" * 10]), packed=packed), "npz")
    np.testing.assert_array_equal(table.features.to_numpy(), features.astype(float))
    assert table.target.tolist() == ["a", "é" * 10]


@pytest.mark.parametrize(
    ("target", "labels"),
    [
        (np.array([3, 2**60 + 1]), ["3", "1152921504606846977"]),
        (np.array([[1.0], [0.5]]), ["1", "0.5"]),
        (np.array([True, False]), ["1", "0"]),
        (np.array([b"x", "é".encode()]), ["x", "é"]),
    ],
)
def test_npz_labels(target: np.ndarray, labels: list[str]) -> None:
    data = io.BytesIO()
    np.savez(data, a=X, b=target)
    assert read(data.getvalue(), "npz", features="a", target="b").target.tolist() == labels


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (write_npz(X, Y, packed=False)[:-30], "is not a sound npz archive"),
        (zip_arrays(X=write_npy(X)), "has no array 'y'. Known: X"),
        (
            zip_arrays(X=write_npy(X), y=write_npy(Y)[:-1]),
            r"'y' announces shape \(2,\) of float64 but holds 15",
        ),
        (zip_arrays(X=write_npy(X), y=write_npy(Y[:1])), "has 1 labels for 2 rows"),
        (zip_arrays(X=write_npy(X), y=b"hello"), "'y' does not begin as an npy file does"),
        (zip_arrays(X=write_npy(Y), y=write_npy(Y)), "features must be a matrix of real numbers"),
        (
            zip_arrays(X=write_npy(np.array([["a"], ["b"]])), y=write_npy(Y)),
            "features must be a matrix of real",
        ),
        (
            zip_arrays(X=write_npy(X), y=write_npy(np.array([1.0, np.inf]))),
            "row 1 .* has no label but inf",
        ),
        (
            zip_arrays(X=write_npy(X).replace(b"<f8", b"|O8"), y=write_npy(Y)),
            "must hold numbers or strings",
        ),
        (
            zip_arrays(X=write_npy(X.astype([("u", "f8")])), y=write_npy(Y)),
            "must hold numbers or strings",
        ),
        (
            zip_arrays(
                X=write_npy(X).replace(b"(2, 3), } ", b"(99999999, 99999999)} "), y=write_npy(Y)
            ),
            r"announces shape \(99999999, 99999999\)",
        ),
    ],
)
def test_npz_errors(data: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data, "npz", where="toy")


def test_npz_refuses_pickled_objects() -> None:
    out = io.BytesIO()
    np.savez(out, X=X, y=np.array(["a", None], dtype=object))
    with pytest.raises(DataError, match="'y' must hold numbers or strings"):
        read(out.getvalue(), "npz")


def test_npz_refuses_other_packing() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("X.npy", write_npy(X))
    with pytest.raises(DataError, match="'X' is packed in a way that numpy does not use"):
        read(out.getvalue(), "npz")


def test_npz_refuses_two_arrays_of_one_name() -> None:
    data = zip_arrays(X=write_npy(X), y=write_npy(Y), z=write_npy(Y)).replace(b"z.npy", b"y.npy")
    with pytest.raises(DataError, match="has 2 arrays named 'y'"):
        read(data, "npz")


def test_npz_unpacks_within_its_bound() -> None:
    data = write_npz(np.zeros((100, 100)), np.zeros(100), packed=True)
    with pytest.raises(DataError, match="'X' announces 80128 bytes, more than max_bytes=50000"):
        read(data, "npz", max_bytes=50_000)


def save_parquet(columns: dict[str, object], **options: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def test_parquet() -> None:
    data = save_parquet(
        {
            "u": [1.5, None],
            "i": pa.array([1, None], pa.int32()),
            "b": [True, False],
            "s": ["é", None],
            "l": pa.array(["x", "y"], pa.large_string()),
            "d": pa.array(["p", "q"]).dictionary_encode(),
            "h": pa.array(np.array([0.5, 2], np.float16)),
            "y": pa.array([2**60 + 1, 7]),
        }
    )
    table = read(data, "parquet", label="y")
    assert [str(dtype) for dtype in table.features.dtypes] == [
        "float64", "float64", "float64", "object", "object", "object", "float64",
    ]  # fmt: skip
    first = table.features.iloc[0].tolist()
    assert first == [1.5, 1.0, 1.0, "é", "x", "p", 0.5]
    assert table.features["u"].isna().tolist() == table.features["i"].isna().tolist()
    assert table.features["s"].tolist() == ["é", None]
    assert table.target.tolist() == ["1152921504606846977", "7"]


@pytest.mark.parametrize(
    ("target", "labels"),
    [
        (["a", "b"], ["a", "b"]),
        ([1.0, 0.5], ["1", "0.5"]),
        ([True, False], ["1", "0"]),
        (pa.array([5, 6]).dictionary_encode(), ["5", "6"]),
    ],
)
def test_parquet_labels(target: object, labels: list[str]) -> None:
    data = save_parquet({"u": [1, 2], "y": target})
    assert read(data, "parquet", label="y").target.tolist() == labels


def test_parquet_number_to_predict() -> None:
    data = save_parquet({"u": [1, 2], "y": [3, 4]})
    assert read(data, "parquet", label="y", target="number").target.tolist() == [3.0, 4.0]


def test_parquet_from_pandas_leaves_the_index_out() -> None:
    out = io.BytesIO()
    pd.DataFrame({"u": [1, 2], "y": ["a", "b"]}, index=[7, 9]).to_parquet(out)
    assert list(read(out.getvalue(), "parquet", label="y").features) == ["u"]


def test_parquet_in_several_row_groups() -> None:
    texts = [f"t{i % 7}" if i % 5 else None for i in range(100)]
    data = save_parquet({"s": texts, "y": texts[1:2] * 100}, row_group_size=9)
    assert read(data, "parquet", label="y").features["s"].tolist() == texts


GOOD_PARQUET = save_parquet({"u": [1.0, 2.0], "y": ["a", "b"]})


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (GOOD_PARQUET, {"label": "z"}, "has no column 'z'"),
        (GOOD_PARQUET, {"label": "y", "drop": ["u"]}, "no feature column beside the label"),
        (GOOD_PARQUET[:-9], {"label": "y"}, "is not a sound Parquet file"),
        (GOOD_PARQUET, {"label": "y", "max_bytes": 10}, "more than max_bytes=10"),
        (GOOD_PARQUET, {"label": "y", "target": "number"}, "column 'y' is text"),
        (save_parquet({"u": [1.0], "y": pa.array([None], pa.string())}), {"label": "y"}, "row 0 "),
        (save_parquet({"u": [1.0], "y": [np.nan]}), {"label": "y"}, "row 0 .* has no label"),
        (save_parquet({"u": [np.inf], "y": [1]}), {"label": "y"}, "'u' is infinite in row 0"),
        (save_parquet({"u": pa.array([], pa.int8()), "y": pa.array([], pa.int8())}),
         {"label": "y"}, "has no rows"),
        (save_parquet({"u": [datetime.date(2020, 1, 1)], "y": [1]}), {"label": "y"},
         "column 'u' has the type date32.*drop or convert it"),
        (save_parquet({"u": [[1, 2]], "y": [1]}), {"label": "y"}, "column 'u' has the type list"),
        (save_parquet({"u": [b"x"], "y": [1]}), {"label": "y"}, "column 'u' has the type binary"),
    ],
)  # fmt: skip
def test_parquet_errors(data: bytes, options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data, "parquet", where="toy", **options)


def test_parquet_checksums_are_checked() -> None:
    data = save_parquet(
        {"u": [1.5, 2.5], "y": [1, 2]},
        use_dictionary=False,
        compression="none",
        write_page_checksum=True,
    )
    values = struct.pack("<dd", 1.5, 2.5)
    assert values in data
    with pytest.raises(DataError, match=r"is not a sound Parquet file .*[Cc][Rr][Cc]"):
        read(data.replace(values, struct.pack("<dd", 1.5, 7.5)), "parquet", label="y")


def test_parquet_label_must_be_unique() -> None:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array([1])] * 3, names=["u", "y", "y"]), out)
    with pytest.raises(DataError, match="has 2 columns named 'y', at 1, 2"):
        read(out.getvalue(), "parquet", label="y")


def test_parquet_beyond_the_bound_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    data = save_parquet({"u": [0] * 4, "v": [0] * 4, "y": [0] * 4})
    monkeypatch.setattr("noisebench.datasets.readers.source.MAX_CELLS", 12)
    assert len(read(data, "parquet", label="y").target) == 4
    monkeypatch.setattr("noisebench.datasets.readers.source.MAX_CELLS", 11)
    with pytest.raises(DataError, match="asks for 4 × 3 cells; at most 11"):
        read(data, "parquet", label="y")


def test_series_of_one_channel_are_rows_of_an_npz() -> None:
    out = io.BytesIO()
    np.savez(out, X=np.arange(6.0).reshape(2, 3, 1), y=np.array([1, 2]))
    table = read(out.getvalue(), "npz")
    assert table.features.to_numpy().tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    out = io.BytesIO()
    np.savez(out, X=np.zeros((2, 3, 2)), y=np.array([1, 2]))
    with pytest.raises(DataError, match="must be a matrix of real numbers"):
        read(out.getvalue(), "npz")
