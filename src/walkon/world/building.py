"""A scene becomes a world: distances to what stands still, and solids for everything else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.world.clearance import measure_clearance
from walkon.world.outlines import BODY_HEIGHT, HULL_CORNERS, Outlines, draw
from walkon.world.scene import PASSES, Obstacle, Scene
from walkon.world.world import Gridmap, Solids, World

RUN_UP = 6.0
"""[m] from the outline: where a behavior that passes an obstacle may begin, run-up included."""

FAR_AWAY = 1e6
"""[m] x and z of a solid at frames when it is above all heads or below the ground."""


def build_world(scene: Scene, *, cell: float = 0.1) -> World:
    """Compile a scene for planning. cell [m]: of the clearance grid; enlarged where it would have more than 16
    million vertices.

    Obstacles that move, and those that can be passed, become solids; all others go into the clearance grid. What
    lies higher above the ground than a body needs (2.3 m), or below the ground, is left out.
    """
    if not cell > 0.0:
        raise SceneError(f"scene {scene.name!r}: the cell of a world must be positive, not {cell}")
    terrain = scene.terrain
    heights = Gridmap(terrain.origin_x, terrain.origin_z, terrain.cell, terrain.heights)
    solids = stack_solids([solids_of(scene, index) for index in range(len(scene.obstacles))])
    return World(scene, measure_clearance(scene, cell=cell), heights, solids, last_frame(solids))


def solids_of(scene: Scene, index: int) -> Solids:
    """The solids of one obstacle: none if it stands still and cannot be passed."""
    obstacle = scene.obstacles[index]
    if not obstacle.moves and not obstacle.passes:
        return stack_solids([])
    obstacle = _at_rest(obstacle)
    parts = obstacle.shape.parts(obstacle.rotations)
    return stack_solids(
        [_solid(index, obstacle, draw(part, obstacle, scene.terrain, most=HULL_CORNERS)) for part in parts]
    )


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
