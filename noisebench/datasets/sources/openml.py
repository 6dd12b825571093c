"""Data sets of OpenML, kept in our own cache so that the second use needs no network."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from noisebench.datasets.cache import Cache
from noisebench.datasets.parsed import read_once
from noisebench.datasets.readers import read
from noisebench.datasets.sources.base import Source, SourceUnavailable
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError

SERVER_VARIABLE = "NOISEBENCH_OPENML_SERVER"


class OpenMLSource(Source):
    """A data set of OpenML, by its number.

    The openml package does the download, in a process of its own: it has no timeouts, and its
    settings hold for a whole process. The server is the one of openml's own configuration, or
    what NOISEBENCH_OPENML_SERVER says.

    Parameters
    ----------
    id : int
        The number of the data set, which stands for one version of it.
    version : int, optional
        The version that this number should have; checked when given.
    format : {"arff", "parquet"}, default="arff"
        OpenML publishes a checksum for the ARFF file only; Parquet is read much faster.
    timeout : float, default=300
        Seconds after which a silent server is given up.
    labels, notes, expect
        See `Source`.
    **options
        Options of the reader. By default the label is OpenML's target, and the columns that
        OpenML says to ignore are dropped.

    Examples
    --------
    >>> OpenMLSource(61).describe()
    'OpenML data set 61'
    """

    def __init__(
        self,
        id: int,
        version: int | None = None,
        format: str = "arff",
        timeout: float = 300,
        labels: Mapping[Any, Any] | None = None,
        notes: str = "",
        expect: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        if not isinstance(id, int) or isinstance(id, bool) or id < 1:
            raise InputError(
                f"id of an OpenML data set must be a positive whole number, got {id!r}."
            )
        if format not in ("arff", "parquet"):
            raise InputError(f"format of an OpenML source is 'arff' or 'parquet', got {format!r}.")
        self.id = id
        self.version = version
        self.format = format
        self.timeout = timeout
        self.labels = labels
        self.notes = notes
        self.expect = expect
        self.options = options

    def describe(self) -> str:
        return f"OpenML data set {self.id}"

    def needs_network(self) -> bool:
        cache = Cache()
        facts = cache.recall(self._name)
        return facts is None or not cache.holds(str(facts.get("sha256")))

    def obstacle(self) -> str | None:
        if self.needs_network() and importlib.util.find_spec("openml") is None:
            return "the openml package is not installed; add it with `pip install openml`."
        return None

    def load(self) -> Table:
        return self._parse(*Cache().obtain_named(self._name, self._download))

    @property
    def _name(self) -> str:
        # The same number means another data set on another server.
        server = os.environ.get(SERVER_VARIABLE, "default server")
        return f"openml {server} {self.id} {self.format}"

    def _download(self) -> tuple[bytes, dict[str, Any]]:
        obstacle = self.obstacle()
        if obstacle:
            raise SourceUnavailable(obstacle)
        with tempfile.TemporaryDirectory(prefix="noisebench-") as folder:
            facts = self._ask(folder)
            data = Path(facts.pop("path")).read_bytes()
        if facts["format"] == "parquet":
            self._parse(data, facts)  # without a checksum, only what can be read is worth keeping
        return data, facts

    def _ask(self, folder: str) -> dict[str, Any]:
        """Let the openml package download into ``folder``; return the facts about the answer."""
        environment = {
            **os.environ,
            "OPENML_CACHE_DIR": folder,
            "OPENML_SKIP_PARQUET": "true" if self.format == "arff" else "false",
        }
        command = [sys.executable, "-m", "noisebench.datasets.sources.openml_download"]
        try:
            done = subprocess.run(
                [*command, str(self.id)],
                env=environment,
                capture_output=True,
                text=True,
                timeout=self.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise SourceUnavailable(
                f"the server did not answer within {self.timeout:g} s; try again later."
            ) from error
        return self._judge(done.stdout, done.stderr)

    def _judge(self, output: str, errors: str) -> dict[str, Any]:
        try:
            answer = json.loads(output.splitlines()[-1])
        except (IndexError, ValueError) as error:
            raise SourceUnavailable(
                f"the openml package failed ({' '.join(errors.split())[-200:]})."
            ) from error
        if answer.get("unavailable"):
            raise SourceUnavailable(
                f"{answer['unavailable']}; check the network, or set {SERVER_VARIABLE} to a "
                f"server that can be reached."
            )
        if answer.get("damaged"):
            raise DataError(f"{self.describe()}: {answer['damaged']}; try again later.")
        if self.version is not None and answer["version"] != self.version:
            raise DataError(
                f"{self.describe()} is version {answer['version']}, but the catalogue expects "
                f"version {self.version}; correct the entry's id."
            )
        return dict(answer)

    def _parse(self, data: bytes, facts: Mapping[str, Any]) -> Table:
        options = {"label": facts["target"], "drop": facts["ignored"], **self.options}
        if not options["label"]:
            raise InputError(f"{self.describe()} names no target; give the source a `label`.")
        format = facts["format"]
        return read_once(
            lambda: read(data, format, where=self.describe(), **options),
            [data],
            {"format": format, "options": options},
        )
