"""Discs that steer: seek, unaligned collision avoidance and separation (Reynolds 1999), as OpenSteer does it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.rivals.walls import Walls

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Steering:
    """Parameters; the paper gives the behaviors, and leaves weights to whoever uses them.

    ahead, walls_ahead [s]: how long before they would meet people and walls count. force [m/s²]: the most that
    somebody steers with. seeking [1/s], separating [m²/s²]: weights; avoiding somebody takes the whole force.
    apart [m]: nearer than this, people separate. OpenSteer's smoothing of accelerations is left out.
    """

    speed: float = 1.33
    most_speed: float = 1.63
    radius: float = 0.427
    ahead: float = 3.0
    walls_ahead: float = 0.5
    force: float = 4.0
    seeking: float = 2.0
    separating: float = 1.5
    apart: float = 1.2
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
        self._constants = (
            model.radius,
            model.ahead,
            model.walls_ahead,
            model.force,
            model.seeking,
            model.separating,
            model.apart,
        )

    def velocities(
        self, who: NDArray[np.int64], places: Array, velocities: Array, wanted: Array, seconds: float
    ) -> Array:
        """Velocities (N, 2) [m/s] of the next step."""
        from walkon.rivals._kernels_forces import integrate
        from walkon.rivals._kernels_steering import steer_people

        model, steered = self._model, np.empty_like(places)
        steer_people(places, velocities, wanted, self._segments, self._constants, steered)
        return integrate(velocities, steered, seconds, model.force, model.most_speed)
