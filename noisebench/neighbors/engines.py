"""Search engines: how the lists of a whole table are found.

The compiled brute force measures every pair canonically and is exact by itself. The k-d tree and
matrix products in single precision are faster where they suit, but round, and break ties as they
like. They only propose candidates, with a floor below which no other point's key can lie.
Candidates are measured anew; a row whose last neighbour is not strictly below its floor is
searched by brute force. So all engines give the same table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from noisebench.errors import InputError, did_you_mean
from noisebench.neighbors.backend import check_threads, kernels, share_rows
from noisebench.neighbors.spaces import Space, VectorSpace

#: Candidates beyond the wanted ones, so that most rows end well above their last neighbour.
_EXTRA = 8

#: A block of proposals looks at this many pairs: few enough for the cache (8 MB).
_BLOCK = 2_000_000

#: If more than this share of the first block's rows fail, the engine does not suit the data.
_PATIENCE = 0.25

#: Far above what any order of summation or the pruning of a tree can lose, relatively.
_TREE_LOSS = 1e-10

#: More than a sum of squares can lose by underflow.
_TINY = np.finfo(np.float64).tiny

_NORMS = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}

ENGINES = ("auto", "brute", "kdtree", "matrix")


@dataclass(frozen=True)
class Proposal:
    """Candidates of some rows, and a floor under the keys of all points that are none."""

    candidates: np.ndarray
    floors: np.ndarray


#: Takes row numbers and the number of candidates wanted for each.
Proposer = Callable[[np.ndarray, int], Proposal]


class Engine(Protocol):
    """What an engine that proposes has to offer."""

    def open(self) -> Proposer:
        """Return a proposer for use by one thread."""


class TreeEngine:
    """SciPy's k-d tree, for few features."""

    metrics = tuple(_NORMS)

    def __init__(self, space: VectorSpace) -> None:
        from scipy.spatial import cKDTree

        self.space = space
        # Splits at midpoints: medians take long where many points are equal.
        self.tree = cKDTree(space.points, balanced_tree=False, compact_nodes=False)

    def open(self) -> Proposer:
        return self._propose

    def _propose(self, rows: np.ndarray, depth: int) -> Proposal:
        metric = self.space.metric
        distances, found = self.tree.query(self.space.points[rows], depth, p=_NORMS[metric])
        last = distances[:, -1] ** 2 if metric == "euclidean" else distances[:, -1]
        return Proposal(found, last * (1 - _TREE_LOSS) - _TINY)


class MatrixEngine:
    """Products of matrices in single precision, for Euclidean distances of many features."""

    metrics = ("euclidean",)

    def __init__(self, space: VectorSpace) -> None:
        self.singles, self.exponent = _shrink(space.points)
        self.squares = (self.singles.astype(np.float64) ** 2).sum(axis=1)
        reach = (np.sqrt(self.squares) + np.sqrt(self.squares.max())) ** 2
        # |a|², |b|² and 2ab lose at most one rounding for each of the d products they are sums
        # of, relative to (|a| + |b|)², which none of them exceeds; rounding the coordinates and
        # adding up lose a few more. A relative rounding is half of eps: twice what is needed.
        self.margins = (space.points.shape[1] + 16) * np.finfo(np.float32).eps * reach

    def open(self) -> Proposer:
        # One buffer for all blocks: fresh memory costs more than the products.
        n = len(self.singles)
        buffer = np.empty((_count_rows(n), n), dtype=np.float32)
        squares = self.squares.astype(np.float32)

        def propose(rows: np.ndarray, depth: int) -> Proposal:
            products = np.matmul(self.singles[rows], self.singles.T, out=buffer[: len(rows)])
            found, last = kernels("candidates").propose(products, squares, depth, n_threads=1)
            floors = self.squares[rows] + last - self.margins[rows]
            return Proposal(found, np.ldexp(floors, 2 * self.exponent) - _TINY)

        return propose


def choose_engine(space: Space) -> str:
    """Return the engine that suits the number of points and features, and the metric.

    >>> from noisebench.neighbors.spaces import make_space
    >>> choose_engine(make_space(np.zeros((20_000, 2))))
    'kdtree'
    >>> choose_engine(make_space(np.zeros((100, 2))))
    'brute'
    """
    if not isinstance(space, VectorSpace):
        return "brute"
    n, d = space.points.shape
    # A tree pays as long as it has several levels for each feature.
    if space.metric in TreeEngine.metrics and n >= 1000 * 2**d:
        return "kdtree"
    if space.metric in MatrixEngine.metrics and n >= 1000 and d >= 6:
        return "matrix"
    return "brute"


def find_neighbors(
    space: Space, n_neighbors: int, engine: str = "auto", n_threads: int | None = None
) -> tuple[np.ndarray, np.ndarray, str]:
    """Return keys and indices of every point's nearest others, and the engine that was used."""
    if engine not in ENGINES:
        raise InputError(f"engine '{engine}' is not known. {did_you_mean(engine, ENGINES)}")
    check_threads(n_threads)
    name = choose_engine(space) if engine == "auto" else engine
    if name == "brute":
        everyone = np.arange(len(space))
        keys, indices = space.search(
            everyone, everyone, n_neighbors, exclude_self=True, n_threads=n_threads
        )
        return keys, indices, name
    kind = _PROPOSERS[name]
    if not isinstance(space, VectorSpace) or space.metric not in kind.metrics:
        raise InputError(
            f"engine '{name}' searches by {', '.join(kind.metrics)} only, "
            f"got metric '{space.metric}'; use engine='brute'."
        )
    return *_settle(space, n_neighbors, kind(space), n_threads), name


def _settle(
    space: VectorSpace, n_neighbors: int, engine: Engine, n_threads: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Propose block by block, measure the candidates, and search the doubtful rows anew."""
    from threadpoolctl import threadpool_limits

    n = len(space)
    keys = np.empty((n, n_neighbors))
    indices = np.empty((n, n_neighbors), dtype=np.int32)
    doubtful = np.ones(n, dtype=bool)
    sample = _count_rows(n)
    # Each thread works on rows of its own from product to list: the library's own threads would
    # get into their way.
    with threadpool_limits(1):
        _settle_rows(0, sample, 0, space, engine, keys, indices, doubtful)
        if doubtful[:sample].mean() <= _PATIENCE:
            rest = sample, space, engine, keys, indices, doubtful
            share_rows(_settle_rows, n - sample, n_threads, *rest)
    again = np.flatnonzero(doubtful)
    if again.size:
        keys[again], indices[again] = space.search(
            again, np.arange(n), n_neighbors, exclude_self=True, n_threads=n_threads
        )
    return keys, indices


def _settle_rows(
    start: int,
    stop: int,
    offset: int,
    space: VectorSpace,
    engine: Engine,
    keys: np.ndarray,
    indices: np.ndarray,
    doubtful: np.ndarray,
) -> None:
    """Fill the lists of some rows, counted from ``offset``, and tell which remain doubtful."""
    n, k = len(space), keys.shape[1]
    depth, step = min(n, k + 1 + _EXTRA), _count_rows(n)
    propose = engine.open()
    for begin in range(offset + start, offset + stop, step):
        rows = np.arange(begin, min(begin + step, offset + stop))
        proposal = propose(rows, depth)
        keys[rows], indices[rows] = kernels("candidates").rank(
            space.points, rows, proposal.candidates, k, space.metric, n_threads=1
        )
        # Where every point is a candidate there is nothing to doubt.
        doubtful[rows] = (keys[rows, -1] >= proposal.floors) & (depth < n)


def _count_rows(n_points: int) -> int:
    """Return the number of rows in a block of proposals."""
    return min(n_points, max(1, _BLOCK // n_points))


def _shrink(points: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the points around their mean in single precision, in units of a power of two.

    Distances do not change with the origin, but what the products lose grows with the norms.
    """
    centred = points - points.mean(axis=0)
    _, exponent = np.frexp(np.abs(centred).max())
    return np.ldexp(centred, -exponent).astype(np.float32), int(exponent)


_PROPOSERS: dict[str, type[TreeEngine] | type[MatrixEngine]] = {
    "kdtree": TreeEngine,
    "matrix": MatrixEngine,
}
