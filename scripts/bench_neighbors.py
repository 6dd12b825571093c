"""Time the neighbour tables and kernels against what others would use in their place.

Kernels are warmed up first. Ours and the peer take turns and the best round of each counts, as
other work on the machine can only slow one down. Peers that are not installed are left out.

    python scripts/bench_neighbors.py [grid] [search] [dtw] [memory] [--json FILE] [--markdown FILE]
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from noisebench.neighbors import NeighborTable, dtw_pairs, predict_votes
from noisebench.neighbors.plain import search as plain_search

LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "dtaidistance", "aeon", "tslearn")

#: Bytes above the table itself that its construction may take.
MEMORY_BOUND = 1_000_000_000


@dataclass(frozen=True)
class Row:
    """One comparison; ``ratio`` says how many times faster ours is."""

    name: str
    ours_s: float
    peer: str
    peer_s: float | None
    ratio: float | None
    note: str = ""

    @classmethod
    def timed(cls, name: str, ours_s: float, peer: str, peer_s: float, note: str = "") -> Row:
        return cls(name, ours_s, peer, peer_s, peer_s / ours_s, note)


def clock(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds a call took, and what it returned."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def take_turns(rounds: int, *calls: Callable[[], Any]) -> tuple[list[float], list[Any]]:
    """Return the best time of each call over some rounds, and what it returned last."""
    times = [math.inf] * len(calls)
    results: list[Any] = [None] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            seconds, results[place] = clock(call)
            times[place] = min(times[place], seconds)
    return times, results


# --- 20 values of k over 10 × 4 folds ----------------------------------------------------------


def make_digits(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return 10,992 points of 16 integers from 0 to 100 in ten classes, as pendigits has them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 10, 10_992)
    centres = rng.uniform(10, 90, (10, 16))
    return np.clip(np.rint(rng.normal(centres[y], 22.0)), 0, 100), y


def make_folds(n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield training and test rows of ten shuffles dealt out to four folds each."""
    for repeat in range(10):
        order = np.random.default_rng(repeat).permutation(n)
        for fold in range(4):
            test = np.sort(order[fold::4])
            yield np.setdiff1d(order, test), test


def predict_all(X: np.ndarray, y: np.ndarray, grid: range) -> list[np.ndarray]:
    """Return the predictions (k × row) of every fold, table included."""
    k, share = max(grid), 0.75
    depth = math.ceil((k + 3 * math.sqrt(k * (1 - share))) / share)
    table = NeighborTable.build(X, n_neighbors=depth)
    return [
        predict_votes(table.restrict(train, test, k).test, y[train], grid)
        for train, test in make_folds(len(X))
    ]


def ask_classifier(X: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    """Return the peer's predictions in the first fold."""
    train, test = next(make_folds(len(X)))
    return KNeighborsClassifier(k).fit(X[train], y[train]).predict(X[test])


def check_grid(X: np.ndarray, y: np.ndarray, grid: range, some: tuple[int, ...]) -> None:
    """Compare predictions: with the peer's without ties, with a literal search where ties are."""
    smooth = X + np.random.default_rng(1).uniform(0, 0.5, X.shape)
    first = predict_all(smooth, y, grid)[0]
    for k in some:
        assert np.array_equal(first[grid.index(k)], ask_classifier(smooth, y, k)), f"k = {k}"
    train, test = next(make_folds(len(X)))
    few, nobody = test[:400], np.full(400, -1)
    _, near = plain_search.search(X[few], X[train], max(grid), "euclidean", nobody)
    first = predict_all(X, y, grid)[0]
    for place, k in enumerate(grid):
        votes = [np.bincount(labels, minlength=10).argmax() for labels in y[train][near[:, :k]]]
        assert np.array_equal(first[place, :400], votes), f"k = {k}"


def bench_grid() -> Iterator[Row]:
    (X, y), grid, some = make_digits(), range(5, 101, 5), (5, 50, 100)
    check_grid(X, y, grid, some)
    (ours, *peers), _ = take_turns(
        3, partial(predict_all, X, y, grid), *(partial(ask_classifier, X, y, k) for k in some)
    )
    peer = float(np.mean(peers)) * 40 * len(grid)
    note = f"peer: mean of k = {some} in one fold, times 40 folds and 20 k"
    yield Row.timed(
        "kNN, k = 5:5:100, 10 × 4 folds of 10,992 × 16", ours, "KNeighborsClassifier", peer, note
    )


# --- one search ---------------------------------------------------------------------------------


def ask_finder(X: np.ndarray, metric: str) -> np.ndarray:
    return NearestNeighbors(n_neighbors=100, metric=metric).fit(X).kneighbors()[1]


def bench_search() -> Iterator[Row]:
    sizes = ((7_400, 20, 9), (9_300, 256, 9), (20_000, 16, 5), (60_000, 50, 2))
    cases = [(n, d, "euclidean", rounds) for n, d, rounds in sizes]
    for n, d, metric, rounds in (*cases, (3_000, 400, "manhattan", 7)):
        X = np.random.default_rng(0).normal(size=(n, d))
        NeighborTable.build(X[:2000], metric, 100)
        (ours, peer), (table, theirs) = take_turns(
            rounds, partial(NeighborTable.build, X, metric, 100), partial(ask_finder, X, metric)
        )
        assert np.array_equal(table.indices, theirs), "neighbours differ"
        name = f"k = 100 of {n:,} × {d}, {metric}"
        yield Row.timed(name, ours, "NearestNeighbors", peer, f"engine {table.engine}")


# --- dynamic time warping -----------------------------------------------------------------------


def find_warpers() -> dict[str, Callable[[np.ndarray, float | None], np.ndarray]]:
    """Return the installed libraries, each as (series, window) -> squared distances."""
    found: dict[str, Callable[[np.ndarray, float | None], np.ndarray]] = {}
    if importlib.util.find_spec("dtaidistance"):
        dtw = importlib.import_module("dtaidistance.dtw")

        def ask_dtaidistance(X: np.ndarray, window: float | None) -> np.ndarray:
            # Its window counts the diagonal in, and it takes the root.
            width = None if window is None else int(window * X.shape[1]) + 1
            return dtw.distance_matrix_fast(X, window=width, parallel=True) ** 2

        found["dtaidistance"] = ask_dtaidistance
    if importlib.util.find_spec("aeon"):
        aeon = importlib.import_module("aeon.distances")

        def ask_aeon(X: np.ndarray, window: float | None) -> np.ndarray:
            return aeon.dtw_pairwise_distance(X, window=window, n_jobs=-1)

        found["aeon"] = ask_aeon
    if importlib.util.find_spec("tslearn"):
        tslearn = importlib.import_module("tslearn.metrics")

        def ask_tslearn(X: np.ndarray, window: float | None) -> np.ndarray:
            radius = {} if window is None else {"sakoe_chiba_radius": int(window * X.shape[1])}
            return tslearn.cdist_dtw(X, n_jobs=-1, **radius) ** 2

        found["tslearn"] = ask_tslearn
    return found


def bench_dtw() -> Iterator[Row]:
    X = np.random.default_rng(0).normal(size=(600, 300)).cumsum(axis=1)
    few = X[:120]
    warpers = find_warpers()
    for window in (None, 0.1):
        name = f"DTW of 600 × 300, {'no window' if window is None else 'window 10 %'}"
        expected = dtw_pairs(few, window)
        times: dict[str, float] = {}
        for peer, ask in warpers.items():
            ask(X[:4], window)
            np.testing.assert_allclose(ask(few, window), expected, rtol=1e-9, atol=1e-9)
            (times[peer],), _ = take_turns(2, partial(ask, few, window))
        if not times:
            yield Row(name, clock(partial(dtw_pairs, X, window))[0], "none installed", None, None)
            continue
        best = min(times, key=lambda peer: times[peer])
        # The peer takes long, so that both have one round only.
        (ours, full), _ = take_turns(
            1, partial(dtw_pairs, X, window), partial(warpers[best], X, window)
        )
        tried = ", ".join(f"{peer} {seconds:.2f} s" for peer, seconds in times.items())
        yield Row.timed(name, ours, best, full, f"one round; on 120 series: {tried}")


# --- memory -------------------------------------------------------------------------------------

MEASURE = """
import resource, time
import numpy as np
from noisebench.neighbors import NeighborTable
X = np.random.default_rng(0).normal(size=(60_000, 50))
start = time.perf_counter()
table = NeighborTable.build(X, n_neighbors=200)
size = table.keys.nbytes + table.indices.nbytes
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(time.perf_counter() - start, peak - size, size)
"""


def bench_memory() -> Iterator[Row]:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], capture_output=True, text=True, check=True
    )
    seconds, above, size = map(float, done.stdout.split())
    note = f"peak {above / 1e6:.0f} MB above the table of {size / 1e6:.0f} MB, whole process"
    name = "memory for K = 200 of 60,000 × 50"
    yield Row(name, seconds, "bound of 1 GB", None, MEMORY_BOUND / above, note)


# --- output -------------------------------------------------------------------------------------

PARTS = {"grid": bench_grid, "search": bench_search, "dtw": bench_dtw, "memory": bench_memory}


def describe_machine() -> str:
    versions = []
    for library in LIBRARIES:
        try:
            versions.append(f"{library} {metadata.version(library)}")
        except metadata.PackageNotFoundError:
            continue
    cores = f"{os.cpu_count()} cores ({platform.machine()}, {platform.system()})"
    return f"{cores}, Python {platform.python_version()}, {', '.join(versions)}"


def format_rows(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| what | ours | peer | its time | ratio | |", "|---|---|---|---|---|---|"]
    for row in rows:
        theirs = "" if row.peer_s is None else f"{row.peer_s:.2f} s"
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        cells = row.name, f"{row.ours_s:.2f} s", row.peer, theirs, ratio, row.note
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, "all"], default="all")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--markdown", type=Path, help="write a section of text to this file")
    options = parser.parse_args()
    rows: list[Row] = []
    print(describe_machine(), flush=True)
    for part in PARTS if "all" in options.parts else options.parts:
        for row in PARTS[part]():
            rows.append(row)
            print(format_rows([row]).splitlines()[-1], flush=True)
    if options.json:
        fields = ("name", "ours_s", "peer", "peer_s", "ratio")
        content = [{field: getattr(row, field) for field in fields} for row in rows]
        options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    if options.markdown:
        text = f"## Neighbours\n\n{describe_machine()}.\n\n{format_rows(rows)}\n"
        options.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
