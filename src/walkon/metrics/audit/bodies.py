"""The bodies of a take as flat arrays: every joint of everybody at every frame, capsules, circles, heights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices
from walkon.metrics.audit import _kernels_bodies
from walkon.motion import Clip
from walkon.skeleton import Body, build_body, forward_kinematics


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
    frame_starts: (N + 1,). circles: (F, 3) x, z, radius of the smallest circle around the body on the ground [m].
    extents: (F, 4) least x and z of the body, and greatest [m].
    lows, highs: (F,) heights of its lowest and highest point [m].
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
    circles: Array
    extents: Array
    lows: Array
    highs: Array


@dataclass(frozen=True, eq=False)
class Bodies:
    """Everybody in a take: names, clips and bodies (N), and all their arrays."""

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

    def circles(self, person: int) -> Array:
        """Circles (F, 3) of one person."""
        starts = self.arrays.frame_starts
        return self.arrays.circles[starts[person] : starts[person + 1]]

    def extents(self, person: int) -> Array:
        """Least x and z, greatest x and z (F, 4) [m] of one person."""
        starts = self.arrays.frame_starts
        return self.arrays.extents[starts[person] : starts[person + 1]]

    def middle(self, person: int, frame: int, capsule: int) -> Array:
        """Middle (3,) [m] of a capsule at a frame of the take."""
        points = self.positions(person)[frame - int(self.arrays.first[person])]
        return self.bodies[person].capsules(points)[capsule].mean(axis=0)

    def bone(self, person: int, capsule: int) -> str:
        """What people call a capsule: the joint its bone begins at, or both where it lies across."""
        body = self.bodies[person]
        names, start, end = body.skeleton.names, int(body.starts[capsule]), int(body.ends[capsule])
        along = start == end or body.skeleton.parents[end] == start
        return names[start] if along else f"{names[start]}-{names[end]}"


def gather(performances: Sequence[Played]) -> Bodies:
    """All bodies of a take. Poses come from the skeleton's kinematics; nothing that a planner stored is used."""
    clips = tuple(performance.clip for performance in performances)
    bodies = tuple(build_body(clip.skeleton) for clip in clips)
    frames = np.array([len(clip) for clip in clips], dtype=np.int64)
    joints = np.array([len(clip.skeleton) for clip in clips], dtype=np.int64)
    point_starts, frame_starts = _starts(frames * joints), _starts(frames)
    points = np.empty((int(point_starts[-1]), 3))
    for clip, start, stop in zip(clips, point_starts[:-1], point_starts[1:], strict=True):
        # Not clip.positions: a clip keeps those, and the rotations with them, as long as it lives.
        found, _ = forward_kinematics(clip.skeleton, clip.root_positions, clip.rotations, clip.bone_offsets)
        points[start:stop] = found.reshape(-1, 3)
    arrays = BodyArrays(
        first=np.array([performance.start_frame for performance in performances], dtype=np.int64),
        frames=frames,
        points=points,
        point_starts=point_starts[:-1],
        joints=joints,
        capsule_starts=_starts(np.array([len(body) for body in bodies], dtype=np.int64)),
        starts=_joined([body.starts for body in bodies], np.int64),
        ends=_joined([body.ends for body in bodies], np.int64),
        spans=_joined([body.spans for body in bodies], np.float64).reshape(-1, 2),
        radii=_joined([body.radii for body in bodies], np.float64),
        frame_starts=frame_starts,
        circles=np.empty((int(frame_starts[-1]), 3)),
        extents=np.empty((int(frame_starts[-1]), 4)),
        lows=np.empty(int(frame_starts[-1])),
        highs=np.empty(int(frame_starts[-1])),
    )
    _kernels_bodies.measure_bodies(arrays)
    return Bodies(tuple(performance.character for performance in performances), clips, bodies, arrays)


def _starts(lengths: Indices) -> Indices:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


def _joined(parts: list[NDArray], dtype: type) -> NDArray:
    return np.concatenate(
        [np.empty((0, *part.shape[1:]), dtype) for part in parts[:1]] + parts or [np.empty(0, dtype)]
    )
