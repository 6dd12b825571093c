"""Readers that turn the bytes of a file into a table, or say in one sentence why they cannot.

One module holds one format; `registry` knows them by name. Columns without a name of their own
are called ``x`` and the number that the format gives them: the position in a delimited file or a
matrix, counted from 0, or the index in a LIBSVM line or a time series, counted from 1.
"""

from noisebench.datasets.readers.parts import join
from noisebench.datasets.readers.registry import FORMATS, read

__all__ = ["FORMATS", "join", "read"]
