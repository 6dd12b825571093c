"""A file being read: its bytes, what messages call it, and the bounds it must keep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from noisebench.errors import DataError

BLANKS = " \t"
BOM = b"\xef\xbb\xbf"
MAX_CELLS = 2**28  # 2 GiB as float64
MAX_COLUMNS = 200_000


@dataclass(frozen=True, eq=False)
class Source:
    """What a reader is given.

    >>> Source(b"", "toy.csv", 100).error("is empty.", line=3)
    DataError('toy.csv, line 3: is empty.')
    """

    data: bytes
    where: str
    max_bytes: int

    def error(self, reason: str, line: int | None = None) -> DataError:
        """Return (not raise) an error that names the file and, where known, the line."""
        place = self.where if line is None else f"{self.where}, line {line}"
        # A name quoted from a damaged file may hold line ends or terminal codes.
        plain = "".join(letter if letter.isprintable() else "\ufffd" for letter in reason)
        return DataError(f"{place}: {plain}")

    def text(self, encoding: str) -> str:
        """Decode the bytes; a mark of UTF-8 at the front is dropped."""
        start = len(BOM) if encoding == "utf-8" and self.data.startswith(BOM) else 0
        try:
            text = self.data[start:].decode(encoding)
        except UnicodeDecodeError as error:
            raise self.error(
                f"byte {start + error.start} is not {encoding}; "
                f"set encoding='latin-1' or convert the file."
            ) from error
        if "\0" in text:
            # Text in UTF-16 without a mark passes as UTF-8 full of zeros.
            raise self.error("holds zero bytes, so it is no text file in UTF-8 or Latin-1.")
        return text

    def lines(self, encoding: str) -> Iterator[tuple[int, str]]:
        """Yield the lines with their numbers, without line ends and without blank lines.

        Only LF, CRLF and CR end a line; ``str.splitlines`` would also cut at form feeds and
        at separators that occur inside values.
        """
        text = self.text(encoding).replace("\r\n", "\n").replace("\r", "\n")
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip(BLANKS):
                yield number, line

    def check_size(self, rows: int, columns: int) -> None:
        """Refuse a table that would not fit into memory, before it is built."""
        if columns > MAX_COLUMNS:
            raise self.error(
                f"asks for {columns} columns; at most {MAX_COLUMNS} are read, so drop some first."
            )
        if rows * columns > MAX_CELLS:
            raise self.error(
                f"asks for {rows} × {columns} cells; at most {MAX_CELLS} are read, "
                f"so take a part of the file."
            )

    @contextmanager
    def guard(self, what: str) -> Iterator[None]:
        """Turn whatever a library raises over a damaged file into one clear error.

        zipfile and pyarrow answer damage with a dozen unrelated exceptions, so no shorter list
        than ``Exception`` is complete.
        """
        try:
            yield
        except DataError:
            raise
        except Exception as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise self.error(f"is not a sound {what} ({reason}); fetch it again.") from error


def split_blanks(line: str) -> list[str]:
    """Split at runs of blanks and tabs, and at no other white space.

    >>> split_blanks(" 1  2\\t3 ")
    ['1', '2', '3']
    """
    return [token for token in line.replace("\t", " ").split(" ") if token]


def show(token: str) -> str:
    """Quote a token for a message, cutting a long one.

    >>> show("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'"
    """
    return repr(token if len(token) <= 40 else token[:37] + "...")
