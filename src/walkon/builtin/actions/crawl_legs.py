"""The legs of somebody who squats, kneels, crawls and gets up again.

Each foot goes through three stretches: it stands, then lies behind a knee that crawls, then stands again. A knee
first touches down before a foot that stands on its toes, so the first place of the knee is given by the foot.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.builtin.actions.all_fours import KneelingLeg, bone_length, kneel_before, lay_shin
from walkon.builtin.actions.crawl_timetable import (
    FOOT_BESIDE,
    FOOT_FORWARD,
    KNEE_HEIGHT,
    KNEE_UP,
    KNEES_DOWN,
    SQUAT_STEP,
    SWING,
    Timetable,
)
from walkon.builtin.footwork import (
    FootShape,
    Plant,
    Swing,
    follow_plants,
    follow_points,
    planted_ankle,
    track_of,
    travel,
)
from walkon.builtin.gait.standing import standing_plant
from walkon.builtin.human import human_feet
from walkon.builtin.keyframes import Curve, ease, scaled, sequence

SQUAT_STEP_LENGTH = 0.16
"""How far the left foot steps forward before the squat [m]."""

TUCKED, INSTEP = -75.0, -162.0
"""Pitch [degrees] of a kneeling foot on its toes, and of one lying on its instep."""

ANKLE_HEIGHT = 0.056
"""Height [m] of an ankle whose instep lies on the ground."""

KNEE_LIFT = {0.5: 0.022}
"""Height [m] of a knee above the line between two rests, by fraction of its way."""

ANKLE_LIFT, UNTUCK_LIFT = 0.12, 0.235
"""How high [m] an ankle goes while its knee steps, and while its toes pass below it."""

KNEEL_TIME = 0.4
"""Seconds in which the pelvis comes to suit a knee that is about to touch down."""

# Fraction of the way -> height of the ankle above the ground [m], or above flat.
SQUAT_LIFT = {0.3: 0.085, 0.6: 0.06, 0.85: 0.02}
FORWARD_HEIGHT = {0.14: 0.17, 0.28: 0.25, 0.5: 0.27, 0.8: 0.13}
BESIDE_LIFT = {0.3: 0.15, 0.6: 0.10, 0.85: 0.03}


def right_leg(table: Timetable, times: Array) -> tuple[KneelingLeg, NDArray[np.bool_]]:
    """The leg that kneels first and stands up last, and when its knee rests on the ground (F,)."""
    foot, shin, start = _parts(table, "Right")
    (leave, _), *_, (last_leave, landed) = table.knee_steps("Right")
    off, beside = (landed + moment for moment in FOOT_BESIDE)
    pitch = sequence(
        {0.50: 0, 0.80: -28, 1.25: TUCKED}
        | {leave: TUCKED, leave + 0.7 * SWING: INSTEP}
        | {last_leave + 0.2 * SWING: INSTEP, landed: TUCKED, landed + KNEE_UP: TUCKED}
        | {off - 0.18: TUCKED + 6, off: -70, off + 0.12: -62, beside - 0.13: 0, beside - 0.05: 6, beside: 4}
        | {beside + 0.09: 0}
    )
    heading = sequence(
        {leave: start.heading, leave + SWING: 0, last_leave: 0, landed: 0.5 * start.heading}
        | {off: 0.5 * start.heading, beside: start.heading}
    )
    relax = sequence({leave: 1, leave + 0.4 * SWING: 0, landed - 0.3 * SWING: 0, landed: 1, off: 1, off + 0.17: 0})
    tucked = planted_ankle(foot, start, np.array(TUCKED))
    plants = table.knee_plants("Right", kneel_before(tucked, table.scale * KNEE_HEIGHT, start.heading, shin))
    knees, resting = follow_points(plants, times, scaled(KNEE_LIFT, table.scale))
    behind = lay_shin(knees, _ankle_height(table, "Right", tucked[1])(times), heading(times), shin)
    again = _tucked_behind(foot, plants[-1], tucked[1], float(heading(landed)), shin)
    last = [
        Plant(landed, off, again[0], again[1], float(heading(landed))),
        Plant(beside, np.inf, start.x, table.distance, start.heading),
    ]
    up = follow_plants(foot, last, pitch, times, Swing(scaled(BESIDE_LIFT, table.scale)))
    ankles = _pieced(times, (leave, landed), (planted_ankle(foot, start, pitch(times)), behind, up.ankles))
    standing = (times <= leave) | ((times >= landed) & (times <= off)) | (times >= beside)
    track = track_of(foot, ankles, heading(times), pitch(times), relax(times), standing)
    kneeling = _kneeling(times, KNEES_DOWN["Right"], landed + KNEE_UP, rise=0.5)
    rests = resting & (times >= KNEES_DOWN["Right"]) & (times <= landed + KNEE_UP)
    return KneelingLeg(track, knees, kneeling, sequence({0.2: 0, 1.0: 14, 1.4: 4, 1.6: 0})(times)), rests


def left_leg(table: Timetable, times: Array) -> tuple[KneelingLeg, NDArray[np.bool_]]:
    """The leg that steps first, kneels last and comes forward first, and when its knee rests (F,)."""
    foot, shin, start = _parts(table, "Left")
    leave = table.knee_steps("Left")[0][0]
    lift, down = (table.landed + moment for moment in FOOT_FORWARD)
    span = down - lift
    pitch = sequence(
        {0.02: 0, SQUAT_STEP[0]: -24, 0.36: -28, 0.56: 3, SQUAT_STEP[1]: 4, 0.74: 0, 0.86: 0, 1.46: TUCKED}
        | {leave: TUCKED, leave + 0.7 * SWING: INSTEP, lift: INSTEP}
        | {lift + 0.35 * span: -95, lift + 0.72 * span: -10, down - 0.03: 6, down: 5, down + 0.08: 0}
    )
    heading = sequence({leave: start.heading, leave + SWING: 0, lift: 0, down: start.heading})
    relax = sequence({SQUAT_STEP[0]: 1, 0.48: 0, 0.56: 0, SQUAT_STEP[1]: 1, leave: 1, leave + 0.4 * SWING: 0})
    squat = Plant(SQUAT_STEP[1], np.inf, start.x, table.scale * SQUAT_STEP_LENGTH, start.heading)
    before = Plant(-np.inf, SQUAT_STEP[0], start.x, start.z, start.heading)
    entry = follow_plants(foot, [before, squat], pitch, times, Swing(scaled(SQUAT_LIFT, table.scale)))
    tucked = planted_ankle(foot, squat, np.array(TUCKED))
    plants = table.knee_plants("Left", kneel_before(tucked, table.scale * KNEE_HEIGHT, start.heading, shin))
    knees, resting = follow_points(plants, times, scaled(KNEE_LIFT, table.scale))
    behind = lay_shin(knees, _ankle_height(table, "Left", tucked[1])(times), heading(times), shin)
    final = Plant(down, np.inf, start.x, table.distance, start.heading)
    rest = lay_shin(_point(plants[-1]), table.scale * ANKLE_HEIGHT, 0.0, shin)
    forward = travel(
        lift,
        down,
        lambda time: np.broadcast_to(rest, (*np.shape(time), 3)),
        lambda time: planted_ankle(foot, final, pitch(time)),
        (None, scaled(FORWARD_HEIGHT, table.scale), None),
    )(np.clip(times, lift, down))
    stood = planted_ankle(foot, final, pitch(times))
    ankles = _pieced(times, (leave, lift, down), (entry.ankles, behind, forward, stood))
    standing = (times <= SQUAT_STEP[0]) | ((times >= SQUAT_STEP[1]) & (times <= leave)) | (times >= down)
    track = track_of(foot, ankles, heading(times), pitch(times), relax(times), standing)
    kneeling = _kneeling(times, KNEES_DOWN["Left"], lift, rise=0.22)
    # The thigh swings out to let the foot come forward under the body.
    out = {
        0.2: 0,
        1.0: 14,
        1.5: 4,
        1.7: 0,
        lift: 0,
        lift + 0.12: 45,
        lift + 0.3: 45,
        lift + 0.45: 26,
        down + 0.5: 0,
    }
    rests = resting & (times >= KNEES_DOWN["Left"]) & (times <= lift)
    return KneelingLeg(track, knees, kneeling, sequence(out)(times)), rests


def _parts(table: Timetable, side: str) -> tuple[FootShape, float, Plant]:
    """The foot, the length of the shin [m], and where the foot stands at first."""
    skeleton = table.performer.skeleton()
    return (
        human_feet(skeleton)[side],
        bone_length(skeleton, f"{side}Foot"),
        standing_plant(table.performer, side),
    )


def _kneeling(times: Array, down: float, up: float, rise: float) -> Array:
    """How much a leg kneels (F,): wholly from `down` to `up`, not at all `rise` [s] later."""
    return ease((times - down + KNEEL_TIME) / KNEEL_TIME) * (1.0 - ease((times - up) / rise))


def _ankle_height(table: Timetable, side: str, tucked: float) -> Curve:
    """Height of the ankle [m] behind its knee: toes untuck in the first step; the right ones tuck in the last."""
    rest, steps = table.scale * ANKLE_HEIGHT, table.knee_steps(side)
    high, higher = table.scale * ANKLE_LIFT, table.scale * UNTUCK_LIFT
    keys: dict[float, float] = {}
    for number, (leave, land) in enumerate(steps):
        if number == 0:
            keys |= {leave: tucked, leave + 0.3 * SWING: higher, leave + 0.6 * SWING: 0.85 * higher, land: rest}
        elif number == len(steps) - 1 and side == "Right":
            keys |= {leave: rest, leave + 0.4 * SWING: 0.85 * higher, leave + 0.7 * SWING: higher, land: tucked}
        else:
            keys |= {leave: rest, leave + 0.42 * SWING: high, land: rest}
    return sequence(keys)


def _tucked_behind(
    foot: FootShape, knee: Plant, height: float, heading: float, shin: float
) -> tuple[float, float]:
    """Where on the ground (x, z) [m] a foot stands on its toes whose shin lies behind a knee."""
    ankle = lay_shin(_point(knee), height, heading, shin)
    from_plant = planted_ankle(foot, Plant(0.0, 0.0, 0.0, 0.0, heading), np.array(TUCKED))
    return float(ankle[0] - from_plant[0]), float(ankle[2] - from_plant[2])


def _pieced(times: Array, ends: tuple[float, ...], paths: tuple[Array, ...]) -> Array:
    """One path (F, 3) until the first of the ends [s], the next until the second, and so on."""
    piece = np.searchsorted(np.array(ends), times)
    return np.stack(paths)[piece, np.arange(len(times))]


def _point(plant: Plant) -> Array:
    return np.array([plant.x, plant.y, plant.z])
