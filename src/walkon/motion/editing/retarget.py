"""The same motion on another body: other names, other rest pose, other proportions."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.motion.clip import Clip
from walkon.motion.editing._kernels import local_rotations
from walkon.motion.editing.grounding import hip_centres, stand_like
from walkon.motion.editing.joint_map import JointMap, resolve_carriers
from walkon.motion.feet.soles import leg_length
from walkon.rotations import IDENTITY, conjugate, from_two_vectors, multiply, rotate
from walkon.skeleton import Skeleton, find_roles, forward_kinematics
from walkon.skeleton.stance import limb_segments, stance_rotations


def retarget(clip: Clip, skeleton: Skeleton, joint_map: JointMap = "auto") -> Clip:
    """The clip played by another human `skeleton`.

    joint_map: "auto", or a mapping of target joint to source joint that overrules what `match_joints` finds; None
    lets a joint follow its parent. Joints nobody leads, such as fingers, keep their rest pose.

    Both skeletons are first brought into one stance, whatever their rest poses, and every joint then turns as far
    from it as the one it follows: arms and legs point where the source's point, twist included. Paths and heights
    grow with the legs; then the feet are put on the ground and held there by bending the legs.
    """
    carriers = resolve_carriers(clip.skeleton, skeleton, joint_map)
    world = multiply(_displacements(clip)[:, carriers], stance_rotations(skeleton))
    rotations = _local_rotations(skeleton, world)
    relative, _ = forward_kinematics(skeleton, np.zeros((len(clip), 3)), rotations)
    ratio = leg_length(skeleton) / leg_length(clip.skeleton)
    moved = Clip(
        name=clip.name,
        skeleton=skeleton,
        fps=clip.fps,
        root_positions=ratio * hip_centres(clip.skeleton, clip.positions) - hip_centres(skeleton, relative),
        rotations=rotations,
        labels=clip.labels,
    )
    return stand_like(moved, clip, ratio)


def _displacements(clip: Clip) -> Array:
    """How far every joint has turned from the common stance: world rotations (F, J, 4)."""
    stance, rest = stance_rotations(clip.skeleton), clip.skeleton.rest_positions
    displacements = multiply(clip.world_rotations, conjugate(stance))
    for joint, end in limb_segments(find_roles(clip.skeleton)):
        if clip.skeleton.parents[end] == joint and clip.bone_offsets is None:
            continue
        # Joints in between, or bones that stretch, bend the line from joint to end: follow where it really goes.
        expected = rotate(displacements[:, joint], rotate(stance[joint], rest[end] - rest[joint]))
        seen = clip.positions[:, end] - clip.positions[:, joint]
        # A bone without length points nowhere.
        tells = np.linalg.norm(expected, axis=1) * np.linalg.norm(seen, axis=1) > (1e-6 * clip.skeleton.size) ** 2
        swing = from_two_vectors(expected[tells], seen[tells])
        displacements[tells, joint] = multiply(swing, displacements[tells, joint])
    return displacements


def _local_rotations(skeleton: Skeleton, world: Array) -> Array:
    """Local rotations (F, J, 4), continuous in sign, from world ones; a tip's is the identity."""
    local = np.empty_like(world)
    local_rotations(skeleton.parents, world, local)
    local[:, skeleton.tips] = IDENTITY
    return local
