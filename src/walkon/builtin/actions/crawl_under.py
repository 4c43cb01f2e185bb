"""Crawling under something low, from standing to standing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.behaviors import MARGIN, BehaviorClip
from walkon.builtin.actions.all_fours import KneelingLeg, bone_length, lean_on_hand, pose_leg, settle_pelvis
from walkon.builtin.actions.crawl_legs import left_leg, right_leg
from walkon.builtin.actions.crawl_timetable import (
    CRAWL,
    FOOT_FORWARD,
    HAND_HEIGHT,
    HANDS_DOWN,
    HANDS_UP,
    KNEE_HEIGHT,
    PERIOD,
    SWING,
    Timetable,
)
from walkon.builtin.actions.layers import PLAIN, Manner, table_curves
from walkon.builtin.footwork import SIDES, Plant, follow_points, join_contacts
from walkon.builtin.gait.standing import STANDING_HEAD, standing_arm, standing_pelvis, standing_trunk
from walkon.builtin.human import look, pose_arm, pose_trunk
from walkon.builtin.keyframes import cycle_channels, scaled, sequence
from walkon.builtin.performer import Performer
from walkon.builtin.posing import Poser, turned
from walkon.builtin.score import envelope
from walkon.motion import Contacts, Label, mirror
from walkon.skeleton import build_body

OPENING = 0.85
"""Height [m] of what is crawled under, whoever crawls."""

CYCLES = 3
"""Cycles of the crawl: enough to bring head, hips and feet through one after the other."""

UNDER = 0.35
"""Where in the crawl the hips pass under the obstacle's middle, as a share still to come."""

ARM_REACH = 0.865
"""Share of the arm's length that the shoulders are above the hands: elbows eased."""

KEYED_SLOPE = 80.0
"""Degrees the line from pelvis to shoulders is tipped forward in the keys below."""

HAND_LIFT = {0.4: 0.10, 0.75: 0.06}
"""Height [m] of a hand above the line between two rests, by fraction of its way."""

# `height` is a share of the standing pelvis', the rest are degrees added to the standing pose; `hike` raises the
# left hip. Times are after the start, and after the last landing of the right knee.
DOWN = """
time  height  tilt  bend  gaze  swing elbow hike
0.00  1.000    0     0      0    0     0     0
0.30  0.976    7     6      6    4     4     .
0.62  0.835   26    20     14   24    14     .
1.05  0.585   60    34     34   44    14     .
1.42  0.522   80     9     50   44    14     .
1.75  0.522   83    -4     52   44    14     0
"""
UP = """
time  height  tilt  bend  gaze  swing elbow hike
0.00  0.522   83    -4     52   44    14     0
0.26  .        .     .      .    .     .    15
0.40  0.522   85    -5     44   50    30     .
0.70  0.522   79     2     34   58    44     4
1.06  0.501   62    16     22   58    50     0
1.48  0.668   42    18     12   32    30     .
2.04  0.940   13     6      4    0     6     .
2.40  0.999   -1    -1     -1   -3     1     .
2.75  1.000    0     0      0    0     0     0
"""
# By phase of the left knee: `turn` brings the right hip forward, `curve` bends the spine sideways, `roll` turns
# the chest about its own length.
CRAWL_SWAY = """
phase  turn  bend  curve  roll  nod
0.00    -5    -2    -8    -3     2
0.25     0     0     0     0    -1
0.50     5    -2     8     3     2
0.75     0     0     0     0    -1
"""


def crawl_under(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    cycles: int = CYCLES,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody who stands gets down, crawls along +z under something low, and stands again.

    The size of the manner is that of the sway of hips and spine; its lead is the side that kneels first. The
    action is when the hips are under the obstacle's middle.
    """
    table = Timetable(performer, cycles)
    tempo = table.tempo / manner.pace
    frames = int(np.ceil(table.end * tempo * fps))
    times = np.arange(-margin, frames + margin + 1) / (fps * tempo)
    legs, rests = {}, {}
    for side, leg_of in (("Left", left_leg), ("Right", right_leg)):
        legs[side], rests[f"{side}Leg"] = leg_of(table, times)
    poser = _pose_trunk(table, times, legs, manner.size)
    for side in SIDES:
        pose_leg(poser, side, legs[side])
        rests[f"{side}Hand"] = _pose_arm(poser, table, side, times)
    feet = join_contacts([legs[side].track for side in SIDES])
    planted = np.concatenate([feet.planted, np.stack(list(rests.values()), axis=1)], axis=1)
    clip = poser.clip("crawl_under", fps, Contacts((*feet.joints, *rests), planted), _labels(table, times))
    return BehaviorClip(mirror(clip) if manner.lead == "Left" else clip, margin, _under(table) * tempo)


def _labels(table: Timetable, times: Array) -> list[Label]:
    """The whole, and its three parts: down, crawl, up."""
    down, up = (int(np.searchsorted(times, moment)) for moment in (CRAWL, table.landed))
    parts = [Label("down", 0, down), Label("crawl", down, up), Label("up", up, len(times))]
    return [Label("crawl_under", 0, len(times)), *parts]


def _under(table: Timetable) -> float:
    """When the pelvis is under the middle of the obstacle: head and hands are well beyond it."""
    return UNDER * CRAWL + (1.0 - UNDER) * (table.landed + FOOT_FORWARD[1])


def _pose_trunk(table: Timetable, times: Array, legs: Mapping[str, KneelingLeg], sway: float) -> Poser:
    """Pelvis, spine, head, and arms as they are when no hand is down."""
    performer, landed = table.performer, table.landed
    down, up = table_curves(DOWN), table_curves(UP)
    middle = 0.5 * (CRAWL + landed)
    body = {name: np.where(times < middle, down[name](times), up[name](times - landed)) for name in down}
    phase = (times - CRAWL - 0.5 * PERIOD - SWING) / PERIOD
    crawling = sway * envelope(times, 1.5, 2.2, landed - 0.1, landed + 0.5)
    swung = {name: crawling * change for name, change in cycle_channels(CRAWL_SWAY, phase).items()}
    trunk, stooping = standing_trunk(performer), envelope(times, 0.3, 1.3, landed + 0.5, landed + 1.5)
    height = standing_pelvis(performer)[1] * body["height"]
    poser = Poser(
        performer.skeleton(), np.stack([np.zeros(len(times)), height, table.pelvis_ahead(times)], axis=1)
    )
    tilt = trunk["tilt"] + body["tilt"] + _stoop(table) * stooping
    pelvis = settle_pelvis(poser, body["hike"], tilt, swung["turn"], legs)
    pose_trunk(poser, pelvis, trunk["bend"] + body["bend"] + swung["bend"], swung["roll"], swung["curve"])
    look(poser, turned(STANDING_HEAD["gaze"] + body["gaze"] + swung["nod"]))
    arm = standing_arm(performer)
    hanging = {**arm, "swing": arm["swing"] + body["swing"], "elbow": arm["elbow"] + body["elbow"]}
    for side in SIDES:
        pose_arm(poser, side, **hanging)
    return poser


def _stoop(table: Timetable) -> float:
    """Degrees that the trunk must be tipped further than the keys say for the arms to reach the ground."""
    skeleton, scale = table.performer.skeleton(), table.scale
    arm = bone_length(skeleton, "LeftForeArm") + bone_length(skeleton, "LeftHand")
    trunk = skeleton.rest_positions[skeleton.index("LeftArm"), 1]
    pelvis = scale * KNEE_HEIGHT + 0.985 * bone_length(skeleton, "LeftLeg")
    return float(np.degrees(np.arccos((ARM_REACH * arm + scale * HAND_HEIGHT - pelvis) / trunk))) - KEYED_SLOPE


def _pose_arm(poser: Poser, table: Timetable, side: str, times: Array) -> NDArray[np.bool_]:
    """Bring a hand down, crawl with it and take it up; gives when it rests on the ground (F,)."""
    scale = table.scale
    touch, lift = HANDS_DOWN[side], table.landed + HANDS_UP[side]
    plants = table.hand_plants(side)
    first, last = plants[0], plants[-1]
    # Half-way between hanging and the ground, so that the hand comes from above.
    above = Plant(-np.inf, touch - 0.55, 1.15 * first.x, first.z - 0.16 * scale, y=0.62 * scale)
    after = Plant(lift + 0.5, np.inf, 1.15 * last.x, last.z - 0.10 * scale, y=0.60 * scale)
    wrists, resting = follow_points([above, *plants, after], times, scaled(HAND_LIFT, scale))
    weight = envelope(times, touch - 0.75, touch - 0.08, lift + 0.02, lift + 0.75)
    lean_on_hand(poser, side, wrists, _fingers_down(table, side, times), weight)
    return resting & (times >= touch) & (times <= lift)


def _fingers_down(table: Timetable, side: str, times: Array) -> Array:
    """Degrees (F,) the fingers point down: their tips touch the ground while the hand rests, and hang between."""
    skeleton = table.performer.skeleton()
    body = build_body(skeleton)
    tip = float(body.radii[body.ends == skeleton.index(f"{side}HandTip")][0])
    drop = (table.scale * HAND_HEIGHT - tip) / bone_length(skeleton, f"{side}HandTip")
    flat = float(np.degrees(np.arcsin(drop)))
    touch, lift = HANDS_DOWN[side], table.landed + HANDS_UP[side]
    keys = {touch - 0.5: 60.0, touch - 0.04: flat - 6, touch: flat}
    for leave, land in table.hand_steps(side):
        keys |= {leave: flat, leave + 0.12 * SWING: flat + 2, leave + 0.45 * SWING: 50.0}
        keys |= {leave + 0.8 * SWING: 10.0, leave + 0.92 * SWING: flat - 6, land: flat}
    return sequence(keys | {lift: flat, lift + 0.06: flat + 2, lift + 0.35: 35.0})(times)
