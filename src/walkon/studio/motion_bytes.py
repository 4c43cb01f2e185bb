"""Clips of one performer as the GPU plays them: a matrix per joint and frame, and the body they move.

Little endian: eight u32 (magic, joints J, rows R, vertices V, triangles T, bones per vertex, 0, 0), then
f32 R x J x 12 (3 x 4 matrices, row-major, from the bind pose to the pose, as the clip's entry sees it),
f32 positions V x 3, f32 normals V x 3, u8 bones V x 4, u8 weights V x 4 (sum 255), u32 triangles T x 3.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.errors import ExportError
from walkon.export import Skin, build_skin
from walkon.motion import Clip, placement_at
from walkon.rotations import conjugate, multiply, to_matrix

MAGIC = 0x574C4B31
BONES = 4
MOST_BYTES = 1 << 30


class PlayedPart(NamedTuple):
    """The frames `first` to `last` of a clip, both included: what is played of it."""

    clip: Clip
    first: int
    last: int

    @property
    def rows(self) -> int:
        """Frames."""
        return self.last - self.first + 1


def bake(cores: Sequence[PlayedPart]) -> bytes:
    """The clips, one after another, and the body of their skeleton."""
    joints = len(cores[0].clip.skeleton)
    rows = sum(core.rows for core in cores)
    if joints > 256:
        raise ExportError(f"the studio draws bodies of at most 256 joints, not {joints}")
    if rows * joints * 48 > MOST_BYTES:
        raise ExportError(f"{rows} frames of {joints} joints are too much for a browser")
    skin = build_skin(cores[0].clip)
    header = struct.pack("<8I", MAGIC, joints, rows, len(skin), len(skin.triangles), BONES, 0, 0)
    parts = (np.ascontiguousarray(matrices(core, skin), dtype="<f4").tobytes() for core in cores)
    return b"".join([header, *parts, *_body(skin)])


def matrices(core: PlayedPart, skin: Skin) -> NDArray[np.float64]:
    """Matrices (F, J, 3, 4) that take the bind pose to the poses of a clip, as its entry sees them."""
    clip, part = core.clip, slice(core.first, core.last + 1)
    home = placement_at(clip, core.first).inverse()
    positions = home.points(clip.positions[part])
    turns = multiply(multiply(home.quaternion(), clip.world_rotations[part]), conjugate(skin.bind_rotations))
    rotations = to_matrix(turns)
    moves = positions - np.einsum("fjab,jb->fja", rotations, skin.bind_positions)
    return np.concatenate([rotations, moves[..., None]], axis=-1)


def _body(skin: Skin) -> Iterable[bytes]:
    bones = np.zeros((len(skin), BONES), dtype=np.uint8)
    weights = np.zeros((len(skin), BONES), dtype=np.uint8)
    bones[:, :2] = skin.joints
    weights[:, 0] = np.round(255.0 * skin.weights[:, 0])
    weights[:, 1] = 255 - weights[:, 0]
    yield skin.positions.astype("<f4").tobytes()
    yield skin.normals.astype("<f4").tobytes()
    yield bones.tobytes()
    yield weights.tobytes()
    yield skin.triangles.astype("<u4").tobytes()
