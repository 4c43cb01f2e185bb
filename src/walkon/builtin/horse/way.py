"""The way a galloping body takes over the ground, and how it leans into it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.falling import GRAVITY
from walkon.builtin.keyframes import ease
from walkon.builtin.posing import turned
from walkon.builtin.travelling import grid_times, travelled
from walkon.rotations import rotate

WAY_STEP = 1 / 480
"""Time step [s] of the integration."""

LEAN = 0.75
"""Share of the lean that would balance the turn; neck and legs make up for the rest."""

TURN_RAMP = 0.38
"""Share of a turn in which it sets in, and in which it ebbs."""


@dataclass(frozen=True, eq=False)
class Way:
    """Where the centre of mass goes, as functions of time [s].

    point: (..., 3) [m] on the ground below it. heading: (...) [rad] the body faces. lean: (...) degrees to the
    right. duration: [s] of the core, in which all turning happens.
    """

    point: Callable[[ArrayLike], Array]
    heading: Callable[[ArrayLike], Array]
    lean: Callable[[ArrayLike], Array]
    duration: float

    def frames(self, times: ArrayLike) -> Array:
        """Rotation (..., 4) of the leaning body's frame."""
        return turned(turn=np.degrees(self.heading(times)), lean=self.lean(times))

    def ground_line(self, times: ArrayLike, height: float) -> Array:
        """Points (..., 3) [m] on the ground that the leaning body is over, its centre of mass `height` up."""
        foot = self.point(times) - rotate(self.frames(times), np.array([0.0, height, 0.0]))
        return foot * np.array([1.0, 0.0, 1.0])


def curved_way(
    speed: float, turn: float, duration: float, bearing: Callable[[Array], Array], margin: float
) -> Way:
    """A way along +z from the origin that turns by `turn` [rad] to the left between times 0 and `duration` [s].

    speed: [m/s]. bearing: body weights the ground carries at times (...) [s]; only they can bend the way, so that
    a flight goes straight on. margin: [s] before and after that may be asked for.
    """
    times = grid_times(-margin, duration + margin, WAY_STEP)
    rate = ease(times / (TURN_RAMP * duration)) * ease((duration - times) / (TURN_RAMP * duration))
    facing = CubicSpline(times, rate * turn / ((1.0 - TURN_RAMP) * duration))
    heading = facing.antiderivative()
    going = CubicSpline(times, rate * bearing(times)).antiderivative()(times)
    course = going * (turn / going[-1]) if turn else 0.0 * times

    def lean(at: ArrayLike) -> Array:
        return -LEAN * np.degrees(np.arctan(speed * facing(at) / GRAVITY))

    return Way(travelled(times, speed, course), heading, lean, duration)
