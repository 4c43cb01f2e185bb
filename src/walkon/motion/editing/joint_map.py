"""Which joint of one skeleton a joint of another follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from walkon.errors import SkeletonError
from walkon.skeleton import Skeleton
from walkon.skeleton.roles import Roles, find_roles

JointMap = Literal["auto"] | Mapping[str, str | None]
"""Source joint by target joint; None lets the target joint follow its parent."""


def match_joints(source: Skeleton, target: Skeleton) -> dict[str, str]:
    """The joint of `source` that each joint of `target` should follow, by name; joints without one are missing.

    Limbs are matched by the part they play. The trunk is matched vertebra by vertebra, in proportion where one
    spine has more of them. Skeletons with the same names are matched by name, down to the fingers.
    """
    if set(target.names) == set(source.names):
        return {name: name for joint, name in enumerate(target.names) if not target.tips[joint]}
    ours, theirs = find_roles(source), find_roles(target)
    matched = {
        joint: ours.joints[role]
        for role, joint in theirs.joints.items()
        if role in ours.joints and not role.endswith("_tip")
    }
    for lower, upper in (("pelvis", "chest"), ("chest", "head")):
        matched.update(_match_chain(source, ours, target, theirs, lower, upper))
    return {
        target.names[joint]: source.names[matched[joint]] for joint in sorted(matched) if not target.tips[joint]
    }


def resolve_carriers(source: Skeleton, target: Skeleton, joint_map: JointMap) -> NDArray[np.int64]:
    """For every target joint the index (T,) of the source joint it follows, its own or its nearest ancestor's.

    Joints above the pelvis follow it. Raises SkeletonError for names that are not there, or nothing to follow.
    """
    names: dict[str, str | None] = dict(match_joints(source, target))
    if joint_map != "auto":
        if isinstance(joint_map, str):
            raise SkeletonError(f"joint_map is 'auto' or a mapping of joint names, not {joint_map!r}")
        names.update(joint_map)
    carriers = np.full(len(target), -1, dtype=np.int64)
    for joint, followed in names.items():
        carriers[target.index(joint)] = -1 if followed is None else source.index(followed)
    if np.all(carriers < 0):
        raise SkeletonError(
            "no joint of one skeleton was recognised in the other; give joint_map={target name: source name}. "
            f"Target joints: {', '.join(target.names)}. Source joints: {', '.join(source.names)}"
        )
    first = int(np.argmax(carriers >= 0))
    carriers[target.chain(first)] = carriers[first]
    for joint in range(1, len(target)):
        if carriers[joint] < 0:
            carriers[joint] = carriers[target.parents[joint]]
    return carriers


def _match_chain(
    source: Skeleton, ours: Roles, target: Skeleton, theirs: Roles, lower: str, upper: str
) -> dict[int, int]:
    """Target joints strictly between two roles, each with the source joint as far along that stretch."""
    ends = [roles.joints.get(role) for roles in (ours, theirs) for role in (lower, upper)]
    if None in ends:
        return {}
    source_lower, source_upper, target_lower, target_upper = (int(end) for end in ends if end is not None)
    along = source.chain(source_upper)[len(source.chain(source_lower)) - 1 :]
    filled = target.chain(target_upper)[len(target.chain(target_lower)) - 1 :]
    if along[0] != source_lower or filled[0] != target_lower:
        return {}
    steps = np.linspace(0, len(along) - 1, len(filled))[1:-1]
    return {joint: along[int(np.round(step))] for joint, step in zip(filled[1:-1], steps, strict=True)}
