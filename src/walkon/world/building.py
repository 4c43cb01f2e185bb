"""A scene becomes a world: distances to what stands still, and solids for everything else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, once_per_object
from walkon.errors import SceneError
from walkon.world.bodies import OUTLINED
from walkon.world.clearance import measure_clearance, slopes_of
from walkon.world.outlines import BODY_HEIGHT, HULL_CORNERS, Outlines, draw
from walkon.world.queries import sample
from walkon.world.scene import PASSES, Obstacle, Scene
from walkon.world.slopes import ADULT, FADE, Footing, Slopes
from walkon.world.world import Gridmap, Solids, World

RUN_UP = 6.0
"""[m] from the outline: where a behavior that passes an obstacle may begin, run-up included."""

FAR_AWAY = 1e6
"""[m] x and z of a solid at frames when it is above all heads or below the ground."""


FINE_CELL, COARSE_CELL, FINE_AREA = 0.05, 0.1, 5000.0
"""[m] Spacing of clearance grids, fine where planners see more of bodies than circles, in scenes of up to so many
[m²]. With coarser ones people need a closer look beside every wall; finer ones take longer to make."""


def build_world(scene: Scene, *, cell: float | None = None, footing: Footing = ADULT) -> World:
    """Compile a scene for planning. cell [m]: of the clearance grid; as the scene needs it if not said, and
    enlarged where it would have more than 16 million vertices. footing: what its people can do on slopes.

    Obstacles that move, and those that can be passed, become solids; all others go into the clearance grid. What
    lies higher above the ground than a body needs (2.3 m), or below the ground, is left out. Ground that is too
    steep counts as something that stands there.
    """
    if cell is None:
        left, near, right, far = scene.bounds
        fine = scene.bodies in OUTLINED and (right - left) * (far - near) <= FINE_AREA
        cell = FINE_CELL if fine else COARSE_CELL
    if not cell > 0.0:
        raise SceneError(f"scene {scene.name!r}: the cell of a world must be positive, not {cell}")
    terrain = scene.terrain
    heights = Gridmap(terrain.origin_x, terrain.origin_z, terrain.cell, terrain.heights)
    slopes = slopes_of(scene, footing, cell=cell)
    clearance = measure_clearance(scene, cell=cell, slopes=slopes)
    solids = stack_solids([solids_of(scene, index, clearance, slopes) for index in range(len(scene.obstacles))])
    return World(scene, clearance, heights, solids, last_frame(solids), footing, slopes)


@once_per_object
def _world_for(world: World, steepest: float) -> World:
    return build_world(world.scene, cell=world.clearance.cell, footing=replace(world.footing, steepest=steepest))


def world_for(world: World, steepest: float) -> World:
    """The same world for somebody who walks slopes up to `steepest`, rise over run; made once for each."""
    level = world.slopes is None or world.footing.steepest == steepest
    return world if level else _world_for(world, steepest)


def solids_of(scene: Scene, index: int, grid: Gridmap, slopes: Slopes | None) -> Solids:
    """The solids of one obstacle: none if it stands still and cannot be passed. grid: where the vertices of slopes
    are; on slopes outlines are as much wider as bodies may need."""
    obstacle = scene.obstacles[index]
    if not obstacle.moves and not obstacle.passes:
        return stack_solids([])
    obstacle = _at_rest(obstacle)
    parts = obstacle.shape.parts(obstacle.rotations)
    solids = [_solid(index, obstacle, draw(part, obstacle, scene.terrain, most=HULL_CORNERS)) for part in parts]
    return stack_solids(solids if slopes is None else [_widened(solid, grid, slopes) for solid in solids])


def _widened(solids: Solids, grid: Gridmap, slopes: Slopes) -> Solids:
    """Solids with outlines as much wider as bodies need on the steepest ground beside them."""
    there = solids.discs[:, 0] < FAR_AWAY
    x, z, radius = solids.discs.T
    # The room fades by FADE a metre, so there is no more at the rim than this.
    beside = room_around(grid, slopes, x, z) + FADE * radius
    more = np.where(there, np.minimum(beside, slopes.room.max()), 0.0)
    discs = solids.discs.copy()
    discs[:, 2] += more
    return replace(solids, rounding=solids.rounding + more, discs=discs)


def room_around(grid: Gridmap, slopes: Slopes, x: Array, z: Array) -> Array:
    """[m] (N,) that bodies may need besides their circles at ground points (N,): the most at the vertices
    around."""
    rows, columns = slopes.room.shape
    i = np.clip((x - grid.origin_x) / grid.cell, 0, columns - 2).astype(np.int64)
    j = np.clip((z - grid.origin_z) / grid.cell, 0, rows - 2).astype(np.int64)
    corners = [slopes.room[j + b, i + a] for b in (0, 1) for a in (0, 1)]
    return np.maximum.reduce(corners)


def steep_distance(world: World, x: float | None = None, z: float | None = None) -> float:
    """Signed distance [m] from a point, or the least anywhere, to ground that is too steep; inf if there is
    none."""
    if world.slopes is None or not np.isfinite(world.slopes.steep[0, 0]):
        return np.inf
    if x is None or z is None:
        return float(world.slopes.steep.min())
    grid = world.clearance
    return sample(Gridmap(grid.origin_x, grid.origin_z, grid.cell, world.slopes.steep), x, z)


def slope_room(world: World, x: Array, z: Array) -> Array:
    """[m] (N,) that a body may need besides its circle at ground points (N,) of a world."""
    return np.zeros(len(x)) if world.slopes is None else room_around(world.clearance, world.slopes, x, z)


def _at_rest(obstacle: Obstacle) -> Obstacle:
    """What moves, with one frame more in which it is where it stays: outlines of frames in motion are larger."""
    if not obstacle.moves:
        return obstacle
    positions, rotations = (
        np.concatenate([track, track[-1:]]) for track in (obstacle.positions, obstacle.rotations)
    )
    return replace(obstacle, positions=positions, rotations=rotations)


def _solid(index: int, obstacle: Obstacle, outlines: Outlines) -> Solids:
    """One solid from its outlines; at frames when nobody can touch it, it is far away."""
    first = int(np.argmax(outlines.sizes > 0))
    within = _within(outlines.corners[first, : outlines.sizes[first]], float(outlines.rounding[first]))
    absent = (outlines.sizes == 0) | (outlines.top <= 0.0) | (outlines.bottom >= BODY_HEIGHT)
    corners, sizes = outlines.corners.copy(), outlines.sizes.copy()
    rounding, discs = outlines.rounding.copy(), outlines.discs.copy()
    corners[absent], sizes[absent], rounding[absent] = FAR_AWAY, 1, 0.0
    discs[absent] = [FAR_AWAY, FAR_AWAY, 0.0]
    return Solids(
        obstacle=np.array([index]),
        passes=np.array([pass_bits(obstacle.passes)]),
        starts=np.array([0, len(sizes)]),
        corners=corners,
        sizes=sizes,
        rounding=rounding,
        bottom=outlines.bottom,
        top=outlines.top,
        discs=discs,
        near=np.array([RUN_UP]),
        within=np.array([within]),
    )


def pass_bits(passes: tuple[str, ...]) -> int:
    """Bit i is set where PASSES[i] is among `passes`."""
    return sum(1 << PASSES.index(kind) for kind in set(passes))


def _within(corners: Array, rounding: float) -> float:
    """[m] from the outline at which an action still happens at the obstacle: half a metre from the middle of its
    narrow side, and 0.2 m at least."""
    widths = [0.0]
    if len(corners) > 2:
        edges = np.roll(corners, -1, axis=0) - corners
        lengths = np.linalg.norm(edges, axis=1)
        kept = edges[lengths > 0.0] / lengths[lengths > 0.0, None]
        across = corners @ np.stack([-kept[:, 1], kept[:, 0]])
        widths = list(across.max(axis=0) - across.min(axis=0))
    return max(0.5 - 0.5 * min(widths) - rounding, 0.2)


def stack_solids(pieces: list[Solids]) -> Solids:
    """Several solids as one, read-only."""
    starts = [0]
    for piece in pieces:
        starts.extend((piece.starts[1:] + starts[-1]).tolist())
    return Solids(
        obstacle=_joined([piece.obstacle for piece in pieces], (0,), np.int64),
        passes=_joined([piece.passes for piece in pieces], (0,), np.int64),
        starts=_joined([np.array(starts)], (0,), np.int64),
        corners=_joined([piece.corners for piece in pieces], (0, HULL_CORNERS, 2)),
        sizes=_joined([piece.sizes for piece in pieces], (0,), np.int64),
        rounding=_joined([piece.rounding for piece in pieces], (0,)),
        bottom=_joined([piece.bottom for piece in pieces], (0,)),
        top=_joined([piece.top for piece in pieces], (0,)),
        discs=_joined([piece.discs for piece in pieces], (0, 3)),
        near=_joined([piece.near for piece in pieces], (0,)),
        within=_joined([piece.within for piece in pieces], (0,)),
    )


def _joined(arrays: list[NDArray], empty: tuple[int, ...], dtype: type = np.float64) -> NDArray:
    joined = np.concatenate([np.zeros(empty, dtype=dtype), *arrays]).astype(dtype)
    joined.flags.writeable = False
    return joined


def last_frame(solids: Solids) -> int:
    """From which frame on nothing moves."""
    return int(np.diff(solids.starts).max(initial=1))
