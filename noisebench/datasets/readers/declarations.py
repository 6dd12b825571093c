"""Headers of ARFF and KEEL files, and the values below them.

Both formats declare their columns with ``@attribute name type`` and give the rows after
``@data``; ``%`` begins a comment unless it is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from noisebench.datasets.readers.source import BLANKS, Source, show
from noisebench.datasets.readers.stack import ABSENT
from noisebench.errors import did_you_mean

Lines = Iterator[tuple[int, str]]

_QUOTED = r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\""""
_VALUE = re.compile(rf"""[ \t]*(?:({_QUOTED})|([^,'"{{}}]*))[ \t]*""", re.DOTALL)
_BEFORE_COMMENT = re.compile(rf"""(?:[^%'"]|{_QUOTED})*""", re.DOTALL)
_NAME = re.compile(rf"""(?:({_QUOTED})|([^\s{{}},'"][^\s{{}},]*))(.*)""", re.DOTALL)
_NUMERIC = re.compile(r"(?:numeric|real|integer)[ \t]*(?:\[[^\[\]]*\])?", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True)
class Attribute:
    """A declared column: numeric, nominal with its ``values``, or free text without them."""

    name: str
    numeric: bool
    values: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Header:
    """The declared columns and the other lines of a header, by keyword."""

    attributes: list[Attribute]
    settings: dict[str, tuple[int, str]]


def read_header(source: Source, lines: Lines, keywords: Mapping[str, str]) -> Header:
    """Read up to the line ``@data``.

    Parameters
    ----------
    keywords : mapping
        The words that may follow an @, in lower case, each with its standard spelling.
    """
    header = Header([], {})
    for number, line in lines:
        word, rest = _split_keyword(line)
        if word not in keywords:
            raise source.error(
                f"{show(line)} is no header line. {did_you_mean(word, keywords)}", number
            )
        word = keywords[word]
        if word == "attribute":
            header.attributes.append(_declare(source, rest, number))
        elif word == "data":
            if not header.attributes:
                raise source.error("no @attribute comes before @data; fetch it again.", number)
            if rest:
                raise source.error(
                    f"{show(rest)} follows @data; rows begin on the next line.", number
                )
            return header
        elif word in header.settings:
            raise source.error(f"a second @{word}; only one may be there.", number)
        else:
            header.settings[word] = (number, rest)
    raise source.error("has no line @data; fetch it again.")


def _split_keyword(line: str) -> tuple[str, str]:
    if not line.startswith("@"):
        return "", line
    match = re.match(r"[^\s{'\"]*", line[1:])
    word = match[0] if match else ""
    return word.lower(), line[1 + len(word) :].strip(BLANKS)


def _declare(source: Source, text: str, line: int) -> Attribute:
    try:
        return parse_attribute(text)
    except ValueError as error:
        raise source.error(f"{error}.", line) from error


def parse_attribute(text: str) -> Attribute:
    """Parse a declaration; a range after a numeric type is allowed and not enforced.

    >>> parse_attribute("'petal width' real [0.1, 2.5]")
    Attribute(name='petal width', numeric=True, values=None)
    >>> parse_attribute("class {a, 'b c'}")
    Attribute(name='class', numeric=False, values=('a', 'b c'))
    """
    match = _NAME.fullmatch(text)
    if match is None:
        raise ValueError(f"@attribute needs a name and a type, got {show(text)}")
    name = unquote(match[1]) if match[1] else match[2]
    kind = match[3].strip(BLANKS)
    if _NUMERIC.fullmatch(kind):
        return Attribute(name, numeric=True)
    if kind.lower() == "string":
        return Attribute(name, numeric=False)
    if kind.startswith("{") and kind.endswith("}"):
        values = split_values(kind[1:-1], frozenset())
        return Attribute(name, numeric=False, values=tuple(values))
    raise ValueError(
        f"attribute {show(name)} has the type {show(kind)}; only numeric, real, integer, string "
        f"and a closed list {{…}} of values are read"
    )


def strip_comment(line: str) -> str:
    """Cut a line at the first % outside quotes.

    >>> strip_comment("'5%', a % five")
    "'5%', a"
    """
    if "%" in line:
        match = _BEFORE_COMMENT.match(line)
        # At a quote that is never closed the match stops short of %; the value is refused later.
        if match is not None and line[match.end() : match.end() + 1] == "%":
            line = line[: match.end()]
    return line.strip(BLANKS)


def split_values(text: str, missing: frozenset[str]) -> list[str]:
    """Split at commas outside quotes; a mark of ``missing`` that is not quoted becomes `ABSENT`.

    >>> split_values("1, '?', ?, 'a, b'", frozenset("?")) == ["1", "?", ABSENT, "a, b"]
    True
    """
    if not ("'" in text or '"' in text or "{" in text or "}" in text):
        tokens = [token.strip(BLANKS) for token in text.split(",")]
        if "" in tokens:
            raise ValueError("a value is empty; write ? for a missing one")
        if missing.isdisjoint(tokens):
            return tokens
        return [ABSENT if token in missing else token for token in tokens]
    values, position = [], 0
    while True:
        value, position = take_value(text, position, missing)
        values.append(value)
        if position > len(text):
            return values


def take_value(text: str, position: int, missing: frozenset[str]) -> tuple[str, int]:
    """Return the value at ``position`` and the position after the comma that ends it."""
    match = _VALUE.match(text, position)
    end = match.end() if match else position
    if match is None or (end < len(text) and text[end] != ","):
        raise ValueError(f"cannot read a value at {show(text[end:])}; check quotes and braces")
    if match[1]:
        return unquote(match[1]), end + 1
    token = match[2].strip(BLANKS)
    if not token:
        raise ValueError("a value is empty; write ? for a missing one")
    return ABSENT if token in missing else token, end + 1


def unquote(text: str) -> str:
    r"""Take off the quotes and undo the escapes with a backslash; blanks at the ends go too.

    >>> unquote(r"'don\'t '")
    "don't"
    """
    plain = _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text[1:-1])
    return plain.strip(BLANKS)
