"""The parts a body is made of, and to which of them every bone belongs."""

from __future__ import annotations

from typing import NamedTuple

from walkon.skeleton._tree import COINCIDENT, between, branch_of
from walkon.skeleton.roles import SIDES, Roles
from walkon.skeleton.skeleton import Skeleton


class Segment(NamedTuple):
    """How thick and how heavy one kind of body part is.

    radius: share of the body's height. mass: share of the whole body's mass in all segments of this kind.
    taper: radius at the far end of a chain of such bones, against that at its near end.
    """

    radius: float
    mass: float
    taper: float = 1.0


# Radii fit an adult of average build; masses are those of Winter, "Biomechanics and Motor Control of Human
# Movement", table 4.1 (after Dempster), for both sides together, toes with the foot and fingers with the hand.
HUMAN: dict[str, Segment] = {
    "trunk": Segment(0.056, 0.497),
    "neck": Segment(0.032, 0.012),
    "head": Segment(0.054, 0.069),
    "upper_arm": Segment(0.027, 0.056),
    "forearm": Segment(0.021, 0.032),
    "hand": Segment(0.015, 0.010),
    "finger": Segment(0.007, 0.002),
    "thigh": Segment(0.043, 0.200),
    "shin": Segment(0.029, 0.093),
    "foot": Segment(0.022, 0.025),
    "toe": Segment(0.018, 0.004),
    "other": Segment(0.010, 0.0),
}

# Shares of a four-legged body's height at the shoulder; mass follows volume.
QUADRUPED: dict[str, Segment] = {
    "trunk": Segment(0.200, 1.0),
    "girdle": Segment(0.110, 1.0),
    "neck": Segment(0.110, 1.0),
    "head": Segment(0.095, 1.0),
    "upper_arm": Segment(0.085, 1.0),
    "forearm": Segment(0.050, 1.0),
    "hand": Segment(0.038, 1.0),
    "finger": Segment(0.038, 1.0),
    "thigh": Segment(0.095, 1.0),
    "shin": Segment(0.055, 1.0),
    "foot": Segment(0.040, 1.0),
    "toe": Segment(0.038, 1.0),
    "other": Segment(0.030, 1.0),
}

# The same for animals on hooves: long neck and head that narrow, heavy quarters, dry legs.
HOOFED: dict[str, Segment] = {
    "trunk": Segment(0.205, 1.0, 0.93),
    "girdle": Segment(0.085, 1.0),
    "neck": Segment(0.155, 1.0, 0.56),
    "head": Segment(0.088, 1.0, 0.52),
    "upper_arm": Segment(0.080, 1.0),
    "forearm": Segment(0.043, 1.0),
    "hand": Segment(0.024, 1.0),
    "finger": Segment(0.026, 1.0, 1.6),
    "thigh": Segment(0.108, 1.0),
    "shin": Segment(0.050, 1.0),
    "foot": Segment(0.027, 1.0),
    "toe": Segment(0.026, 1.0, 1.6),
    "other": Segment(0.029, 1.0),
}

_TRUNK_PATHS = (
    ("pelvis", "chest", "trunk"),
    ("pelvis", "neck", "trunk"),
    ("chest", "head", "neck"),
    ("chest", "neck", "trunk"),
    ("neck", "head", "neck"),
    ("head", "head_tip", "head"),
)
_LIMB_PATHS = (
    ("hip", "knee", "thigh"),
    ("knee", "ankle", "shin"),
    ("ankle", "toe_tip", "foot"),
    ("ankle", "toe", "foot"),
    ("toe", "toe_tip", "toe"),
    ("shoulder", "elbow", "upper_arm"),
    ("elbow", "wrist", "forearm"),
)


def bone_segments(skeleton: Skeleton, roles: Roles) -> list[str]:
    """For every joint the kind of segment that its bone, the one from its parent, belongs to.

    "girdle" is a bone that links a limb to the trunk, such as a clavicle; "other" one that no role accounts for:
    a tail, an ear, a skateboard under a toe; "" the root, and what lies above the pelvis.
    """
    kinds = ["other"] * len(skeleton)
    for joint in skeleton.chain(roles.joints["pelvis"]):
        kinds[joint] = ""
    joints = roles.joints
    paths = [(joints.get(above), joints.get(below), kind) for above, below, kind in _TRUNK_PATHS]
    for side in SIDES:
        paths += [
            (joints.get(f"{side}_{above}"), joints.get(f"{side}_{below}"), kind)
            for above, below, kind in _LIMB_PATHS
        ]
        paths += [
            (joints.get(base), joints.get(f"{side}_{limb}"), "girdle")
            for base, limb in (("pelvis", "hip"), ("chest", "shoulder"))
        ]
    for above, below, kind in paths:
        if above is not None and below is not None:
            for joint in [*between(skeleton, above, below), below]:
                kinds[joint] = kind
    _label_hands(skeleton, roles, kinds)
    for foot in roles.feet:
        if foot.heel != foot.ankle:
            kinds[foot.heel] = "foot"
    return kinds


def _label_hands(skeleton: Skeleton, roles: Roles, kinds: list[str]) -> None:
    """Bones that leave the wrist are the hand, those farther down its fingers."""
    for side in SIDES:
        wrist = roles.get(f"{side}_wrist")
        if wrist is None:
            continue
        at_wrist = {wrist}
        for joint in branch_of(skeleton, wrist)[1:]:
            parent = int(skeleton.parents[joint])
            kinds[joint] = "hand" if parent in at_wrist else "finger"
            if parent in at_wrist and skeleton.lengths[joint] <= COINCIDENT * skeleton.size:
                at_wrist.add(joint)
