"""Making oneself narrow: shoulders turned while the feet step along the way, or the whole body turned to it.

A layer on a score, by how much of it there is at every moment. All that sticks out of a walking body to the sides
is taken back: hips and shoulders are turned, arms hang close, the pelvis sways less, knees point along the way.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.basics import Array
from walkon.builtin.actions.reach import within_reach
from walkon.builtin.footwork import OUTWARDS, SIDES
from walkon.builtin.score import Score

CLOSE_ARM = {"swing": 0.0, "spread": 2.0, "inward": 16.0, "elbow": 8.0, "wrist": 2.0}
"""Degrees of an arm that is held close to the body. With four more of swing, a hand would stick out."""

HIPS_FOLLOW = 0.5
"""Share of the shoulders' turn that the hips make. With less the spine is wrung, with more legs walk askew."""

STEADIER = 0.6
"""Share by which the pelvis sways less from foot to foot."""

KNEE_LIFTED = 52.0
"""Degrees by which the knee of a lifted foot points further outwards in sidling, where there is no room before it:
fifteen less, and the body is 3 cm deeper."""

HEAD_TURN = 62.0
"""Degrees by which who sidles looks along the way. With more the neck is wrung."""


def turn_shoulders(score: Score, degrees: float, share: Array) -> Score:
    """A slow walk along +z with the shoulders turned to the left by a `share` (F,) of so many degrees."""
    hips = HIPS_FOLLOW * degrees * share
    steadier = -STEADIER * share * score.pelvis[:, 0]
    turned = score.plus(
        turn=hips,
        twist=degrees * share - hips,
        pelvis=steadier[:, None] * np.array([1.0, 0.0, 0.0]),
    )
    # Knees point halfway between hips and feet; now they point where the feet do.
    knees = {side: score.knee_out[side] - 0.5 * hips * OUTWARDS[side] for side in SIDES}
    return within_reach(_with_close_arms(replace(turned, knee_out=knees), share), share)


def look_left(score: Score, share: Array) -> Score:
    """Side steps to the left, eyes on the way, and nothing that sticks out to the front: a `share` (F,) of it."""
    knees = {side: score.knee_out[side] + KNEE_LIFTED * share * _lifted(score, side) for side in SIDES}
    return _with_close_arms(replace(score, knee_out=knees).plus(look=HEAD_TURN * share), share)


def _lifted(score: Score, side: str) -> Array:
    """How high a foot is (F,): 0 on the ground, 1 where it is highest."""
    heights = score.feet[side].ankles[:, 1]
    return (heights - heights.min()) / max(float(np.ptp(heights)), 1e-6)


def _with_close_arms(score: Score, share: Array) -> Score:
    for side in SIDES:
        score = score.arm_towards(side, share, **CLOSE_ARM)
    return score
