"""A person crawls on hands and knees.

Each hand goes down a little before the knee of the other side, as most people crawl. Thighs do not stretch, so
the hips ride up and down over the planted knees, and the pelvis rolls to let each knee pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.builtin.actions.all_fours import (
    KneelingLeg,
    bone_length,
    lay_shin,
    lean_on_hand,
    pose_leg,
    settle_pelvis,
)
from walkon.builtin.footwork import OUTWARDS, SIDES, Plant, follow_points, track_of
from walkon.builtin.human import human_feet, look, pose_trunk
from walkon.builtin.keyframes import Keys, cycle_channels, scaled, sequence
from walkon.builtin.posing import Poser, turned
from walkon.builtin.skeletons import human_skeleton, stature_ratio
from walkon.builtin.timing import checked, cycle_times
from walkon.motion import Clip, Contacts, Label
from walkon.skeleton import Skeleton

CRAWL_SPEED = 0.45
"""Unhurried crawling speed of an adult [m/s]."""

CRAWL_PERIOD = 1.15
"""Seconds from one plant of the left knee to the next at that speed."""

SLOWEST, FASTEST = 0.2, 0.6
"""Speeds [m/s] of a person of 1.75 m at which thighs and arms can still follow."""

CRAWL_DUTY = 0.60
"""Share of the cycle that a knee or a hand rests on the ground."""

TILT = 86.0
"""Degrees the pelvis is tipped forward: nearly lying."""

INSTEP = -162.0
"""Pitch of the feet [degrees]: the instep drags over the ground."""


@dataclass(frozen=True)
class CrawlLimb:
    """Where and when hands or knees are set down; metres for a stature of 1.75.

    height: of the joint at rest. apart: from the middle. ahead: before the pelvis at its default speed.
    lift: by fraction of the swing. late: phase of the cycle at which each side is set down.
    """

    height: float
    apart: float
    ahead: float
    lift: Keys
    late: Mapping[str, float]


KNEE = CrawlLimb(0.076, 0.11, 0.11, {0.5: 0.022}, {"Left": 0.0, "Right": 0.5})
HAND = CrawlLimb(0.052, 0.17, 0.61, {0.4: 0.10, 0.75: 0.06}, {"Left": 0.40, "Right": 0.90})

ANKLE_HEIGHT = 0.056
ANKLE_LIFT = {0.0: 0.0, 0.4: 0.07, 0.75: 0.05, 1.0: 0.0}
"""Height of the ankle at rest, and above that by fraction of its knee's swing [m]."""

FINGERS_DOWN = {0.0: 9.6, 0.12: 16.0, 0.45: 56.0, 0.80: 10.0, 0.92: 0.0, 1.0: 9.6}
"""Degrees the fingers point down, by fraction of the hand's swing."""

# Degrees, by phase of the left knee. `turn` brings the right hip forward, `curve` bends the spine sideways, and
# `roll` turns the chest about its own length.
CRAWL_BODY = """
phase  turn  bend  curve  roll  nod
0.00    -5    -8    -8    -3    46
0.25     0    -6     0     0    43
0.50     5    -8     8     3    46
0.75     0    -6     0     0    43
"""


def make_crawl(
    skeleton: Skeleton | None = None, *, speed: float | None = None, cycles: int = 2, fps: float = 30.0
) -> Clip:
    """A person crawls along +z at `speed` [m/s] for a number of `cycles` of two steps; loops without a seam."""
    skeleton = skeleton or human_skeleton()
    scale = stature_ratio(skeleton)
    froude = np.sqrt(scale)
    speed = checked("crawling speed", speed, CRAWL_SPEED * froude, (SLOWEST * froude, FASTEST * froude), "m/s")
    # Who crawls faster makes longer strides and quicker ones, in equal parts.
    period, times = cycle_times(CRAWL_PERIOD * np.sqrt(CRAWL_SPEED / speed * scale * froude), cycles, fps)
    paths = {
        side + part: _path(limb, side, speed * period, period, scale, cycles, times)
        for part, limb in (("Leg", KNEE), ("Hand", HAND))
        for side in SIDES
    }
    phase = times / period
    legs = {side: _leg(skeleton, side, paths[side + "Leg"][0], phase, scale) for side in SIDES}
    poser = Poser(skeleton, np.stack([np.zeros(len(times)), np.full(len(times), 0.5), speed * times], axis=1))
    _pose_trunk_over_knees(poser, phase, legs)
    for side in SIDES:
        pose_leg(poser, side, legs[side])
        fingers = sequence(FINGERS_DOWN)(_swing(phase - HAND.late[side]))
        lean_on_hand(poser, side, paths[side + "Hand"][0], fingers, np.ones(len(times)))
    contacts = Contacts(tuple(paths), np.stack([resting for _, resting in paths.values()], axis=1))
    return poser.clip("crawl", fps, contacts, [Label("crawl", 0, len(times))])


def _path(
    limb: CrawlLimb, side: str, stride: float, period: float, scale: float, cycles: int, times: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Path (F, 3) [m] of one knee or wrist, and when it rests (F,)."""
    late, out = limb.late[side], OUTWARDS[side]
    # Longer strides reach out before as much as they trail behind.
    ahead = scale * limb.ahead + 0.5 * CRAWL_DUTY * (stride - scale * CRAWL_SPEED * CRAWL_PERIOD)
    plants = [
        Plant(
            start=(n + late) * period,
            stop=(n + late + CRAWL_DUTY) * period,
            x=out * scale * limb.apart,
            z=(n + late) * stride + ahead,
            y=scale * limb.height,
        )
        for n in range(-2, cycles + 1)
    ]
    return follow_points(plants, times, scaled(limb.lift, scale))


def _swing(phase: Array) -> Array:
    """Fraction (F,) of the swing at phases since a limb was set down; 0 while it rests."""
    return np.clip((np.mod(phase, 1.0) - CRAWL_DUTY) / (1.0 - CRAWL_DUTY), 0.0, 1.0)


def _leg(skeleton: Skeleton, side: str, knees: Array, phase: Array, scale: float) -> KneelingLeg:
    """A leg that kneels all the time, its shin behind its knee."""
    lifted = sequence(ANKLE_LIFT)(_swing(phase - KNEE.late[side]))
    ankles = lay_shin(knees, scale * (ANKLE_HEIGHT + lifted), 0.0, bone_length(skeleton, f"{side}Foot"))
    rest = np.zeros(len(phase))
    foot = human_feet(skeleton)[side]
    track = track_of(foot, ankles, rest, rest + INSTEP, relax=rest, standing=rest > 0.0)
    return KneelingLeg(track, knees, kneeling=rest + 1.0, knee_out=rest)


def _pose_trunk_over_knees(poser: Poser, phase: Array, legs: Mapping[str, KneelingLeg]) -> None:
    """Carry the pelvis over the knees; then spine and head."""
    body = cycle_channels(CRAWL_BODY, phase)
    rest = np.zeros(len(phase))
    pelvis = settle_pelvis(poser, rest, rest + TILT, body["turn"], legs)
    pose_trunk(poser, pelvis, body["bend"], body["roll"], body["curve"])
    look(poser, turned(body["nod"]))
