"""Where a body is on the ground and which way it faces, read from a pose alone, with no memory and no
smoothing."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.skeleton import Skeleton, find_roles


def places_of(skeleton: Skeleton, positions: Array) -> Array:
    """x, z [m] and heading [rad] (F, 3) for joint positions (F, J, 3): below the middle of the hips, and of the
    shoulders too for a body on four legs; facing as hips and shoulders, and a long trunk, do together."""
    roles = find_roles(skeleton)
    hips, shoulders = roles.pair("hip"), roles.pair("shoulder")
    pairs = [pair for pair in (hips, shoulders) if pair is not None]
    standing = pairs[:1] if roles.is_biped else pairs
    joints = [joint for pair in standing for joint in pair] or [roles.joints.get("pelvis", 0)]
    ahead = np.zeros((len(positions), 2))
    for left, right in pairs:
        across = _level(positions[:, left] - positions[:, right])
        ahead += np.stack([-across[:, 1], across[:, 0]], axis=1)
    pelvis, chest = roles.get("pelvis"), roles.get("chest")
    if not roles.is_biped and pelvis is not None and chest is not None:
        ahead += _level(positions[:, chest] - positions[:, pelvis])
    headings = np.arctan2(ahead[:, 0], ahead[:, 1])
    return np.column_stack([positions[:, joints][..., [0, 2]].mean(axis=1), headings])


def _level(vectors: Array) -> Array:
    """The level part (F, 2) of the directions of vectors (F, 3)."""
    return vectors[:, [0, 2]] / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
