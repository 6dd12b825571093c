"""`noisebench figure`: a run's scores drawn."""

from __future__ import annotations

import argparse
from pathlib import Path

from noisebench.commands.common import add_run_folder, run_folder
from noisebench.errors import InputError


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "figure",
        help="draw a run's scores",
        description="Draw a run's scores: mean and standard deviation of every learner.",
        epilog="example: noisebench figure runs/demo -o demo.svg",
    )
    add_run_folder(parser)
    parser.add_argument("--score", help="accuracy, balanced_accuracy, macro_f1 …")
    parser.add_argument("--protocol", help="which protocol's rows, where a run has several")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, required=True, help="a .png, .svg or .pdf file"
    )
    parser.set_defaults(call=call)


def call(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from noisebench.engine.store import RunStore
    from noisebench.report.outputs import draw, question_of

    if args.output.suffix not in (".png", ".svg", ".pdf"):
        raise InputError(f"-o {args.output}: the name must end in .png, .svg or .pdf.")
    store = RunStore.open(run_folder(args.run))
    question = question_of(store.study())
    if args.score:
        question = replace(question, score=args.score)
    draw(store, question, args.protocol, args.output)
    print(args.output)
    return 0
