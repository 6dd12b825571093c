"""Compiled kernels equal their plain twins bit for bit, whatever the number of threads."""

import os
import subprocess
import sys

import numpy as np
import pytest

from noisebench.neighbors import backend
from noisebench.neighbors.compiled import candidates as fast_candidates
from noisebench.neighbors.compiled import dtw as fast_dtw
from noisebench.neighbors.compiled import lists as fast_lists
from noisebench.neighbors.compiled import search as fast_search
from noisebench.neighbors.compiled import votes as fast_votes
from noisebench.neighbors.dtw import band_radii
from noisebench.neighbors.metrics import VECTOR_METRICS, prepare_points
from noisebench.neighbors.plain import candidates as plain_candidates
from noisebench.neighbors.plain import dtw as plain_dtw
from noisebench.neighbors.plain import lists as plain_lists
from noisebench.neighbors.plain import search as plain_search
from noisebench.neighbors.plain import votes as plain_votes
from tests.neighbors.neighbor_oracles import KINDS, make_points


def same(left, right):
    """Tell whether two results agree in every bit and type."""
    left, right = (part if isinstance(part, tuple) else (part,) for part in (left, right))
    return all(
        a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(left, right, strict=True)
    )


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", VECTOR_METRICS)
def test_search(metric, kind, threads):
    rng = np.random.default_rng(KINDS.index(kind))
    for n, d, k in ((1, 1, 1), (37, 3, 36), (700, 6, 90), (530, 4, 5)):
        points = prepare_points(make_points(rng, kind, n, d), metric)
        queries = prepare_points(make_points(rng, kind, 41, d), metric)
        queries[:10] = points[rng.integers(0, n, 10)]
        skip = rng.integers(-1, n, 41) if n > k else np.full(41, -1)
        args = queries, points, k, metric, skip
        assert same(fast_search.search(*args, threads), plain_search.search(*args))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_rank(metric, threads):
    rng = np.random.default_rng(3)
    points = prepare_points(make_points(rng, "integer", 600, 5), metric)
    rows = rng.permutation(600)[:50]
    candidates = np.array([rng.permutation(600)[:299] for _ in rows])
    args = points, rows, candidates, 40, metric
    assert same(fast_candidates.rank(*args, threads), plain_candidates.rank(*args))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_propose(kind, threads):
    points = make_points(np.random.default_rng(8), kind, 900, 4).astype(np.float32)
    args = points[:60] @ points.T, (points * points).sum(axis=1), 70
    fast, plain = fast_candidates.propose(*args, threads), plain_candidates.propose(*args)
    assert same(fast[1], plain[1])
    assert np.array_equal(np.sort(fast[0], axis=1), np.sort(plain[0], axis=1))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("complete", [True, False])
def test_restrict_and_group(ascending, complete, threads):
    rng = np.random.default_rng(4)
    n, k = 120, 9
    points = make_points(rng, "integer", n, 2)
    depth = n - 1 if complete else 30
    keys, indices = plain_search.search(points, points, depth, "manhattan", np.arange(n))
    train = rng.permutation(n)[:70]
    position = np.full(n, -1)
    position[np.sort(train) if ascending else train] = np.arange(70)
    rows = rng.permutation(n)[:50]
    args = indices, keys, rows, position, k, ascending, complete
    assert same(fast_lists.restrict(*args, threads), plain_lists.restrict(*args))
    whole = plain_lists.restrict(*args[:4], depth, *args[5:])
    args = *whole, rng.integers(0, 3, 70), 4, k
    assert same(fast_lists.group(*args, threads), plain_lists.group(*args))


@pytest.mark.parametrize("threads", [1, 2])
def test_votes(threads):
    rng = np.random.default_rng(5)
    indices = np.array([rng.permutation(50)[:20] for _ in range(33)], dtype=np.int32)
    labels = rng.integers(0, 4, (3, 50))
    grid = np.array([20, 1, 7, 7, 0])
    args = indices, labels, grid
    assert same(fast_votes.count_votes(*args, 5, threads), plain_votes.count_votes(*args, 5))
    for last in (True, False):
        assert same(
            fast_votes.predict_votes(*args, 5, last, threads),
            plain_votes.predict_votes(*args, 5, last),
        )
    sums = plain_votes.sum_labels(*args)
    assert same(fast_votes.sum_labels(*args, threads), sums)
    extremes = np.sort(rng.integers(0, 4, (3, 6, 2)), axis=-1)
    args = sums, grid, extremes, np.array([1, 2, 3, 4, 5, 9])
    assert same(fast_votes.correct_threshold(*args, threads), plain_votes.correct_threshold(*args))
    args = indices, rng.integers(0, 4, (3, 33)), 50, 4
    assert same(fast_votes.count_occurrences(*args), plain_votes.count_occurrences(*args))


def make_steps(rng, lengths, channels):
    """Return series that leap at different times, so that the best paths press on the band."""
    return [
        10.0 * (np.arange(length)[:, None] >= rng.integers(0, length, channels))
        + rng.normal(size=(length, channels))
        for length in lengths
    ]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("window", [None, 0.0, 0.06, 0.1, 0.25, 0.5])
@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("lengths", [(24,), (21, 23, 5)])
def test_dtw(lengths, channels, window, symmetric, threads):
    rng = np.random.default_rng(6)
    left, right = (make_steps(rng, rng.choice(lengths, 18), channels) for _ in range(2))
    right = left if symmetric else right
    args = left, right, band_radii(24, window), np.full(18, np.inf), symmetric
    assert same(fast_dtw.fill_distances(*args, threads), plain_dtw.fill_distances(*args))


@pytest.mark.parametrize("pieces", [(1, 2), (3, 2), (100, 7)])
def test_rows_are_shared_without_gap_or_overlap(pieces):
    rows, threads = pieces
    seen = np.zeros(rows, dtype=int)

    def kernel(start, stop, step):
        seen[start:stop] += step

    backend.share_rows(kernel, rows, threads, 1)
    assert seen.tolist() == [1] * rows


def test_an_error_in_a_thread_comes_back():
    def kernel(start, stop):
        raise RuntimeError(f"rows {start} to {stop}")

    with pytest.raises(RuntimeError, match="rows 0 to"):
        backend.share_rows(kernel, 100, 2)


def test_the_number_of_threads_is_numbas_unless_given(monkeypatch):
    import numba

    monkeypatch.setenv("NOISEBENCH_JIT", "1")
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        assert backend.count_threads(None) == 1
        assert backend.count_threads(5) == 5
    finally:
        numba.set_num_threads(before)


def test_import_loads_neither_compiler_nor_learning_library():
    code = (
        "import sys, noisebench.neighbors as nn; "
        "nn.kneighbors([[0.0]], [[1.0], [2.0]], 1); "
        "print([m for m in ('numba', 'llvmlite', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_the_compiler_nothing_imports_it():
    code = (
        "import sys, numpy as np, noisebench.neighbors as nn; "
        "X = np.random.default_rng(0).normal(size=(1200, 6)); "
        "t = nn.NeighborTable.build(X, n_neighbors=9); "
        "f = t.restrict(range(200), range(200, 300), 5); "
        "y = (X[:200, 0] > 0) * 1; nn.predict_rknn(f.test, f.train, y, [5], [4]); "
        "f.train_by_class(y, 2); nn.dtw_pairs(X[:5]); "
        "print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NOISEBENCH_JIT": "0"},
    )
    assert done.stdout.strip() == "False"
