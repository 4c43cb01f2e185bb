"""The body above the feet of a gait: pelvis, trunk, head and arms by phase and speed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from walkon.basics import Array
from walkon.builtin.falling import GRAVITY
from walkon.builtin.footwork import SIDES, FootTrack
from walkon.builtin.gait.course import Course, CourseMoments
from walkon.builtin.gait.feet import LANDING_PHASE
from walkon.builtin.gait.standing import PELVIS_AHEAD, STANDING_HEAD, standing_arm, standing_pelvis, standing_trunk
from walkon.builtin.gait.waves import RUN_ARM, RUN_BODY, WALK_ARM, WALK_BODY, Wave, gait_waves
from walkon.builtin.performer import Performer
from walkon.builtin.posing import turned
from walkon.builtin.score import ARM_CHANNELS
from walkon.rotations import multiply, rotate, rotation_about_y

TRUNK = ("tilt", "list", "turn", "bend", "twist", "lean")
"""Channels of pelvis and spine."""

BANK = 0.8
"""How much of the lean that would balance a curve a body takes on."""

LOOK_AHEAD = 0.35
"""Seconds by which the head is ahead of the body in a turn."""

DRIVE = 0.35
"""How much of the lean that would balance speeding up pelvis and spine each take on."""

LONGEST_LEG = 0.997
"""Share of its length to which a leg is stretched at most: a knee bent by 9 degrees."""

SWINGING_LEG, DRAW = 0.992, 0.004
"""Share of its length to which a leg in the air is stretched, and over how much that is felt."""

FREE_FOOT_SLACK = 0.1
"""Share of its length by which a foot in the air may be out of reach, to be drawn in."""

YIELD = 0.004
"""Metres over which the pelvis gives way to legs that are nearly stretched."""


@dataclass(frozen=True)
class UpperBody:
    """Channels of the body over F frames but the height of the pelvis; as in `Score`."""

    moments: CourseMoments
    trunk: Mapping[str, Array]
    head: Mapping[str, Array]
    arms: Mapping[str, Mapping[str, Array]]
    ground: Array
    bank: Array


def carry(performer: Performer, course: Course, times: Array) -> UpperBody:
    """Trunk, head and arms on a course at times (F,) [s]; `ground` (F, 3) [m] is the point below the pelvis."""
    now, rates = course.at(times), course.rates(times)
    body = gait_waves(WALK_BODY, RUN_BODY, now.phase, now.pace, now.running)
    bank = course.banking * BANK * np.arctan(now.speed * rates.heading / GRAVITY)
    trunk = _trunk(performer, body, now, rates, np.degrees(bank))
    ahead = np.degrees(LOOK_AHEAD * rates.heading)
    head = {"gaze": _standing(STANDING_HEAD["gaze"], body["gaze"].mean, now), "look": ahead}
    sway, surge = (now.stepping * performer.leg * body[name].motion for name in ("sway", "surge"))
    # A body that leans into a curve tips about its feet.
    inwards = standing_pelvis(performer)[1] * np.sin(bank)
    offset = np.stack([sway + inwards, np.zeros(len(times)), PELVIS_AHEAD * performer.scale + surge], axis=1)
    ground = now.in_world(offset)
    arms = {side: _arm(performer, now, LANDING_PHASE[side]) for side in SIDES}
    return UpperBody(now, trunk, head, arms, ground, bank)


def _standing(still: float | Array, moving: Array, now: CourseMoments) -> Array:
    """From a channel of standing to one of the gait."""
    return still + now.stepping * (moving - still)


def _trunk(
    performer: Performer, body: Mapping[str, Wave], now: CourseMoments, rates: CourseMoments, bank: Array
) -> dict[str, Array]:
    """Channels of pelvis and spine; who turns leans inwards, who speeds up leans forward."""
    still, stretch = standing_trunk(performer), np.clip(now.stretch, 0.5, 1.2)
    trunk = {name: _standing(still[name], body[name].scaled(stretch), now) for name in TRUNK}
    drive = DRIVE * np.degrees(np.arctan(rates.speed / GRAVITY))
    trunk["tilt"] = trunk["tilt"] + drive
    trunk["bend"] = trunk["bend"] + drive + now.stepping * 0.5 * performer.style.lean
    trunk["list"] = trunk["list"] - 0.75 * bank
    trunk["lean"] = trunk["lean"] - 0.25 * bank
    trunk["twist"] = trunk["twist"] + 0.2 * np.degrees(LOOK_AHEAD * rates.heading)
    return trunk


def _arm(performer: Performer, now: CourseMoments, late: float) -> dict[str, Array]:
    waves = gait_waves(WALK_ARM, RUN_ARM, now.phase - late, now.pace, now.running)
    style, stretch = performer.style, np.clip(now.stretch, 0.5, 1.2)
    # A running arm is bent for a reason: style has less of a say.
    bent = style.elbow_bend ** (1.0 - 0.6 * now.running)
    amounts = dict.fromkeys(ARM_CHANNELS, stretch) | {"swing": style.arm_swing * stretch}
    still = standing_arm(performer)
    arm = {}
    for name in ARM_CHANNELS:
        moving = waves[name].scaled(amounts[name]) if name in waves else np.zeros(len(now.phase))
        arm[name] = _standing(still[name], moving * bent if name == "elbow" else moving, now)
    return arm


def within_reach(
    performer: Performer, carriage: UpperBody, heights: Array, feet: Mapping[str, tuple[FootTrack, Array]]
) -> tuple[Array, dict[str, FootTrack]]:
    """Pelvis heights (F,) [m] and feet that legs can span, from heights and feet (with how free each is).

    The pelvis comes down softly to where planted feet are in reach; feet in the air are drawn in.
    """
    hips = {side: _hip(performer, carriage, side) for side in SIDES}
    load = np.zeros(len(heights))
    for side, (track, free) in feet.items():
        across = track.ankles - hips[side]
        span = LONGEST_LEG + FREE_FOOT_SLACK * free**2
        room = np.sqrt(np.maximum((span * performer.leg) ** 2 - across[:, 0] ** 2 - across[:, 2] ** 2, 1e-4))
        load += np.exp((heights - (across[:, 1] + room)) / YIELD)
    heights = heights - carriage.moments.stepping * YIELD * np.log1p(load)
    up = heights[:, None] * np.array([0.0, 1.0, 0.0])
    return heights, {side: _drawn_in(performer, *feet[side], hips[side] + up) for side in SIDES}


def _hip(performer: Performer, carriage: UpperBody, side: str) -> Array:
    """Where a hip (F, 3) [m] would be if the pelvis were on the ground."""
    skeleton, trunk = performer.skeleton(), carriage.trunk
    hip = skeleton.offsets[skeleton.index(f"{side}UpLeg")]
    tipped = turned(trunk["tilt"], trunk["turn"], trunk["list"])
    return carriage.ground + rotate(multiply(rotation_about_y(carriage.moments.heading), tipped), hip)


def _drawn_in(performer: Performer, track: FootTrack, free: Array, hips: Array) -> FootTrack:
    """The foot brought nearer to its hip where it swings out of reach."""
    to_ankle = track.ankles - hips
    away = np.linalg.norm(to_ankle, axis=1) / performer.leg
    excess = DRAW * np.logaddexp(0.0, (away - SWINGING_LEG) / DRAW)
    drawn = (1.0 - (1.0 - free) ** 3) * excess / away
    return replace(track, ankles=track.ankles - drawn[:, None] * to_ankle)
