"""The catalogue at a glance: what each entry promises, and where it would come from right now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from noisebench.configuration import ConfigSpace
from noisebench.datasets.catalogue import sources_of
from noisebench.datasets.sources import Source
from noisebench.errors import InputError, did_you_mean
from noisebench.overrides import Alternative


@dataclass(frozen=True)
class Overview:
    """One line of `noisebench list datasets`; sizes are those before preprocessing."""

    name: str
    rows: int | None
    features: int | None
    classes: int | None
    papers: tuple[str, ...]
    origin: str
    available: bool
    stand_in: bool = False

    def cells(self) -> tuple[str, ...]:
        """Return the line as texts: name, rows, features, classes, papers, origin."""
        numbers = ("" if n is None else str(n) for n in (self.rows, self.features, self.classes))
        name = f"{self.name} (stand-in)" if self.stand_in else self.name
        return (name, *numbers, ", ".join(self.papers), self.origin)


def catalogue_entries(
    space: ConfigSpace, names: Iterable[str] | None = None
) -> dict[str, dict[str, Any]]:
    """Return the entries of the catalogue as plain data, all or those named.

    Each file is read by itself: Hydra, which would compose all of them into one, takes ten times
    as long for a hundred. Only a file with a list of defaults is left to it.
    """
    chosen = space.choices("dataset") if names is None else dict.fromkeys(names)
    return {name: _read_entry(space, name) for name in chosen}


def _read_entry(space: ConfigSpace, name: str) -> dict[str, Any]:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    path = space.path("dataset", name)
    try:
        node = OmegaConf.load(path)
        if "defaults" in node:
            [part] = space.components({"dataset": [Alternative(name)]})["dataset"]
            return dict(part.config)
        plain = OmegaConf.to_container(node, resolve=True, throw_on_missing=True)
    except (OmegaConfBaseException, YAMLError) as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(plain, dict):
        raise InputError(f"{path}: an entry is a mapping of keys to values.")
    return {str(key): value for key, value in plain.items()}


def entries_of_paper(
    entries: Mapping[str, Mapping[str, Any]], paper: str
) -> dict[str, Mapping[str, Any]]:
    """Return the entries that a paper uses, such as ``gao``."""
    known = {key for entry in entries.values() for key in entry.get("papers") or {}}
    if paper not in known:
        raise InputError(f"--paper {paper}: no data set names it. {did_you_mean(paper, known)}")
    return {name: entry for name, entry in entries.items() if paper in (entry.get("papers") or {})}


def list_datasets(space: ConfigSpace) -> list[Overview]:
    """Return one line for each entry of the catalogue."""
    return [look_over(name, entry) for name, entry in catalogue_entries(space).items()]


def look_over(name: str, entry: Mapping[str, Any]) -> Overview:
    """Return an entry's line, after a quick look at its sources that needs no network."""
    expect = entry.get("expect") or {}
    classes = expect.get("classes")
    source = available_source(sources_of(name, entry))
    return Overview(
        name=name,
        rows=expect.get("rows"),
        features=expect.get("features"),
        classes=len(classes) if isinstance(classes, Mapping) else classes,
        papers=tuple(entry.get("papers") or ()),
        origin="nowhere (see `data info`)" if source is None else describe_source(source),
        available=source is not None,
        stand_in=bool(entry.get("stand_in", False)),
    )


def available_source(sources: Iterable[Source]) -> Source | None:
    """Return the first source that nothing stands in the way of, as far as a quick look tells."""
    return next((source for source in sources if source.obstacle() is None), None)


def describe_source(source: Source) -> str:
    """Return where a source takes the data from, and whether it would download them."""
    return f"{source.describe()}, to be downloaded" if source.needs_network() else source.describe()
