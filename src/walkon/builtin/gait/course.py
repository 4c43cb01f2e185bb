"""Where a body goes, and in which phase of its step cycle it is: the plan that feet and trunk follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.gait.tables import cycle_period
from walkon.builtin.keyframes import Curve
from walkon.builtin.performer import Performer
from walkon.builtin.score import envelope
from walkon.builtin.travelling import grid_times
from walkon.rotations import carry_back, turn

COURSE_STEP = 0.01
"""Seconds between the points at which a course is integrated."""


def constant(value: float) -> Curve:
    """The curve that is the same at all times."""
    return lambda time: np.full(np.shape(time), float(value))


ZERO, ONE = constant(0.0), constant(1.0)


@dataclass(frozen=True)
class Profile:
    """What a body wants, as functions of time [s].

    speed [m/s]: forward; sideways [m/s]: to the left; heading [rad]: where it faces.
    running: 0 walking, 1 running. stepping: 0 standing still, 1 in the rhythm of the gait.
    rate: cycles a second over the usual at that speed. splay [rad]: toes point that much further outwards.
    banking: how much of the usual lean into curves a body takes on, at all times.
    """

    speed: Curve
    heading: Curve = ZERO
    sideways: Curve = ZERO
    running: Curve = ZERO
    stepping: Curve = ONE
    rate: Curve = ONE
    splay: Curve = ZERO
    banking: float = 1.0


@dataclass(frozen=True)
class Course:
    """A profile carried out on a grid of times (G,) [s], and between them.

    phases: (G,) [cycles] at those times. signals: (..., 10) at any time, as in `CourseMoments`.
    stands: the phases until which and from which the body stands; infinite where its gait goes on. banking: as in
    `Profile`.
    """

    times: Array
    phases: Array
    signals: CubicSpline
    stands: tuple[float, float]
    banking: float = 1.0

    def when(self, phases: ArrayLike) -> Array:
        """Times (...) [s] at which phases are reached."""
        return np.interp(np.asarray(phases, dtype=np.float64), self.phases, self.times)

    def at(self, times: ArrayLike) -> CourseMoments:
        """Everything at times (F,) or one time [s]."""
        return CourseMoments(*self.signals(times).T)

    def rates(self, times: ArrayLike) -> CourseMoments:
        """How fast everything changes at times (F,) or one time [s]."""
        return CourseMoments(*self.signals(times, 1).T)


@dataclass(frozen=True)
class CourseMoments:
    """The signals of a course at F times, each (F,), or at one.

    phase [cycles]. x, z [m]: the place on the ground in the middle between the feet. heading [rad]. speed [m/s].
    pace [m/s]: the speed at which a leg of reference length would move alike. stretch: length of the strides over
    the usual at that pace. running, stepping, splay: as in `Profile`.
    """

    phase: Array
    x: Array
    z: Array
    heading: Array
    speed: Array
    pace: Array
    stretch: Array
    running: Array
    stepping: Array
    splay: Array

    def in_world(self, points: ArrayLike) -> Array:
        """Points (F, 3) [m] given to the left of, above and before the body's place, in the world."""
        x, y, z = np.asarray(points).T
        sine, cosine = np.sin(self.heading), np.cos(self.heading)
        return np.stack([self.x + x * cosine + z * sine, y, self.z - x * sine + z * cosine], axis=-1)

    def from_world(self, points: Array) -> Array:
        """Points (F, 3) [m] of the world to the left of, above and before the body's place."""
        return carry_back(np.stack([self.x, self.z, self.heading], axis=-1), points)


def follow(
    performer: Performer,
    profile: Profile,
    span: tuple[float, float],
    departure: tuple[float, float],
    arrival: tuple[float, float] | None = None,
    stands: tuple[float, float] = (-np.inf, np.inf),
) -> Course:
    """The course of a performer who follows a profile over the times `span` [s], from the origin at time 0.

    departure: a time [s] and the phase [cycles] then. arrival: the same for a later moment; the rhythm of the
    steps between the two is hurried or delayed so that it is met. stands: as in `Course`.
    """
    times = grid_times(*span, COURSE_STEP)
    froude = np.sqrt(performer.scale)
    speed, running, stepping = profile.speed(times), profile.running(times), profile.stepping(times)
    pace = np.maximum(speed, 0.0) / froude
    stride = performer.stride(running)
    usual = 1.0 / (froude * stride * cycle_period(pace, running))
    rate = usual * profile.rate(times)
    beat = CubicSpline(times, rate * stepping)
    if arrival is not None:
        beat = _fitted(beat, departure, arrival)
    cycles = beat.antiderivative()
    phase = departure[1] + cycles(times) - cycles(departure[0])
    heading, sideways = profile.heading(times), profile.sideways(times)
    travelled = CubicSpline(times, turn(heading, np.stack([sideways, speed], axis=1))).antiderivative()
    place = travelled(times) - travelled(0.0)
    stretch = stride / np.maximum(profile.rate(times), 1e-3)
    columns = [phase, *place.T, heading, speed, pace, stretch, running, stepping, profile.splay(times)]
    return Course(times, phase, CubicSpline(times, np.stack(columns, axis=1)), stands, profile.banking)


def _fitted(beat: CubicSpline, departure: tuple[float, float], arrival: tuple[float, float]) -> CubicSpline:
    """The beat hurried or delayed in the middle between two moments, so that the phases of both are met."""
    times, start, stop = beat.x, departure[0], arrival[0]
    tenth = 0.1 * (stop - start)
    weight = beat(times) * envelope(times, start + tenth, start + 5 * tenth, start + 5 * tenth, stop - tenth)
    missing = arrival[1] - departure[1] - float(beat.integrate(start, stop))
    share = missing / float(CubicSpline(times, weight).integrate(start, stop))
    return CubicSpline(times, beat(times) + share * weight)
