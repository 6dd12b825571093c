"""The command line: one word per command, exit code 0 good, 1 a check failed, 2 bad input."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

from noisebench import __version__
from noisebench.errors import InputError

#: Commands in the order of `--help`; each module below commands/ adds itself to the parser.
COMMANDS = ("run", "table", "rows", "figure", "reproduce", "list", "data")

_DESCRIPTION = """\
A reproducible experiment harness for learning with noisy labels.

  noisebench run -m dataset=breast_cancer,twonorm noise=none,class_conditional \\
                 learner=knn,rknn name=demo      compare learners under noise
  noisebench table runs/demo --baseline knn      the results as a table
  noisebench reproduce                           the papers' tables and figures
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    args = _parse(argv)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # a learner of the user's own may lie where they work
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        return int(args.call(args))
    except InputError as error:
        print(f"noisebench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("noisebench: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse a command line whose key=value words may stand before and after options."""
    parser = _parser()
    args, rest = parser.parse_known_args(argv)
    if rest and (not hasattr(args, "words") or any(word.startswith("-") for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        args.words += rest
    return args


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="noisebench",
        description=_DESCRIPTION,
        epilog="`noisebench COMMAND --help` tells more about each.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"noisebench {__version__}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"noisebench.commands.{name}").add_to(subparsers)
    return parser


def _interrupt(number: int, frame: FrameType | None) -> None:
    """A scheduler that ends a job is answered like Ctrl-C: finished rows are kept."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
