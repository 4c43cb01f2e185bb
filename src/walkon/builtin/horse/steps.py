"""Hooves from hoofprint to hoofprint: planted on the tip, swung as in the steady gallop unless more is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import BPoly, CubicSpline

from walkon.basics import Array
from walkon.builtin.horse.limbs import HorseLeg, pitched
from walkon.builtin.horse.stride import GALLOP_PERIOD
from walkon.builtin.horse.way import Way
from walkon.builtin.keyframes import Curve, clamped_spline, ease, read_table
from walkon.builtin.posing import turned
from walkon.rotations import conjugate, rotate

JointPath = Callable[[Array], Array]
"""Times (N,) [s] in, where the shoulder or hip of a leg is then (N, 3) [m] out."""

UPRIGHT_PHASE = 0.09
"""Phase before landing and after lifting in which a hoof goes between leaning with the body and standing flat."""

_INSTANT = 1e-4
"""Time step [s] to measure speeds at landing and lifting."""


@dataclass(frozen=True)
class Hoofprint:
    """A hoof on the ground from `start` to `stop` [s]: where its tip is (3,) [m], and its heading [rad]."""

    start: float
    stop: float
    tip: Array
    heading: float


@dataclass(frozen=True, eq=False)
class LegCycle:
    """A leg and when it carries: it lands at phase `landing` and stands for `duty` of a stride."""

    leg: HorseLeg
    landing: float
    duty: float

    def phase(self, times: ArrayLike) -> Array:
        """Phase (...) since landing, in [0, 1)."""
        return np.mod(np.asarray(times) / GALLOP_PERIOD - self.landing, 1.0)

    def angle(self, channel: str, times: ArrayLike) -> Array:
        """A channel of the leg's table of angles at times (...) [s], degrees."""
        return self.leg.kind.angle(channel)(self.phase(times))

    def hoof_frames(self, way: Way, times: Array, off_course: Array) -> Array:
        """Rotations (N, 4) in which pastern and hoof keep their angles, turned by `off_course` [rad] from the way.

        They lean with the body in the air and are upright on the ground.
        """
        phase = self.phase(times)
        in_air = ease(np.minimum(phase - self.duty, 1.0 - phase) / UPRIGHT_PHASE)
        return turned(turn=np.degrees(way.heading(times) + off_course), lean=way.lean(times) * in_air)

    def standing_fetlock(self, times: Array, frames: Array, tips: Array) -> Array:
        """Fetlocks (N, 3) [m] above hooves that stand on their tips (N, 3) or (3,) [m]."""
        pastern, hoof = (pitched(frames, self.angle(channel, times)) for channel in ("pastern", "hoof"))
        return self.leg.above_hoof(tips, pastern, hoof)

    def seen_from_joint(self, way: Way, times: Array, prints: Sequence[Hoofprint], joint: JointPath) -> Array:
        """Fetlocks in the body's frame from shoulder or hip [m], and the hoof's heading from the way's [rad].

        (N, 4), at times (N,) [s] at which the leg stands on the prints, one for each time.
        """
        off_course = np.array([hoofprint.heading for hoofprint in prints]) - way.heading(times)
        frames = self.hoof_frames(way, times, off_course)
        fetlocks = self.standing_fetlock(times, frames, np.array([hoofprint.tip for hoofprint in prints]))
        seen = rotate(conjugate(way.frames(times)), fetlocks - joint(times))
        return np.concatenate([seen, off_course[:, None]], axis=1)

    def swing_ends(
        self, way: Way, prints: Sequence[Hoofprint], joint: JointPath
    ) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """For each swing between prints what `seen_from_joint` is, and its speed, at lifting and at landing."""
        lifts, lands = (
            np.array(times) for times in zip(*((a.stop, b.start) for a, b in pairwise(prints)), strict=True)
        )
        times = np.concatenate([lifts - _INSTANT, lifts, lands, lands + _INSTANT])
        on = [*prints[:-1], *prints[:-1], *prints[1:], *prints[1:]]
        before, lift, land, after = np.split(self.seen_from_joint(way, times, on, joint), 4)
        return (lift, (lift - before) / _INSTANT), (land, (after - land) / _INSTANT)


def steady_swing(cycle: LegCycle, way: Way, prints: Sequence[Hoofprint], joint: JointPath) -> CubicSpline:
    """Fetlock (3,) [m] from shoulder or hip by phase since landing, through the keys of the leg's swing."""
    (lift, leaving), (land, arriving) = (
        (seen[0, :3], speed[0, :3] * GALLOP_PERIOD) for seen, speed in cycle.swing_ends(way, prints[:2], joint)
    )
    table, knee = read_table(cycle.leg.kind.swing), cycle.leg.kind.angle("knee")
    phases = sorted(table["upper"])
    passed = [cycle.leg.fetlock_at(table["upper"][p], table["fold"][p], float(knee(p))) for p in phases]
    # Keys put the fetlock in the plane of the leg as it rests; the hoof lands nearer to the middle.
    drawn_in = 0.5 * (lift[0] + land[0]) - np.mean(passed, axis=0)[0]
    passed = np.array(passed) + np.array([drawn_in, 0.0, 0.0])
    return clamped_spline([cycle.duty, *phases, 1.0], [lift, *passed, land], leaving, arriving)


def swing_corrections(
    cycle: LegCycle, swing: CubicSpline, way: Way, prints: Sequence[Hoofprint], joint: JointPath
) -> Curve:
    """What is added to the steady swing (..., 4) [m, rad] at times (...) [s] between the prints.

    A swing that is under way when the way begins or ends is the steady one outside it.
    """
    (lift, leaving), (land, arriving) = cycle.swing_ends(way, prints, joint)
    for seen, speed, phase in ((lift, leaving, cycle.duty), (land, arriving, 1.0)):
        seen[:, :3] -= swing(phase)
        speed[:, :3] -= swing(phase, 1) / GALLOP_PERIOD
    rest = np.zeros_like(lift[0])
    pieces = []
    for k, (before, after) in enumerate(pairwise(prints)):
        ends = [(before.stop, lift[k], leaving[k]), (after.start, land[k], arriving[k])]
        if before.stop < 0.0 < after.start:
            ends[0] = (0.0, rest, rest)
        if before.stop < way.duration < after.start:
            ends[1] = (way.duration, rest, rest)
        derivatives = [[value, speed, rest] for _, value, speed in ends]
        if after.start > 0.0 and before.stop < way.duration:
            pieces.append((ends[0][0], ends[1][0], BPoly.from_derivatives([end[0] for end in ends], derivatives)))

    def correction(times: ArrayLike) -> Array:
        times = np.asarray(times, dtype=np.float64)
        total = np.zeros((*times.shape, len(rest)))
        for start, stop, piece in pieces:
            here = (times > start) & (times < stop)
            total[here] = piece(times[here])
        return total

    return correction
