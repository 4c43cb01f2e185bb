"""Poses put together joint by joint: turn this, aim that, reach there, for all frames of a clip at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.motion import Clip, Contacts, Label
from walkon.rotations import (
    IDENTITY,
    conjugate,
    continuous,
    from_axis_angle,
    from_euler,
    multiply,
    normalize,
    rotate,
)
from walkon.skeleton import Skeleton
from walkon.skeleton.folding import bend_to_span, turn_limb_towards, within_reach


def turned(bend: ArrayLike = 0.0, turn: ArrayLike = 0.0, lean: ArrayLike = 0.0) -> Array:
    """Rotation (..., 4) from degrees: `bend` forward, `turn` to the left, `lean` to the right.

    Leaning comes first, then bending, then turning, as a body with a heading would do it.
    """
    angles = np.stack(np.broadcast_arrays(turn, bend, lean), axis=-1).astype(np.float64)
    return from_euler(np.radians(angles), "YXZ")


def mirrored(rotations: ArrayLike) -> Array:
    """The same rotation (..., 4) of the other side of the body."""
    return np.asarray(rotations) * np.array([1.0, 1.0, -1.0, -1.0])


class Poser:
    """F poses of one skeleton in the making.

    Parents are posed before children: `reach`, `face` and `frame` look at what stands above a joint so far.
    """

    def __init__(self, skeleton: Skeleton, root_positions: ArrayLike) -> None:
        self.skeleton = skeleton
        self.root_positions = np.array(root_positions, dtype=np.float64)
        self.rotations = np.tile(IDENTITY, (len(self.root_positions), len(skeleton), 1))

    def turn(self, joint: str, rotations: ArrayLike) -> None:
        """Set the local rotation (F, 4) or (4,) of a joint."""
        self.rotations[:, self.skeleton.index(joint)] = rotations

    def face(self, joint: str, world_rotations: ArrayLike) -> None:
        """Set a joint so that its rotation in the world is the given one (F, 4) or (4,)."""
        above = self.frame(self.skeleton.names[self.skeleton.parents[self.skeleton.index(joint)]])[1]
        self.turn(joint, multiply(conjugate(above), world_rotations))

    def frame(self, joint: str) -> tuple[Array, Array]:
        """World position (F, 3) [m] and rotation (F, 4) of a joint."""
        _, *chain = self.skeleton.chain(self.skeleton.index(joint))
        positions, world = self.root_positions, self.rotations[:, 0]
        for index in chain:
            positions = positions + rotate(world, self.skeleton.offsets[index])
            world = multiply(world, self.rotations[:, index])
        return positions, world

    def reach(self, upper: str, lower: str, end: str, targets: ArrayLike, hinge: Array, hinges: ArrayLike) -> None:
        """Bend a two-bone limb so that joint `end` is at `targets` (F, 3) [m].

        hinge: (3,) axis of the middle joint in the limb's rest frame, such that positive angles fold the limb.
        hinges: (F, 3) or (3,) where that axis should point in the world; it gives the plane of the bend. The
        middle joint turns about its hinge only. A target out of reach is approached as far as the limb goes.
        """
        origin, _ = self.frame(upper)
        first = self.skeleton.offsets[self.skeleton.index(lower)]
        second = self.skeleton.offsets[self.skeleton.index(end)]
        to_target = np.asarray(targets) - origin
        angle = _fold(first, second, np.linalg.norm(to_target, axis=-1), hinge)
        folded = first + rotate(from_axis_angle(hinge, angle), second)
        self.face(upper, turn_limb_towards(folded, hinge, to_target, np.broadcast_to(hinges, folded.shape)))
        self.turn(lower, from_axis_angle(hinge, angle))

    def clip(self, name: str, fps: float, contacts: Contacts | None = None, labels: Sequence[Label] = ()) -> Clip:
        """The finished clip."""
        rotations = continuous(normalize(self.rotations))
        return Clip(
            name, self.skeleton, fps, self.root_positions, rotations, labels=tuple(labels), contacts=contacts
        )


def _fold(first: Array, second: Array, distances: Array, hinge: Array) -> Array:
    """Angle (F,) [rad] about `hinge` from rest that brings the limb's end to `distances` (F,) [m] from its start.

    Only folding the limb's own way is offered: the angle between the bones goes from 0 to π about the hinge.
    """
    a, b = np.linalg.norm(first), np.linalg.norm(second)
    between = bend_to_span(a, b, within_reach(a, b, distances))
    at_rest = np.arctan2(np.dot(np.cross(first, second), hinge), np.dot(first, second))
    return between - at_rest
