"""The formats by name, and the one function that reads any of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from noisebench.datasets.readers.arff import read_arff
from noisebench.datasets.readers.delimited import read_csv
from noisebench.datasets.readers.idx import read_idx
from noisebench.datasets.readers.keel import read_keel
from noisebench.datasets.readers.libsvm import read_libsvm
from noisebench.datasets.readers.mat import read_mat
from noisebench.datasets.readers.npz import read_npz
from noisebench.datasets.readers.options import check_options
from noisebench.datasets.readers.packing import unpack
from noisebench.datasets.readers.parquet import read_parquet
from noisebench.datasets.readers.source import Source
from noisebench.datasets.readers.text import read_text
from noisebench.datasets.readers.ts import read_ts
from noisebench.datasets.readers.ucr import read_ucr
from noisebench.datasets.table import Table
from noisebench.errors import InputError, did_you_mean

MAX_BYTES = 4 * 2**30

FORMATS: Mapping[str, Callable[..., Table]] = MappingProxyType(
    {
        "arff": read_arff,
        "csv": read_csv,
        "idx": read_idx,
        "keel": read_keel,
        "libsvm": read_libsvm,
        "mat": read_mat,
        "npz": read_npz,
        "parquet": read_parquet,
        "text": read_text,
        "ts": read_ts,
        "ucr": read_ucr,
    }
)


def read(
    data: bytes,
    format: str,
    *,
    where: str = "the data",
    max_bytes: int = MAX_BYTES,
    **options: object,
) -> Table:
    """Read a table from the bytes of a file, which may be packed with gzip.

    Parameters
    ----------
    data : bytes
        The whole file.
    format : str
        One of `FORMATS`.
    where : str
        What error messages call the file.
    max_bytes : int
        The most bytes that packed content may unpack to.
    **options
        Options of the format: the keywords of its function in `FORMATS`.

    Examples
    --------
    >>> table = read(b"5.1,?,setosa\\n6.3,2.5,virginica\\n", "csv")
    >>> table.features
        x0   x1
    0  5.1  NaN
    1  6.3  2.5
    >>> table.target.tolist()
    ['setosa', 'virginica']
    >>> read(b"1,2,a\\n1,b\\n", "csv", where="toy.csv")
    Traceback (most recent call last):
        ...
    noisebench.errors.DataError: toy.csv, line 2: has 2 fields where line 1 has 3; mend the line
    or check the option delimiter.
    """
    if not isinstance(data, bytes):
        raise InputError(f"data must be the bytes of a file, got {type(data).__name__}.")
    if format not in FORMATS:
        raise InputError(f"There is no format '{format}'. {did_you_mean(str(format), FORMATS)}")
    if not isinstance(max_bytes, int) or max_bytes < 1:
        raise InputError(f"max_bytes must be a whole number of at least 1, got {max_bytes!r}.")
    reader = FORMATS[format]
    check_options(format, reader, options)
    source = Source(unpack(data, where, max_bytes), where, max_bytes)
    if not source.data:
        raise source.error("is empty; fetch it again.")
    return reader(source, **options)
