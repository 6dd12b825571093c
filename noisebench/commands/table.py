"""`noisebench table`: a run's results as a table."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from noisebench.commands.common import add_run_folder, run_folder


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "table",
        help="print a run's results as a table",
        description="Print a run's results as a table with significance marks.",
        epilog="example: noisebench table runs/demo --baseline knn --test paired-t --format tex",
    )
    add_run_folder(parser)
    parser.add_argument(
        "--baseline", metavar="LEARNER", help="the learner that the others are tested against"
    )
    parser.add_argument(
        "--test",
        metavar="TEST",
        help="paired-t, corrected-t, wilcoxon or bayesian-t; by default what fits the protocol",
    )
    parser.add_argument("--alpha", type=float, help="level of the test, by default 0.05")
    parser.add_argument("--score", help="accuracy, balanced_accuracy, macro_f1, fit_seconds …")
    parser.add_argument(
        "--counts-of",
        choices=("learner", "baseline"),
        help="whose wins the last line counts, by default each learner's against the baseline",
    )
    parser.add_argument("--protocol", help="which protocol's rows, where a run has several")
    parser.add_argument(
        "--format", choices=("text", "md", "csv", "tex"), default="text", help="text by default"
    )
    parser.add_argument("--fraction", action="store_true", help="0.9213 instead of 92.13")
    parser.add_argument("--decimals", type=int, help="digits after the point")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write there instead")
    parser.set_defaults(call=call)


def call(args: argparse.Namespace) -> int:
    from noisebench.engine.store import RunStore
    from noisebench.files import write_text
    from noisebench.report.outputs import question_of, results_of, style_of
    from noisebench.report.tables import render

    store = RunStore.open(run_folder(args.run))
    study = store.study()
    asked = {key: getattr(args, key) for key in ("baseline", "test", "alpha", "score", "counts_of")}
    given = {key: value for key, value in asked.items() if value is not None}
    question = replace(question_of(study), **given)
    style = style_of(study, question)
    style = replace(
        style,
        percent=style.percent and not args.fraction,
        decimals=args.decimals if args.decimals is not None else style.decimals,
        bold=args.output is None and sys.stdout.isatty(),
    )
    results = results_of(store, question, protocol=args.protocol)
    text = render(results, args.format, style)
    if args.output:
        write_text(args.output, text)
    else:
        print(text, end="")
    return 0
