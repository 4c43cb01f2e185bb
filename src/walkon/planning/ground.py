"""A world as kernels read it: the ground with what stands on it, and the solids."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numba import njit
from numpy.typing import NDArray

from walkon.planning._kernels_moves import enclosing_circles
from walkon.world import Solids, World, sampling_error
from walkon.world._kernels import outline_distance

ABSENT = 1e5
"""[m] Solids this far along x are not there at that frame: above all heads, or below the ground."""

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Ground(NamedTuple):
    """Grids of World: distances to what stands still, less a margin [m] that is kept, and heights; flat: none."""

    clearance: Array
    clearance_x: float
    clearance_z: float
    clearance_cell: float
    margin: float
    heights: Array
    heights_x: float
    heights_z: float
    heights_cell: float
    flat: bool


class Shapes(NamedTuple):
    """Solids of a World, and besides: gap [m] to keep; spans (K, 3) circles around all that a solid ever covers;
    absent (S,) where it is not there; speeds (K,) the most its outline moves in a frame [m]; steps (S,) likewise,
    to or from each frame."""

    gap: float
    passes: Indices
    starts: Indices
    corners: Array
    sizes: Indices
    rounding: Array
    bottom: Array
    top: Array
    discs: Array
    near: Array
    within: Array
    spans: Array
    absent: NDArray[np.bool_]
    speeds: Array
    steps: Array


_compiled: WeakKeyDictionary[World, tuple[Ground, Shapes]] = WeakKeyDictionary()


def compile_world(world: World, radius: float) -> tuple[Ground, Shapes]:
    """The arrays of a world for bodies whose circles have at least this radius [m]."""
    found = _compiled.get(world)
    if found is None:
        found = _ground(world), _shapes(world.solids, world.scene.clearance)
        _compiled[world] = found
    ground, shapes = found
    kept = world.scene.clearance
    return ground._replace(margin=kept + sampling_error(world.clearance.cell, radius + kept)), shapes


def _ground(world: World) -> Ground:
    distances, heights = world.clearance, world.heights
    return Ground(
        clearance=np.array(distances.values),
        clearance_x=float(distances.origin_x),
        clearance_z=float(distances.origin_z),
        clearance_cell=float(distances.cell),
        margin=0.0,
        heights=np.array(heights.values),
        heights_x=float(heights.origin_x),
        heights_z=float(heights.origin_z),
        heights_cell=float(heights.cell),
        flat=bool(np.ptp(heights.values) == 0.0),
    )


def _shapes(solids: Solids, gap: float) -> Shapes:
    starts, discs = np.array(solids.starts, dtype=np.int64), np.array(solids.discs, dtype=np.float64)
    corners, sizes = np.array(solids.corners, dtype=np.float64), np.array(solids.sizes, dtype=np.int64)
    rounding = np.array(solids.rounding, dtype=np.float64)
    absent = discs[:, 0] >= ABSENT
    steps = outline_steps(starts, corners, sizes, rounding, absent)
    spans = np.zeros((len(starts) - 1, 3))
    for solid, (first, stop) in enumerate(pairwise(starts)):
        there = discs[first:stop][~absent[first:stop]]
        spans[solid] = enclosing_circles(there, np.array([0, len(there)]))[0] if len(there) else discs[first]
    return Shapes(
        gap=float(gap),
        passes=np.array(solids.passes, dtype=np.int64),
        starts=starts,
        corners=corners,
        sizes=sizes,
        rounding=rounding,
        bottom=np.array(solids.bottom, dtype=np.float64),
        top=np.array(solids.top, dtype=np.float64),
        discs=discs,
        near=np.array(solids.near, dtype=np.float64),
        within=np.array(solids.within, dtype=np.float64),
        spans=spans,
        absent=absent,
        speeds=_speeds(starts, steps, absent),
        steps=steps,
    )


def _speeds(starts: Indices, steps: Array, absent: NDArray[np.bool_]) -> Array:
    """The most (K,) [m] each solid moves in a frame; without limit for one that comes and goes."""
    rows = [slice(first, stop) for first, stop in pairwise(starts)]
    return np.array([np.inf if absent[own].any() else steps[own].max() for own in rows], dtype=np.float64)


@njit(cache=True, nogil=True)
def outline_steps(starts, corners, sizes, rounding, absent):
    """How far (S,) [m] outlines move from or to each frame, by the greatest distance between the two outlines.

    Coming and going, from or to far away, does not count.
    """
    steps = np.zeros(len(sizes))
    for solid in range(len(starts) - 1):
        for row in range(starts[solid], starts[solid + 1] - 1):
            if absent[row] or absent[row + 1]:
                continue
            step = 0.0
            for corner in range(sizes[row]):
                x, z = corners[row, corner]
                step = max(step, outline_distance(corners[row + 1], sizes[row + 1], 0.0, x, z))
            for corner in range(sizes[row + 1]):
                x, z = corners[row + 1, corner]
                step = max(step, outline_distance(corners[row], sizes[row], 0.0, x, z))
            step += abs(rounding[row + 1] - rounding[row])
            steps[row] = max(steps[row], step)
            steps[row + 1] = step
    return steps
