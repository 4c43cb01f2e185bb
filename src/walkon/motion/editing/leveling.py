"""Level ground at height 0, fitted to all recordings of one body at once: they were made on one floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion.clip import Clip
from walkon.motion.feet.contacts import find_contacts
from walkon.motion.feet.floor import fit_floor
from walkon.rotations import IDENTITY, from_two_vectors, multiply, rotate
from walkon.skeleton import build_body, find_roles

UP = np.array([0.0, 1.0, 0.0])

SAME_FLOOR = 0.03
"""Feet whose soles rest within this many metres of each other rest on one floor; of others the lower one does: the
other rides on a board."""


def floor_turn(clips: Sequence[Clip]) -> Array:
    """The rotation (4,) that makes the floor level which the feet of the clips, all of one skeleton, rest on."""
    feet = find_roles(clips[0].skeleton).feet
    joints = np.array(list(dict.fromkeys(j for foot in feet for j in (foot.heel, foot.toe))), dtype=np.int64)
    if not len(joints):
        return IDENTITY
    pooled = Clip(
        "all",
        clips[0].skeleton,
        clips[0].fps,
        np.concatenate([clip.root_positions for clip in clips]),
        np.concatenate([clip.rotations for clip in clips]),
    )
    tilt = fit_floor(pooled, joints, np.concatenate([_speeds(clip, joints) for clip in clips])).tilt
    return from_two_vectors(np.array([-tilt[0], 1.0, -tilt[1]]), UP)


def floor_height(clips: Sequence[Clip]) -> float:
    """Height [m] of the soles of flat feet in clips of one skeleton on one level floor; 0 if none are seen."""
    heights = [np.concatenate(own) for own in zip(*(_flat_soles(clip) for clip in clips), strict=True)]
    rests = [float(np.median(own)) for own in heights if len(own)]
    if not rests:
        return 0.0
    weights = [len(own) for own in heights if len(own)]
    return float(np.average(rests, weights=weights) if max(rests) - min(rests) < SAME_FLOOR else min(rests))


def turned(clip: Clip, turn: Array) -> Clip:
    """The clip turned as a whole by a rotation (4,)."""
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    return clip.with_changes(root_positions=rotate(turn, clip.root_positions), rotations=rotations)


def lowered(clip: Clip, height: float) -> Clip:
    """The clip lowered by a height [m]."""
    return clip.with_changes(root_positions=clip.root_positions - height * UP)


def _speeds(clip: Clip, joints: NDArray[np.int64]) -> Array:
    """Speeds (F, K) [m/s] of the joints."""
    return np.linalg.norm(np.gradient(clip.positions[:, joints], 1.0 / clip.fps, axis=0), axis=2)


def _flat_soles(clip: Clip) -> list[Array]:
    """For every foot, heights [m] of the lowest point of its capsules while its heel and toe are planted."""
    body, contacts = build_body(clip.skeleton), find_contacts(clip)
    planted = dict(zip(contacts.joints, contacts.planted.T, strict=True))
    soles = []
    for foot in find_roles(clip.skeleton).feet:
        own = np.flatnonzero(np.isin(body.starts, foot.joints) & np.isin(body.ends, foot.joints))
        flat = planted[clip.skeleton.names[foot.heel]] & planted[clip.skeleton.names[foot.toe]]
        if not len(own):
            soles.append(clip.positions[flat][:, list(foot.joints), 1].min(axis=1))
            continue
        lowest = body.capsules(clip.positions[flat])[..., 1][:, own].min(axis=2) - body.radii[own]
        soles.append(lowest.min(axis=1))
    return soles
