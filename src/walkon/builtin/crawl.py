"""A person crawls on hands and knees.

Each hand goes down a little before the knee of the other side, as most people crawl. Thighs do not stretch, so
the hips ride up and down over the planted knees, and the pelvis rolls to let each knee pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.builtin.footwork import SIDES, Plant, follow_points
from walkon.builtin.human import ELBOW_HINGES, KNEE_HINGE, look, pose_trunk
from walkon.builtin.keyframes import Keys, cycle_channels, sequence
from walkon.builtin.posing import Poser, mirrored, turned
from walkon.builtin.skeletons import human_skeleton, stature_ratio
from walkon.builtin.timing import checked, cycle_times
from walkon.motion import Clip, Contacts, Label
from walkon.rotations import multiply, rotate
from walkon.skeleton import Skeleton

Array = NDArray[np.float64]

CRAWL_SPEED = 0.45
"""Unhurried crawling speed of an adult [m/s]."""

PERIOD = 1.15
"""Seconds from one plant of the left knee to the next at that speed."""

SLOWEST, FASTEST = 0.2, 0.6
"""Speeds [m/s] of a person of 1.75 m at which thighs and arms can still follow."""

DUTY = 0.60
"""Share of the cycle that a knee or a hand rests on the ground."""

TILT = 86.0
"""Degrees the pelvis is tipped forward: nearly lying."""

INSTEP = 72.0
"""Degrees the feet are stretched back so that the instep drags over the ground."""

SOLVER_ROUNDS = 4
"""Each round leaves about a hundredth of what hips and knees still miss each other by, some centimetres."""


@dataclass(frozen=True)
class Limb:
    """Where and when hands or knees are set down; metres for a stature of 1.75.

    height: of the joint at rest. apart: from the middle. ahead: before the pelvis at its default speed.
    lift: by fraction of the swing. late: phase of the cycle at which each side is set down.
    """

    height: float
    apart: float
    ahead: float
    lift: Keys
    late: Mapping[str, float]


KNEE = Limb(0.076, 0.11, 0.11, {0.5: 0.022}, {"Left": 0.0, "Right": 0.5})
HAND = Limb(0.052, 0.17, 0.61, {0.4: 0.10, 0.75: 0.06}, {"Left": 0.40, "Right": 0.90})

ANKLE_HEIGHT = 0.056
ANKLE_LIFT = {0.0: 0.0, 0.4: 0.07, 0.75: 0.05, 1.0: 0.0}
"""Height of the ankle at rest, and above that by fraction of its knee's swing [m]."""

FINGERS_DOWN = {0.0: 9.6, 0.12: 16.0, 0.45: 56.0, 0.80: 10.0, 0.92: 0.0, 1.0: 9.6}
"""Degrees the fingers point down, by fraction of the hand's swing."""

# Degrees, by phase of the left knee. `turn` brings the right hip forward, `curve` bends the spine sideways, and
# `roll` turns the chest about its own length.
BODY = """
phase  turn  bend  curve  roll  nod
0.00    -5    -8    -8    -3    46
0.25     0    -6     0     0    43
0.50     5    -8     8     3    46
0.75     0    -6     0     0    43
"""


def make_crawl(
    skeleton: Skeleton | None = None, *, speed: float | None = None, cycles: int = 2, fps: float = 30.0
) -> Clip:
    """A person crawls along +z at `speed` [m/s] for so many cycles of two steps; loops without a seam."""
    skeleton = skeleton or human_skeleton()
    scale = stature_ratio(skeleton)
    froude = np.sqrt(scale)
    speed = checked("crawling speed", speed, CRAWL_SPEED * froude, (SLOWEST * froude, FASTEST * froude), "m/s")
    # Who crawls faster makes longer strides and quicker ones, in equal parts.
    period, times = cycle_times(PERIOD * np.sqrt(CRAWL_SPEED / speed * scale * froude), cycles, fps)
    paths = {
        side + part: _path(limb, side, speed * period, period, scale, cycles, times)
        for part, limb in (("Leg", KNEE), ("Hand", HAND))
        for side in SIDES
    }
    poser = Poser(skeleton, np.stack([np.zeros(len(times)), np.full(len(times), 0.5), speed * times], axis=1))
    _pose_trunk_over_knees(poser, times / period, {side: paths[side + "Leg"][0] for side in SIDES})
    for side in SIDES:
        _pose_leg(poser, side, paths[side + "Leg"][0], _swing(times / period - KNEE.late[side]), scale)
        _pose_arm(poser, side, paths[side + "Hand"][0], _swing(times / period - HAND.late[side]))
    contacts = Contacts(tuple(paths), np.stack([resting for _, resting in paths.values()], axis=1))
    return poser.clip("crawl", fps, contacts, [Label("crawl", 0, len(times))])


def _path(
    limb: Limb, side: str, stride: float, period: float, scale: float, cycles: int, times: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Path (F, 3) [m] of one knee or wrist, and when it rests (F,)."""
    late, out = limb.late[side], 1.0 if side == "Left" else -1.0
    # Longer strides reach out before as much as they trail behind.
    ahead = scale * limb.ahead + 0.5 * DUTY * (stride - scale * CRAWL_SPEED * PERIOD)
    plants = [
        Plant(
            start=(n + late) * period,
            stop=(n + late + DUTY) * period,
            x=out * scale * limb.apart,
            z=(n + late) * stride + ahead,
            y=scale * limb.height,
        )
        for n in range(-2, cycles + 1)
    ]
    return follow_points(plants, times, {fraction: scale * up for fraction, up in limb.lift.items()})


def _swing(phase: Array) -> Array:
    """Fraction (F,) of the swing at phases since a limb was set down; 0 while it rests."""
    return np.clip((np.mod(phase, 1.0) - DUTY) / (1.0 - DUTY), 0.0, 1.0)


def _pose_trunk_over_knees(poser: Poser, phase: Array, knees: Mapping[str, Array]) -> None:
    """Roll and raise the pelvis until each hip is one thigh's length from its knee; then spine and head."""
    body = cycle_channels(BODY, phase)
    hips_apart = 2.0 * poser.skeleton.offsets[poser.skeleton.index("LeftUpLeg"), 0]
    roll = np.zeros(len(phase))
    for _ in range(SOLVER_ROUNDS):
        poser.turn("Hips", _rolled_pelvis(roll, body["turn"]))
        left, right = (_missing_height(poser, side, knees[side]) for side in SIDES)
        poser.root_positions[:, 1] += 0.5 * (left + right)
        roll += (left - right) / hips_apart
    pose_trunk(poser, _rolled_pelvis(roll, body["turn"]), body["bend"], body["roll"], body["curve"])
    look(poser, turned(body["nod"]))


def _rolled_pelvis(roll: Array, turn: Array) -> Array:
    return multiply(turned(lean=np.degrees(roll)), turned(TILT, turn))


def _missing_height(poser: Poser, side: str, knees: Array) -> Array:
    """How much higher (F,) [m] a hip would have to be to stand on its knee."""
    hips, _ = poser.frame(f"{side}UpLeg")
    thigh = poser.skeleton.lengths[poser.skeleton.index(f"{side}Leg")]
    across = np.linalg.norm((hips - knees)[:, [0, 2]], axis=1)
    return knees[:, 1] + np.sqrt(thigh**2 - across**2) - hips[:, 1]


def _pose_leg(poser: Poser, side: str, knees: Array, swing: Array, scale: float) -> None:
    """Lay the shin behind its knee."""
    shin = poser.skeleton.lengths[poser.skeleton.index(f"{side}Foot")]
    drop = scale * (ANKLE_HEIGHT + sequence(ANKLE_LIFT)(swing)) - knees[:, 1]
    ankles = knees + np.stack([np.zeros(len(drop)), drop, -np.sqrt(shin**2 - drop**2)], axis=1)
    hips, _ = poser.frame(f"{side}UpLeg")
    plane = np.cross(knees - hips, ankles - knees)
    poser.reach(f"{side}UpLeg", f"{side}Leg", f"{side}Foot", ankles, KNEE_HINGE, plane)
    poser.turn(f"{side}Foot", turned(bend=INSTEP))


def _pose_arm(poser: Poser, side: str, wrists: Array, swing: Array) -> None:
    """Elbow back and a little out, palm on the ground, fingers forward."""
    hinge = rotate(turned(turn=-40.0), np.array([-1.0, 0.0, 0.0]))
    palm = multiply(turned(bend=sequence(FINGERS_DOWN)(swing)), turned(turn=-84.0))
    if side == "Right":
        hinge, palm = hinge * np.array([1.0, -1.0, -1.0]), mirrored(palm)
    poser.reach(f"{side}Arm", f"{side}ForeArm", f"{side}Hand", wrists, ELBOW_HINGES[side], hinge)
    poser.face(f"{side}Hand", palm)
