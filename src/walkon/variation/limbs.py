"""Legs and arms as chains of three joints: what may turn in them, and about which axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion import Clip
from walkon.rotations import conjugate, exponential, logarithm, multiply, rotate
from walkon.skeleton import Foot, Skeleton, find_roles
from walkon.skeleton.folding import bend_to_span
from walkon.skeleton.roles import ARM_PARTS, SIDES

_SAME_PLACE = 1e-6


@dataclass(frozen=True)
class MovableLimb:
    """A leg or an arm: three joints that turn, and what it ends in.

    joints: hip, knee and ankle (shoulder, elbow and wrist). foot: what a leg stands on; None for an arm.
    """

    name: str
    joints: tuple[int, int, int]
    foot: Foot | None


@dataclass(frozen=True, eq=False)
class Chain:
    """A limb in F frames as the kernels want it; see `_kernels_constraints.place_limb`.

    poses (F, 3) [m], offsets (F, 4, 3) [m], turns (F, 3, 4), dof_joints (n,), dof_axes (n, 3): where it is and
    what turns. hinge: the dof that bends the knee. bends, sideways (F,) [rad]: how far it is bent in the clip, the
    right way and across.
    """

    poses: Array
    offsets: Array
    turns: Array
    dof_joints: NDArray[np.int64]
    dof_axes: Array
    hinge: int
    bends: Array
    sideways: Array

    def span(self, bend: float) -> Array:
        """How far (F,) [m] apart the first and the third joint are when the hinge is bent by `bend` [rad]."""
        upper, lower = (np.linalg.norm(self.offsets[:, k], axis=1) for k in range(2))
        angles = np.hypot(bend, self.sideways)
        return np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(angles))

    def turns_to_span(self, distances: Array) -> Array:
        """How far (F,) [rad] the hinge must turn from where it is for the limb to span `distances` (F,) [m].

        Always to the side a knee bends to, so that one that is bent the wrong way is put right.
        """
        upper, lower = (np.linalg.norm(self.offsets[:, k], axis=1) for k in range(2))
        wanted = bend_to_span(upper, lower, distances)
        # What it is bent to the side by, a hinge cannot change.
        return np.sqrt(np.maximum(wanted**2 - self.sideways**2, 0.0)) - self.bends


def find_limbs(skeleton: Skeleton) -> list[MovableLimb]:
    """The legs that a body stands on, and its arms if they are not among them."""
    roles = find_roles(skeleton)
    limbs = [MovableLimb(foot.name, joints, foot) for foot, joints in roles.legs]
    for side in SIDES:
        joints = roles.limb(side, ARM_PARTS)
        if joints is not None and all(joints != limb.joints for limb in limbs):
            limbs.append(MovableLimb(f"{side}_hand", joints, None))
    return limbs


def limb_that_ends_in(skeleton: Skeleton, limbs: list[MovableLimb], joint: int) -> MovableLimb | None:
    """The limb whose ankle or wrist is `joint`, or carries it."""
    path = skeleton.chain(joint)
    return next((limb for limb in limbs if limb.joints[2] in path), None)


def lay_chain(clip: Clip, limb: MovableLimb, ends: tuple[int, int]) -> Chain:
    """The limb throughout a clip, with two joints it ends in (the same one twice if there is only one).

    A leg turns in the hip (3), the knee (1) and the ankle (2: not about the foot's own axis), an arm in the
    shoulder (3), the elbow (1) and the wrist (3); a limb that ends in its third joint turns in the first two.
    """
    first, second, third = limb.joints
    world, places = clip.world_rotations, clip.positions
    inverse = conjugate(world[:, [first, second, third]])
    reach = np.stack([places[:, second] - places[:, first], places[:, third] - places[:, second]], axis=1)
    tips = places[:, list(ends)] - places[:, [third]]
    offsets = np.concatenate([rotate(inverse[:, :2], reach), rotate(inverse[:, 2:], tips)], axis=1)
    turns = np.stack(
        [world[:, first], multiply(inverse[:, 0], world[:, second]), multiply(inverse[:, 1], world[:, third])],
        axis=1,
    )
    hinge_axis, bends, sideways = _hinge(reach, inverse[:, 1])
    axes = [np.eye(3), hinge_axis[None], _end_axes(offsets[:, 2].mean(axis=0), limb)]
    return Chain(
        np.ascontiguousarray(places[:, first]),
        offsets,
        turns,
        np.repeat(np.arange(3), [len(part) for part in axes]),
        np.concatenate(axes),
        3,
        bends,
        sideways,
    )


def _hinge(reach: Array, inverse: Array) -> tuple[Array, Array, Array]:
    """The axis (3,), in the knee's own frame, about which it bends, and by how much (F,) [rad] it is bent so and
    across."""
    upper, lower = (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12) for vectors in
                    (reach[:, 0], reach[:, 1]))  # fmt: skip
    normals = rotate(inverse, np.cross(upper, lower))
    # Frames weigh by how far they are bent: a straight knee does not show its axis.
    axis = normals.sum(axis=0)
    length = np.linalg.norm(axis)
    if length < 1e-6 * len(reach):
        bone = rotate(inverse, lower).mean(axis=0)
        axis = np.cross(bone, np.eye(3)[np.argmin(np.abs(bone))])
        length = np.linalg.norm(axis)
    axis = axis / max(length, 1e-12)
    along, whole = np.sum(upper * lower, axis=1), np.linalg.norm(normals, axis=1)
    bends, angles = np.arctan2(normals @ axis, along), np.arctan2(whole, along)
    return axis, bends, np.sqrt(np.maximum(angles**2 - bends**2, 0.0))


def _end_axes(bone: Array, limb: MovableLimb) -> Array:
    """Axes (k, 3) about which an ankle (2) or a wrist (3) turns; none where nothing lies beyond it."""
    length = np.linalg.norm(bone)
    if length < _SAME_PLACE:
        return np.empty((0, 3))
    if limb.foot is None:
        return np.eye(3)
    first = np.cross(bone, np.eye(3)[np.argmin(np.abs(bone))])
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(bone / length, first)], dtype=np.float64)


def turned(clip: Clip, limb: MovableLimb, chain: Chain, frames: slice, d: Array, rotations: Array) -> None:
    """Write into rotations (F, J, 4) what comes of turning the limb of the clip by d (N, n) in some frames."""
    for k, joint in enumerate(limb.joints):
        mine = chain.dof_joints == k
        if mine.any():
            rotations[frames, joint] = multiply(
                clip.rotations[frames, joint], exponential(d[:, mine] @ chain.dof_axes[mine])
            )


def in_degrees_of_freedom(clip: Clip, limb: MovableLimb, chain: Chain, rotations: Array) -> Array:
    """The d (F, n) that come nearest to turning the limb of the clip to given local rotations (F, J, 4)."""
    d = np.zeros((len(clip), len(chain.dof_joints)))
    for k, joint in enumerate(limb.joints):
        mine = chain.dof_joints == k
        apart = logarithm(multiply(conjugate(clip.rotations[:, joint]), rotations[:, joint]))
        d[:, mine] = apart @ chain.dof_axes[mine].T
    return d
