"""Bodies as flat arrays: every joint of everybody at every frame, capsules, and boxes that hold them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices
from walkon.metrics.audit import _kernels_bodies
from walkon.motion import Clip
from walkon.skeleton import Body, Skeleton, build_body, forward_kinematics


class Each(Protocol):
    """`map`, or a pool's."""

    def __call__(self, call: Callable[[int], Any], numbers: Iterable[int], /) -> Iterable[Any]: ...


class Played(Protocol):
    """What synthesis makes of a role: poses in the world, from `start_frame` of the take on."""

    @property
    def character(self) -> str: ...
    @property
    def start_frame(self) -> int: ...
    @property
    def clip(self) -> Clip: ...


class BodyArrays(NamedTuple):
    """N people, P joints of all people and frames together, F frames of all people, K capsules of all people.

    first, frames: (N,) when each appears in the take, and for how long.
    points: (P, 3) [m] person by person, frame by frame. point_starts, joints: (N,) where a person's begin, how
        many there are a frame.
    capsule_starts: (N + 1,). starts, ends: (K,) joints. spans: (K, 2). radii: (K,) [m].
    frame_starts: (N + 1,). boxes: (F, 6) least x, y, z of the body and greatest [m].
    """

    first: Indices
    frames: Indices
    points: Array
    point_starts: Indices
    joints: Indices
    capsule_starts: Indices
    starts: Indices
    ends: Indices
    spans: Array
    radii: Array
    frame_starts: Indices
    boxes: Array


@dataclass(frozen=True, eq=False)
class Bodies:
    """People, everybody of a take or one of them: names and bodies (N), all their arrays, and their clips (N),
    unless only a window of time is seen."""

    names: tuple[str, ...]
    clips: tuple[Clip, ...]
    bodies: tuple[Body, ...]
    arrays: BodyArrays

    def __len__(self) -> int:
        return len(self.names)

    def positions(self, person: int) -> Array:
        """Joint positions (F, J, 3) [m] of one person."""
        a = self.arrays
        frames, joints, start = int(a.frames[person]), int(a.joints[person]), int(a.point_starts[person])
        return a.points[start : start + frames * joints].reshape(frames, joints, 3)

    def boxes(self, person: int) -> Array:
        """Boxes (F, 6) of one person."""
        starts = self.arrays.frame_starts
        return self.arrays.boxes[starts[person] : starts[person + 1]]

    def middle(self, person: int, frame: int, capsule: int) -> Array:
        """Middle (3,) [m] of a capsule at a frame of the take."""
        points = self.positions(person)[frame - int(self.arrays.first[person])]
        return self.bodies[person].capsules(points)[capsule].mean(axis=0)

    def bone(self, person: int, capsule: int) -> str:
        """What people call a capsule of somebody."""
        return bone_name(self.bodies[person], capsule)


def bone_name(body: Body, capsule: int) -> str:
    """What people call a capsule: the joint its bone begins at, or both where it lies across."""
    names, start, end = body.skeleton.names, int(body.starts[capsule]), int(body.ends[capsule])
    along = start == end or body.skeleton.parents[end] == start
    return names[start] if along else f"{names[start]}-{names[end]}"


def gather(performances: Sequence[Played]) -> Bodies:
    """The bodies of all who play, with their clips."""
    clips = tuple(one.clip for one in performances)
    names, skeletons = tuple(one.character for one in performances), tuple(clip.skeleton for clip in clips)
    first = np.array([one.start_frame for one in performances], dtype=np.int64)
    frames = np.array([len(clip) for clip in clips], dtype=np.int64)
    found = assemble(names, skeletons, first, frames, lambda person: points_of(clips[person]))
    return replace(found, clips=clips)


def points_of(clip: Clip) -> Array:
    """Joints (F, J, 3) [m] of a clip, by its skeleton's kinematics; nothing a planner stored is used."""
    # Not clip.positions: a clip keeps those, and the rotations with them, as long as it lives.
    return forward_kinematics(clip.skeleton, clip.root_positions, clip.rotations, clip.bone_offsets)[0]


def assemble(
    names: tuple[str, ...],
    skeletons: tuple[Skeleton, ...],
    first: Indices,
    frames: Indices,
    points: Callable[[int], Array],
    each: Each = map,
) -> Bodies:
    """The bodies of people (N) who appear at frames first (N,) of the take for so many frames (N,).

    points: gives somebody's joints (F, J, 3) [m]. each: how to call a function for everybody, `map` or that of a
    pool of threads.
    """
    bodies = tuple(build_body(skeleton) for skeleton in skeletons)
    joints = np.array([len(skeleton) for skeleton in skeletons], dtype=np.int64)
    point_starts, frame_starts = _starts(frames * joints), _starts(frames)
    arrays = BodyArrays(
        first=first,
        frames=frames,
        points=np.empty((int(point_starts[-1]), 3)),
        point_starts=point_starts[:-1],
        joints=joints,
        capsule_starts=_starts(np.array([len(body) for body in bodies], dtype=np.int64)),
        starts=_joined([body.starts for body in bodies], np.int64),
        ends=_joined([body.ends for body in bodies], np.int64),
        spans=_joined([body.spans for body in bodies], np.float64).reshape(-1, 2),
        radii=_joined([body.radii for body in bodies], np.float64),
        frame_starts=frame_starts,
        boxes=np.empty((int(frame_starts[-1]), 6)),
    )

    def pose(person: int) -> None:
        arrays.points[point_starts[person] : point_starts[person + 1]] = points(person).reshape(-1, 3)
        _kernels_bodies.measure_boxes(arrays, person)

    deque(each(pose, range(len(names))), maxlen=0)
    return Bodies(names, (), bodies, arrays)


def circles_of(bodies: Bodies, each: Each = map) -> Array:
    """Circles (F, 3) x, z, radius [m] of everybody: the smallest around the body on the ground, at every frame."""
    circles = np.empty((len(bodies.arrays.boxes), 3))
    deque(
        each(lambda person: _kernels_bodies.measure_circles(bodies.arrays, person, circles), range(len(bodies))),
        maxlen=0,
    )
    return circles


def _starts(lengths: Indices) -> Indices:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


def _joined(parts: list[NDArray], dtype: type) -> NDArray:
    return np.concatenate(
        [np.empty((0, *part.shape[1:]), dtype) for part in parts[:1]] + parts or [np.empty(0, dtype)]
    )
