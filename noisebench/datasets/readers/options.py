"""Options of a format, checked against the annotations of the function that reads it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from noisebench.errors import InputError, did_you_mean

Column = int | str
Target = Literal["class", "number"]
Encoding = Literal["utf-8", "latin-1"]


def check_options(name: str, reader: Callable[..., Any], options: Mapping[str, object]) -> None:
    """Refuse options that ``reader`` does not have, lacks, or has with another type.

    >>> def read_toy(source, *, header: bool = False): ...
    >>> check_options("toy", read_toy, {"header": "yes"})
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: Option header of format 'toy' must be true or false, got 'yes'.
    """
    hints, required = _declared(reader)
    for option, value in options.items():
        if option not in hints:
            hint = did_you_mean(option, hints)
            raise InputError(f"Format '{name}' has no option '{option}'. {hint}")
        if not _fits(value, hints[option]):
            raise InputError(
                f"Option {option} of format '{name}' must be {_describe(hints[option])}, "
                f"got {_shorten(value)}."
            )
    for option in required - options.keys():
        raise InputError(f"Format '{name}' needs the option {option} ({_describe(hints[option])}).")


@cache
def _declared(reader: Callable[..., Any]) -> tuple[dict[str, Any], frozenset[str]]:
    keywords = [
        parameter
        for parameter in inspect.signature(reader).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    hints = get_type_hints(reader)
    required = frozenset(p.name for p in keywords if p.default is inspect.Parameter.empty)
    return {p.name: hints[p.name] for p in keywords}, required


def _fits(value: object, hint: Any) -> bool:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in get_args(hint))
    if origin is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if origin is Sequence:
        listed = isinstance(value, Sequence) and not isinstance(value, str | bytes)
        return listed and all(_fits(item, get_args(hint)[0]) for item in value)  # type: ignore[attr-defined]
    # True is an int to Python, but never a column position.
    return isinstance(value, hint) and not (hint is int and isinstance(value, bool))


def _describe(hint: Any) -> str:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return " or ".join(_describe(part) for part in get_args(hint))
    if origin is Literal:
        return " or ".join(repr(choice) for choice in get_args(hint))
    if origin is Sequence:
        return f"a list of ({_describe(get_args(hint)[0])})"
    words = {bool: "true or false", int: "a whole number", str: "a string", NoneType: "null"}
    return words.get(hint, f"of type {hint.__name__}")


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
