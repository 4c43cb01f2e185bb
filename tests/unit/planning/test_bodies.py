"""How far outlines are apart, from each other and from walls, beside polygons of a library for geometry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapely import LineString, Polygon

from walkon.motion.features.outlines import COMPASS, DIRECTIONS, outline_corners
from walkon.planning.kernels_bodies import ABOVE, AROUND, BELOW, outlines_gap, walls_gap
from walkon.planning.walls import NO_WALLS, compile_walls
from walkon.rotations import rotation_about_y
from walkon.world import Box, Obstacle, Scene, build_world, flat_terrain

EXACT = 1e-6


def random_supports(random, empty_above=False):
    """The table (2, DIRECTIONS) of random capsules as somebody's middle sees them, below and above."""
    table = np.full((2, DIRECTIONS), -1e9)
    for band in range(1 if empty_above else 2):
        for _ in range(3):
            ends, radius = random.normal(0.0, 0.12, (2, 2)), random.uniform(0.04, 0.12)
            table[band] = np.maximum(table[band], (ends @ COMPASS.T).max(axis=0) + radius)
    return table.astype(np.float32)


def polygon(table, x, z, heading):
    """The polygon that a table (DIRECTIONS,) stands for, in the world."""
    corners = outline_corners(table.astype(np.float64))
    sine, cosine = math.sin(heading), math.cos(heading)
    return Polygon(np.stack([
        x + corners[:, 0] * cosine + corners[:, 1] * sine, z - corners[:, 0] * sine + corners[:, 1] * cosine
    ], axis=1))  # fmt: skip


def lost(apart, length):
    """What 32 directions of one's own table can cost at most [m]. The true gap is along a direction between two of
    them, the nearer off by half a step. Along that one's own corner still reaches farthest; the other reaches
    aside of its nearest point by no more than its length. It is usually far less: a long side is seldom there."""
    off = math.pi / DIRECTIONS
    return apart * (1.0 - math.cos(off)) + length * math.sin(off)


def test_two_outlines_are_as_far_apart_as_polygons():
    """Never said to be farther, nor much less far, than they are; where they overlap, never said to be apart."""
    random, losses = np.random.default_rng(5), []
    for _ in range(400):
        ours, theirs = random_supports(random), random_supports(random)
        heading, other_heading, bearing = random.uniform(-4.0, 4.0, 3)
        away = random.uniform(0.2, 1.5)
        x, z = away * math.sin(bearing), away * math.cos(bearing)
        found = outlines_gap(x, z, heading, ours, other_heading, theirs, 9.0)
        one, two = polygon(ours.max(axis=0), 0.0, 0.0, heading), polygon(theirs.max(axis=0), x, z, other_heading)
        apart = one.distance(two)
        assert found <= apart + EXACT
        if apart > 0.0:
            losses.append(apart - found)
            assert found >= apart - lost(apart, 2.0 * theirs.max())
    assert len(losses) > 100
    assert np.mean(losses) < 0.006  # usually far less than it might be


def test_the_first_direction_with_enough_will_do():
    random = np.random.default_rng(6)
    for _ in range(200):
        ours, theirs = random_supports(random), random_supports(random)
        x, z, heading, other_heading = random.uniform(-1.0, 1.0, 4)
        best = outlines_gap(x, z, heading, ours, other_heading, theirs, 9.0)
        for enough in (0.0, 0.05, 0.3):
            found = outlines_gap(x, z, heading, ours, other_heading, theirs, enough)
            assert found <= best + EXACT
            assert (found >= enough) == (best >= enough)


def walls_of(edges, rounding, bands, gap=0.05):
    """Edges (E, 4) in one cell."""
    count = len(edges)
    return NO_WALLS._replace(
        edges=np.array(edges, dtype=np.float64), rounding=np.array(rounding, dtype=np.float64),
        bands=np.array(bands, dtype=np.int64), starts=np.array([0, count], dtype=np.int64),
        items=np.arange(count, dtype=np.int32), gap=gap, known=True,
    )  # fmt: skip


def seen_by(table, bands):
    """The parts of a table (2, DIRECTIONS) that an edge can touch."""
    return table[{BELOW: [0], ABOVE: [1], BELOW | ABOVE: [0, 1]}[bands]].max(axis=0)


@pytest.mark.parametrize("length", [0.0, 0.1, 3.0])
def test_an_outline_is_as_far_from_an_edge_as_its_polygon(length):
    """Rounded edges, long and short, that touch both parts of a body or one."""
    random, answers, losses = np.random.default_rng(7), [], []
    for _ in range(300):
        table, bands = random_supports(random), int(random.integers(1, 4))
        x, z, heading, turn, bearing = random.uniform(-3.0, 3.0, 5)
        away, rounding = random.uniform(0.15, 0.9), random.choice([0.0, 0.1])
        middle = np.array([x + away * math.sin(bearing), z + away * math.cos(bearing)])
        along = 0.5 * length * np.array([math.sin(turn), math.cos(turn)])
        edge = np.concatenate([middle - along, middle + along])
        walls = walls_of([edge], [rounding], [bands])
        corners = outline_corners(table.max(axis=0).astype(float))
        radius = float(np.linalg.norm(corners, axis=1).max())
        found = walls_gap(x, z, math.sin(heading), math.cos(heading), table, radius, AROUND, walls)
        body = polygon(seen_by(table, bands), x, z, heading)
        line = LineString(edge.reshape(2, 2))
        kept = body.distance(line) - rounding - walls.gap
        assert found <= max(kept, -walls.gap) + EXACT
        if body.distance(line) > 0.0:
            # Nobody needs to know how much more than enough there is.
            assert found >= min(kept - lost(body.distance(line), min(length, 0.3)), 0.0) - EXACT
            losses.append(max(min(kept, 0.0) - found, 0.0))
        answers.append(found >= 0.0)
    assert 60 < sum(answers) < 290
    assert np.mean(losses) < 0.004


def test_the_nearest_of_many_edges_counts():
    random = np.random.default_rng(8)
    for _ in range(100):
        table = random_supports(random)
        edges, rounding = random.uniform(-1.0, 1.0, (6, 4)), random.uniform(0.0, 0.05, 6)
        bands = random.integers(1, 4, 6)
        alone = [
            walls_gap(
                0.1, 0.2, 0.6, 0.8, table, 0.6, AROUND, walls_of(edges[k : k + 1], rounding[[k]], bands[[k]])
            )
            for k in range(6)
        ]
        together = walls_gap(0.1, 0.2, 0.6, 0.8, table, 0.6, AROUND, walls_of(edges, rounding, bands))
        assert together == pytest.approx(min(alone)) or (together < 0.0 and min(alone) < 0.0)


@pytest.fixture(scope="module")
def cluttered():
    """The edges of some boxes that stand anywhere, in cells."""
    random = np.random.default_rng(9)
    boxes = tuple(
        Obstacle(str(k), Box(*random.uniform(0.2, 2.0, 3)), np.array([[x, 0.0, z]]), rotation_about_y(turn)[None])
        for k, (x, z, turn) in enumerate(random.uniform(-4.0, 4.0, (12, 3)))
    )
    bounds = (-5.0, -5.0, 5.0, 5.0)
    return compile_walls(build_world(Scene("boxes", bounds, flat_terrain(bounds), boxes)))


def test_edges_near_to_a_body_are_found_in_their_cells(cluttered):
    """However large it is, inside of the bounds and out, as if all edges had been looked at."""
    everything, random, answers = (
        walls_of(cluttered.edges, cluttered.rounding, cluttered.bands),
        np.random.default_rng(1),
        [],
    )
    assert len(cluttered.starts) > 100
    for _ in range(500):
        table = random_supports(random)
        x, z, heading = random.uniform(-5.6, 5.6, 3)
        radius = np.linalg.norm(outline_corners(table.max(axis=0).astype(float)), axis=1).max()
        for around in (0.0, AROUND):
            asked = x, z, math.sin(heading), math.cos(heading), table, radius, around
            found, expected = walls_gap(*asked, cluttered), walls_gap(*asked, everything)
            assert found == expected or (found < 0.0 and expected < 0.0)
            answers.append(found)
    assert 100 < np.sum(np.array(answers) < 0.0) < 900
    assert len(set(answers)) > 200


def test_who_asks_for_less_around_learns_as_much_of_what_is_too_near(cluttered):
    random = np.random.default_rng(2)
    for _ in range(300):
        table = random_supports(random)
        x, z, heading = random.uniform(-5.0, 5.0, 3)
        asked = x, z, math.sin(heading), math.cos(heading), table, 0.6
        most = walls_gap(*asked, AROUND, cluttered)
        for around in (0.0, 0.04):
            found = walls_gap(*asked, around, cluttered)
            assert found == min(most, around) or (found < 0.0 and most < 0.0)
