"""`noisebench data`: look at data sets, fetch them, check the cache, bring in a file."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noisebench.commands.common import add_config_dir, space_from
from noisebench.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from noisebench.datasets.dataset import Dataset
    from noisebench.datasets.fetching import Fetched
    from noisebench.datasets.sources import Source

_OWN_FOLDER = Path("my_conf")
_BAR_WIDTH = 40
#: Hubness is computed where its n²·d multiplications take seconds at most.
_MOST_WORK = 2e10


def add_to(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "data",
        help="look at data sets, fetch them, check the cache, bring in a file",
        description="Look at data sets, fetch them, check what was fetched, bring in a file.",
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    _add_info(actions)
    _add_fetch(actions)
    check = actions.add_parser("check", help="verify every file of the cache")
    check.set_defaults(call=call_check)
    _add_import(actions)


def _add_info(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    info = actions.add_parser(
        "info",
        help="the facts about one data set, its sources and classes",
        epilog="example: noisebench data info heart",
    )
    info.add_argument("name", metavar="NAME", help="a name that `noisebench list datasets` shows")
    _add_places(info)
    info.set_defaults(call=call_info)


def _add_fetch(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    fetch = actions.add_parser(
        "fetch",
        help="download data sets into the cache and check them",
        description="Download data sets into the cache and check them. What is there already is "
        "not downloaded again.",
        epilog="example: noisebench data fetch --paper gao",
    )
    fetch.add_argument("names", metavar="NAME", nargs="*", help="names of data sets")
    fetch.add_argument("--all", action="store_true", help="all of the catalogue")
    fetch.add_argument("--paper", metavar="PAPER", help="all that one paper uses, such as gao")
    fetch.add_argument("--jobs", type=int, default=4, metavar="N", help="so many at a time (4)")
    _add_places(fetch)
    fetch.set_defaults(call=call_fetch)


def _add_import(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    bring = actions.add_parser(
        "import",
        help="write the YAML file for a data file of your own",
        description="Read a data file and write the YAML file that makes it a data set.",
        epilog="example: noisebench data import mine.csv --name mine header=true label=kind",
    )
    bring.add_argument("file", metavar="FILE", type=Path)
    bring.add_argument("--name", required=True, help="what to call the data set")
    bring.add_argument("--format", help="csv, libsvm, arff …; else told by the file's name")
    bring.add_argument("words", metavar="OPTION=VALUE", nargs="*", help="options of the format")
    add_config_dir(bring)
    bring.set_defaults(call=call_import)


def _add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data-root", metavar="DIR", type=Path, help="your data folder (else NOISEBENCH_DATA)"
    )
    add_config_dir(parser)


def call_info(args: argparse.Namespace) -> int:
    from noisebench.datasets.catalogue import load_dataset, sources_of
    from noisebench.datasets.folders import use_data_root
    from noisebench.datasets.overview import available_source, catalogue_entries

    use_data_root(args.data_root)
    entry = catalogue_entries(space_from(args), [args.name])[args.name]
    sources = sources_of(args.name, entry)
    source = available_source(sources)
    console = _console()
    _print_facts(console, args.name, entry)
    _print_sources(console, sources, source)
    if source is not None and not source.needs_network():
        _print_data(console, load_dataset(args.name, entry))
    else:
        _print_bars(console, (entry.get("expect") or {}).get("classes"))
        console.print(f"Its fingerprint shows after `noisebench data fetch {args.name}`.")
    return 0


def call_fetch(args: argparse.Namespace) -> int:
    from rich.progress import track

    from noisebench.datasets.fetching import fetch_all
    from noisebench.datasets.folders import use_data_root
    from noisebench.datasets.overview import catalogue_entries, entries_of_paper

    if not (args.names or args.all or args.paper):
        raise InputError("Say what to fetch: names of data sets, --paper gao, or --all.")
    if args.jobs < 1:
        raise InputError(f"--jobs must be at least 1, got {args.jobs}.")
    use_data_root(args.data_root)
    space = space_from(args)
    wanted: dict[str, Mapping[str, Any]] = dict(catalogue_entries(space, args.names))
    if args.all or args.paper:
        entries: Mapping[str, Mapping[str, Any]] = catalogue_entries(space)
        wanted |= entries if args.all else entries_of_paper(entries, args.paper)
    outcomes = track(
        fetch_all(wanted, args.jobs), "fetching", len(wanted), console=_console(stderr=True)
    )
    found = {outcome.name: outcome for outcome in outcomes}
    _print_fetched([found[name] for name in sorted(found)], wanted)
    return int(any(found[name].problem for name in args.names))


def call_check(args: argparse.Namespace) -> int:
    from noisebench.datasets.cache import Cache

    cache, console = Cache(), _console()
    findings = cache.verify_all()
    damaged = [finding for finding in findings if finding.problem]
    for finding in damaged:
        console.print(f"{finding.path} ({finding.name}): {finding.problem}.", soft_wrap=True)
    if damaged:
        console.print("They are fetched again when they are used next.")
    console.print(f"{len(findings)} files in {cache.folder}, {len(damaged)} of them damaged.")
    return int(bool(damaged))


def call_import(args: argparse.Namespace) -> int:
    from noisebench.datasets.importing import guess_format, make_entry, write_entry

    folder = args.config_dir[-1] if args.config_dir else _OWN_FOLDER
    known = space_from(argparse.Namespace(config_dir=[d for d in args.config_dir if d.is_dir()]))
    if args.name in known.choices("dataset"):
        raise InputError(f"There is a data set '{args.name}' already; choose another --name.")
    format = args.format or guess_format(args.file)
    entry, data = make_entry(args.file, args.name, format, _read_options(args.words))
    path = write_entry(folder, args.name, entry)
    console = _console()
    _print_data(console, data)
    for step in entry["preprocessing"]:
        console.print(f"The file needs {step['_target_'].rpartition('.')[2]}; see preprocessing.")
    console.print(f"Wrote {path}. Use it with:")
    console.print(f"  noisebench run --config-dir {folder} dataset={args.name}", soft_wrap=True)
    return 0


def _read_options(words: Iterable[str]) -> dict[str, Any]:
    """Read ``key=value`` words; values are read as YAML reads them."""
    import yaml

    options = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise InputError(f"An option of the format reads KEY=VALUE, got '{word}'.")
        try:
            options[key] = yaml.safe_load(value) if value else ""
        except yaml.YAMLError as error:
            raise InputError(f"The value of '{word}' cannot be read; quote it.") from error
    return options


def _console(stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def _print_facts(console: Console, name: str, entry: Mapping[str, Any]) -> None:
    expect = entry.get("expect") or {}
    steps = [_describe_step(step) for step in entry.get("preprocessing") or []]
    papers = [f"{paper} (as {title})" for paper, title in (entry.get("papers") or {}).items()]
    console.print(f"{name}: {entry.get('title', 'no title')}", style="bold")
    if entry.get("stand_in"):
        console.print("A stand-in for data that are not published.", style="bold")
    facts = {
        "papers": ", ".join(papers),
        "as delivered": f"{expect.get('rows', '?')} rows, {expect.get('features', '?')} features",
        "preprocessing": ", ".join(steps),
        "metric": entry.get("metric", "euclidean"),
        "licence": entry.get("licence", "not stated"),
        "citation": entry.get("citation"),
        "notes": entry.get("notes"),
    }
    _print_pairs(console, facts)


def _describe_step(step: Mapping[str, Any]) -> str:
    name = str(step.get("_target_")).rpartition(".")[2]
    return f"{name} (learnt from each training part)" if step.get("fit") == "train" else name


def _print_sources(console: Console, sources: list[Source], chosen: Source | None) -> None:
    from noisebench.datasets.overview import describe_source

    for number, source in enumerate(sources, start=1):
        mark = " ← used now" if source is chosen else ""
        notes = f" [{' '.join(source.notes.split())}]" if source.notes else ""
        obstacle = source.obstacle()
        console.print(f"  source {number}: {describe_source(source)}{mark}{notes}", soft_wrap=True)
        if obstacle:
            console.print(f"    not now: {obstacle}", soft_wrap=True)


def _print_data(console: Console, data: Dataset) -> None:
    kind = "texts" if data.is_text else "features"
    facts = {
        "loaded": f"{len(data.y)} rows, {data.X.shape[1]} {kind}, {len(data.classes)} classes "
        f"from {data.origin}",
        "partitions": f"{len(data.partitions)} published" if data.partitions else "none published",
        "fingerprint": data.fingerprint,
        "hubness": _describe_hubness(data),
    }
    _print_pairs(console, facts)
    _print_bars(console, data.class_counts)


def _print_pairs(console: Console, facts: Mapping[str, Any]) -> None:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for key, value in facts.items():
        if value:
            table.add_row(f"  {key}", " ".join(str(value).split()))
    console.print(table)


def _print_bars(console: Console, counts: Any) -> None:
    if not isinstance(counts, Mapping):
        return
    from rich.table import Table

    total, most = sum(counts.values()), max(counts.values())
    table = Table.grid(padding=(0, 2))
    for label, count in counts.items():
        bar = "█" * max(1, round(_BAR_WIDTH * count / most))
        table.add_row(f"  {label}", f"{count:>7}", f"{count / total:>6.1%}", bar)
    console.print(table)


def _describe_hubness(data: Dataset, k: int = 10) -> str:
    """Return the skewness of N_10, the number of times a row is among the ten nearest."""
    import numpy as np
    from scipy.stats import skew

    from noisebench.neighbors import kneighbors
    from noisebench.neighbors.metrics import VECTOR_METRICS

    rows, columns = data.X.shape
    if data.fold_steps or data.metric not in VECTOR_METRICS or rows <= k:
        return ""
    if float(rows) ** 2 * columns > _MOST_WORK:
        return "not computed for a table of this size"
    _, indices = kneighbors(data.X, data.X, k, data.metric, exclude_self=True)
    occurrences = np.bincount(indices.ravel(), minlength=rows)
    return f"skewness of N_{k} is {skew(occurrences):.2f}"


def _print_fetched(outcomes: list[Fetched], entries: Mapping[str, Mapping[str, Any]]) -> None:
    from rich.table import Table

    console = _console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("data set", "rows", "features", "classes", "from"):
        table.add_column(heading, overflow="fold")
    had = [outcome for outcome in outcomes if not outcome.problem]
    for outcome in had:
        rows, columns = outcome.shape
        table.add_row(outcome.name, str(rows), str(columns), str(outcome.n_classes), outcome.origin)
    console.print(table)
    missing = [outcome for outcome in outcomes if outcome.problem]
    for outcome in missing:
        console.print(f"missing: {outcome.problem}", soft_wrap=True)
        if notes := entries[outcome.name].get("notes"):
            console.print(f"  notes: {' '.join(notes.split())}", soft_wrap=True)
    console.print(f"{len(had)} of {len(outcomes)} data sets are here.")
