"""A horse's legs: three long bones that fold as one, then pastern and hoof.

A foreleg is a column below the elbow: knee (carpus) locked while it carries, folded by a key while it swings. In a
hind leg tendons couple stifle and hock: they fold by the same angle, so the cannon stays parallel to the femur.
Each is thereby a two-bone limb from shoulder or hip to fetlock, with a closed form for the angle that reaches a
given distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.keyframes import Curve, held_cycle, read_table
from walkon.builtin.posing import Poser, turned
from walkon.rotations import from_axis_angle, multiply, rotate
from walkon.skeleton import Skeleton
from walkon.skeleton.folding import bend_to_span, turn_limb_towards, within_reach

ACROSS = np.array([1.0, 0.0, 0.0])
"""Axis (3,) of every hinge of a leg; turning about it positively swings the lower end backwards."""


@dataclass(frozen=True)
class LegKind:
    """What a fore or a hind leg is.

    joints: names without the side, from shoulder or hip to the tip of the hoof.
    fold: +1 if the middle joint folds the lower end backwards, as a stifle does, -1 if forwards, as an elbow.
    coupled: whether the third bone stays parallel to the first.
    swing: table by phase since landing. `upper` degrees the first bone is swung forward from rest; `fold` degrees
        the middle joint is folded from rest: together they put the fetlock where it passes.
    angles: table by phase since landing, degrees forward from rest in the world: `pastern` and `hoof` (toe up);
        `knee`: degrees the carpus is folded; `blade`: degrees the shoulder blade is swung forward.
    """

    joints: tuple[str, str, str, str, str, str]
    fold: float
    coupled: bool
    swing: str
    angles: str

    def angle(self, channel: str) -> Curve:
        """A channel of `angles`, by phase since landing."""
        return _curve(self.angles, channel)


@cache
def _curve(table: str, channel: str) -> Curve:
    return held_cycle(read_table(table)[channel])


@dataclass(frozen=True)
class HorseLeg:
    """One leg of a skeleton.

    kind: fore or hind. side: "Left" or "Right". bones: (5, 3) [m] offsets of its second to last joint.
    """

    kind: LegKind
    side: str
    bones: Array

    @classmethod
    def of(cls, skeleton: Skeleton, kind: LegKind, side: str) -> HorseLeg:
        """The leg of that kind on that side."""
        bones = [skeleton.offsets[skeleton.index(side + joint)] for joint in kind.joints[1:]]
        return cls(kind, side, np.array(bones))

    @property
    def names(self) -> tuple[str, ...]:
        """Full names of its joints."""
        return tuple(self.side + joint for joint in self.kind.joints)

    def links(self, knee: ArrayLike) -> tuple[Array, Array]:
        """The leg as two links (..., 3) [m] to the fetlock, with the carpus folded by `knee` (...) degrees."""
        first, second, third = self.bones[:3]
        if self.kind.coupled:
            return first + third, second
        return first, second + rotate(turned(bend=knee), third)

    def fetlock_at(self, upper: float, fold: float, knee: float) -> Array:
        """Where the fetlock is (3,) [m] from shoulder or hip, for angles in degrees."""
        first, second = self.links(knee)
        lower = rotate(turned(bend=self.kind.fold * fold), second)
        return rotate(turned(bend=-upper), first + lower)

    def above_hoof(self, tip: ArrayLike, pastern: ArrayLike, hoof: ArrayLike) -> Array:
        """Where the fetlock is (..., 3) [m] when the tip of the hoof is at `tip`, for rotations (..., 4)."""
        return np.asarray(tip) - rotate(hoof, self.bones[4]) - rotate(pastern, self.bones[3])


def reach_fetlock(poser: Poser, leg: HorseLeg, targets: Array, knee: Array, hinges: Array) -> None:
    """Bend a leg so that its fetlock is at `targets` (F, 3) [m], with the carpus folded by `knee` (F,) degrees.

    hinges: (F, 3) where the axis of its joints points in the world. A target out of reach is approached.
    """
    upper, middle, third, *_ = leg.names
    first, second = (np.broadcast_to(link, targets.shape) for link in leg.links(knee))
    to_target = targets - poser.frame(upper)[0]
    angle = _fold_angle(first, second, np.linalg.norm(to_target, axis=-1), leg.kind.fold)
    lower = from_axis_angle(leg.kind.fold * ACROSS, angle)
    poser.face(upper, turn_limb_towards(first + rotate(lower, second), ACROSS, to_target, hinges))
    poser.turn(middle, lower)
    poser.turn(third, from_axis_angle(-leg.kind.fold * ACROSS, angle) if leg.kind.coupled else turned(bend=knee))


def face_hoof(poser: Poser, leg: HorseLeg, pastern: Array, hoof: Array) -> None:
    """Set pastern and hoof to their rotations (F, 4) in the world."""
    for joint, rotations in zip(leg.names[3:5], (pastern, hoof), strict=True):
        poser.face(joint, rotations)


def pitched(frames: Array, degrees: ArrayLike) -> Array:
    """Rotations (..., 4): `frames` with the lower end swung forward by `degrees` (...)."""
    return multiply(frames, turned(bend=-np.asarray(degrees)))


def _fold_angle(first: Array, second: Array, distances: Array, fold: float) -> Array:
    """Angle (F,) [rad] from rest, the limb's own way, that brings its end to `distances` (F,) [m] from its start.

    Bones lean out sideways a little, along the hinge, which no folding changes: only what lies across it turns.
    """
    a, b = np.hypot(*first[:, 1:].T), np.hypot(*second[:, 1:].T)
    sideways = (first[:, 0] + second[:, 0]) ** 2
    across = np.sqrt(np.maximum(distances**2 - sideways, 1e-9))
    between = bend_to_span(a, b, within_reach(a, b, across))
    turn = first[:, 1] * second[:, 2] - first[:, 2] * second[:, 1]
    along = np.sum(first[:, 1:] * second[:, 1:], axis=1)
    return between - np.arctan2(fold * turn, along)
