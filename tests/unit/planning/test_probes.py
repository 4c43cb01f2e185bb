"""The first look at a clip beside walls: discs that a body covers for certain."""

from __future__ import annotations

import numpy as np
import pytest
from shapely import Point, Polygon

from walkon.behaviors import build_graph
from walkon.builtin.casts import fetch_library
from walkon.motion.features.outlines import outline_corners
from walkon.planning.ground import compile_world, least_radius
from walkon.planning.kernels_collision import hits_ground
from walkon.planning.kernels_moves import PROBED
from walkon.planning.moves import compile_moves
from walkon.rotations import rotation_about_y
from walkon.rotations.kernels_ground import Stand
from walkon.world import Box, Obstacle, Scene, build_world, flat_terrain

BOUNDS = (-6.0, -6.0, 6.0, 6.0)


@pytest.fixture(scope="module")
def moves():
    return compile_moves(build_graph(fetch_library("human", 0)), 0, "outline")


def shrunk(discs):
    """Discs (..., 3) that are nowhere."""
    found = discs.copy()
    found[..., 2] = -99.0
    return found


def test_probes_are_inside_of_both_parts_of_a_body(moves):
    """In the frame that they were made for; a body without an upper or lower part has none."""
    seen = 0
    for clip in range(0, len(moves.durations), 5):
        first, last = moves.frame_starts[clip], moves.frame_starts[clip + 1] - 2
        for share, (x, z, radius) in zip(PROBED, moves.probes[clip], strict=True):
            row = first + round(share * (last - first))
            for table in moves.supports[row]:
                if radius <= 0.0:
                    continue
                corners = outline_corners(table.astype(float)) + moves.circles[row, :2]
                assert Polygon(corners).buffer(1e-6).contains(Point(x, z).buffer(radius))
            seen += radius > 0.08
    assert seen > 60


def test_a_first_look_changes_no_answer(moves):
    """Clips begun anywhere among boxes are refused with probes if and only if they are without."""
    random = np.random.default_rng(3)
    boxes = tuple(
        Obstacle(str(k), Box(*random.uniform(0.3, 2.0, 3)), np.array([[x, 0.0, z]]), rotation_about_y(turn)[None])
        for k, (x, z, turn) in enumerate(random.uniform(-5.0, 5.0, (14, 3)))
    )
    world = build_world(Scene("boxes", BOUNDS, flat_terrain(BOUNDS), boxes))
    ground, _ = compile_world(world, least_radius(moves))
    blind, once = (moves._replace(**{name: shrunk(getattr(moves, name))}) for name in ("probes", "circles"))
    found = np.zeros(3, dtype=int)
    for _ in range(4000):
        x, z, heading = random.uniform(-6.0, 6.0, 3)
        stand, clip = Stand(x, z, np.sin(heading), np.cos(heading)), int(random.integers(len(moves.durations)))
        answer = hits_ground(stand, clip, moves, ground)
        assert answer == hits_ground(stand, clip, blind, ground)
        found += answer, not answer, hits_ground(stand, clip, once, ground)
    # Most that are refused are so at the first look; without circles to look at, only there.
    assert found[1] > 800
    assert 0.6 * found[0] < found[2] <= found[0]
