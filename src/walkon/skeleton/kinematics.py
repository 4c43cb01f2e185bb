"""Forward kinematics: local rotations become joint positions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.skeleton.kernels import pose_chain
from walkon.skeleton.skeleton import Skeleton


def forward_kinematics(
    skeleton: Skeleton,
    root_positions: ArrayLike,
    rotations: ArrayLike,
    bone_offsets: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """World positions (F, J, 3) [m] and world rotations (F, J, 4) of every joint.

    root_positions: (F, 3) [m]; rotations: (F, J, 4) local unit quaternions;
    bone_offsets: (F, J, 3) [m] for recordings whose bones stretch, else the skeleton's offsets are used.
    """
    rotations = np.ascontiguousarray(rotations, dtype=np.float64)
    root_positions = np.ascontiguousarray(root_positions, dtype=np.float64)
    offsets = skeleton.offsets[None] if bone_offsets is None else np.ascontiguousarray(bone_offsets, np.float64)
    frames = len(rotations)
    if rotations.shape != (frames, len(skeleton), 4) or root_positions.shape != (frames, 3):
        raise ValueError(
            f"rotations {rotations.shape} and root positions {root_positions.shape} "
            f"do not fit {frames} frames of {len(skeleton)} joints"
        )
    positions = np.empty((frames, len(skeleton), 3))
    world_rotations = np.empty((frames, len(skeleton), 4))
    pose_chain(skeleton.parents, offsets, root_positions, rotations, positions, world_rotations)
    return positions, world_rotations
