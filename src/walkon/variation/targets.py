"""What may be asked of a clip's feet and hands, and whether it makes sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion import Clip, Contacts
from walkon.skeleton import find_roles
from walkon.variation.limbs import MovableLimb, limb_that_ends_in
from walkon.variation.plants import Hold


@dataclass(frozen=True, eq=False)
class Target:
    """A joint to be in given places.

    joint: the name of a joint of a foot or hand, or its role, such as "right_wrist" or "left_toe". start: the
    first of N frames. positions: (N, 3) [m] in the world.
    """

    joint: str
    start: int
    positions: Array


def checked_means(clip: Clip, means: Array | None) -> Array | None:
    """The means, if they fit the clip."""
    if means is None:
        return None
    means = np.ascontiguousarray(means, dtype=np.float64)
    if means.shape != clip.rotations.shape:
        raise ClipError(f"means are {means.shape}, expected {clip.rotations.shape} as the clip's rotations")
    if not np.allclose(np.linalg.norm(means, axis=-1), 1.0, atol=1e-6):
        raise ClipError("means are not unit quaternions")
    return means


def checked_contacts(clip: Clip, contacts: Contacts) -> Contacts:
    """The contacts, if they fit the clip."""
    for name in contacts.joints:
        clip.skeleton.index(name)
    planted = np.asarray(contacts.planted, dtype=np.bool_)
    if planted.shape != (len(clip), len(contacts.joints)):
        raise ClipError(f"contacts are {planted.shape}, expected {(len(clip), len(contacts.joints))}")
    return Contacts(contacts.joints, planted)


def _hold_of(clip: Clip, limbs: list[MovableLimb], target: Target) -> Hold:
    joint = find_roles(clip.skeleton).get(target.joint)
    if target.joint in clip.skeleton.names or joint is None:
        joint = clip.skeleton.index(target.joint)
    if limb_that_ends_in(clip.skeleton, limbs, joint) is None:
        raise ClipError(f"a target is for a foot or a hand; {target.joint!r} is neither")
    path = np.array(target.positions, dtype=np.float64)
    if path.ndim != 2 or path.shape[1] != 3 or len(path) == 0:
        raise ClipError(f"positions of the target for {target.joint!r} are {path.shape}, expected (N, 3)")
    if not np.isfinite(path).all():
        raise ClipError(f"positions of the target for {target.joint!r} are not finite")
    if not 0 <= target.start <= len(clip) - len(path):
        raise ClipError(
            f"the target for {target.joint!r} takes frames {target.start} to {target.start + len(path)}; "
            f"the clip has {len(clip)}"
        )
    return Hold(joint, int(target.start), path)


def checked_targets(clip: Clip, limbs: list[MovableLimb], targets: Sequence[Target]) -> list[Hold]:
    """The targets as holds, in order; none may ask for a joint while another one has it."""
    given = sorted(
        (_hold_of(clip, limbs, target) for target in targets), key=lambda hold: (hold.joint, hold.start)
    )
    for one, other in pairwise(given):
        if one.joint == other.joint and other.start < one.stop:
            raise ClipError(f"targets for {clip.skeleton.names[one.joint]!r} overlap at frame {other.start}")
    return given
