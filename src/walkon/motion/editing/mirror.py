"""Left becomes right: a clip seen in a mirror that stands on the plane x = 0."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, once_per_object
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.editing._kernels import mirror_rotations
from walkon.rotations import IDENTITY, conjugate, from_matrix
from walkon.skeleton import Skeleton
from walkon.skeleton.symmetry import mirror_pairs

MIRROR = np.diag([-1.0, 1.0, 1.0])
"""The reflection of the world."""

HABIT_WEIGHT = 1e-4
"""Say of the parent's reflection against a joint's own bones: it settles what those leave open."""

BRANCH_WEIGHT = 1e-7
"""Say of all joints further down: it settles what even the parent leaves open, such as the twist of an arm."""


def mirror(clip: Clip) -> Clip:
    """The clip reflected in the plane x = 0: every left limb does what the right one did, and heads turn over.

    Left and right are found by `mirror_pairs`. Each joint is mirrored relative to its own and its twin's rest
    pose, so rigs whose two sides use different local axes, or that rest a little crooked, come out right.
    Bones keep their lengths; mirroring twice gives the clip back. The words left and right in labels swap too.
    """
    twins, reflections = _mirror_of(clip.skeleton)
    turns = from_matrix(MIRROR @ reflections.transpose(0, 2, 1))
    parent_turns = np.where(clip.skeleton.parents[:, None] < 0, IDENTITY, turns[clip.skeleton.parents])
    rotations = np.empty_like(clip.rotations)
    mirror_rotations(clip.rotations, conjugate(parent_turns), turns, twins, rotations)
    rotations[:, clip.skeleton.tips] = IDENTITY
    return Clip(
        name=clip.name,
        skeleton=clip.skeleton,
        fps=clip.fps,
        root_positions=clip.root_positions @ MIRROR,
        rotations=rotations,
        bone_offsets=_mirror_stretch(clip, twins, reflections),
        labels=tuple(Label(_swap_sides(label.name), label.start, label.stop) for label in clip.labels),
        contacts=_mirror_contacts(clip, twins),
    )


@once_per_object
def _mirror_of(skeleton: Skeleton) -> tuple[NDArray[np.int64], Array]:
    """Twins (J,) and reflections (J, 3, 3) of a skeleton; computed once for each."""
    twins = consistent_twins(skeleton)
    return twins, joint_reflections(skeleton, twins)


def consistent_twins(skeleton: Skeleton) -> NDArray[np.int64]:
    """Mirror image (J,) of every joint, where twins always hang on twins; a pair that does not is no pair."""
    twins = mirror_pairs(skeleton).copy()
    for joint in range(1, len(skeleton)):
        twin = twins[joint]
        if twins[skeleton.parents[joint]] != skeleton.parents[twin]:
            twins[[joint, twin]] = joint, twin
    return twins


def joint_reflections(skeleton: Skeleton, twins: NDArray[np.int64]) -> Array:
    """For every joint the reflection (J, 3, 3) that takes its rest frame to its twin's.

    It carries the joint's rest bones to its twin's as nearly as a reflection can. Twins have inverse ones, and
    a joint on the midline one that is its own inverse, which makes mirroring twice the identity.
    """
    branches = _branches(skeleton)
    reflections = np.empty((len(skeleton), 3, 3))
    for joint in range(len(skeleton)):
        twin, parent = twins[joint], skeleton.parents[joint]
        if twin < joint:
            reflections[joint] = reflections[twin].T
            continue
        habit = _body_reflection(skeleton, twins) if parent < 0 else reflections[parent]
        moments = HABIT_WEIGHT * habit + _bone_moments(
            skeleton, twins, joint, np.array(skeleton.children[joint], int)
        )
        if twin == joint:
            reflections[joint] = _plane_reflection(moments)
        else:
            moments += BRANCH_WEIGHT * _bone_moments(skeleton, twins, joint, branches[joint])
            reflections[joint] = _nearest_reflection(moments)
    return reflections


def _body_reflection(skeleton: Skeleton, twins: NDArray[np.int64]) -> Array:
    """The reflection (3, 3) of the rest pose as a whole: across the line from left to right where limbs begin."""
    rest = skeleton.rest_positions
    apart = rest - rest[twins]
    begins = ~np.any(apart[np.maximum(skeleton.parents, 0)], axis=1)
    spread = apart[begins].T @ apart[begins]
    return _plane_reflection(-spread) if np.any(spread) else MIRROR


def _bone_moments(skeleton: Skeleton, twins: NDArray[np.int64], joint: int, below: NDArray[np.int64]) -> Array:
    """Σ theirs · oursᵀ (3, 3) over the rest positions `below` a joint and its twin, as a share of their spread."""
    rest = skeleton.rest_positions
    ours, theirs = rest[below] - rest[joint], rest[twins[below]] - rest[twins[joint]]
    spread = float(np.sum(ours * ours) + np.sum(theirs * theirs)) / 2
    return theirs.T @ ours / spread if spread > (1e-6 * skeleton.size) ** 2 else np.zeros((3, 3))


def _branches(skeleton: Skeleton) -> list[NDArray[np.int64]]:
    """For every joint the indices of all joints below it."""
    below: list[list[int]] = [[] for _ in skeleton.names]
    for joint in range(len(skeleton) - 1, 0, -1):
        below[skeleton.parents[joint]] += [joint, *below[joint]]
    return [np.array(joints, dtype=np.int64) for joints in below]


def _plane_reflection(moments: Array) -> Array:
    """The reflection in a plane (3, 3) that best carries one cloud to another, given Σ target · sourceᵀ."""
    normal = np.linalg.eigh(moments + moments.T)[1][:, 0]
    return np.eye(3) - 2.0 * np.outer(normal, normal)


def _nearest_reflection(moments: Array) -> Array:
    """The improper rotation (3, 3) that best carries one cloud to another, given Σ target · sourceᵀ."""
    left, _, right = np.linalg.svd(moments)
    handed = np.array([1.0, 1.0, -np.linalg.det(left) * np.linalg.det(right)])
    return (left * np.sign(handed)) @ right


def _mirror_stretch(clip: Clip, twins: NDArray[np.int64], reflections: Array) -> Array | None:
    """Bone offsets (F, J, 3) whose stretch beyond the skeleton's own has changed sides."""
    if clip.bone_offsets is None:
        return None
    offsets = clip.skeleton.offsets
    parent_reflections = reflections[np.maximum(clip.skeleton.parents, 0)]
    stretch = np.einsum("jab,fjb->fja", parent_reflections, clip.bone_offsets - offsets)
    return offsets + stretch[:, twins]


def _mirror_contacts(clip: Clip, twins: NDArray[np.int64]) -> Contacts | None:
    """Contacts of the other side's joints, in the same columns as before wherever both sides have one."""
    if clip.contacts is None:
        return None
    names = clip.skeleton.names
    swapped = [names[twins[clip.skeleton.index(name)]] for name in clip.contacts.joints]
    if set(swapped) != set(clip.contacts.joints):
        return Contacts(tuple(swapped), clip.contacts.planted)
    columns = [swapped.index(name) for name in clip.contacts.joints]
    return Contacts(clip.contacts.joints, clip.contacts.planted[:, columns])


def _swap_sides(text: str) -> str:
    """The text with the words left and right exchanged, in the case they had."""

    def other(match: re.Match[str]) -> str:
        found = match.group()
        word = "right" if found.lower() == "left" else "left"
        return word.upper() if found.isupper() else word.capitalize() if found[0].isupper() else word

    return re.sub("left|right", other, text, flags=re.IGNORECASE)
