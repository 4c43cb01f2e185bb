"""Discs that steer (Reynolds 1999), as the pedestrians that come with OpenSteer do.

One thing at a time: away from walls; to the side of whom one touches; to the side of whom one would touch first;
else seek. Theirs follow a path and wander where ours seek the next place of the way, accelerate to their largest
speed where ours want a lower one, and turn slowly when they are slow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.rivals.walls import Walls

SMOOTHING_SHARES = (0.15, 0.4)
"""Least and most of what is new in a smoothed acceleration, as in OpenSteer."""


@dataclass(frozen=True)
class Steering:
    """Parameters: those of OpenSteer's pedestrians, but for radius and speeds, which Chen (2014) gives.

    ahead, walls_ahead [s]: how long before they would meet people and walls count. force [m/s²]: the most that
    somebody steers with. seeking [1/s], avoiding [m/s²]: weights. smoothing [1/s]: that times the length of a
    step, 0.15 to 0.4, is the share of what is new in an acceleration; infinite for all of it.
    """

    speed: float = 1.33
    most_speed: float = 1.63
    radius: float = 0.427
    ahead: float = 3.0
    walls_ahead: float = 0.5
    force: float = 8.0
    seeking: float = 2.0
    avoiding: float = 10.0
    smoothing: float = 9.0
    name: str = "steering"
    substeps: int = 1

    @property
    def bodies(self) -> float:
        """Radius [m] of the discs."""
        return self.radius

    def begin(self, walls: Walls) -> _Mover:
        """The model among the walls of a scene."""
        return _Mover(self, walls)


class _Mover:
    def __init__(self, model: Steering, walls: Walls) -> None:
        self._model, self._segments = model, walls.segments
        self._before: dict[int, Array] = {}
        self._constants = (
            model.radius,
            model.ahead,
            model.walls_ahead,
            model.force,
            model.seeking,
            model.avoiding,
        )

    def velocities(
        self, who: NDArray[np.int64], places: Array, velocities: Array, wanted: Array, seconds: float
    ) -> Array:
        """Velocities (N, 2) [m/s] of the next step."""
        from walkon.rivals._kernels_forces import integrate
        from walkon.rivals._kernels_steering import steer_people

        model, steered = self._model, np.empty_like(places)
        steer_people(places, velocities, wanted, self._segments, self._constants, steered)
        size = np.maximum(np.hypot(*steered.T), 1e-12)
        steered *= np.minimum(model.force / size, 1.0)[:, None]
        share = (
            1.0 if math.isinf(model.smoothing) else float(np.clip(model.smoothing * seconds, *SMOOTHING_SHARES))
        )
        for row, person in enumerate(who.tolist()):
            before = self._before.get(person)
            before = np.zeros(2) if before is None else before
            self._before[person] = steered[row] = before + share * (steered[row] - before)
        return integrate(velocities, steered, seconds, math.inf, model.most_speed)
