"""What several commands share: options, and how a run is opened and shown."""

from __future__ import annotations

import argparse
from pathlib import Path

from noisebench.configuration import ConfigSpace


def add_config_dir(parser: argparse.ArgumentParser) -> None:
    """Add the option that names a user's own folder of YAML files."""
    parser.add_argument(
        "--config-dir",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a folder of your own with dataset/, noise/, learner/ … YAML files (may be repeated)",
    )


def space_from(args: argparse.Namespace) -> ConfigSpace:
    """Return the packaged choices plus those of the user's folders."""
    return ConfigSpace(tuple(args.config_dir))


def add_run_folder(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a run."""
    parser.add_argument("run", metavar="RUN", help="a run's folder, such as runs/demo")


def run_folder(name: str) -> Path:
    """Return the folder of a run; a bare name is looked up below runs/ too."""
    path = Path(name)
    return path if path.exists() or path.name != name else Path("runs") / name
