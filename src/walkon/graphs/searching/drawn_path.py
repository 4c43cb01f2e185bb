"""A path drawn on the ground, by arc length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.errors import GraphError
from walkon.graphs.searching._kernels_fitting import distances_to_path
from walkon.rotations import Placement

POINT_SPACING = 0.02
"""Metres between the points that a path is kept as, at most."""

LONGEST_PATH = 20_000.0
"""Metres of path that can be followed: several hours of walking."""

SIGHT = 0.3
"""Metres of path that tell its direction."""


@dataclass(frozen=True, eq=False)
class DrawnPath:
    """points: (Q, 2) x, z [m], one every `spacing` [m] along the path."""

    points: Array
    spacing: float

    @property
    def length(self) -> float:
        """Metres from the first point to the last."""
        return self.spacing * (len(self.points) - 1)

    def at(self, arc: ArrayLike) -> Array:
        """Points (..., 2) at arc lengths (...) [m]; before the beginning the first, beyond the end the last."""
        place = np.clip(np.asarray(arc, dtype=np.float64) / self.spacing, 0.0, len(self.points) - 1.0)
        return np.stack(
            [np.interp(place, np.arange(len(self.points)), column) for column in self.points.T], axis=-1
        )

    def placement(self) -> Placement:
        """Where it begins, looking along it."""
        begin, ahead = self.points[0], self.at(min(SIGHT, self.length))
        return Placement(
            float(begin[0]), float(begin[1]), float(np.arctan2(ahead[0] - begin[0], ahead[1] - begin[1]))
        )

    def distances(self, track: Array) -> Array:
        """How far (F,) [m] every point of a track (F, 2) is from the nearest of the path."""
        return distances_to_path(np.ascontiguousarray(track), self.points)


def draw_path(points: ArrayLike) -> DrawnPath:
    """The path along straight lines from point to point (P, 2) [m]."""
    corners = np.asarray(points, dtype=np.float64)
    if corners.ndim != 2 or corners.shape[1] != 2 or not np.isfinite(corners).all():
        raise GraphError(f"a path is points (P, 2) of finite x and z, not an array of shape {corners.shape}")
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(corners, axis=0).T))])
    if not 0.0 < arc[-1] <= LONGEST_PATH:
        raise GraphError(
            f"a path must be up to {LONGEST_PATH:g} m long, and longer than 0; this one has {arc[-1]:g} m"
        )
    count = int(np.ceil(arc[-1] / POINT_SPACING))
    places = np.linspace(0.0, arc[-1], count + 1)
    line = np.stack([np.interp(places, arc, column) for column in corners.T], axis=1)
    return DrawnPath(line, float(arc[-1] / count))
