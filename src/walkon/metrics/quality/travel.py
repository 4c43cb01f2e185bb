"""Travel: how long people take, how far they go, and how near their goals they end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.metrics.plausibility.resistance import SHORTEST_WAY
from walkon.metrics.trajectories import Trajectories, arrivals, until_arrival


@dataclass(frozen=True, eq=False)
class Travel:
    """Of N people, until they have arrived or as long as they are there.

    times: (N,) [s]. distances: (N,) [m] along the path. deviations: (N,) [m] from the goal, where the path ends;
    nan where nobody knows the goal. arrived: (N,) whether they reach it and stay, or are last seen there.
    """

    times: Array
    distances: Array
    deviations: Array
    arrived: NDArray[np.bool_]

    @property
    def speeds(self) -> Array:
        """Mean speeds (N,) [m/s] along the path, pauses included; nan for who goes less far than SHORTEST_WAY."""
        gone = (self.distances >= SHORTEST_WAY) & (self.times > 0.0)
        return np.divide(self.distances, self.times, out=np.full(len(self.times), np.nan), where=gone)


def measure_travel(trajectories: Trajectories) -> Travel:
    """Time, distance and deviation of everybody."""
    moving = until_arrival(trajectories)
    steps = np.hypot(*np.diff(moving.places, axis=0, append=np.nan).T)
    steps[moving.offsets[1:] - 1] = 0.0
    distances = np.add.reduceat(steps, moving.offsets[:-1]) if len(moving) else np.empty(0)
    ends = moving.places[moving.offsets[1:] - 1]
    return Travel(
        times=(moving.counts - 1) / moving.fps,
        distances=distances,
        deviations=np.hypot(*(moving.goals - ends).T),
        arrived=arrivals(trajectories) >= 0,
    )
