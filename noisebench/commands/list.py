"""`noisebench list`: what can be named on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noisebench.commands.common import add_config_dir, space_from

if TYPE_CHECKING:
    from rich.table import Table

    from noisebench.configuration import ConfigSpace

#: What the command calls a group, and the group.
_KINDS = {
    "datasets": "dataset",
    "noise": "noise",
    "learners": "learner",
    "protocols": "protocol",
    "experiments": "experiment",
    "executors": "executor",
    "profiles": "profile",
}


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "list",
        help="name the data sets, noise models, learners, protocols, experiments …",
        description="Name the choices of a group, each with a line on what it is.",
        epilog="example: noisebench list learners",
    )
    parser.add_argument("kind", choices=sorted(_KINDS), help="which group")
    add_config_dir(parser)
    parser.set_defaults(call=call)


def call(args: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.table import Table

    group = _KINDS[args.kind]
    space = space_from(args)
    table = Table(box=None, pad_edge=False, header_style="bold")
    if group == "dataset":
        _fill_datasets(table, space)
    else:
        for heading in (f"{group}=", "what it is", "settings"):
            table.add_column(heading, overflow="fold")
        for choice in space.choices(group):
            table.add_row(choice, *describe(space.path(group, choice)))
    Console(highlight=False).print(table)
    return 0


def _fill_datasets(table: Table, space: ConfigSpace) -> None:
    from noisebench.datasets.overview import list_datasets

    for heading in ("dataset=", "rows", "features", "classes", "papers", "comes from"):
        right = heading in ("rows", "features", "classes")
        table.add_column(heading, overflow="fold", justify="right" if right else "left")
    for line in list_datasets(space):
        table.add_row(*line.cells())


def describe(path: Path) -> tuple[str, str]:
    """Return what a YAML file says it is, and its settings."""
    import yaml

    text = path.read_text(encoding="utf-8")
    content = yaml.safe_load(text) or {}
    first = text.splitlines()[0] if text else ""
    summary = content.get("title") or (first.lstrip("# ").rstrip(".") if first[:1] == "#" else "")
    return str(summary), _settings(content)


def _settings(content: dict[str, Any]) -> str:
    shown = [
        f"{key}={value}"
        for key, value in content.items()
        if not key.startswith("_") and isinstance(value, bool | int | float | str)
        if key not in ("title", "label", "licence", "citation", "notes", "metric", "name")
    ]
    return ", ".join(shown)
