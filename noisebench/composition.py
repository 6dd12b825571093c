"""From the words of `noisebench run` to a study: single runs, sweeps and experiments alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from noisebench.components import digest
from noisebench.configuration import ConfigSpace, flatten
from noisebench.engine.study import Study, combine
from noisebench.errors import InputError
from noisebench.overrides import COMPONENTS, Alternative, parse

#: How an experiment file names its lists.
_PLURALS = {
    "dataset": "datasets",
    "noise": "noises",
    "learner": "learners",
    "protocol": "protocol",
}


@dataclass(frozen=True)
class Composed:
    """A study, where it goes, and the settings that do not change its rows."""

    study: Study
    folder: Path
    settings: dict[str, Any]


def compose_run(space: ConfigSpace, words: Sequence[str], multirun: bool = False) -> Composed:
    """Compose what a command line asks for.

    Each component comes from the command line, failing that from the experiment's list, failing
    that from the default in config.yaml; all combinations together make one run.
    """
    line = parse(words, multirun, space.choices)
    settings = space.settings(line.others)
    experiment = settings.get("experiment") or {}
    profile = settings.get("profile") or {}
    wanted = {
        kind: _alternatives(kind, line.components.get(kind), experiment, settings)
        for kind in COMPONENTS
    }
    wanted["protocol"] = [_limit_repeats(space, a, profile) for a in wanted["protocol"]]
    seeds = line.seeds if line.seeds is not None else [settings["seed"]]
    listed = "dataset" not in line.components and bool(experiment.get("datasets"))
    study = combine(space.components(wanted), seeds, _layout(experiment), optional=listed)
    name = _run_name(settings, study)
    return Composed(study, Path(settings["output"]) / name, {**settings, "words": list(words)})


def _alternatives(
    kind: str,
    given: list[Alternative] | None,
    experiment: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> list[Alternative]:
    default = settings["choices"][kind]
    listed = _listed(kind, experiment, settings)
    if given is None:
        return listed or [Alternative(default)]
    filled = []
    for alternative in given:
        if alternative.choice or "_target_" in alternative.settings:
            filled.append(alternative)
        elif listed:
            filled += [_add_settings(entry, alternative) for entry in listed]
        else:
            filled.append(replace(alternative, choice=default))
    return filled


def _add_settings(entry: Alternative, more: Alternative) -> Alternative:
    return Alternative(
        entry.choice, {**entry.settings, **more.settings}, (*entry.removed, *more.removed)
    )


def _listed(
    kind: str, experiment: Mapping[str, Any], settings: Mapping[str, Any]
) -> list[Alternative]:
    """Return an experiment's list of a kind, as the profile narrows it."""
    key = _PLURALS[kind]
    profile = settings["choices"].get("profile")
    narrowed = (experiment.get("profiles") or {}).get(profile) or {}
    entries = narrowed.get(key, experiment.get(key)) or []
    if isinstance(entries, str | Mapping):
        entries = [entries]
    return [_entry(key, entry) for entry in entries]


def _entry(key: str, entry: Any) -> Alternative:
    """Read ``knn`` or ``{knn: {n_neighbors: 3}}``."""
    if isinstance(entry, Mapping) and len(entry) == 1:
        [(choice, settings)] = entry.items()
        if isinstance(settings, Mapping):
            return Alternative(str(choice), flatten(settings))
    if isinstance(entry, str | int):
        return Alternative(str(entry))
    raise InputError(
        f"experiment: an entry of '{key}' is a name or a name with settings, got {entry!r}."
    )


def _limit_repeats(
    space: ConfigSpace, alternative: Alternative, profile: Mapping[str, Any]
) -> Alternative:
    most = profile.get("max_repeats")
    if most is None or "repeats" in alternative.settings:
        return alternative
    [component] = space.components({"protocol": [alternative]})["protocol"]
    repeats = component.config.get("repeats")
    if repeats is None or repeats <= most:
        return alternative
    return replace(alternative, settings={**alternative.settings, "repeats": most})


def _layout(experiment: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: experiment[key]
        for key in ("title", "table", "reference", "notes")
        if key in experiment
    }


def _run_name(settings: Mapping[str, Any], study: Study) -> str:
    name = settings.get("name")
    if name is None:
        experiment = settings["choices"]["experiment"]
        if experiment:
            return f"{experiment}-{settings['choices']['profile']}"
        return f"run-{digest(study.to_plain(), 8)}"
    name = str(name)
    if not name or name.startswith(".") or any(sign in name for sign in "/\\\0"):
        raise InputError(
            f"name={name!r} must be a plain folder name without slashes; "
            f"use output= to choose the folder above it."
        )
    return name
