"""Two-bone inverse kinematics: put an ankle or a wrist somewhere by turning the two bones above it.

Analytic, so it costs about a microsecond a frame and never fails to converge. The limb swings to point at the
target without twisting, then bends at its middle joint; a target out of reach is neared, not snapped to.

A limb recorded bent the wrong way, a knee stretched beyond straight, comes back bent the right way by as much.
Apply a solve to every frame of a clip, with the recorded place as the target where nothing is to change, rather
than to some frames only: then the result is as continuous as the recording and the targets are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.errors import SkeletonError
from walkon.skeleton import kernels
from walkon.skeleton.skeleton import Skeleton

SOFTNESS = 0.02
"""Share of a limb's whole length over which it eases into being straight."""


class Limb(NamedTuple):
    """Three joints of one chain, such as hip, knee and ankle; others may lie between them."""

    start: int
    middle: int
    end: int


def solve_two_bone(
    starts: ArrayLike,
    middles: ArrayLike,
    ends: ArrayLike,
    targets: ArrayLike,
    poles: ArrayLike,
    *,
    softness: float = SOFTNESS,
) -> tuple[Array, Array]:
    """World turns (F, 4) of the upper and of the lower bone that take the limb's end to its target.

    starts, middles, ends, targets: (F, 3) [m] world positions; poles: (F, 3) world directions to the side the
    middle joint may bend to. Where the limb is bent now it bends on in that direction, except against the pole.
    Left-multiply a bone's world rotation by its turn: `multiply(turn, world_rotation)`.
    """
    frames = len(np.asarray(starts))
    h, k, a = _vectors(starts, frames), _vectors(middles, frames), _vectors(ends, frames)
    if not 0 <= softness < 1:
        raise ValueError(f"softness is a share of the limb's length, from 0 to below 1, not {softness}")
    upper, lower = np.empty((frames, 4)), np.empty((frames, 4))
    kernels.two_bone_batch(
        h, k, a, _vectors(targets, frames), _vectors(poles, frames), float(softness), upper, lower
    )
    return upper, lower


def bend_poles(starts: ArrayLike, middles: ArrayLike, ends: ArrayLike, upper_rotations: ArrayLike) -> Array:
    """World directions (F, 3) to which a limb's middle joint bends: its mean bend, carried by the upper bone.

    starts, middles, ends: (F, 3) [m]; upper_rotations: (F, 4) of the upper bone in the world. Zero when the limb
    is straight in every frame.
    """
    frames = len(np.asarray(starts))
    h, k, a = _vectors(starts, frames), _vectors(middles, frames), _vectors(ends, frames)
    rotations = np.ascontiguousarray(upper_rotations, dtype=np.float64)
    if rotations.shape != (frames, 4):
        raise ValueError(f"expected rotations of shape {(frames, 4)}, got {rotations.shape}")
    poles = np.empty((frames, 3))
    kernels.bend_poles(h, k, a, rotations, poles)
    return poles


def reach(
    skeleton: Skeleton,
    rotations: ArrayLike,
    positions: ArrayLike,
    world_rotations: ArrayLike,
    limb: tuple[int, int, int],
    targets: ArrayLike,
    *,
    poles: ArrayLike | None = None,
    keep_end_rotation: bool = True,
    softness: float = SOFTNESS,
) -> Array:
    """Local rotations (F, J, 4) with one limb's end at `targets` (F, 3) [m], as far as it reaches.

    rotations, positions, world_rotations: the pose to start from, (F, J, 4), (F, J, 3) and (F, J, 4), the latter
    two as forward kinematics gives them. limb: indices of its start, middle and end joint. poles: (F, 3), by
    default found from the motion by `bend_poles`. The end keeps its world rotation, or with
    `keep_end_rotation=False` its angle to the lower bone.
    """
    start, middle, end = _checked_limb(skeleton, limb)
    rotations = np.array(rotations, dtype=np.float64)
    positions = np.asarray(positions, dtype=np.float64)
    world_rotations = np.ascontiguousarray(world_rotations, dtype=np.float64)
    h, k, a = positions[:, start], positions[:, middle], positions[:, end]
    if poles is None:
        poles = bend_poles(h, k, a, world_rotations[:, start])
    upper, lower = solve_two_bone(h, k, a, targets, poles, softness=softness)
    kernels.turn_limb(
        skeleton.parents, (start, middle, end), upper, lower, keep_end_rotation, world_rotations, rotations
    )
    return rotations


def _checked_limb(skeleton: Skeleton, limb: tuple[int, int, int]) -> Limb:
    start, middle, end = (int(joint) for joint in limb)
    if not all(0 <= joint < len(skeleton) for joint in (start, middle, end)):
        raise SkeletonError(f"limb {tuple(limb)} names joints outside 0 to {len(skeleton) - 1}")
    if start not in skeleton.chain(middle)[:-1] or middle not in skeleton.chain(end)[:-1]:
        names = " → ".join(skeleton.names[joint] for joint in (start, middle, end))
        raise SkeletonError(f"a limb goes down one chain of joints; {names} does not")
    return Limb(start, middle, end)


def _vectors(values: ArrayLike, frames: int) -> Array:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.shape != (frames, 3):
        raise ValueError(f"expected vectors of shape {(frames, 3)}, got {array.shape}")
    return array
