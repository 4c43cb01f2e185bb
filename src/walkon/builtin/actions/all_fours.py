"""A body on hands and knees, and every pose between that and standing.

A leg stands on its foot or kneels, or does something between. Thighs do not stretch: while a knee is down the hip
is exactly one thigh's length away from it, so the pelvis rises, falls and rolls over planted knees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.footwork import OUTWARDS, SIDES, FootTrack, set_foot
from walkon.builtin.human import ELBOW_HINGES, KNEE_HINGE, leg_joints
from walkon.builtin.posing import Poser, mirrored, turned
from walkon.rotations import multiply, rotate, slerp
from walkon.skeleton import Skeleton

KNEE_ROUNDS = 4
"""Each round leaves about a hundredth of what hips and knees still miss each other by, some centimetres."""


@dataclass(frozen=True)
class KneelingLeg:
    """One leg over F frames.

    track: its foot. knees: (F, 3) [m], where the knee kneels or will kneel. kneeling: (F,) from 0, the knee is
    wherever hip and foot put it, to 1, it is at `knees`.
    """

    track: FootTrack
    knees: Array
    kneeling: Array
    knee_out: Array


def lay_shin(knees: ArrayLike, height: ArrayLike, heading: ArrayLike, shin: float) -> Array:
    """Ankles (..., 3) [m] at `height` [m] behind knees (..., 3), the shin pointing forward to `heading` [rad]."""
    knees = np.asarray(knees, dtype=np.float64)
    drop = np.asarray(height) - knees[..., 1]
    back = np.sqrt(shin**2 - drop**2)
    return knees + np.stack(np.broadcast_arrays(-back * np.sin(heading), drop, -back * np.cos(heading)), axis=-1)


def kneel_before(ankle: Array, height: float, heading: float, shin: float) -> Array:
    """Where the knee is (3,) [m] at `height` [m] when the shin lies before an ankle (3,); undoes `lay_shin`."""
    drop = ankle[1] - height
    ahead = np.sqrt(shin**2 - drop**2)
    return ankle + np.array([ahead * np.sin(heading), -drop, ahead * np.cos(heading)])


def settle_pelvis(poser: Poser, hike: Array, tilt: Array, turn: Array, legs: Mapping[str, KneelingLeg]) -> Array:
    """Raise and roll the pelvis so that each hip suits its kneeling knee; gives the pelvis' rotations (F, 4).

    A pelvis may suit no knee, either or both: all four cases are solved, and the kneeling of the two legs says
    how much each counts.
    """
    left, right = (legs[side].kneeling for side in SIDES)
    cases = {
        (): (1.0 - left) * (1.0 - right),
        ("Left",): left * (1.0 - right),
        ("Right",): (1.0 - left) * right,
        SIDES: left * right,
    }
    height, roll = np.zeros(len(tilt)), np.zeros(len(tilt))
    keyed = poser.root_positions[:, 1].copy()
    for sides, weight in cases.items():
        if weight.any():
            raised, rolled = _suited(
                poser, np.radians(hike), tilt, turn, {side: legs[side].knees for side in sides}
            )
            height, roll = height + weight * raised, roll + weight * rolled
        poser.root_positions[:, 1] = keyed
    poser.root_positions[:, 1] += height
    return rolled_pelvis(roll, tilt, turn)


def rolled_pelvis(roll: ArrayLike, tilt: ArrayLike, turn: ArrayLike) -> Array:
    """Rotation (F, 4) of a pelvis turned and tilted [degrees], then rolled about the way it goes [rad]."""
    return multiply(turned(lean=np.degrees(roll)), turned(tilt, turn))


def pose_leg(poser: Poser, side: str, leg: KneelingLeg) -> None:
    """Foot by its track, and the knee where it kneels."""
    _, pelvis = poser.frame("Hips")
    across = rotate(pelvis, KNEE_HINGE) + rotate(leg.track.foot_rotations, KNEE_HINGE)
    hips, _ = poser.frame(f"{side}UpLeg")
    plane = np.cross(leg.knees - hips, leg.track.ankles - leg.knees)
    weight = leg.kneeling[:, None]
    outwards = leg.knee_out * OUTWARDS[side]
    hinges = (1.0 - weight) * _unit(rotate(turned(turn=outwards), across)) + weight * _unit(plane)
    set_foot(poser, leg_joints(side), leg.track, KNEE_HINGE, hinges)


def lean_on_hand(poser: Poser, side: str, wrists: Array, fingers_down: Array, weight: Array) -> None:
    """Draw an arm from where it is (weight 0) to a hand on the ground (weight 1): elbow back, fingers forward.

    wrists: (F, 3) [m]; fingers_down: (F,) [degrees].
    """
    upper, lower, hand = (f"{side}{part}" for part in ("Arm", "ForeArm", "Hand"))
    indices = [poser.skeleton.index(joint) for joint in (upper, lower, hand)]
    free = poser.rotations[:, indices].copy()
    hinge = rotate(turned(turn=-40.0), np.array([-1.0, 0.0, 0.0]))
    palm = multiply(turned(bend=fingers_down), turned(turn=-84.0))
    if side == "Right":
        hinge, palm = hinge * np.array([1.0, -1.0, -1.0]), mirrored(palm)
    poser.reach(upper, lower, hand, wrists, ELBOW_HINGES[side], hinge)
    poser.face(hand, palm)
    poser.rotations[:, indices] = slerp(free, poser.rotations[:, indices], weight[:, None])


def bone_length(skeleton: Skeleton, joint: str) -> float:
    """Length [m] of the bone that ends at a joint."""
    return float(skeleton.lengths[skeleton.index(joint)])


def _suited(
    poser: Poser, roll: Array, tilt: Array, turn: Array, knees: Mapping[str, Array]
) -> tuple[Array, Array]:
    """How much (F,) [m] to raise the pelvis, and to roll it (F,) [rad], for the given knees."""
    keyed = poser.root_positions[:, 1].copy()
    hips_apart = 2.0 * poser.skeleton.offsets[poser.skeleton.index("LeftUpLeg"), 0]
    for _ in range(KNEE_ROUNDS if knees else 0):
        poser.turn("Hips", rolled_pelvis(roll, tilt, turn))
        missing = [_missing_height(poser, side, knees[side]) for side in knees]
        poser.root_positions[:, 1] += np.mean(missing, axis=0)
        if len(missing) == len(SIDES):
            roll = roll + (missing[0] - missing[1]) / hips_apart
    return poser.root_positions[:, 1] - keyed, roll


def _missing_height(poser: Poser, side: str, knees: Array) -> Array:
    """How much higher (F,) [m] a hip would have to be to stand on its knee."""
    hips, _ = poser.frame(f"{side}UpLeg")
    thigh = bone_length(poser.skeleton, f"{side}Leg")
    across = np.linalg.norm((hips - knees)[:, [0, 2]], axis=1)
    return knees[:, 1] + np.sqrt(np.maximum(thigh**2 - across**2, 0.0)) - hips[:, 1]


def _unit(vectors: Array) -> Array:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
