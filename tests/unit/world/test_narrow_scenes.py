"""Scenes in which people come close: the sizes they promise, and that they are fair."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy import ndimage

from walkon.world import read_scene
from walkon.world.classics import narrows, offices
from walkon.world.classics.layout import layout_text

SEEDS = (0, 1, 5)
GRID = 0.1
"""[m] Of the cells in which ways are looked for."""


def made(layout):
    return read_scene(layout_text("test", "test", "here", layout, 0))


def spans(things, axis):
    """Where boxes begin and end along x (0) or z (2), in order [m]."""
    sizes = [thing.shape.width if axis == 0 else thing.shape.depth for thing in things]
    middles = [thing.positions[0, axis] for thing in things]
    return sorted((m - s / 2, m + s / 2) for m, s in zip(middles, sizes, strict=True))


def gaps(things, axis):
    """What boxes leave open between them [m]."""
    return [after[0] - before[1] for before, after in pairwise(spans(things, axis))]


def apart_from_boxes(scene, x, z):
    """Distances [m] of places to boxes and bounds."""
    left, near, right, far = scene.bounds
    found = np.minimum.reduce([x - left, right - x, z - near, far - z])
    for thing in scene.obstacles:
        at, shape = thing.positions[0], thing.shape
        across, along = np.abs(x - at[0]) - shape.width / 2, np.abs(z - at[2]) - shape.depth / 2
        found = np.minimum(found, np.hypot(np.maximum(across, 0.0), np.maximum(along, 0.0)))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_everybody_in_the_office_can_get_there_whoever_stays_where(seed):
    """Somebody 0.6 m broad gets from the corridor to its goal when all others stand at theirs: nobody is locked
    in or out."""
    scene = made(offices.office(seed))
    deep, length = scene.bounds[3], scene.bounds[2]
    x, z = np.meshgrid(np.arange(0.0, length, GRID), np.arange(-deep, deep, GRID))
    free = apart_from_boxes(scene, x, z) >= 0.3
    goals = [(one.goals[-1].x, one.goals[-1].z) for one in scene.characters]
    away = np.array([np.hypot(x - a, z - b) for a, b in goals]) >= 0.3 + 0.25
    corridor = round(deep / GRID), round(0.5 * length / GRID)
    for number, (goal_x, goal_z) in enumerate(goals):
        regions, _ = ndimage.label(free & np.delete(away, number, axis=0).all(axis=0))
        assert regions[round((goal_z + deep) / GRID), round(goal_x / GRID)] == regions[corridor] > 0, number


@pytest.mark.parametrize("seed", SEEDS)
def test_an_office_has_ten_rooms_with_ordinary_doors(seed):
    scene = made(offices.office(seed))
    assert len(scene.characters) == 30
    starts = np.array([(one.start.x, one.start.z) for one in scene.characters])
    assert apart_from_boxes(scene, *starts.T).min() >= 0.44
    sides = [[one for one in scene.obstacles if one.name.startswith(f"{side} wall")] for side in ("left", "right")]
    for side in sides:
        assert np.allclose(gaps(side, 0), [0.9] * 5, atol=1e-9)
        assert spans(side, 0)[0][0] == pytest.approx(scene.bounds[0])
        assert spans(side, 0)[-1][1] == pytest.approx(scene.bounds[2])
    assert spans(sides[1], 2)[0][0] - spans(sides[0], 2)[0][1] == pytest.approx(1.5, abs=0.011)
    partitions = [one for one in scene.obstacles if "partition" in one.name]
    assert len(partitions) == 8
    assert all(
        near == pytest.approx(-5.9, abs=0.01) or far == pytest.approx(5.9, abs=0.01)
        for near, far in spans(partitions, 2)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_people_of_the_office_change_rooms_and_furniture_stands_apart(seed):
    scene = made(offices.office(seed))
    homes = []
    for one in scene.characters:
        homes.append([(place.x // 4.65, place.z > 0.0) for place in (one.start, one.goals[-1])])
        assert homes[-1][0] != homes[-1][1]
    for places in zip(*homes, strict=True):
        assert sorted(places) == sorted([(x, z) for x in range(5) for z in (False, True)] * 3)
    for one, other in combinations(scene.obstacles, 2):
        gaps = [
            abs(one.positions[0, axis] - other.positions[0, axis]) - (a + b) / 2
            for axis, a, b in ((0, one.shape.width, other.shape.width), (2, one.shape.depth, other.shape.depth))
        ]
        assert max(gaps) > -0.02, (one.name, other.name)
    texts = {layout_text("office", "t", "o", offices.office(number), 0) for number in (0, 0, 1)}
    assert len(texts) == 2


@pytest.mark.parametrize("width", [0.8, 0.9, 1.0, 1.2, 1.6, 2.0])
def test_a_door_is_as_wide_as_it_says_and_the_only_way(width):
    scene = made(narrows.door_crowd(width, 1))
    assert gaps(scene.obstacles, 2) == pytest.approx([width])
    assert all(one.shape.width == 0.2 for one in scene.obstacles)
    closed_around(scene)
    starts = np.array([(one.start.x, one.start.z) for one in scene.characters])
    assert len(starts) == 60
    assert all(one.goals[-1].x > 5.0 and one.at_goal == "leave" for one in scene.characters)
    assert min(math.dist(a, b) for a, b in combinations(starts, 2)) >= 0.73
    assert 1.0 < 60 / np.prod(np.ptp(starts, axis=0)) < 2.0


def closed_around(scene):
    """Walls reach from bound to bound."""
    ends = spans(scene.obstacles, 2)
    assert ends[0][0] <= scene.bounds[1] + 1e-9
    assert ends[-1][1] >= scene.bounds[3] - 1e-9


def test_gates_are_three_of_two_metres():
    scene = made(narrows.gates(0))
    assert len(scene.characters) == 300
    assert gaps(scene.obstacles, 2) == pytest.approx([2.0] * 3)
    closed_around(scene)


@pytest.mark.parametrize("width", [0.25, 0.45, 0.7])
def test_an_opening_is_as_wide_as_it_says_and_the_only_way(width):
    scene = made(narrows.opening(width))
    assert gaps(scene.obstacles, 2) == pytest.approx([width])
    closed_around(scene)


def test_two_people_meet_in_the_hallway():
    scene = made(narrows.hallway(1.25))
    assert gaps(scene.obstacles, 2) == pytest.approx([1.25], abs=0.011)
    first, second = scene.characters
    assert (first.start.x, first.goals[-1].x) == (second.goals[-1].x, second.start.x) == (-6.0, 6.0)


def test_streams_are_as_dense_as_they_say():
    for density, both in ((0.3, False), (1.0, True)):
        scene = made(narrows.stream(density, 3, both=both))
        assert len(scene.characters) == round(96 * density)
        ways = {np.sign(one.goals[-1].x - one.start.x) for one in scene.characters}
        assert ways == ({-1.0, 1.0} if both else {1.0})
        assert max(abs(one.start.x) for one in scene.characters) <= 12.0
