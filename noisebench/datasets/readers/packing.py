"""gzip, recognised by its first two bytes and unpacked within a bound."""

from __future__ import annotations

import gzip
import io
import zlib

from noisebench.errors import DataError

MAGIC = b"\x1f\x8b"
BLOCK = 2**20


def unpack(data: bytes, where: str, max_bytes: int) -> bytes:
    """Return the content of a gzip file, or ``data`` itself when it is none.

    >>> unpack(gzip.compress(b"1,2,a"), "toy.csv.gz", max_bytes=100)
    b'1,2,a'
    >>> unpack(gzip.compress(bytes(1000)), "toy.csv.gz", max_bytes=100)
    Traceback (most recent call last):
        ...
    noisebench.errors.DataError: toy.csv.gz: unpacks to more than 100 bytes; raise the option
    max_bytes if the file is to be trusted.
    """
    if not data.startswith(MAGIC):
        return data
    blocks: list[bytes] = []
    size = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            # Block by block: asking for max_bytes at once would set that much memory aside.
            while block := packed.read(BLOCK):
                blocks.append(block)
                size += len(block)
                if size > max_bytes:
                    raise DataError(
                        f"{where}: unpacks to more than {max_bytes} bytes; raise the option "
                        f"max_bytes if the file is to be trusted."
                    )
    except EOFError as error:
        raise DataError(f"{where}: the gzip file is cut short; fetch it again.") from error
    except (OSError, zlib.error) as error:
        raise DataError(f"{where}: the gzip file is damaged ({error}); fetch it again.") from error
    return b"".join(blocks)
