"""`noisebench rows`: a run's rows as one tidy table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from noisebench.commands.common import add_run_folder, run_folder
from noisebench.errors import InputError


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "rows",
        help="give a run's rows out as CSV or Parquet",
        description="Give a run's rows out as one tidy table, a row per data set, noise, learner, "
        "repeat and fold.",
        epilog="example: noisebench rows runs/demo -o rows.parquet",
    )
    add_run_folder(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="rows.csv or rows.parquet; else prints CSV",
    )
    parser.set_defaults(call=call)


def call(args: argparse.Namespace) -> int:
    from noisebench.engine.store import RunStore
    from noisebench.files import write_whole

    rows = RunStore.open(run_folder(args.run)).read_rows()
    if args.output is None:
        rows.to_csv(sys.stdout, index=False)
        return 0
    if args.output.suffix == ".csv":
        write_whole(args.output, lambda part: rows.to_csv(part, index=False))
    elif args.output.suffix == ".parquet":
        write_whole(args.output, lambda part: rows.to_parquet(part, index=False))
    else:
        raise InputError(f"-o {args.output}: the name must end in .csv or .parquet.")
    print(f"{len(rows)} rows in {args.output}", file=sys.stderr)
    return 0
