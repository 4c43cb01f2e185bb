"""Single steps: whether one is free, looked at by itself."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from walkon.planning._kernels_collision import hits_ground, hits_solids
from walkon.planning.ground import compile_world
from walkon.planning.moves import compile_moves
from walkon.planning.problem import Problem
from walkon.rotations import Placement
from walkon.world import World

Array = NDArray[np.float64]


def step_is_free(problem: Problem, world: World, behavior: int, clip: int, place: Array, frame: int) -> bool:
    """Whether a clip, begun at a place (3,) x, z, heading at a frame, meets nothing in a world and nobody else.

    The clip is one that the problem's seed may draw.
    """
    moves = compile_moves(problem.graph, problem.seed)
    ground, solids = compile_world(world, float(moves.circles[:, 2].min()))
    own = int(np.searchsorted(moves.numbers, clip))
    x, z, heading = (float(value) for value in place)
    sine, cosine = math.sin(heading), math.cos(heading)
    bound = tuple(moves.bounds[own].tolist())
    first, last = int(moves.frame_starts[own]), int(moves.frame_starts[own + 1]) - 1
    grid = (ground.clearance_x, ground.clearance_z, ground.clearance_cell, ground.margin)
    if hits_ground(
        x, z, sine, cosine, first, last, bound, float(moves.speeds[own]), moves.circles, grid, ground.clearance
    ):
        return False
    if len(solids.passes) and hits_solids(
        x, z, sine, cosine, frame, own, int(moves.special[behavior]), moves, ground, solids
    ):
        return False
    if problem.reservations is None:
        return True
    circles = np.array(moves.circles[first : last + 1])
    circles[:, 0], circles[:, 1] = Placement(x, z, heading).point(circles[:, 0], circles[:, 1])
    return not problem.reservations.conflicts(frame, circles, stays=False)
