"""One stance every human skeleton can take, whatever its rest pose: upright, legs down, arms out, toes ahead.

Two rigs in this stance look the same way with every limb, so a rotation away from it means the same in both.
Rest poses that are no pose at all (legs sticking out sideways, every bone along one axis) are straightened too.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from walkon.basics import Array, once_per_object
from walkon.rotations import IDENTITY, from_axis_angle, from_matrix, from_two_vectors, multiply, rotate
from walkon.skeleton.naming import name_words
from walkon.skeleton.roles import ARM_PARTS, LEG_PARTS, SIDES, Roles, find_roles
from walkon.skeleton.skeleton import Skeleton

UP, AHEAD = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])

BELIEVABLE = np.radians(50.0)
"""A rest pose this far off the stance is still a pose; further off it is the rig's choice of axes."""

NEARLY_SQUARE = np.radians(20.0)
"""A rest pose that leans less than this from the rig's axes does not lean: its spine or hips are shaped so."""

FOOT_SLOPE = np.radians(20.0)
"""How far the line from ankle to toe dips on level ground, where the rest pose does not say."""


@once_per_object
def stance_rotations(skeleton: Skeleton) -> Array:
    """World rotations (J, 4) that take the rest pose of `skeleton` into the common stance.

    Arms and legs are laid exactly along the stance's directions. Trunk, collar bones, feet and toes keep the
    shape the rest pose gives them wherever that is believable. Joints without a role follow their parents.
    Computed once a skeleton.
    """
    roles = find_roles(skeleton)
    upright = _upright(skeleton, roles)
    segments = _segments(roles, trust_feet=_stands_on_legs(skeleton, roles, upright))
    stance = np.empty((len(skeleton), 4))
    for joint in range(len(skeleton)):
        parent = skeleton.parents[joint]
        stance[joint] = upright if parent < 0 else stance[parent]
        if joint in segments:
            end, direction, keep_shape = segments[joint]
            _lay(skeleton, stance, joint, end, direction, keep_shape)
        _turn_limb(skeleton, roles, stance, joint)
    stance.flags.writeable = False
    return stance


def limb_segments(roles: Roles) -> list[tuple[int, int]]:
    """Pairs (joint, end) of the bones of arms and legs, whose directions a retarget copies exactly."""
    pairs = [pair for chain in (LEG_PARTS, ARM_PARTS) for pair in pairwise(chain)]
    return [
        (roles.joints[f"{side}_{joint}"], roles.joints[f"{side}_{end}"])
        for side in SIDES
        for joint, end in pairs
        if f"{side}_{joint}" in roles.joints and f"{side}_{end}" in roles.joints
    ]


def _segments(roles: Roles, *, trust_feet: bool) -> dict[int, tuple[int, Array, bool]]:
    """By joint: where its bone ends, the bone's direction in the stance, whether a believable rest stays."""
    found: dict[int, tuple[int, Array, bool]] = {}

    def add(joint: str, end: str, direction: Array, *, keep_shape: bool) -> None:
        if joint in roles.joints and end in roles.joints:
            found[roles.joints[joint]] = (roles.joints[end], direction, keep_shape)

    sloping = np.array([0.0, -np.sin(FOOT_SLOPE), np.cos(FOOT_SLOPE)])
    for joint, end in (("spine", "chest"), ("chest", "neck"), ("neck", "head"), ("head", "head_tip")):
        add(joint, end, UP, keep_shape=True)
    for side, outward in zip(SIDES, (np.array([1.0, 0, 0]), np.array([-1.0, 0, 0])), strict=True):
        add(f"{side}_hip", f"{side}_knee", -UP, keep_shape=False)
        add(f"{side}_knee", f"{side}_ankle", -UP, keep_shape=False)
        # A foot that means something is judged as a whole; else each of its bones is laid for itself.
        for end in ("toe", "toe_tip") if trust_feet else ("toe_tip", "toe"):
            add(f"{side}_ankle", f"{side}_{end}", sloping, keep_shape=trust_feet)
        add(f"{side}_toe", f"{side}_toe_tip", AHEAD, keep_shape=trust_feet)
        add(f"{side}_clavicle", f"{side}_shoulder", outward, keep_shape=True)
        add(f"{side}_shoulder", f"{side}_elbow", outward, keep_shape=False)
        add(f"{side}_elbow", f"{side}_wrist", outward, keep_shape=False)
        add(f"{side}_wrist", f"{side}_hand_tip", outward, keep_shape=True)
    return found


def _upright(skeleton: Skeleton, roles: Roles) -> Array:
    """The rotation (4,) that stands the rest pose up, looking along +z with its left at +x."""
    rest = skeleton.rest_positions
    far = 0.01 * skeleton.size
    # Only what hangs on the pelvis itself is sure to be where the rig's axes say: limbs may rest anywhere.
    trunk = skeleton.chain(roles.joints.get("head", roles.joints.get("chest", roles.joints["pelvis"])))
    risen = (rest[joint] - rest[roles.joints["pelvis"]] for joint in trunk)
    up = next((rise for rise in risen if np.linalg.norm(rise) > far), UP)
    for pair in filter(None, map(roles.pair, ("hip", "clavicle", "shoulder"))):
        across = rest[pair[0]] - rest[pair[1]]
        if np.linalg.norm(np.cross(across, up)) > far * np.linalg.norm(up):
            left = _squared_up(across)
            up = _squared_up(up - (up @ left) * left)
            return from_matrix(np.stack([left, up, np.cross(left, up)]))
    return IDENTITY


def _stands_on_legs(skeleton: Skeleton, roles: Roles, upright: Array) -> bool:
    """Whether thighs and shins hang down in the rest pose; where they do not, the feet mean nothing either."""
    parts = [f"{side}_{part}" for side in SIDES for part in ("hip", "knee")]
    legs = {roles.joints[part] for part in parts if part in roles.joints}
    for joint, end in limb_segments(roles):
        bone = rotate(upright, skeleton.rest_positions[end] - skeleton.rest_positions[joint])
        if joint in legs and -bone[1] < np.cos(BELIEVABLE) * np.linalg.norm(bone):
            return False
    return True


def _squared_up(direction: Array) -> Array:
    """The unit direction, or the axis it nearly lies along: rigs are built square, bodies are not."""
    direction = direction / np.linalg.norm(direction)
    axis = np.argmax(np.abs(direction))
    if abs(direction[axis]) < np.cos(NEARLY_SQUARE):
        return direction
    return np.sign(direction[axis]) * np.eye(3)[axis]


def _lay(skeleton: Skeleton, stance: Array, joint: int, end: int, direction: Array, keep_shape: bool) -> None:
    """Turn a joint so that its bone points along `direction`; a believable one is left, or only turned ahead."""
    bone = skeleton.rest_positions[end] - skeleton.rest_positions[joint]
    length = np.linalg.norm(bone)
    if length < 1e-6 * skeleton.size:
        return
    now = rotate(stance[joint], bone / length)
    if keep_shape and now @ direction > np.cos(BELIEVABLE):
        if direction[2] <= 0:
            return
        # Feet keep their slope, but point straight ahead: the way toes turn out belongs to the motion.
        direction = np.array([0.0, now[1], np.hypot(now[0], now[2])])
    stance[joint] = multiply(from_two_vectors(now, direction), stance[joint])


def _turn_limb(skeleton: Skeleton, roles: Roles, stance: Array, joint: int) -> None:
    """Twist a thigh or an upper arm whose toes or thumb, once it is laid straight, point away from ahead."""
    for side in SIDES:
        if joint == roles.get(f"{side}_hip"):
            axis, start, end = UP, roles.get(f"{side}_ankle"), roles.get(f"{side}_toe")
        elif joint == roles.get(f"{side}_shoulder"):
            start = roles.get(f"{side}_wrist")
            axis, end = np.array([1.0, 0.0, 0.0]), _thumb(skeleton, start)
        else:
            continue
        if start is None or end is None:
            return
        pointer = rotate(stance[joint], skeleton.rest_positions[end] - skeleton.rest_positions[start])
        sideways = pointer - (pointer @ axis) * axis
        if np.linalg.norm(sideways) < 0.2 * np.linalg.norm(pointer):
            return
        angle = np.arctan2(np.cross(sideways, AHEAD) @ axis, sideways @ AHEAD)
        if abs(angle) > BELIEVABLE:
            stance[joint] = multiply(from_axis_angle(axis, angle), stance[joint])


def _thumb(skeleton: Skeleton, wrist: int | None) -> int | None:
    """The thumb joint furthest from the wrist that hangs on it."""
    if wrist is None:
        return None
    thumbs = [
        joint
        for joint, name in enumerate(skeleton.names)
        if any("thumb" in word for word in name_words(name)) and wrist in skeleton.chain(joint)
    ]
    return thumbs[-1] if thumbs else None
