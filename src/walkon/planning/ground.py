"""A world as kernels read it: the ground with what stands on it, and the solids."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Flags, Indices, once_per_object, stretches
from walkon.kernels import kernel
from walkon.planning.kernels_bodies import WallEdges
from walkon.planning.kernels_collision import Raster
from walkon.planning.kernels_moves import enclosing_circles
from walkon.planning.moves import Moves
from walkon.planning.walls import NO_WALLS, compile_walls
from walkon.world import Obstacle, Solids, World, sampling_error
from walkon.world.kernels import outline_distance

ABSENT = 1e5
"""[m] Solids this far along x are not there at that frame: above all heads, or below the ground."""


class Ground(NamedTuple):
    """Grids of World: distances (Nz, Nx) [m] to what stands still, on a raster whose margin is what must be kept;
    heights [m] of the ground; flat: it has none. walls: the edges of what stands still, for a closer look."""

    clearance: Array
    raster: Raster
    heights: Array
    heights_x: float
    heights_z: float
    heights_cell: float
    flat: bool
    walls: WallEdges


NO_GROUND = Ground(np.zeros((2, 2)), Raster(0.0, 0.0, 1.0, 0.0), np.zeros((2, 2)), 0.0, 0.0, 1.0, True, NO_WALLS)
"""Ground on which nobody can be, for those who have not been put anywhere."""


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
    absent: Flags
    speeds: Array
    steps: Array


class _Travel(NamedTuple):
    """How the solids of one obstacle move; their discs and rounding tell whether they are still the same."""

    discs: Array
    rounding: Array
    spans: Array
    absent: Flags
    speeds: Array
    steps: Array


def compile_world(world: World, radius: float) -> tuple[Ground, Shapes]:
    """The arrays of a world for bodies that ask about discs of at least this radius [m]: see `least_radius`.

    They are those of the world itself, not copies: nobody may write into them.
    """
    ground, shapes = _compiled(world)
    kept = world.scene.clearance
    margin = kept + sampling_error(world.clearance.cell, radius + kept)
    return ground._replace(raster=ground.raster._replace(margin=margin)), shapes


def least_radius(moves: Moves) -> float:
    """The least radius [m] that a grid of distances is asked about: the less, the more its sampling may miss."""
    return float((moves.covers[:, :, 2] if moves.outlined else moves.circles[:, 2]).min())


@once_per_object
def _compiled(world: World) -> tuple[Ground, Shapes]:
    return _ground(world), _shapes(world)


def _ground(world: World) -> Ground:
    distances, heights = world.clearance, world.heights
    return Ground(
        clearance=shared_array(distances.values),
        raster=Raster(float(distances.origin_x), float(distances.origin_z), float(distances.cell), margin=0.0),
        heights=shared_array(heights.values),
        heights_x=float(heights.origin_x),
        heights_z=float(heights.origin_z),
        heights_cell=float(heights.cell),
        flat=bool(np.ptp(heights.values) == 0.0),
        walls=compile_walls(world),
    )


def _shapes(world: World) -> Shapes:
    solids = world.solids
    travels = [
        _travel(world.scene.obstacles[solids.obstacle[first]], solids, first, stop)
        for first, stop in stretches(solids.obstacle)
    ]
    return Shapes(
        spans=np.concatenate([np.zeros((0, 3)), *(travel.spans for travel in travels)]),
        absent=np.concatenate([np.zeros(0, dtype=bool), *(travel.absent for travel in travels)]),
        speeds=np.concatenate([np.zeros(0), *(travel.speeds for travel in travels)]),
        steps=np.concatenate([np.zeros(0), *(travel.steps for travel in travels)]),
        gap=float(world.scene.clearance),
        passes=shared_array(solids.passes, np.int64),
        starts=shared_array(solids.starts, np.int64),
        corners=shared_array(solids.corners),
        sizes=shared_array(solids.sizes, np.int64),
        rounding=shared_array(solids.rounding),
        bottom=shared_array(solids.bottom),
        top=shared_array(solids.top),
        discs=shared_array(solids.discs),
        near=shared_array(solids.near),
        within=shared_array(solids.within),
    )


class _Borrowed:
    """Memory of a read-only array, described as writable; keeps the array alive."""

    def __init__(self, array: NDArray) -> None:
        self.array = array
        address = array.__array_interface__["data"][0]
        self.__array_interface__ = {**array.__array_interface__, "data": (address, False)}


def shared_array(array: NDArray, dtype: type = np.float64) -> NDArray:
    """The same memory as an array that claims to be writable; a copy only if it is of another type or layout.

    To numba a read-only array is another type: all kernels would be compiled once more for it.
    """
    array = np.ascontiguousarray(array, dtype=dtype)
    if array.flags.writeable or not array.size:
        return array if array.flags.writeable else array.copy()
    return np.asarray(_Borrowed(array))


@once_per_object
def _last_travel(obstacle: Obstacle) -> list[_Travel]:
    """Room for the travel of an obstacle's solids that was found last."""
    return []


def _travel(obstacle: Obstacle, solids: Solids, first: int, stop: int) -> _Travel:
    """What the solids `first` to `stop` of an obstacle cover and how they move; found once for each obstacle."""
    begin, end = solids.starts[first], solids.starts[stop]
    discs, rounding = solids.discs[begin:end], solids.rounding[begin:end]
    kept = _last_travel(obstacle)
    # The same obstacle has other solids on another terrain, or where its motion is only believed.
    if not (kept and np.array_equal(kept[0].discs, discs) and np.array_equal(kept[0].rounding, rounding)):
        # Copies: a view would keep the solids of a whole world for as long as there is this obstacle.
        discs, rounding = np.array(discs, dtype=np.float64), np.array(rounding, dtype=np.float64)
        corners = np.array(solids.corners[begin:end], dtype=np.float64)
        sizes = np.array(solids.sizes[begin:end], dtype=np.int64)
        starts = np.array(solids.starts[first : stop + 1] - begin, dtype=np.int64)
        absent = discs[:, 0] >= ABSENT
        steps = outline_steps(starts, corners, sizes, rounding, absent)
        speeds, spans = _speeds(starts, steps, absent), _spans(starts, discs, absent)
        kept[:] = [_Travel(discs, rounding, spans, absent, speeds, steps)]
    return kept[0]


def _spans(starts: Indices, discs: Array, absent: Flags) -> Array:
    """A circle (K, 3) around all that each solid ever covers."""
    spans = np.zeros((len(starts) - 1, 3))
    for solid, (first, stop) in enumerate(pairwise(starts)):
        there = discs[first:stop][~absent[first:stop]]
        spans[solid] = enclosing_circles(there, np.array([0, len(there)]))[0] if len(there) else discs[first]
    return spans


def _speeds(starts: Indices, steps: Array, absent: Flags) -> Array:
    """The most (K,) [m] each solid moves in a frame; without limit for one that comes and goes."""
    rows = [slice(first, stop) for first, stop in pairwise(starts)]
    return np.array([np.inf if absent[own].any() else steps[own].max() for own in rows], dtype=np.float64)


@kernel
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
