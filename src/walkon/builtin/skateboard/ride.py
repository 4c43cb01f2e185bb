"""The rolling skateboard: where it goes, how it leans into its turns, how it leaves the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.falling import GRAVITY
from walkon.builtin.keyframes import Curve
from walkon.builtin.posing import Poser, turned
from walkon.builtin.skeletons import DECK_HEIGHT, DECK_THICKNESS, WHEELBASE
from walkon.builtin.travelling import grid_times, travelled
from walkon.rotations import conjugate, multiply, rotate

DECK_TOP = DECK_HEIGHT + DECK_THICKNESS / 2
"""Height [m] at which soles stand on the deck."""

DECK_TILT = 0.45
"""How much of the rider's lean the deck follows before the trucks hold it."""

RIDE_STEP = 1 / 240
"""Time step [s] of the integration."""

MOST_PITCH = 0.9
"""Sine of the steepest deck."""


@dataclass(frozen=True, eq=False)
class Ride:
    """The board's motion, as functions of time [s].

    The frame in which the rider is keyed has its origin on the ground below the front bolts and looks along the
    board. heading: degrees to the left. path: that origin (..., 3) [m]. lean: degrees to the right by which a
    rider balances the turn. nose, tail: how high [m] front and rear bolts are above where they roll.
    """

    heading: Curve
    path: Curve
    lean: Curve
    nose: Curve
    tail: Curve

    def rotation(self, times: ArrayLike) -> Array:
        """Where the board points (..., 4)."""
        return turned(turn=self.heading(times))

    def tilt(self, times: ArrayLike) -> Array:
        """Rotation (..., 4) of the deck in the board's frame: nose up in a jump, and with the lean."""
        rise = np.clip((self.nose(times) - self.tail(times)) / WHEELBASE, -MOST_PITCH, MOST_PITCH)
        return multiply(turned(bend=-np.degrees(np.arcsin(rise))), turned(lean=DECK_TILT * self.lean(times)))

    def deck(self, times: ArrayLike) -> Array:
        """Rotation (..., 4) of the deck in the world."""
        return multiply(self.rotation(times), self.tilt(times))

    def bolts(self, times: ArrayLike) -> Array:
        """The front bolts, inside the deck (..., 3) [m], in the board's frame."""
        up = DECK_HEIGHT + np.asarray(self.nose(times))[..., None]
        return up * np.array([0.0, 1.0, 0.0])

    def on_deck(self, times: ArrayLike, points: ArrayLike) -> Array:
        """Points (..., 3) [m] of the board's frame as the deck carries them; given for a deck at rest."""
        resting = np.array([0.0, DECK_HEIGHT, 0.0])
        return self.bolts(times) + rotate(self.tilt(times), np.asarray(points) - resting)

    def to_world(self, times: ArrayLike, points: ArrayLike) -> Array:
        """Points (..., 3) [m] of the board's frame in the world."""
        return self.path(times) + rotate(self.rotation(times), points)

    def to_board(self, times: ArrayLike, points: ArrayLike) -> Array:
        """Points (..., 3) [m] of the world in the board's frame."""
        return rotate(conjugate(self.rotation(times)), np.asarray(points) - self.path(times))


def roll(speed: Curve, heading: Curve, span: tuple[float, float], nose: Curve, tail: Curve) -> Ride:
    """Integrate speed [m/s] and heading [degrees] of the board's middle over a span of time [s].

    The middle is at the origin at time 0; it moves along the board, as the wheels ask.
    """
    times = grid_times(*span, RIDE_STEP)
    angle = CubicSpline(times, np.radians(heading(times)))
    half = rotate(turned(turn=heading(times)), np.array([0.0, 0.0, WHEELBASE / 2]))
    path = CubicSpline(times, travelled(times, speed(times), angle(times))(times) + half)

    def lean(at: ArrayLike) -> Array:
        return -np.degrees(np.arctan(speed(at) * angle(at, 1) / GRAVITY))

    return Ride(heading, path, lean, nose, tail)


def pose_board(poser: Poser, ride: Ride, times: Array) -> None:
    """The deck under the feet; the trucks stay level on the ground, and steer."""
    poser.face("Board", ride.deck(times))
    level = conjugate(turned(lean=DECK_TILT * ride.lean(times)))
    for truck, steer in (("TruckFront", -0.5), ("TruckRear", 0.5)):
        poser.turn(truck, multiply(level, turned(turn=steer * DECK_TILT * ride.lean(times))))
