"""The parts that a configuration names: built, checked and given a version.

A component is a plain mapping with a ``_target_`` (an importable class) and its parameters. The
same mapping is what gets hashed into a task's identity, so that it is all that a result can
depend on.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from noisebench.errors import InputError, did_you_mean
from noisebench.source_code import source_digest

#: Keys of a component's YAML file that describe it and do not reach its class.
META_KEYS = ("label", "record")


@dataclass(frozen=True)
class Component:
    """A data set, noise model, learner or protocol as one run names it.

    ``name`` is the choice on the command line plus whatever differs from its YAML file,
    ``label`` what tables print, ``record`` the fitted attributes that go into the rows.
    """

    kind: str
    name: str
    config: Mapping[str, Any]
    label: str = ""
    record: tuple[str, ...] = field(default=())

    @property
    def title(self) -> str:
        return self.label or self.name

    def build(self) -> Any:
        """Return a new object of the component's class, or say what is wrong with it."""
        return build(self.config, f"{self.kind} '{self.name}'")

    def identity(self) -> dict[str, Any]:
        """Return what a result depends on: parameters and code, not names or labels."""
        return {"config": self.config, "version": versions_of(self.config)}


def build(config: Mapping[str, Any], what: str) -> Any:
    """Instantiate ``config`` (Hydra's ``_target_`` form), nested parts included."""
    from hydra.errors import InstantiationException
    from hydra.utils import instantiate

    check_parameters(config, what)
    try:
        return instantiate(dict(config), _convert_="all")
    except InstantiationException as error:
        cause = error.__cause__ or error
        raise InputError(f"{what}: {first_sentence(cause)}") from error


def check_parameters(config: Any, what: str) -> None:
    """Refuse classes that cannot be imported and parameters that a class does not take."""
    if isinstance(config, Mapping):
        if "_target_" in config:
            _check_signature(config, what)
        for value in config.values():
            check_parameters(value, what)
    elif isinstance(config, list):
        for value in config:
            check_parameters(value, what)


def _check_signature(config: Mapping[str, Any], what: str) -> None:
    target = locate(config["_target_"], what)
    try:
        parameters = inspect.signature(target).parameters
    except (TypeError, ValueError):  # some built-in classes show no signature
        return
    if any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
        return
    for key in config:
        if key not in parameters and not (key.startswith("_") and key.endswith("_")):
            name = getattr(target, "__name__", str(target))
            raise InputError(
                f"{what}: {name} has no parameter '{key}'. {did_you_mean(key, parameters)}"
            )


def locate(path: str, what: str) -> Any:
    """Import the object at a dotted path."""
    module_path, _, attribute = str(path).rpartition(".")
    try:
        module = importlib.import_module(module_path)
    except (ImportError, ValueError) as error:
        raise InputError(
            f"{what}: cannot import '{path}' ({first_sentence(error)}); `_target_` must be the "
            f"full dotted path of an importable class, such as sklearn.svm.SVC."
        ) from error
    if not hasattr(module, attribute):
        hint = did_you_mean(attribute, [name for name in dir(module) if not name.startswith("_")])
        raise InputError(f"{what}: '{module_path}' has no '{attribute}'. {hint}")
    return getattr(module, attribute)


def versions_of(config: Any) -> dict[str, str]:
    """Return the version of every class that a configuration names, nested ones included."""
    found: dict[str, str] = {}
    if isinstance(config, Mapping):
        if "_target_" in config:
            found[config["_target_"]] = code_version(config["_target_"])
        for value in config.values():
            found |= versions_of(value)
    elif isinstance(config, list):
        for value in config:
            found |= versions_of(value)
    return found


@cache
def code_version(target: str) -> str:
    """Return what fixes the code behind a dotted path.

    For a released third-party package that is its version. For noisebench itself and for a
    user's own modules it is a digest of the source, so that an edited method is never mistaken
    for the one that computed the stored rows.
    """
    module = target.rpartition(".")[0]
    package = module.partition(".")[0]
    if package != __package__:
        for distribution in importlib.metadata.packages_distributions().get(package, ()):
            return f"{distribution} {importlib.metadata.version(distribution)}"
    return source_digest(_defining_module(target))


def _defining_module(target: str) -> str:
    """Return the module that holds the code; a package may only pass the name on."""
    return getattr(locate(target, target), "__module__", None) or target.rpartition(".")[0]


def digest(value: Any, length: int = 32) -> str:
    """Return a hash of plain data that does not depend on the order of keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def first_sentence(error: BaseException) -> str:
    """Return an error's message on one line."""
    text = " ".join(str(error).split())
    return text or type(error).__name__
