"""Areas on the ground that an obstacle which stands still closes to everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.world.outlines import BODY_HEIGHT, HULL_CORNERS, draw, ground_range
from walkon.world.parts import Part

if TYPE_CHECKING:
    from walkon.world.scene import HeightField, Obstacle

Region = tuple[Array, float]
"""Directed edges (E, 4) ax, az, bx, bz of an area on the ground, and the rounding [m] around it."""


def regions_of_parts(parts: list[Part], obstacle: Obstacle, terrain: HeightField) -> list[Region]:
    """The areas that the parts of an obstacle at its first frame close to a body `BODY_HEIGHT` tall."""
    regions: list[Region] = []
    for part in parts:
        # All corners of a tilted cylinder are kept: here they need no room in an array of solids.
        most = 2 * len(part.points) + 8 if part.rim else max(HULL_CORNERS, len(part.points) + 8)
        outlines = draw(part, obstacle, terrain, most=most)
        size = int(outlines.sizes[0])
        if size and outlines.top[0] > 0.0 and outlines.bottom[0] < BODY_HEIGHT:
            regions.append((closed_line(outlines.corners[0, :size]), float(outlines.rounding[0])))
    return regions


def regions_of_triangles(vertices: Array, faces: NDArray[np.int64], terrain: HeightField) -> list[Region]:
    """Every triangle of a mesh in the world where it is in the way, and what a closed one encloses half way up."""
    from walkon.world._kernels_outlines import draw_outlines

    triangles = vertices[faces]
    count = len(triangles)
    lowest, highest = ground_range(terrain, triangles, np.zeros(count))
    corners, sizes, discs = np.zeros((count, 6, 2)), np.zeros(count, dtype=np.int64), np.zeros((count, 3))
    draw_outlines(
        triangles, np.array([[0, 1], [1, 2], [2, 0]]), lowest, highest + BODY_HEIGHT, corners, sizes, discs
    )
    # A sheet that lies on the ground, or touches the layer from above, is in nobody's way.
    levels = triangles[:, :, 1]
    sizes[(levels.max(axis=1) <= lowest) | (levels.min(axis=1) >= highest + BODY_HEIGHT)] = 0
    regions: list[Region] = [(closed_line(corners[t, : sizes[t]]), 0.0) for t in np.flatnonzero(sizes)]
    # Columns that are inside all the way up meet no triangle; they are inside at any level of every body.
    bottom, top = max(levels.min(), highest.max()), min(levels.max(), lowest.min() + BODY_HEIGHT)
    if bottom < top and _is_closed(vertices, faces):
        section = _section(triangles, 0.5 * (bottom + top))
        if len(section):
            regions.append((section, 0.0))
    return regions


def closed_line(corners: Array) -> Array:
    """The closed line through corners (K, 2) as directed edges (K, 4)."""
    return np.concatenate([corners, np.roll(corners, -1, axis=0)], axis=1)


def _is_closed(vertices: Array, faces: NDArray[np.int64]) -> bool:
    """Whether every directed edge of a mesh is met by its reverse, corners at the same place being one."""
    _, same = np.unique(vertices.round(9), axis=0, return_inverse=True)
    faces = same.reshape(-1)[faces]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    there, counts = np.unique(edges, axis=0, return_counts=True)
    back, reverse = np.unique(edges[:, ::-1], axis=0, return_counts=True)
    return np.array_equal(there, back) and np.array_equal(counts, reverse)


def _section(triangles: Array, height: float) -> Array:
    """Directed edges (E, 4) in which triangles (T, 3, 3) cut the level `height`."""
    above = triangles[:, :, 1] > height
    ups = above.sum(axis=1)
    cut, single = np.flatnonzero((ups == 1) | (ups == 2)), ups == 1
    # The corner that is alone on its side of the level, and the two that follow it.
    lonely = np.argmax(above[cut] == single[cut][:, None], axis=1)
    apex, second, third = (triangles[cut, (lonely + k) % 3] for k in range(3))
    first = apex + ((height - apex[:, 1]) / (second[:, 1] - apex[:, 1]))[:, None] * (second - apex)
    other = apex + ((height - apex[:, 1]) / (third[:, 1] - apex[:, 1]))[:, None] * (third - apex)
    forward = np.concatenate([first[:, [0, 2]], other[:, [0, 2]]], axis=1)
    backward = np.concatenate([other[:, [0, 2]], first[:, [0, 2]]], axis=1)
    return np.where(single[cut][:, None], forward, backward)
