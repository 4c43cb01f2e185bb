"""The same motion on a body of the same joints but other proportions."""

from __future__ import annotations

import numpy as np

from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.editing.grounding import hip_centres, stand_like
from walkon.motion.feet.soles import leg_length
from walkon.skeleton import Skeleton, forward_kinematics


def scale(clip: Clip, skeleton: Skeleton) -> Clip:
    """The clip on `skeleton`, which has the same joints and parents; every rotation stays.

    Paths and heights grow with the legs, so steps do too and feet stay on the ground; what uneven proportions
    leave of sliding and sinking is taken away by bending the legs. Bones that stretch do so in proportion.
    """
    if not clip.skeleton.same_topology(skeleton):
        raise ClipError(f"clip {clip.name!r} cannot be scaled to {skeleton}: its joints differ; use retarget()")
    ratio = leg_length(skeleton) / leg_length(clip.skeleton)
    stretched = None
    if clip.bone_offsets is not None:
        lengths = np.where(clip.skeleton.lengths > 0, clip.skeleton.lengths, 1.0)
        growth = np.where(clip.skeleton.lengths > 0, skeleton.lengths / lengths, ratio)[:, None]
        stretched = skeleton.offsets + growth * (clip.bone_offsets - clip.skeleton.offsets)
    relative, _ = forward_kinematics(skeleton, np.zeros((len(clip), 3)), clip.rotations, stretched)
    root_positions = ratio * hip_centres(clip.skeleton, clip.positions) - hip_centres(skeleton, relative)
    moved = Clip(
        name=clip.name,
        skeleton=skeleton,
        fps=clip.fps,
        root_positions=root_positions,
        rotations=clip.rotations,
        bone_offsets=stretched,
        labels=clip.labels,
    )
    return stand_like(moved, clip, ratio)
