"""Leaving the ground on a skateboard: the rider's centre of mass falls freely from take-off to landing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import BPoly, CubicSpline

from walkon.basics import Array
from walkon.builtin.falling import falling
from walkon.builtin.keyframes import Curve, Keys
from walkon.builtin.skateboard.rider import Rider
from walkon.motion import center_of_mass

HOP_ROUNDS = 3
HOP_TIMES = 17
"""Times the pelvis is corrected by where the centre of mass came to be, and moments of the flight at which that is
measured."""


@dataclass(frozen=True)
class Hop:
    """When a jump happens [s], and what the board does meanwhile.

    deepest: the crouch before. take_off, landing: the wheels leave and meet the ground. soft: the landing is
    absorbed.
    nose, tail: height [m] of front and rear bolts above where they roll, by time [s].
    """

    deepest: float
    take_off: float
    landing: float
    soft: float
    nose: Keys
    tail: Keys

    @property
    def apex(self) -> float:
        """When the rider is highest [s]."""
        return 0.5 * (self.take_off + self.landing)


def free_fall(hop: Hop, rider_at: Callable[[Array], Rider]) -> Curve:
    """What the pelvis is shifted by (..., 3) [m] at times (...) [s] in the board's frame, so that the rider flies.

    rider_at: the rider without that, at times (F,). The crouch before and after takes up the speed of the flight.
    """
    times = np.linspace(hop.take_off, hop.landing, HOP_TIMES)
    rider, shift = rider_at(times), np.zeros((len(times), 3))
    for _ in range(HOP_ROUNDS):
        poser, _ = replace(rider, shift=shift).pose()
        centres = center_of_mass(poser.clip("flight", 1.0 / (times[1] - times[0])))
        seen = rider.ride.to_board(times, centres)
        shift = shift + falling(seen[0], seen[-1], hop.take_off, hop.landing)(times) - seen
    flight = CubicSpline(times, shift)
    rest = np.zeros(3)
    before, after = (
        BPoly.from_derivatives(span, [[rest, speed, rest] for speed in speeds])
        for span, speeds in (
            ((hop.deepest, hop.take_off), (rest, flight(hop.take_off, 1))),
            ((hop.landing, hop.soft), (flight(hop.landing, 1), rest)),
        )
    )

    def shifted(at: ArrayLike) -> Array:
        at = np.asarray(at, dtype=np.float64)
        total = np.zeros((*at.shape, 3))
        edges = (hop.deepest, hop.take_off, hop.landing, hop.soft)
        for start, stop, piece in zip(edges, edges[1:], (before, flight, after), strict=False):
            here = (at >= start) & (at < stop)
            total[here] = piece(at[here])
        return total

    return shifted
