"""The words of the command line, read by Hydra's own grammar and sorted by what they speak of."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from noisebench.errors import InputError

#: The groups that make a cell; a sweep over one of them adds cells to the one run.
COMPONENTS = ("dataset", "noise", "learner", "protocol")


@dataclass(frozen=True)
class Alternative:
    """One way to fill a component: a choice of its group and settings that differ from the file.

    ``choice`` is None where the command line names settings only.
    """

    choice: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class CommandLine:
    """What was asked for: the alternatives of each component, the seeds, and all other words."""

    components: dict[str, list[Alternative]]
    seeds: list[int] | None
    others: list[str]


@dataclass(frozen=True)
class _Word:
    """One override with all its values (more than one only in a sweep)."""

    key: str
    values: list[Any]
    text: str
    removes: bool


def parse(words: Sequence[str], multirun: bool, choices: Callable[[str], list[str]]) -> CommandLine:
    """Sort overrides into components, seeds and the rest.

    Examples
    --------
    >>> line = parse(["learner=knn", "learner.n_neighbors=1,3", "name=demo"], True, lambda g: [])
    >>> [a.settings for a in line.components["learner"]], line.others
    ([{'n_neighbors': 1}, {'n_neighbors': 3}], ['name=demo'])
    """
    parsed = [_parse_word(word, multirun, choices) for word in words]
    components: dict[str, list[Alternative]] = {}
    for group in COMPONENTS:
        mine = [word for word in parsed if word.key.partition(".")[0] == group]
        if mine:
            components[group] = _alternatives(group, mine)
    seeds = next((word.values for word in reversed(parsed) if word.key == "seed"), None)
    others = [word for word in parsed if word.key.partition(".")[0] not in (*COMPONENTS, "seed")]
    for word in others:
        if len(word.values) > 1:
            raise InputError(
                f"'{word.text}' sweeps over '{word.key}', which is the same for a whole run; "
                f"a sweep may go over {', '.join(COMPONENTS)} and seed."
            )
    return CommandLine(components, _check_seeds(seeds), [word.text for word in others])


def _parse_word(word: str, multirun: bool, choices: Callable[[str], list[str]]) -> _Word:
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.core.override_parser.types import Glob
    from hydra.errors import HydraException

    parser = OverridesParser.create()
    try:
        override = parser.parse_override(word)
    except HydraException as error:
        raise InputError(
            f"Cannot read '{word}': {str(error).splitlines()[0]}. "
            f"An override looks like dataset=iris or learner.n_neighbors=5."
        ) from error
    key = override.key_or_group
    if override.is_delete():
        return _Word(key, [None], word, removes=True)
    if not override.is_sweep_override():
        return _Word(key, [override.value()], word, removes=False)
    if not multirun:
        raise InputError(f"'{word}' lists several values; add -m to sweep over them.")
    value = override.value()
    if isinstance(value, Glob):
        values: Iterable[Any] = value.filter(choices(key))
    else:
        texts = override.sweep_string_iterator()
        values = [parser.parse_override(f"{key}={text}").value() for text in texts]
    return _Word(key, list(values), word, removes=False)


def _alternatives(group: str, words: list[_Word]) -> list[Alternative]:
    found = []
    for values in itertools.product(*(word.values for word in words)):
        choice, settings, removed = None, {}, []
        for word, value in zip(words, values, strict=True):
            key = word.key.partition(".")[2]
            if not key:
                choice = _check_choice(group, value)
            elif word.removes:
                removed.append(key)
            else:
                settings[key] = value
        found.append(Alternative(choice, settings, tuple(removed)))
    return found


def _check_choice(group: str, value: Any) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise InputError(f"'{group}=' takes the name of a choice, got {value!r}.")
    return str(value)


def _check_seeds(seeds: list[Any] | None) -> list[int] | None:
    for seed in seeds or ():
        if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
            raise InputError(f"seed must be a whole number of at least 0, got {seed!r}.")
    return seeds
