"""Many data sets loaded once, several at a time, so that later uses find them in the cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from noisebench.datasets.catalogue import load_dataset
from noisebench.errors import InputError


@dataclass(frozen=True)
class Fetched:
    """What became of one data set: where it came from and its shape, or why it was not had."""

    name: str
    origin: str = ""
    shape: tuple[int, int] = (0, 0)
    n_classes: int = 0
    problem: str = ""


def fetch_all(entries: Mapping[str, Mapping[str, Any]], n_threads: int = 4) -> Iterator[Fetched]:
    """Load and check every entry; yield each outcome as it comes.

    What is in the cache already is not downloaded again, so a fetch that was stopped goes on
    where it was.
    """
    with ThreadPoolExecutor(n_threads) as threads:
        waiting = [threads.submit(_fetch, name, entry) for name, entry in entries.items()]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise


def _fetch(name: str, entry: Mapping[str, Any]) -> Fetched:
    try:
        data = load_dataset(name, entry)
    except InputError as error:
        return Fetched(name, problem=str(error))
    rows, columns = data.X.shape
    return Fetched(name, data.origin, (rows, columns), len(data.classes))
