"""The feet of a gait: where and when each is planted, how it rolls, and how it swings from plant to plant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from walkon.basics import Array
from walkon.builtin.drift import drift
from walkon.builtin.footwork import (
    OUTWARDS,
    SIDES,
    FootShape,
    FootTrack,
    Plant,
    planted_ankle,
    sole_clearance,
    track_of,
)
from walkon.builtin.gait.course import Course, CourseMoments
from walkon.builtin.gait.curves import held, quintic
from walkon.builtin.gait.standing import PELVIS_AHEAD, standing_plant
from walkon.builtin.gait.tables import PUSH_SHAPE, STRIKE_SHAPE, StepManner, manner_at
from walkon.builtin.human import human_feet
from walkon.builtin.keyframes import Curve, ease
from walkon.builtin.performer import Performer
from walkon.errors import ClipError

LANDING_PHASE = {"Left": 0.0, "Right": 0.5}
"""Phase at which each foot lands."""

SETTLE = 0.3
"""Fraction of the swing after which the toes are straight, and before the end of which they get ready to land."""

FREE_SHARE = 0.14
"""Fraction of the swing after which, and before the end of which, a foot need not be where its plant is."""

CLEARANCE = 0.008
"""Height [m] at which a swinging sole begins to be lifted off the ground."""

OFF_AFTER = 0.6
"""Share of its stance after which it is settled how a foot will leave the ground."""

LONGEST_ROLL = 0.98
"""Share of its stance that a foot may spend rolling on and off."""

SOON = 0.5
"""Share of the way to passing the other foot after which a foot has the speed the tables have for it."""

_AT_ONCE = 1e-9
"""Seconds by which rounding may misplace a landing."""

_INSTANT = 2e-3
"""Time step [s] to measure speed and acceleration of an ankle that rolls."""


Nudge = Callable[[str, float], tuple[float, float, float]]
"""Side, and time [s] the body passes over a foot -> how far its place is off: left, forward [m], heading [rad]."""


def loose_steps(rng: np.random.Generator, spread: tuple[float, float, float], duration: float) -> Nudge:
    """Footprints a little off in the middle of a clip of `duration` [s], by about `spread` (a standard deviation).

    spread: to the left and forward [m], and in heading [rad].
    """
    curves = {side: [drift(rng, size, duration) for size in spread] for side in SIDES}

    def nudge(side: str, passed: float) -> tuple[float, float, float]:
        left, ahead, heading = (float(curve(passed)) for curve in curves[side])
        return left, ahead, heading

    return nudge


@dataclass(frozen=True)
class Footfall:
    """One stance: where and when, in which manner the foot comes down and goes off, and the phase of its landing.

    passing: when [s] the swing that led to it passed the other foot; carried: the manner of that swing.
    There every swing is as the tables have it, wherever it came from and wherever it goes: all clips that begin
    or end in that moment meet.
    """

    plant: Plant
    down: StepManner
    off: StepManner
    landing: float
    passing: float
    carried: StepManner

    @property
    def leaving(self) -> float:
        """The phase at which the toes leave."""
        return self.landing + self.off.duty


def track_foot(
    performer: Performer, side: str, course: Course, times: Array, nudge: Nudge | None = None
) -> tuple[FootTrack, Array]:
    """The track of one foot on a course at times (F,) [s], and how free it is (F,): 0 planted, 1 in mid-swing."""
    foot = human_feet(performer.skeleton())[side]
    falls = footfalls(performer, side, course, nudge)
    if not falls or times[0] < falls[0].plant.start or times[-1] > falls[-1].plant.stop:
        raise ClipError("a course is to be known before and after its frames: a gait goes on for a cycle or two")
    falls = _around(falls, times)
    pitch = _pitch_curve(falls)
    angles = pitch(course.at(times).phase)
    ankles, headings = np.empty((len(times), 3)), np.empty(len(times))
    relax, standing, free = np.ones(len(times)), np.zeros(len(times), dtype=bool), np.zeros(len(times))
    for fall in falls:
        here = (times >= fall.plant.start - _AT_ONCE) & (times <= fall.plant.stop + _AT_ONCE)
        ankles[here], headings[here] = planted_ankle(foot, fall.plant, angles[here]), fall.plant.heading
        standing |= here
    for leaving, coming in pairwise(falls):
        away = (times > leaving.plant.stop + _AT_ONCE) & (times < coming.plant.start - _AT_ONCE)
        if away.any():
            swing = _Swing(performer, side, foot, course, leaving, coming, pitch)
            ankles[away], headings[away], gone = swing.path(times[away])
            relax[away] = 1.0 - ease(gone / SETTLE) * ease((1.0 - gone) / SETTLE)
            free[away] = ease(gone / FREE_SHARE) * ease((1.0 - gone) / FREE_SHARE)
    low = CLEARANCE - sole_clearance(foot, ankles[:, 1], angles, relax)
    ankles[:, 1] += (1.0 - (1.0 - free) ** 6) * CLEARANCE * np.logaddexp(0.0, low / CLEARANCE)
    return track_of(foot, ankles, headings, angles, relax, standing), free


def _around(falls: list[Footfall], times: Array) -> list[Footfall]:
    """The footfalls from the last before the first of the times (F,) [s] to the first after the last."""
    before = sum(fall.plant.stop < times[0] for fall in falls) - 1
    after = sum(fall.plant.start <= times[-1] for fall in falls) + 1
    return falls[max(before, 0) : max(after, 2)]


def footfalls(performer: Performer, side: str, course: Course, nudge: Nudge | None = None) -> list[Footfall]:
    """The stances of one foot over a course, the standing before and after included."""
    first, last = course.phases[[0, -1]]
    begun, ended = course.stands
    landings = np.arange(np.floor(first) - 1.0, np.ceil(last) + 1.0) + LANDING_PHASE[side]
    # Where nobody stands the first and last steps, whose surroundings are unknown, are left out.
    since = begun - 1.0 if np.isfinite(begun) else first + 0.5
    until = ended if np.isfinite(ended) else last - 0.45
    falls = _footfalls(performer, side, course, landings[(landings > since) & (landings <= until)], nudge)
    if np.isfinite(begun):
        falls[0] = replace(falls[0], plant=_stood(performer, side, course, falls[0].plant, before=True))
    if np.isfinite(ended):
        falls[-1] = replace(falls[-1], plant=_stood(performer, side, course, falls[-1].plant, before=False))
    return falls


def _footfalls(
    performer: Performer, side: str, course: Course, landings: Array, nudge: Nudge | None
) -> list[Footfall]:
    swings, downs = (_manners(course, landings + late) for late in (-0.4, 0.1))
    # Somebody who breaks into a run in mid-stance leaves the ground as runners do.
    # The one that stands while the other takes the first step of all leaves it as fast as the body then goes, and
    # so does a walker: a single step is enough to change the pace.
    walks = not np.isfinite(course.stands).any() and not course.at(course.times).running.any()
    settled = np.where(walks | (np.abs(landings - course.stands[0]) < 0.25), 1.0, OFF_AFTER)
    offs = _manners(course, landings + settled * np.array([manner.duty for manner in downs]))
    passing = course.when(landings - 0.5 + np.array([manner.over for manner in swings]))
    starts, stops = course.when(landings), course.when(landings + np.array([manner.duty for manner in offs]))
    middles = course.when(landings + np.array([manner.over for manner in downs]))
    nudges = np.zeros((len(landings), 3))
    if nudge:
        nudges[:] = [nudge(side, float(time)) for time in middles]
    style, here = performer.style, course.at(middles)
    apart = OUTWARDS[side] * performer.leg * style.stance_width * np.array([manner.half for manner in downs])
    places = here.in_world(np.stack([apart + nudges[:, 0], 0.0 * apart, nudges[:, 1]], axis=1))
    toes = np.radians([style.toe_out * manner.toe_out for manner in downs]) + here.splay
    headings = here.heading + OUTWARDS[side] * toes + nudges[:, 2]
    plants = [
        Plant(float(start), float(stop), float(x), float(z), float(heading))
        for start, stop, (x, _, z), heading in zip(starts, stops, places, headings, strict=True)
    ]
    columns = (plants, downs, offs, landings.tolist(), passing.tolist(), swings)
    return [Footfall(*parts) for parts in zip(*columns, strict=True)]


def _manners(course: Course, phases: Array) -> list[StepManner]:
    now = course.at(course.when(phases))
    return [manner_at(float(pace), float(running)) for pace, running in zip(now.pace, now.running, strict=True)]


def _stood(performer: Performer, side: str, course: Course, plant: Plant, before: bool) -> Plant:
    """The plant of a foot that stands from before the first of all steps, or until after the last."""
    here, still = course.at(course.times[0 if before else -1]), standing_plant(performer, side)
    x, _, z = here.in_world(np.array([still.x, 0.0, still.z]))
    start, stop = (-np.inf, plant.stop) if before else (plant.start, np.inf)
    heading = float(here.heading + OUTWARDS[side] * here.splay) + still.heading
    return Plant(start, stop, float(x), float(z), heading)


def _pitch_curve(falls: list[Footfall]) -> Curve:
    """Pitch [degrees] of a foot by phase: flat in mid-stance, rolling off, swinging and landing between."""
    stretches = []
    for leaving, coming in pairwise(falls):
        leave, land, swing = leaving.leaving, coming.landing, coming.carried
        off, on = _rolling(leaving)[1], _rolling(coming)[0]
        keys = {leave - share * off: -leaving.off.push * size for share, size in PUSH_SHAPE.items()}
        keys |= {
            leave + fraction * (land - leave): pitch
            for fraction, pitch in zip(swing.swing[1:-1], swing.pitch[1:-1], strict=True)
        }
        keys |= {land + share * on: coming.down.strike * size for share, size in STRIKE_SHAPE.items()}
        stretches.append(keys)
    return held(stretches)


def _rolling(fall: Footfall) -> tuple[float, float]:
    """Cycles a foot takes to come down flat and, before it leaves, to roll off; a short stance hurries both."""
    down, off = fall.down.flat_at, fall.off.heel_off
    hurry = min(1.0, LONGEST_ROLL * fall.off.duty / (down + off))
    return hurry * down, hurry * off


class _Swing:
    """The way of an ankle from one plant to the next.

    It is the one the tables have, in the frame that travels with the body, bent so that it leaves and arrives with
    the place, speed and acceleration of the foot that rolls off and on.
    """

    def __init__(
        self,
        performer: Performer,
        side: str,
        foot: FootShape,
        course: Course,
        leaving: Footfall,
        coming: Footfall,
        pitch: Curve,
    ) -> None:
        self.course, self.plants = course, (leaving.plant, coming.plant)
        self.leave, self.passing, self.land = leaving.plant.stop, coming.passing, coming.plant.start
        self.phases = leaving.leaving, coming.landing
        manner, style = coming.carried, performer.style
        toes = np.radians(manner.toe_out * style.toe_out) + course.at(self.passing).splay
        self.toe_out = OUTWARDS[side] * float(toes)
        left = OUTWARDS[side] * manner.half * performer.leg * style.stance_width
        self.origin = np.array([left, foot.height, PELVIS_AHEAD * performer.scale])
        self.reach = performer.leg * np.array([1.0, float(course.at(self.passing).stretch)])
        self.manner = manner
        off = self._missed(foot, leaving.plant, pitch, self.leave)
        on = self._missed(foot, coming.plant, pitch, self.land)
        self.bend = self._bends(off, on)

    def fraction(self, now: CourseMoments) -> Array:
        """How much of the swing is over, by the phase of the steps."""
        return (now.phase - self.phases[0]) / (self.phases[1] - self.phases[0])

    def table(self, fraction: Array) -> Array:
        """The ankle (F, 3) [m] to the left of, above and before the body's place, as the tables have it."""
        return self.origin + np.pad(self.reach * self.manner.path(fraction), ((0, 0), (1, 0)))

    def path(self, times: Array) -> tuple[Array, Array, Array]:
        """The ankle (F, 3) [m], where the toes point (F,) [rad], and how much of the swing is over (F,).

        The toes point as they stood, then as the body does, then as they will stand.
        """
        now = self.course.at(times)
        fraction, carried = self.fraction(now), now.heading + self.toe_out
        ankles = now.in_world(self.table(fraction) + self.bend(times))
        gone = ease((times - self.leave) / (self.passing - self.leave))
        come = ease((times - self.passing) / (self.land - self.passing))
        before, after = (plant.heading - carried for plant in self.plants)
        return ankles, carried + (1.0 - gone) * before + come * after, fraction

    def _missed(self, foot: FootShape, plant: Plant, pitch: Curve, time: float) -> Array:
        """How far place, speed and acceleration (3, 3) of a rolling ankle are from the table's at a time."""
        now = self.course.at(time + _INSTANT * np.array([-1.0, 0.0, 1.0]))
        rolling = now.from_world(planted_ankle(foot, plant, pitch(now.phase)))
        before, at, after = rolling - self.table(self.fraction(now))
        return np.stack([at, (after - before) / (2.0 * _INSTANT), (after - 2.0 * at + before) / _INSTANT**2])

    def _bends(self, off: Array, on: Array) -> Curve:
        """The way bent at both ends, by place until it passes the other foot, by speed and acceleration sooner."""
        still, placed, moving = np.zeros((3, 3)), np.diag([1.0, 0.0, 0.0]), np.diag([0.0, 1.0, 1.0])
        soon = self.leave + SOON * (self.passing - self.leave)
        late = self.land - SOON * (self.land - self.passing)
        places = quintic(
            [self.leave, self.passing, self.land], *np.stack([placed @ off, still, placed @ on], axis=1)
        )
        speeds = quintic(
            [self.leave, soon, late, self.land], *np.stack([moving @ off, still, still, moving @ on], axis=1)
        )
        return lambda times: places(times) + speeds(times)
