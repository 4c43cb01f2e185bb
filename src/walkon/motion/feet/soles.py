"""How far the soles of a body are off the ground, for skeletons that have no soles, only joints."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, once_per_object
from walkon.rotations import rotate
from walkon.skeleton import Foot, Skeleton, find_roles
from walkon.skeleton.stance import stance_rotations


def leg_length(skeleton: Skeleton) -> float:
    """Mean length [m] of the legs from hip to ankle; the skeleton's size where it has none.

    The measure by which a gait scales: step lengths and hip height go with it.
    """
    roles = find_roles(skeleton)
    lengths = []
    for _, (hip, _, ankle) in roles.legs:
        chain = skeleton.chain(ankle)
        lengths.append(sum(skeleton.lengths[joint] for joint in chain[chain.index(hip) + 1 :]))
    return float(np.mean(lengths)) if lengths and min(lengths) > 0 else skeleton.size


def sole_clearances(skeleton: Skeleton, positions: Array) -> Array:
    """Height (F, feet) [m] of each foot's lowest point over where it is when the foot stands flat.

    positions: (F, J, 3) [m]. A flat foot is the one of the common stance, with its lowest joint at height 0: an
    ankle at ankle height is as low as a toe on the ground.
    """
    roles = find_roles(skeleton)
    clearances = np.empty((len(positions), len(roles.feet)))
    for i, (foot, heights) in enumerate(zip(roles.feet, sole_heights(skeleton), strict=True)):
        clearances[:, i] = (positions[:, list(foot.joints), 1] - heights).min(axis=1)
    return clearances


def sole_heights(skeleton: Skeleton) -> list[Array]:
    """For every foot the heights (K,) [m] of its joints when it stands flat; 0 for those of a quadruped."""
    roles = find_roles(skeleton)
    return _flat_heights(skeleton) if roles.is_biped else [np.zeros(len(foot.joints)) for foot in roles.feet]


@once_per_object
def _flat_heights(skeleton: Skeleton) -> list[Array]:
    """For every foot the heights (K,) [m] of its joints in the common stance; computed once a skeleton."""
    return [_heights_in_stance(skeleton, foot) for foot in find_roles(skeleton).feet]


def _heights_in_stance(skeleton: Skeleton, foot: Foot) -> Array:
    """Heights (K,) [m] of a foot's joints over the lowest of them, in the common stance."""
    stance = stance_rotations(skeleton)
    heights = {foot.ankle: 0.0}
    for joint in skeleton.chain(foot.tip)[1:]:
        parent = int(skeleton.parents[joint])
        if parent in heights:
            heights[joint] = heights[parent] + float(rotate(stance[parent], skeleton.offsets[joint])[1])
    flat = np.array([heights.get(joint, 0.0) for joint in foot.joints])
    return flat - flat.min()
