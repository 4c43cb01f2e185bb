"""Displacement maps: motion led through given poses at given speeds, with changes that fade without a corner.

At either end of a stretch every part of the body may be given another value and another rate. The change is a
cubic in time with that value and rate at its own end, and neither at the other one. Changes of rotations are
such curves of rotation vectors, applied on the right: q becomes q · exp(d).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.basics import Array
from walkon.graphs.hubs.moments import BodyMoments, legs_of
from walkon.motion import Clip
from walkon.motion.easing import smooth_step
from walkon.motion.feet.holding import FootGoal, bend_legs, hip_drop
from walkon.rotations import conjugate, exponential, logarithm, multiply, rotate

STEER = 0.5
"""Seconds within which a change of rate has died away, or sooner where the stretch ends: over seconds it would
lead far astray. A change of value takes all of the stretch."""

LOCK = 0.2
"""Seconds next to an end that is locked over which the hips get free to come down."""


class Changes(NamedTuple):
    """What separates M recorded moments from others: for each part (value, rate a frame), first axis M.

    Roots and ankles [m], local rotations and those of the feet in the world [rad], as rotation vectors.
    """

    roots: tuple[Array, Array]
    turns: tuple[Array, Array]
    ankles: tuple[Array, Array]
    soles: tuple[Array, Array]

    def at(self, number: int) -> Changes:
        """Those of one moment, without the first axis."""
        return Changes(*((value[number], rate[number]) for value, rate in self))


def changes_between(recorded: BodyMoments, wanted: BodyMoments) -> Changes:
    """What must change for M recorded moments to become others."""
    return Changes(
        (wanted.roots - recorded.roots, wanted.root_rates - recorded.root_rates),
        turn_difference(recorded.rotations, recorded.turn_rates, wanted.rotations, wanted.turn_rates),
        (wanted.ankles - recorded.ankles, wanted.ankle_rates - recorded.ankle_rates),
        turn_difference(recorded.soles, recorded.sole_rates, wanted.soles, wanted.sole_rates),
    )


def displace(clip: Clip, first: Changes | None, last: Changes | None) -> Clip:
    """The clip led through another moment at its first and at its last frame, or left as it is there.

    Ankles and feet are displaced in the world, and legs are bent to follow: feet keep to the ground they had.
    """
    ends = [(end, bool(side)) for side, end in enumerate((first, last)) if end is not None]
    if not ends:
        return clip
    steer = max(1, round(STEER * clip.fps))
    roots, turns, places, soles = (
        sum((fade(len(clip), end[part], steer, at_end=side) for end, side in ends), start=np.zeros(1))
        for part in range(4)
    )
    legs = [leg for _, leg in legs_of(clip.skeleton)]
    ankles = [leg[2] for leg in legs]
    moved = clip.with_changes(
        root_positions=clip.root_positions + roots, rotations=multiply(clip.rotations, exponential(turns))
    )
    if not legs:
        return moved
    places = clip.positions[:, ankles] + places
    soles = multiply(clip.world_rotations[:, ankles], exponential(soles))
    turned = multiply(soles, conjugate(moved.world_rotations[:, ankles]))
    goals = [FootGoal(leg, places[:, i], turned[:, i]) for i, leg in enumerate(legs)]
    share = free_share(len(clip), clip.fps, (first is not None, last is not None))
    return bend_legs(moved, goals, hip_drop(moved, goals) * share)


def fade(frames: int, change: tuple[Array, Array], steer: int, *, at_end: bool) -> Array:
    """A change (frames, ...) that has a value and a rate a frame at the first frame, or `at_end` at the last one.

    At the other end, and what the rate adds already `steer` frames away, it is 0 with rate 0.
    """
    value, rate = change
    since = np.arange(frames, dtype=np.float64)
    u = since / max(frames - 1, 1)
    reach = max(min(steer, frames - 1), 1)
    v = np.minimum(since / reach, 1.0)
    level, slope = (1.0 + 2.0 * u) * (1.0 - u) ** 2, reach * v * (1.0 - v) ** 2
    if at_end:
        level, slope = level[::-1], -slope[::-1]
    shape = (-1, *([1] * value.ndim))
    return level.reshape(shape) * value + slope.reshape(shape) * rate


def free_share(frames: int, fps: float, locked: tuple[bool, bool]) -> Array:
    """How free (frames,) the hips are to come down: 0 with slope 0 at locked ends, 1 away from them."""
    since = np.arange(frames) / (LOCK * fps)
    share = smooth_step(since) if locked[0] else np.ones(frames)
    return share * (smooth_step(since[::-1]) if locked[1] else 1.0)


def greatest_change(before: Clip, after: Clip) -> tuple[float, float]:
    """The farthest [m] any joint is from where it was, seen from where the body is, and the greatest turn
    [rad]."""
    seen = [clip.positions - clip.root_positions[:, None] for clip in (before, after)]
    turned = logarithm(multiply(conjugate(before.rotations), after.rotations))
    return float(np.linalg.norm(seen[1] - seen[0], axis=2).max()), float(np.linalg.norm(turned, axis=2).max())


def turn_difference(recorded: Array, rates: Array, wanted: Array, wanted_rates: Array) -> tuple[Array, Array]:
    """Rotation vector d (..., 3) and its rate that make recorded · exp(d) the wanted rotation at the wanted rate.

    The rate of the product about its own axes is exp(-d) · rate · exp(d) + J(d) d', with J the right Jacobian of
    the exponential, which is solved for d'.
    """
    value = logarithm(multiply(conjugate(recorded), wanted))
    missing = wanted_rates - rotate(exponential(-value), rates)
    angle = np.linalg.norm(value, axis=-1, keepdims=True)
    near = angle < 1e-4
    safe = np.where(near, 1.0, angle)
    bend = np.where(near, 1.0 / 12.0, 1.0 / safe**2 - 0.5 / (safe * np.tan(0.5 * safe)))
    across = np.cross(value, missing)
    return value, missing + 0.5 * across + bend * np.cross(value, across)
