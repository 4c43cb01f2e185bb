"""Synchronicity: how alike pairs of people speed up and turn at the same time (Chen 2014, equation 5.3).

The parts across and along the way are multiplied. Across, the size counts, as in the centripetal acceleration
v²/ρ: who mirrors somebody's turn turns like them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array, Indices
from walkon.metrics.plausibility import _kernels
from walkon.metrics.plausibility.blocks import Progress, blocks
from walkon.metrics.plausibility.kinematics import Kinematics
from walkon.metrics.trajectories import Trajectories

BINS = 20
"""Bins of the histogram, from 0 to 1."""

HIGH_SYNCHRONICITY, HYPER_SYNCHRONICITY = 0.6, 0.95
"""Above the first a pair is synchronised, above the second beyond what people do (Chen 2014)."""

LEAST_TOGETHER = 1.0
"""Pairs that share less time [s] are not counted: a few rows are alike by chance."""

MAP_PAIRS = 2000
"""Rows of a map of pairs over time, unless others are asked for."""


@dataclass(frozen=True, eq=False)
class Synchronicity:
    """Of N people and all pairs of them who are there together for a second at least.

    pairs: how many there are. histogram: (20,) pairs by their mean synchronicity. high, hyper: the share of pairs
    above 0.6, and above 0.95; nan if there are no pairs. means: (N,) everybody's mean over pairs. best, whom: (N,)
    the most synchronous partner, nan and -1 for those without.
    """

    pairs: int
    histogram: Indices
    high: float
    hyper: float
    means: Array
    best: Array
    whom: Indices


@dataclass(frozen=True, eq=False)
class PairMap:
    """Synchronicity of P pairs over T frames.

    pairs: (P, 2) people. times: (T,) [s]. values: (P, T) nan where not both are there.
    """

    pairs: Indices
    times: Array
    values: NDArray[np.float32]


def measure_synchronicity(
    trajectories: Trajectories, kinematics: Kinematics, progress: Progress | None = None
) -> Synchronicity:
    """Synchronicity of all pairs, in blocks."""
    people = len(trajectories)
    bins, above = np.zeros(BINS, dtype=np.int64), np.zeros(2, dtype=np.int64)
    sums, best = np.zeros((people, 2)), np.full(people, -np.inf)
    whom = np.full(people, -1, dtype=np.int64)
    shortest = max(round(LEAST_TOGETHER * trajectories.fps), 1)
    moving = (kinematics.normal, kinematics.tangential, trajectories.offsets, trajectories.starts)
    levels = np.array([HIGH_SYNCHRONICITY, HYPER_SYNCHRONICITY])
    for first, stop in blocks(trajectories, progress):
        _kernels.synchronize(moving, first, stop, shortest, levels, (bins, above, sums, best, whom))
    pairs = int(bins.sum())
    high, hyper = (float(count) / pairs if pairs else np.nan for count in above)
    means = np.divide(sums[:, 0], sums[:, 1], out=np.full(people, np.nan), where=sums[:, 1] > 0)
    return Synchronicity(pairs, bins, high, hyper, means, np.where(whom >= 0, best, np.nan), whom)


def map_pairs(trajectories: Trajectories, kinematics: Kinematics, pairs: ArrayLike | None = None) -> PairMap:
    """Synchronicity of pairs over time, for a heat map.

    pairs: (P, 2); else all of those who meet, in the order in which people appear, thinned out to MAP_PAIRS.
    """
    chosen = choose_pairs(trajectories) if pairs is None else np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    values = np.full((len(chosen), trajectories.frames), np.nan, dtype=np.float32)
    for row, (i, j) in enumerate(chosen.tolist()):
        begin, product = pair_series(trajectories, kinematics, i, j)
        values[row, begin - trajectories.first : begin - trajectories.first + len(product)] = product
    times = (trajectories.first + np.arange(trajectories.frames)) / trajectories.fps
    return PairMap(chosen, times, values)


def pair_series(trajectories: Trajectories, kinematics: Kinematics, i: int, j: int) -> tuple[int, Array]:
    """The first frame in which two people both have an acceleration, and their synchronicity (T,) from then on."""
    begin = int(max(trajectories.starts[i], trajectories.starts[j])) + 1
    end = max(int(min(trajectories.stops[i], trajectories.stops[j])) - 1, begin)
    rows = [slice(*(trajectories.offsets[p] + np.array([begin, end]) - trajectories.starts[p])) for p in (i, j)]
    n = np.abs(kinematics.normal[rows[0]]) - np.abs(kinematics.normal[rows[1]]) if end > begin else np.empty(0)
    t = kinematics.tangential[rows[0]] - kinematics.tangential[rows[1]] if end > begin else np.empty(0)
    return begin, 1.0 / ((1.0 + n**2) * (1.0 + t**2))


def choose_pairs(trajectories: Trajectories, most: int = MAP_PAIRS) -> Indices:
    """Pairs (P, 2) of people who are there at the same time, by when they appear, thinned out evenly to `most`."""
    order = np.argsort(trajectories.starts, kind="stable")
    people = len(order)
    total = people * (people - 1) // 2
    if not total:
        return np.empty((0, 2), dtype=np.int64)
    picked = np.unique(np.linspace(0, total - 1, min(total, most)).astype(np.int64))
    # Pair number k of the rows of a triangle: those of the first person come first.
    ends = np.cumsum(np.arange(people - 1, 0, -1))
    first = np.searchsorted(ends, picked, side="right")
    second = picked - np.where(first > 0, ends[first - 1], 0) + first + 1
    pairs = np.stack([order[first], order[second]], axis=1)
    together = np.minimum(*trajectories.stops[pairs].T) - np.maximum(*trajectories.starts[pairs].T)
    return pairs[together > 2]
