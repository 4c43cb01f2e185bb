"""Two clips cross over: the end of one is mixed into the beginning of the other, feet held on the ground.

What `join` and the synthesis of takes share. Both clips are already where they belong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices, once_per_object
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.easing import smooth_steps
from walkon.motion.editing import _kernels_crossing
from walkon.motion.feet.holding import EASE, STRETCH
from walkon.motion.feet.soles import sole_heights
from walkon.skeleton import Skeleton, find_roles


@dataclass(frozen=True, eq=False)
class Strip:
    """Frames of a clip as bare arrays, views of it where possible: F frames of J joints, K of which bear weight.

    roots: (F, 3) [m]. rotations: (F, J, 4). positions: (F, J, 3) [m] and world: (F, J, 4), joints in the world.
    planted: (F, K), or None if nobody knows. offsets: (F, J, 3) [m] if bones stretch.
    """

    roots: Array
    rotations: Array
    positions: Array
    world: Array
    planted: NDArray[np.bool_] | None
    offsets: Array | None

    @staticmethod
    def of(clip: Clip, start: int = 0, stop: int | None = None) -> Strip:
        """Frames `start` to `stop`, the latter excluded."""
        cut = slice(start, stop)
        return Strip(
            clip.root_positions[cut],
            clip.rotations[cut],
            clip.positions[cut],
            clip.world_rotations[cut],
            None if clip.contacts is None else clip.contacts.planted[cut],
            None if clip.bone_offsets is None else clip.bone_offsets[cut],
        )

    def __len__(self) -> int:
        """Number of frames F."""
        return len(self.roots)


class Crossed(NamedTuple):
    """What comes of two strips: roots (N, 3) [m], rotations (N, J, 4), and planted (N, K) and offsets (N, J, 3) if
    both strips have them, or either."""

    roots: Array
    rotations: Array
    planted: NDArray[np.bool_] | None
    offsets: Array | None


def cross_over(first: Clip, second: Clip, overlap: int, *, settled: int | None = None) -> Clip:
    """`first`, then `second`, the last `overlap` frames of one mixed with as many first frames of the other.

    Poses cross over with weights that start and end gently. Where both clips know the contacts of the same joints,
    feet that are planted stay where they are through the overlap and on to the end of their step. Nothing changes
    before the overlap, nor from frame `settled` of `second` on; a foot that is still planted then is carried over
    to where `second` has it bit by bit.
    """
    ours, theirs, joints = Strip.of(first), Strip.of(second), ()
    if first.contacts is not None and second.contacts is not None:
        joints = first.contacts.joints
        theirs = replace(theirs, planted=_in_order(second.contacts, joints))
    crossed = cross_strips(first.skeleton, first.fps, joints, ours, theirs, overlap, settled)
    return Clip(
        name=f"{first.name}+{second.name}",
        skeleton=first.skeleton,
        fps=first.fps,
        root_positions=crossed.roots,
        rotations=crossed.rotations,
        bone_offsets=crossed.offsets,
        labels=first.labels + _later(second.labels, len(first) - overlap),
        contacts=None if crossed.planted is None else Contacts(joints, crossed.planted),
    )


def cross_strips(
    skeleton: Skeleton,
    fps: float,
    joints: tuple[str, ...],
    first: Strip,
    second: Strip,
    overlap: int,
    settled: int | None = None,
) -> Crossed:
    """The same for frames that are no clips of their own; joints: names of the K that the strips call planted."""
    weights = smooth_steps(overlap)
    frames = len(first) + len(second) - overlap
    roots, rotations = np.empty((frames, 3)), np.empty((frames, len(skeleton), 4))
    _kernels_crossing.mix_poses(
        first.roots, first.rotations, second.roots, second.rotations, weights, roots, rotations
    )
    offsets = _crossed_offsets(skeleton, first, second, weights)
    if first.planted is None or second.planted is None:
        return Crossed(roots, rotations, None, offsets)
    half = overlap // 2
    planted = np.concatenate([first.planted[: len(first) - overlap + half], second.planted[half:]])
    settled = max(len(second) if settled is None else min(settled, len(second)), overlap)
    _kernels_crossing.hold_through(
        (skeleton.parents, skeleton.offsets[None] if offsets is None else offsets),
        _legs_of(skeleton),
        (np.array([skeleton.index(name) for name in joints], dtype=np.int64), _carried(skeleton, joints, planted)),
        (first.positions, second.positions),
        (first.world, second.world),
        (settled, weights, round(EASE * fps)),
        # Ends of pins that are not yet where they lead lie in the middle of the overlap: easing stays within it.
        round(min(EASE, 0.5 * overlap / fps) * fps),
        1 - STRETCH,
        roots,
        rotations,
    )
    return Crossed(roots, rotations, planted, offsets)


def _carried(skeleton: Skeleton, joints: tuple[str, ...], planted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which joints (N, K) are held: those that are planted, and the ball of a foot that rolls over the tips of its
    toes, which stay where they are only if it keeps to its path."""
    held, columns = planted.copy(), {skeleton.index(name): column for column, name in enumerate(joints)}
    for foot in find_roles(skeleton).feet:
        if foot.toe in columns and foot.tip in columns:
            held[:, columns[foot.toe]] |= planted[:, columns[foot.tip]]
    return held


def _crossed_offsets(skeleton: Skeleton, first: Strip, second: Strip, weights: Array) -> Array | None:
    if first.offsets is None and second.offsets is None:
        return None
    ours, theirs = (
        np.tile(skeleton.offsets, (len(strip), 1, 1)) if strip.offsets is None else strip.offsets
        for strip in (first, second)
    )
    overlap = len(weights)
    middle = ours[-overlap:] + weights[:, None, None] * (theirs[:overlap] - ours[-overlap:])
    return np.concatenate([ours[:-overlap], middle, theirs[overlap:]])


def _later(labels: tuple[Label, ...], frames: int) -> tuple[Label, ...]:
    return tuple(Label(label.name, label.start + frames, label.stop + frames) for label in labels)


def _in_order(contacts: Contacts, joints: tuple[str, ...]) -> NDArray[np.bool_] | None:
    """Who is planted (F, K), in the order of these joints; None if the contacts are of others."""
    if set(contacts.joints) != set(joints):
        return None
    return contacts.planted[:, [contacts.joints.index(name) for name in joints]]


class _Legs(NamedTuple):
    """The Q feet of a skeleton as kernels want them.

    feet: (Q, 6) ankle, heel, toe, tip, hip, knee. soles: (Q, M) the joints of each, and heights: (Q, M) [m] theirs
    when it stands flat. -1 is no joint.
    """

    feet: Indices
    soles: Indices
    heights: Array


@once_per_object
def _legs_of(skeleton: Skeleton) -> _Legs:
    """Computed once a skeleton."""
    roles = find_roles(skeleton)
    feet = np.empty((len(roles.feet), 6), dtype=np.int64)
    soles, heights = np.full((len(feet), 4), -1, dtype=np.int64), np.zeros((len(feet), 4))
    for i, (foot, flat) in enumerate(zip(roles.feet, sole_heights(skeleton), strict=True)):
        hip, knee, _ = roles.leg_above(foot) or (-1, -1, -1)
        feet[i] = foot.ankle, foot.heel, foot.toe, foot.tip, hip, knee
        soles[i, : len(foot.joints)], heights[i, : len(flat)] = foot.joints, flat
    return _Legs(feet, soles, heights)
