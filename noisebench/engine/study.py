"""What one run computes: components by name and the cells that combine them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from noisebench.components import Component
from noisebench.overrides import COMPONENTS


@dataclass(frozen=True, order=True)
class Cell:
    """One entry of a results table: a data set, noise, learner and protocol by name, a seed."""

    dataset: str
    noise: str
    learner: str
    protocol: str
    seed: int = 0


@dataclass(frozen=True)
class Study:
    """The whole of a run, as plain data; rows depend on nothing else.

    ``layout`` says how the experiment's table is set and what it is compared with; it changes
    how rows are shown, never what they are. ``optional`` names the data sets that are left out
    where they cannot be had: those that an experiment lists, not those that a user asks for.
    """

    components: Mapping[str, Mapping[str, Component]]
    cells: tuple[Cell, ...]
    layout: Mapping[str, Any] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()

    def component(self, kind: str, name: str) -> Component:
        return self.components[kind][name]

    def to_plain(self) -> dict[str, Any]:
        """Return the study as mappings and lists, the content of a run's config.yaml."""
        plain: dict[str, Any] = {
            kind: {name: _plain_component(part) for name, part in parts.items()}
            for kind, parts in self.components.items()
        }
        plain["cells"] = [list(asdict(cell).values()) for cell in self.cells]
        plain["layout"] = dict(self.layout)
        plain["optional"] = sorted(self.optional)
        return plain

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Study:
        """Return the study that `to_plain` wrote."""
        components = {
            kind: {name: _read_component(kind, name, part) for name, part in plain[kind].items()}
            for kind in COMPONENTS
        }
        cells = tuple(Cell(*values) for values in plain["cells"])
        optional = frozenset(plain.get("optional") or ())
        return cls(components, cells, plain.get("layout") or {}, optional)


def combine(
    components: Mapping[str, Iterable[Component]],
    seeds: Iterable[int],
    layout: Mapping[str, Any] | None = None,
    optional: bool = False,
) -> Study:
    """Return the study of all combinations; components that are the same twice count once.

    With ``optional`` data sets that cannot be had are left out rather than refused.
    """
    by_name = {kind: {part.name: part for part in components[kind]} for kind in COMPONENTS}
    cells = tuple(
        Cell(dataset, noise, learner, protocol, seed)
        for seed in dict.fromkeys(seeds)
        for dataset in by_name["dataset"]
        for noise in by_name["noise"]
        for protocol in by_name["protocol"]
        for learner in by_name["learner"]
    )
    names = frozenset(by_name["dataset"]) if optional else frozenset()
    return Study(by_name, cells, layout or {}, names)


def _plain_component(part: Component) -> dict[str, Any]:
    plain: dict[str, Any] = {"config": dict(part.config)}
    if part.label:
        plain["label"] = part.label
    if part.record:
        plain["record"] = list(part.record)
    return plain


def _read_component(kind: str, name: str, plain: Mapping[str, Any]) -> Component:
    return Component(
        kind, name, plain["config"], plain.get("label", ""), tuple(plain.get("record", ()))
    )
