"""Proximity: how near people come to each other, to be compared with how much room a body takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.metrics.plausibility import _kernels
from walkon.metrics.plausibility.blocks import Progress, blocks
from walkon.metrics.trajectories import Trajectories


@dataclass(frozen=True, eq=False)
class Proximity:
    """Of N people.

    nearest: (N,) [m] the least distance to anybody, ever; inf for who is alone all the time. whom: (N,) to whom it
    is, -1 for nobody. times: (N,) [s] when, nan for never.
    """

    nearest: Array
    whom: NDArray[np.int64]
    times: Array

    @property
    def halves(self) -> Array:
        """Half the distances (N,) [m]: what Chen (2014) compares with the radius of a body."""
        return 0.5 * self.nearest


def measure_proximity(trajectories: Trajectories, progress: Progress | None = None) -> Proximity:
    """The nearest that everybody comes to anybody, at frames and between, while both are there."""
    people = len(trajectories)
    nearest, when = np.full(people, np.inf), np.full(people, np.nan)
    whom = np.full(people, -1, dtype=np.int64)
    steps = np.empty(people)
    _kernels.longest_steps(trajectories.places, trajectories.offsets, steps)
    for first, stop in blocks(trajectories, progress):
        _kernels.nearest_approaches(
            trajectories.places, trajectories.offsets, trajectories.starts, steps, first, stop, nearest, whom, when
        )
    return Proximity(nearest, whom, when / trajectories.fps)
