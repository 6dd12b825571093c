"""Hydra at one place: YAML files and command-line words in, plain components out.

All components of a sweep are composed in one call, each under a package of its own, so that a
sweep of a thousand cells composes no slower than its few dozen parts.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noisebench.components import META_KEYS, Component
from noisebench.errors import InputError, did_you_mean
from noisebench.overrides import COMPONENTS, Alternative

#: Composition has to know the groups to tell a misspelt group from a misspelt key.
GROUPS = (*COMPONENTS, "executor", "experiment", "profile")


def packaged_conf() -> Path:
    """Return the folder of the packaged YAML files, in a wheel or in a checkout."""
    package = Path(__file__).parent
    inside = package / "conf"
    return inside if inside.is_dir() else package.parent / "conf"


@dataclass(frozen=True)
class ConfigSpace:
    """The packaged YAML files plus the folders that a user adds with ``--config-dir``."""

    folders: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        for folder in self.folders:
            if not folder.is_dir():
                raise InputError(f"--config-dir {folder}: there is no such folder.")
        for group in GROUPS:
            self._refuse_clashes(group)

    def _refuse_clashes(self, group: str) -> None:
        seen: dict[str, Path] = {}
        for path in self._files(group):
            if path.stem in seen:
                raise InputError(
                    f"'{group}/{path.stem}' stands in {seen[path.stem].parent} and in "
                    f"{path.parent}; rename one of them."
                )
            seen[path.stem] = path

    def _files(self, group: str) -> Iterator[Path]:
        for folder in (packaged_conf(), *self.folders):
            yield from sorted((folder / group).glob("*.yaml"))

    def choices(self, group: str) -> list[str]:
        """Return the names that ``group=`` takes."""
        return sorted(path.stem for path in self._files(group))

    def path(self, group: str, choice: str) -> Path:
        """Return the YAML file of a choice."""
        for path in self._files(group):
            if path.stem == choice:
                return path
        raise InputError(
            f"There is no {group} '{choice}'. {did_you_mean(choice, self.choices(group))}"
        )

    def settings(self, words: Sequence[str]) -> dict[str, Any]:
        """Compose what is not a component: seed, name, executor, experiment, profile …

        The answer also holds, under ``choices``, the choice made for each group.
        """
        from omegaconf import OmegaConf

        self._check_words(words)
        composed = self._compose("config", words)
        choices = {group: composed.hydra.runtime.choices.get(group) for group in GROUPS}
        plain = OmegaConf.to_container(
            OmegaConf.masked_copy(composed, _keys(composed)), resolve=True
        )
        assert isinstance(plain, dict)
        return {**{str(key): value for key, value in plain.items()}, "choices": choices}

    def _check_words(self, words: Sequence[str]) -> None:
        known = set(self._top_level_keys())
        for word in words:
            key, _, value = word.lstrip("+~").partition("=")
            head = key.partition(".")[0]
            if head not in known and not head.startswith("hydra"):
                raise InputError(
                    f"Unknown setting '{head}' in '{word}'. {did_you_mean(head, known)}"
                )
            if key in GROUPS and value not in ("null", "none", ""):
                self.path(key, value.strip("'\""))

    def _top_level_keys(self) -> list[str]:
        from omegaconf import OmegaConf

        primary = OmegaConf.load(packaged_conf() / "config.yaml")
        return [*(str(key) for key in primary if key != "defaults"), *GROUPS]

    def components(self, wanted: Mapping[str, Sequence[Alternative]]) -> dict[str, list[Component]]:
        """Compose all alternatives of all kinds at once."""
        words = []
        for kind, alternatives in wanted.items():
            for choice in sorted({a.choice for a in alternatives if a.choice}):
                self.path(kind, choice)
                words.append(f"+{kind}@{_package(kind, choice)}={choice}")
        composed = self._compose(None, words)
        return {
            kind: [_component(kind, a, composed) for a in alternatives]
            for kind, alternatives in wanted.items()
        }

    def _compose(self, config_name: str | None, words: Sequence[str]) -> Any:
        from hydra import compose
        from hydra.errors import HydraException
        from omegaconf.errors import OmegaConfBaseException
        from yaml import YAMLError

        with self._initialised():
            try:
                return compose(
                    config_name, [*self._search_path(), *words], return_hydra_config=True
                )
            except (HydraException, OmegaConfBaseException, YAMLError) as error:
                raise InputError(" ".join(str(error).split())) from error

    def _search_path(self) -> list[str]:
        folders = ",".join(f"'file://{folder.resolve()}'" for folder in self.folders)
        return [f"hydra.searchpath=[{folders}]"] if folders else []

    @contextmanager
    def _initialised(self) -> Iterator[None]:
        from hydra import initialize_config_dir
        from hydra.core.global_hydra import GlobalHydra

        GlobalHydra.instance().clear()
        with initialize_config_dir(str(packaged_conf().resolve()), version_base="1.3"):
            yield


def _keys(composed: Any) -> list[str]:
    return [str(key) for key in composed if key != "hydra" and key not in COMPONENTS]


def _package(kind: str, choice: str) -> str:
    return f"pristine.{kind}.{choice}"


def _component(kind: str, alternative: Alternative, composed: Any) -> Component:
    """Apply an alternative's settings to the file's content and name the result."""
    from omegaconf import OmegaConf

    choice = alternative.choice
    node = OmegaConf.create({})
    if choice:
        node = copy.deepcopy(OmegaConf.select(composed, _package(kind, choice)))
    OmegaConf.set_struct(node, False)
    before = flatten(OmegaConf.to_container(node, resolve=False))
    for key in alternative.removed:
        if key not in before:
            raise InputError(f"{kind} '{choice}': there is no '{key}' to remove.")
        parent, _, last = key.rpartition(".")
        OmegaConf.select(node, parent or ".").pop(last) if parent else node.pop(last)
    for key, value in alternative.settings.items():
        OmegaConf.update(node, key, value, merge=False, force_add=True)
    after = flatten(OmegaConf.to_container(node, resolve=False))
    config = _resolve(node, f"{kind} '{choice}'")
    meta = {key: config.pop(key) for key in META_KEYS if key in config and kind != "dataset"}
    return Component(
        kind=kind,
        name=_name(kind, choice or _class_name(config), before, after),
        config=config,
        label=str(meta.get("label") or ""),
        record=tuple(meta.get("record") or ()),
    )


def _resolve(node: Any, what: str) -> dict[str, Any]:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        plain = OmegaConf.to_container(node, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        raise InputError(f"{what}: {' '.join(str(error).split())}") from error
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


def _class_name(config: Mapping[str, Any]) -> str:
    return str(config.get("_target_", "unnamed")).rpartition(".")[2]


def _name(kind: str, base: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the choice's name plus what differs from its file.

    >>> _name("learner", "knn", {"k": 5, "w": 1}, {"k": 3, "w": 1})
    'knn[k=3]'
    """
    quiet = {"_target_", "label"}
    if kind == "protocol":
        quiet.add("repeats")  # how much of the same: a longer run keeps its name
    changed = [
        f"{key}={_show(after[key])}"
        for key in sorted(after)
        if key not in quiet and (key not in before or before[key] != after[key])
    ]
    changed += [f"~{key}" for key in sorted(before) if key not in after and before and after]
    return f"{base}[{','.join(changed)}]" if changed else base


def _show(value: Any) -> str:
    return str(value).replace(" ", "")


def flatten(value: Any, prefix: str = "") -> dict[str, Any]:
    """Return nested mappings and lists as one mapping of dotted keys.

    >>> flatten({"a": {"b": 1}, "c": [2]})
    {'a.b': 1, 'c.0': 2}
    """
    if isinstance(value, Mapping):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)  # type: ignore[assignment]
    else:
        return {prefix: value}
    flat: dict[str, Any] = {}
    for key, part in items:
        flat |= flatten(part, f"{prefix}.{key}" if prefix else str(key))
    return flat
