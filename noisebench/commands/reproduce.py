"""`noisebench reproduce`: the papers' experiments, one after the other."""

from __future__ import annotations

import argparse
import sys

from noisebench.commands.common import add_config_dir, space_from


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "reproduce",
        help="regenerate the papers' tables",
        description="Run every experiment of the papers and print its table. What is finished "
        "already is not computed again.",
        epilog="example: noisebench reproduce profile=paper --only gao_table2",
    )
    parser.add_argument(
        "words", nargs="*", metavar="key=value", help="settings for all experiments, e.g. seed=1"
    )
    parser.add_argument(
        "--only",
        metavar="EXPERIMENT",
        action="append",
        default=[],
        help="just this one (repeatable)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no tables")
    add_config_dir(parser)
    parser.set_defaults(call=call)


def call(args: argparse.Namespace) -> int:
    from noisebench.commands.running import execute
    from noisebench.composition import compose_run

    space = space_from(args)
    words = (
        args.words
        if any(w.startswith("profile=") for w in args.words)
        else ["profile=quick", *args.words]
    )
    names = args.only or space.choices("experiment")
    composed = {name: compose_run(space, [f"experiment={name}", *words]) for name in names}
    lines, failed = [], False
    for name, what in composed.items():
        print(f"\n== {name}", file=sys.stderr)
        outcome = execute(what, quiet=args.quiet)
        if outcome.interrupted:
            print("Stopped; the same command goes on from there.", file=sys.stderr)
            return 130
        failed = failed or bool(outcome.failures)
        lines.append(
            f"  {name}: {outcome.n_tasks - outcome.n_left} of {outcome.n_tasks} rows "
            f"({outcome.n_reused} reused), in {outcome.store.folder}/"
        )
    print("\n".join(["Reproduced:", *lines]))
    return 1 if failed else 0
