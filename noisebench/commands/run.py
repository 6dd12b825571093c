"""`noisebench run`: compute a study and show its table."""

from __future__ import annotations

import argparse
import sys

from noisebench.commands.common import add_config_dir, space_from

_EXAMPLES = """\
The words after `run` choose and change the parts of a run:

  noisebench run dataset=breast_cancer noise=class_conditional learner=rknn
  noisebench run learner=knn learner.n_neighbors=7 seed=1 name=demo
  noisebench run learner._target_=sklearn.ensemble.RandomForestClassifier
  noisebench run -m dataset=iris,wine learner=knn,svm_rbf          all combinations, in one run
  noisebench run experiment=gao_table2 profile=quick               a table of a paper

Parts: dataset, noise, learner, protocol (`noisebench list …` names the choices), executor,
experiment, profile. Settings: seed, name, output, on_error.
A run goes on where it stopped: the same command again computes only what is missing, and a larger
sweep under the same name only what is new.
"""


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "run",
        help="run a configuration, a sweep or an experiment",
        description="Run a configuration, a sweep or an experiment, and print its table.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="key=value", help="what to run, see below")
    parser.add_argument(
        "-m", "--multirun", action="store_true", help="sweep over comma-separated values"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no table")
    parser.add_argument(
        "--dry-run", action="store_true", help="check everything, say what would run, and stop"
    )
    add_config_dir(parser)
    parser.set_defaults(call=call)


def call(args: argparse.Namespace) -> int:
    from noisebench.commands.running import dry_run, execute
    from noisebench.composition import compose_run

    composed = compose_run(space_from(args), args.words, args.multirun)
    if args.dry_run:
        print(dry_run(composed))
        return 0
    outcome = execute(composed, quiet=args.quiet)
    if outcome.interrupted:
        print(
            f"Stopped. {outcome.n_tasks - outcome.n_left} of {outcome.n_tasks} rows are stored; "
            f"the same command goes on from there.",
            file=sys.stderr,
        )
        return 130
    return 1 if outcome.failures else 0
