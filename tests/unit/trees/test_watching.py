"""The room around watched points: circles that hold all that a body covers, and cores that it surely fills."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.motion.features.outlines import COMPASS, outline_corners
from walkon.planning.moves import compile_moves
from walkon.trees.watching import watched_room
from walkon.world import BODY_LEVELS


@pytest.fixture(scope="module", params=BODY_LEVELS)
def seen(request, grove, human):
    """Moves at a level, and the room around the points of a forest for them."""
    moves = compile_moves(human, grove.seed, request.param)
    return moves, watched_room(grove, moves)


def rows_of(moves, clip):
    first, stop = moves.frame_starts[clip : clip + 2]
    return range(first, stop - 1 if moves.outlined else stop)


def test_every_frame_is_held_by_one_of_the_points(grove, seen):
    moves, room = seen
    for clip in range(len(moves.numbers)):
        own = slice(*grove.point_starts[clip : clip + 2])
        for row in rows_of(moves, clip):
            x, z, radius = moves.circles[row]
            if moves.outlined:
                corners = outline_corners(moves.supports[row].max(axis=0).astype(float)) + moves.circles[row, :2]
                reach = np.linalg.norm(grove.points[own, None] - corners, axis=2).max(axis=1)
            else:
                reach = np.linalg.norm(grove.points[own] - (x, z), axis=1) + radius
            assert (reach <= room.radii[own] + 1e-9).any()


def test_cores_are_inside_of_what_is_seen_in_some_frame(grove, seen):
    moves, room = seen
    edge = 0.999 * COMPASS
    for clip in range(len(moves.numbers)):
        for point in range(*grove.point_starts[clip : clip + 2]):
            disc = grove.points[point] + room.cores[point] * edge
            assert room.cores[point] == 0.0 or any(holds(moves, row, disc) for row in rows_of(moves, clip))


def holds(moves, row, places):
    """Whether both parts of what is seen hold all of these places (N, 2)."""
    x, z, radius = moves.circles[row]
    if not moves.outlined:
        return (np.linalg.norm(places - (x, z), axis=1) <= radius + 1e-9).all()
    return ((places - (x, z)) @ COMPASS.T <= moves.supports[row].min(axis=0) + 1e-6).all()


def test_outlines_reach_as_far_as_circles_and_fill_less(grove, human):
    rooms = {level: watched_room(grove, compile_moves(human, grove.seed, level)) for level in BODY_LEVELS}
    means = [float(rooms[level].radii.mean()) for level in BODY_LEVELS]
    assert means[0] > means[1] + 0.1
    assert means[2] == means[3] == pytest.approx(means[1], abs=0.02)
    cores = [float(rooms[level].cores.mean()) for level in BODY_LEVELS]
    assert cores[0] > cores[1] > 1.5 * cores[2] > 0.1


def test_who_has_nothing_above_the_split_surely_fills_nothing(grove, human):
    """What hangs there may be all that is near, and does not touch such a body."""
    moves = compile_moves(human, grove.seed, "outline")
    low = np.array(moves.supports)
    low[:, 1] = -np.inf
    assert not watched_room(grove, moves._replace(supports=low)).cores.any()
