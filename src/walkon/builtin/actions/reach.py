"""Keeping a changed body within reach of its feet."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.footwork import SIDES
from walkon.builtin.posing import turned
from walkon.builtin.score import Score, envelope
from walkon.rotations import multiply, rotate, rotation_about_y

LONGEST_REACH = 0.9985
"""Share of its length to which a leg is stretched at most."""

SOFT = 0.0015
"""Metres over which the pelvis gives way."""


def within_reach(score: Score, weight: ArrayLike = 1.0) -> Score:
    """The score with the pelvis lowered where a leg would not reach its foot; weight 0 leaves a frame as it is."""
    lowered = np.zeros(len(score))
    for side in SIDES:
        lowered += np.exp(np.minimum((score.pelvis[:, 1] - highest_pelvis(score, side)) / SOFT, 50.0))
    drop = SOFT * np.log1p(lowered) * np.asarray(weight)
    return score.plus(pelvis=-drop[:, None] * np.array([0.0, 1.0, 0.0]))


def within_reach_of_core(score: Score, margin: int) -> Score:
    """The same for a whole action: nothing changes in the `margin` frames before its core and after."""
    start, stop = float(score.times[margin]), float(score.times[-1 - margin])
    ramp = 0.2 * (stop - start)
    return within_reach(score, envelope(score.times, start, start + ramp, stop - ramp, stop))


def highest_pelvis(score: Score, side: str) -> Array:
    """How high (F,) [m] the pelvis may be for the leg of one side to reach its foot."""
    skeleton = score.skeleton
    bones = [skeleton.index(f"{side}{part}") for part in ("Leg", "Foot")]
    longest = LONGEST_REACH * float(skeleton.lengths[bones].sum())
    pelvis = multiply(rotation_about_y(score.heading), turned(score.tilt, score.turn, score.list))
    hips = rotate(pelvis, skeleton.offsets[skeleton.index(f"{side}UpLeg")])
    across = (score.feet[side].ankles - score.pelvis - hips)[:, [0, 2]]
    room = np.sqrt(np.maximum(longest**2 - np.sum(across**2, axis=1), 0.0))
    return score.feet[side].ankles[:, 1] + room - hips[:, 1]
