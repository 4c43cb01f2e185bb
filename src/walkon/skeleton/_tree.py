"""Walks over the joint tree, shared by the finders of roles and limbs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from walkon.skeleton.skeleton import Skeleton

COINCIDENT = 1e-6
"""Joints closer than this share of the skeleton's size are at one place."""


def branch_of(skeleton: Skeleton, joint: int) -> list[int]:
    """A joint and all below it."""
    branch = [joint]
    for member in branch:
        branch.extend(skeleton.children[member])
    return branch


def longest_path(skeleton: Skeleton, joint: int) -> list[int]:
    """Joints from `joint` down to the end farthest from it along the bones, without those that coincide
    with the one before them."""
    reach = {}
    for member in reversed(branch_of(skeleton, joint)):
        reach[member] = max((reach[kid] + skeleton.lengths[kid] for kid in skeleton.children[member]), default=0.0)
    path, here = [joint], joint
    while skeleton.children[here]:
        here = max(skeleton.children[here], key=lambda kid: reach[kid] + skeleton.lengths[kid])
        if skeleton.lengths[here] > COINCIDENT * skeleton.size:
            path.append(here)
    return path


def path_length(skeleton: Skeleton, path: Sequence[int]) -> float:
    """Length [m] of the bones from the first joint of a downward path to its last."""
    return float(np.sum(skeleton.lengths[list(path[1:])]))


def meeting_joint(skeleton: Skeleton, joints: Iterable[int]) -> int:
    """The deepest joint from which all of `joints` hang; the parent of a lone one; the root for none."""
    chains = [skeleton.chain(joint)[:-1] for joint in joints]
    common = 0
    for ancestors in zip(*chains, strict=False):
        if len(set(ancestors)) > 1:
            break
        common = ancestors[0]
    return common


def between(skeleton: Skeleton, above: int, below: int) -> list[int]:
    """Joints strictly between an ancestor and its descendant; empty when they are not that."""
    chain = skeleton.chain(below)
    return chain[chain.index(above) + 1 : -1] if above in chain[:-1] else []
