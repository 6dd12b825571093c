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

import numpy as np

from noisebench.errors import InputError, did_you_mean
from noisebench.neighbors.backend import count_threads, is_compiled, kernels
from noisebench.neighbors.spaces import Space, VectorSpace

#: Candidates beyond the wanted ones, so that most rows end well above their last neighbour.
_EXTRA = 8

#: A block of proposals looks at this many pairs (64 MB); if most of its rows fail, the engine
#: does not suit the data.
_BLOCK = 16_000_000

#: Far above what any order of summation or the pruning of a tree can lose, relatively.
_TREE_LOSS = 1e-10

#: More than a sum of squares can lose by underflow.
_TINY = np.finfo(np.float64).tiny

ENGINES = ("auto", "brute", "kdtree", "matrix")


@dataclass(frozen=True)
class Proposal:
    """Candidates of some rows, and a floor under the keys of all points that are none."""

    candidates: np.ndarray
    floors: np.ndarray


Proposer = Callable[[np.ndarray, int], Proposal]


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
    if space.metric in _TREE_NORMS and n >= 1000 * 2**d:
        return "kdtree"
    # Without the compiler, matrix products beat the plain loops much earlier.
    if space.metric == "euclidean" and n >= 1000 and d >= (64 if is_compiled() else 4):
        return "matrix"
    return "brute"


def find_neighbors(
    space: Space, n_neighbors: int, engine: str = "auto", n_threads: int | None = None
) -> tuple[np.ndarray, np.ndarray, str]:
    """Return keys and indices of every point's nearest others, and the engine that was used."""
    if engine not in ENGINES:
        raise InputError(f"engine '{engine}' is not known. {did_you_mean(engine, ENGINES)}")
    name = choose_engine(space) if engine == "auto" else engine
    if name == "brute":
        everyone = np.arange(len(space))
        keys, indices = space.search(
            everyone, everyone, n_neighbors, exclude_self=True, n_threads=n_threads
        )
        return keys, indices, name
    if not isinstance(space, VectorSpace) or space.metric not in _METRICS[name]:
        raise InputError(
            f"engine '{name}' searches by {', '.join(_METRICS[name])} only, "
            f"got metric '{space.metric}'; use engine='brute'."
        )
    make = _propose_by_tree if name == "kdtree" else _propose_by_matrix
    return *_settle_all(space, n_neighbors, make(space, n_threads), n_threads), name


def _settle_all(
    space: VectorSpace, n_neighbors: int, propose: Proposer, n_threads: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Propose block by block, measure the candidates, and search the doubtful rows anew."""
    n = len(space)
    keys = np.empty((n, n_neighbors))
    indices = np.empty((n, n_neighbors), dtype=np.int32)
    depth = min(n, n_neighbors + 1 + _EXTRA)
    doubtful = np.ones(n, dtype=bool)
    step = max(1, _BLOCK // n)
    for start in range(0, n, step):
        rows = np.arange(start, min(start + step, n))
        proposal = propose(rows, depth)
        keys[rows], indices[rows] = kernels("candidates").rank(
            space.points, rows, proposal.candidates, n_neighbors, space.metric, n_threads
        )
        doubtful[rows] = keys[rows, -1] >= proposal.floors
        if doubtful[rows].mean() > 0.5:
            break
    if doubtful.any():
        again = np.flatnonzero(doubtful)
        keys[again], indices[again] = space.search(
            again, np.arange(n), n_neighbors, exclude_self=True, n_threads=n_threads
        )
    return keys, indices


def _propose_by_tree(space: VectorSpace, n_threads: int | None) -> Proposer:
    from scipy.spatial import cKDTree

    # Splits at midpoints: medians take long where many points are equal.
    tree = cKDTree(space.points, balanced_tree=False, compact_nodes=False)
    workers = count_threads(n_threads)
    norm = _TREE_NORMS[space.metric]

    def propose(rows: np.ndarray, depth: int) -> Proposal:
        distances, candidates = tree.query(space.points[rows], k=depth, p=norm, workers=workers)
        last = distances[:, -1] ** 2 if space.metric == "euclidean" else distances[:, -1]
        floors = last * (1 - _TREE_LOSS) - _TINY
        return Proposal(candidates, _floors(floors, depth, len(space)))

    return propose


def _propose_by_matrix(space: VectorSpace, n_threads: int | None) -> Proposer:
    from threadpoolctl import threadpool_limits

    singles, exponent = _shrink(space.points)
    squares = (singles.astype(np.float64) ** 2).sum(axis=1)
    reach = (np.sqrt(squares) + np.sqrt(squares.max())) ** 2
    # |a|², |b|² and 2ab lose at most one rounding for each of the d products they are sums of,
    # relative to (|a| + |b|)², which none of them exceeds; rounding the coordinates and adding
    # up lose a few more. A relative rounding is half of eps: twice what is needed.
    margins = (space.points.shape[1] + 16) * np.finfo(np.float32).eps * reach
    workers = count_threads(n_threads)

    def propose(rows: np.ndarray, depth: int) -> Proposal:
        with threadpool_limits(workers):
            products = singles[rows] @ singles.T
        candidates, last = kernels("candidates").propose(
            products, squares.astype(np.float32), depth, n_threads
        )
        floors = np.ldexp(squares[rows] + last - margins[rows], 2 * exponent) - _TINY
        return Proposal(candidates, _floors(floors, depth, len(space)))

    return propose


def _shrink(points: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the points around their mean in single precision, in units of a power of two.

    Distances do not change with the origin, but what the products lose grows with the norms.
    """
    centred = points - points.mean(axis=0)
    _, exponent = np.frexp(np.abs(centred).max())
    return np.ldexp(centred, -exponent).astype(np.float32), int(exponent)


def _floors(floors: np.ndarray, depth: int, n_points: int) -> np.ndarray:
    """Lift the floors to infinity where every point is a candidate."""
    return np.full_like(floors, np.inf) if depth == n_points else floors


_TREE_NORMS = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": np.inf}
_METRICS = {"kdtree": tuple(_TREE_NORMS), "matrix": ("euclidean",)}
