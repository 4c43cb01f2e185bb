"""How a person's channels become joint rotations: trunk, head, arms and legs, in degrees an animator knows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.builtin.footwork import OUTWARDS, SIDES, FootShape, FootTrack, foot_of, set_foot
from walkon.builtin.posing import Poser, mirrored, turned
from walkon.rotations import conjugate, exponential, from_axis_angle, logarithm, multiply, rotate
from walkon.skeleton import Skeleton

KNEE_HINGE = np.array([1.0, 0.0, 0.0])
ELBOW_HINGES = {"Left": np.array([0.0, -1.0, 0.0]), "Right": np.array([0.0, 1.0, 0.0])}
"""Axes (3,) of knees and elbows in the T pose, about which a positive angle folds the limb."""

SPINE_SHARES = {"Spine": 0.3, "Spine1": 0.35, "Spine2": 0.35}
"""How a bend of the trunk is spread over its joints."""


def human_feet(skeleton: Skeleton, ground: float = 0.0) -> dict[str, FootShape]:
    """The two feet by side, of a skeleton that rests on soles `ground` [m] above the origin."""
    parts = ("Foot", "ToeBase", "ToeTip", "Heel")
    return {side: foot_of(skeleton, *(side + part for part in parts), ground=ground) for side in SIDES}


def leg_joints(side: str) -> tuple[str, str, str, str]:
    """Names of the hip, knee, ankle and toes of one side."""
    return f"{side}UpLeg", f"{side}Leg", f"{side}Foot", f"{side}ToeBase"


def pose_trunk(poser: Poser, pelvis: ArrayLike, bend: ArrayLike, turn: ArrayLike, lean: ArrayLike) -> None:
    """Set the pelvis to its world rotation (F, 4) and bend the spine above it, by degrees (F,) in all."""
    poser.turn("Hips", pelvis)
    for joint, share in SPINE_SHARES.items():
        poser.turn(joint, turned(share * np.asarray(bend), share * np.asarray(turn), share * np.asarray(lean)))


def look(poser: Poser, gaze: ArrayLike) -> None:
    """Turn neck and head, half each, until the head's rotation in the world is `gaze` (F, 4)."""
    _, chest = poser.frame("Spine2")
    half = exponential(0.5 * logarithm(multiply(conjugate(chest), gaze)))
    poser.turn("Neck", half)
    poser.turn("Head", half)


def pose_arm(
    poser: Poser,
    side: str,
    swing: ArrayLike,
    spread: ArrayLike = 8.0,
    inward: ArrayLike = 0.0,
    elbow: ArrayLike = 20.0,
    wrist: ArrayLike = 0.0,
    shrug: ArrayLike = 0.0,
) -> None:
    """Hang an arm and swing it, in degrees relative to the chest.

    swing: forward from hanging; spread: away from the body; inward: upper arm turned so that a bent elbow
    brings the hand before the body; elbow: folded from straight; wrist: palm towards forearm; shrug: shoulder up.
    """
    hanging = turned(lean=np.asarray(spread, dtype=np.float64) - 90.0)
    upper = multiply(multiply(turned(bend=-np.asarray(swing)), hanging), turned(bend=inward))
    left = {
        "Shoulder": turned(lean=shrug),
        "Arm": upper,
        "ForeArm": from_axis_angle(ELBOW_HINGES["Left"], np.radians(elbow)),
        "Hand": turned(lean=-np.asarray(wrist)),
    }
    for part, rotation in left.items():
        poser.turn(f"{side}{part}", rotation if side == "Left" else mirrored(rotation))


def stand_leg(poser: Poser, side: str, track: FootTrack, knee_out: ArrayLike = 0.0) -> None:
    """Put a foot where its track says: ankle by two-bone reach, then the foot and toes.

    The knee points halfway between pelvis and foot, and `knee_out` degrees further outwards.
    """
    _, pelvis = poser.frame("Hips")
    across = rotate(pelvis, KNEE_HINGE) + rotate(track.foot_rotations, KNEE_HINGE)
    outwards = np.asarray(knee_out) * OUTWARDS[side]
    set_foot(poser, leg_joints(side), track, KNEE_HINGE, rotate(turned(turn=outwards), across))
