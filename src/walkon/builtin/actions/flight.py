"""Bodies in the air: the centre of mass falls freely, and the pelvis goes where the limbs need it for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.actions.reach import highest_pelvis, within_reach
from walkon.builtin.actions.swings import Flown
from walkon.builtin.falling import GRAVITY
from walkon.builtin.gait.curves import quintic
from walkon.builtin.human import stand_leg
from walkon.builtin.keyframes import Curve
from walkon.builtin.posing import Poser
from walkon.builtin.score import Score, envelope, play, pose
from walkon.motion import center_of_mass

STRETCHED, EASED = 0.012, 0.030
"""How far the pelvis is below the highest the leg allows [m] when the toes leave and when the foot lands."""

NEAR_FLIGHT = 0.12
"""Seconds before the throw and after the catch in which the legs' reach is still looked after."""

FLIGHT_ROUNDS = 3
"""Each leaves about a tenth of the error, which begins with some centimetres."""


@dataclass(frozen=True)
class Flight:
    """A flight and the two stances around it, in which the body is thrown and caught.

    start, off, on, stop [s]: when the body begins to be thrown, leaves the ground, finds it again, and is caught.
    leaving, landing: side of the last and of the first foot on the ground. pull [m/s²]: acceleration of the centre
    of mass at start and stop; free fall where it flies before and after, too.
    """

    start: float
    off: float
    on: float
    stop: float
    leaving: str = "Left"
    landing: str = "Right"
    pull: float = -GRAVITY

    @property
    def seconds(self) -> float:
        """In the air."""
        return self.on - self.off


def fly(plain: Score, score: Score, flight: Flight, feet: Sequence[Flown] = ()) -> Score:
    """Find the pelvis for which the centre of mass is thrown, falls and is caught; the feet go with it.

    plain: what the body does before and after. score: the same with what trunk and arms do in addition.
    """
    times = score.times
    natural = center_of_mass(play(plain, "plain"))
    aloft = (times > flight.start) & (times < flight.stop)
    tracks = {foot.side: foot.turned(plain.feet[foot.side], times) for foot in feet}
    keyed, above, poser = score.pelvis, natural - plain.pelvis, pose(score)
    for _ in range(FLIGHT_ROUNDS):
        mass = _mass_path(score, above, CubicSpline(times, natural[:, 1]), flight)
        pelvis = keyed.copy()
        pelvis[aloft, 1] = mass(times[aloft]) - above[aloft, 1]
        pelvis[:, 2] += _straightened(times, keyed[:, 2] + above[:, 2], flight)
        score = score.with_channels(pelvis=pelvis)
        carrier = CubicSpline(times, pelvis)
        for foot in feet:
            score = score.with_foot(foot.side, foot.carried(tracks[foot.side], times, carrier))
        above = _posed_mass(poser, score) - pelvis
    # Around the flight, not in it: there the feet go where the pelvis goes.
    around = envelope(
        times, flight.start - NEAR_FLIGHT, flight.start, flight.stop + NEAR_FLIGHT, flight.stop + 3.0 * NEAR_FLIGHT
    )
    grounded = np.where((times > flight.off) & (times < flight.on), 0.0, around)
    return within_reach(score, grounded)


def _posed_mass(poser: Poser, score: Score) -> Array:
    """Centre of mass (F, 3) [m] after the pelvis and the feet of a posed score have moved."""
    poser.root_positions[:] = score.pelvis
    for side, track in score.feet.items():
        stand_leg(poser, side, track, score.knee_out[side])
    return center_of_mass(poser.clip("flight", score.fps))


def _mass_path(score: Score, above: Array, natural: CubicSpline, flight: Flight) -> Curve:
    """Height of the centre of mass [m] from the landing before the flight to the push after it.

    The legs say how high it is when they leave the ground and when they find it again; free fall says how fast.
    The legs' force begins and ends with nothing.
    """
    over = CubicSpline(score.times, above[:, 1])
    leaving, landing = (
        CubicSpline(score.times, highest_pelvis(score, side)) for side in (flight.leaving, flight.landing)
    )
    start = float(leaving(flight.off) + over(flight.off)) - STRETCHED
    stop = float(landing(flight.on) + over(flight.on)) - EASED
    speed = (stop - start) / flight.seconds + 0.5 * GRAVITY * flight.seconds
    return quintic(
        [flight.start, flight.off, flight.on, flight.stop],
        [natural(flight.start), start, stop, natural(flight.stop)],
        [natural(flight.start, 1), speed, speed - GRAVITY * flight.seconds, natural(flight.stop, 1)],
        [flight.pull, -GRAVITY, -GRAVITY, flight.pull],
    )


def _straightened(times: Array, ahead: Array, flight: Flight) -> Array:
    """By how much (F,) [m] to move a centre of mass that is `ahead` (F,) so that in the air it keeps its speed."""
    airborne = (times > flight.off) & (times < flight.on)
    line = np.polyfit(times[airborne], ahead[airborne], 1)
    off_line = CubicSpline(times, np.polyval(line, times) - ahead)
    ends = np.array([flight.off, flight.on])
    rest = np.zeros(1)
    columns = [np.concatenate([rest, off_line(ends, order), rest]) for order in range(3)]
    around = quintic([flight.start, flight.off, flight.on, flight.stop], *columns)
    return np.where(airborne, off_line(times), around(times))
