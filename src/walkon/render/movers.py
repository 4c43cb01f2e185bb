"""Obstacles that move: balls and poles become capsules of the frame, everything else triangles of the frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.render.solids import Solid
from walkon.render.triangles import Triangles
from walkon.rotations import rotate
from walkon.world import HeightField


@dataclass(frozen=True, eq=False)
class RigidMotion:
    """Where something is, frame by frame: positions (T, 3) [m], rotations (T, 4); it stays where it ends."""

    positions: Array
    rotations: Array

    def at(self, frame: float) -> tuple[Array, Array]:
        """Position (3,) and unit quaternion (4,) at a moment, also between frames."""
        last = len(self.positions) - 1
        low = int(min(max(frame, 0.0), last))
        high, blend = min(low + 1, last), min(max(frame, 0.0), float(last)) - low
        one, two = self.rotations[low], self.rotations[high]
        mixed = (1.0 - blend) * one + blend * (two if one @ two >= 0.0 else -two)
        place = (1.0 - blend) * self.positions[low] + blend * self.positions[high]
        return place, mixed / max(float(np.linalg.norm(mixed)), 1e-12)


@dataclass(frozen=True, eq=False)
class MovingPole:
    """A ball, or a rounded pole: the segment (2, 3) in its own frame, radius [m], colour (3,), and its motion."""

    segment: Array
    radius: float
    colour: Array
    motion: RigidMotion


@dataclass(frozen=True, eq=False)
class MovingSolid:
    """Any other solid, in its own frame, and its motion."""

    solid: Solid
    motion: RigidMotion

    def at(self, frame: float) -> Solid:
        """The solid where it is at that moment."""
        place, turn = self.motion.at(frame)
        solid = self.solid
        pieces = [rotate(turn, piece) + place for piece in solid.pieces]
        corners, normals = rotate(turn, solid.corners) + place, rotate(turn, solid.normals)
        return Solid(corners, normals, solid.groups, solid.colour, tuple(pieces))


class Movers:
    """Everything that moves, posed at a moment."""

    def __init__(self, poles: Sequence[MovingPole], solids: Sequence[MovingSolid]) -> None:
        self.poles, self.solids = tuple(poles), tuple(solids)
        self.radii = np.array([pole.radius for pole in poles])
        self.colours = np.array([pole.colour for pole in poles]).reshape(-1, 3)

    def __bool__(self) -> bool:
        return bool(self.poles or self.solids)

    def capsules(self, frame: float) -> tuple[Array, Array]:
        """Both ends (N, 3) of all balls and poles at that moment."""
        ends = np.empty((len(self.poles), 2, 3))
        for index, pole in enumerate(self.poles):
            place, turn = pole.motion.at(frame)
            ends[index] = rotate(turn, pole.segment) + place
        return ends[:, 0], ends[:, 1]


def join_triangles(solids: Sequence[Solid], ground: HeightField) -> Triangles:
    """The triangles of several solids; their faces stay apart."""
    corners = np.concatenate([solid.corners for solid in solids])
    firsts = np.cumsum([0, *(int(solid.groups.max()) + 1 for solid in solids)])
    heights = corners[..., 1] - (0.0 if ground.is_flat else ground.at(corners[..., 0], corners[..., 2]))
    return Triangles(
        corners,
        np.concatenate([solid.normals for solid in solids]),
        np.concatenate([solid.groups + first for solid, first in zip(solids, firsts, strict=False)]),
        np.concatenate([np.tile(solid.colour, (len(solid.corners), 1)) for solid in solids]),
        np.ascontiguousarray(heights),
    )
