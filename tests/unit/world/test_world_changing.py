"""Worlds after an edit: what is taken over, what is measured again, and when all of it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.rotations import Placement
from walkon.world import (
    Box,
    Character,
    Cylinder,
    Goal,
    HeightField,
    Obstacle,
    Scene,
    build_world,
    changing,
    flat_terrain,
)
from walkon.world.changing import rebuild_world
from walkon.world.kernels import lower_to_edges, lower_window

BOUNDS = (-20.0, -20.0, 20.0, 20.0)
STILL = [1.0, 0.0, 0.0, 0.0]


def box(name, x, z, **more):
    return Obstacle(name, Box(1.0, 2.0, 1.0), [[x, 0.0, z]], [STILL], **more)


def moving(name, x):
    return Obstacle(name, Box(1.0, 1.0, 1.0), [[x, 0, 0], [x, 0, 1], [x, 0, 2]], [STILL] * 3)


@pytest.fixture(scope="module")
def world():
    obstacles = (box("a", 0, 0), moving("b", 5), box("c", 10, 10), box("d", -8, 3, passes=("jump_over",)))
    return build_world(Scene("test", BOUNDS, flat_terrain(BOUNDS), obstacles), cell=0.25)


def with_obstacles(world, *obstacles):
    return replace(world.scene, obstacles=obstacles)


def test_other_people_cost_nothing(world):
    anna = Character("anna", Placement(), (Goal(1.0, 1.0),))
    rebuilt = rebuild_world(world, replace(world.scene, characters=(anna,), duration=5.0))
    assert rebuilt.scene.characters == (anna,)
    assert rebuilt.clearance is world.clearance
    assert rebuilt.solids.corners is world.solids.corners


def test_only_the_surroundings_of_a_moved_box_are_measured_again(world, monkeypatch):
    windows = []
    measure = changing._measure_window

    def note(values, grid, scene, reach, window, closed):
        windows.append(window)
        measure(values, grid, scene, reach, window, closed)

    monkeypatch.setattr(changing, "_measure_window", note)
    _, b, c, d = world.scene.obstacles
    rebuilt = rebuild_world(world, with_obstacles(world, box("a", 0.5, 0), b, c, d))
    assert len(windows) == 1
    row, row_stop, column, column_stop = windows[0]
    assert (row_stop - row) * 0.25 == pytest.approx(7.0, abs=1.0)  # the box, and 3 m on either side
    assert (column_stop - column) * 0.25 == pytest.approx(7.5, abs=1.0)
    assert rebuilt.solids.corners is world.solids.corners
    changed = np.argwhere(rebuilt.clearance.values != world.clearance.values)
    assert len(changed) > 500
    assert (changed >= [row, column]).all()
    assert (changed < [row_stop, column_stop]).all()


def test_places_far_apart_are_measured_apart(world, monkeypatch):
    windows = []
    monkeypatch.setattr(changing, "_measure_window", lambda *arguments: windows.append(arguments[4]))
    _, b, c, d = world.scene.obstacles
    rebuild_world(world, with_obstacles(world, box("a", -15, -15), b, c, d))
    assert len(windows) == 2


def test_solids_follow_their_obstacles(world):
    a, b, c, d = world.scene.obstacles
    fewer = rebuild_world(world, with_obstacles(world, b, c, d))
    assert fewer.solids.obstacle.tolist() == [0, 2]
    assert fewer.solids.corners is world.solids.corners
    without = rebuild_world(world, with_obstacles(world, a, c, d))
    assert without.solids.obstacle.tolist() == [2]
    assert without.frames == 1
    more = rebuild_world(without, with_obstacles(world, moving("e", 2), a, b, c, d))
    assert more.solids.obstacle.tolist() == [0, 2, 4]
    assert more.frames == world.frames


def test_another_place_is_another_world(world):
    hill = HeightField(-20.0, -20.0, 20.0, np.eye(3))
    for scene in (
        replace(world.scene, bounds=(-20.0, -20.0, 20.0, 19.0)),
        replace(world.scene, terrain=hill),
        replace(world.scene, fps=60.0),
    ):
        rebuilt, built = rebuild_world(world, scene), build_world(scene, cell=0.25)
        assert np.array_equal(rebuilt.clearance.values, built.clearance.values)
        assert np.array_equal(rebuilt.heights.values, built.heights.values)
        assert np.array_equal(rebuilt.solids.bottom, built.solids.bottom)


def test_ground_of_another_height_is_another_world():
    beam = Obstacle("beam", Box(1.0, 0.2, 1.0), [[0.0, 2.5, 0.0]], [STILL])  # above all heads, but not on a hill
    low, high = (HeightField(-20.0, -20.0, 20.0, np.full((3, 3), height)) for height in (0.1, 1.0))
    world = build_world(Scene("test", BOUNDS, low, (beam,)), cell=0.25)
    rebuilt = rebuild_world(world, replace(world.scene, terrain=high))
    assert world.clearance.values.min() > -0.5
    assert rebuilt.clearance.values[80, 80] < 1.0
    assert rebuilt.heights.values is high.heights


def test_the_order_decides_about_the_last_bit():
    # As far from the origin as each other, but for rounding.
    one = Obstacle("one", Cylinder(0.8723696398214406, 2.0), [[1.006823150676004, 0.0, 0.0]], [STILL])
    two = Obstacle("two", Cylinder(1.8289220271583642, 2.0), [[-1.9633755380129276, 0.0, 0.0]], [STILL])
    scene = Scene("test", BOUNDS, flat_terrain(BOUNDS), (one, two))
    world, turned = build_world(scene, cell=1.0), build_world(replace(scene, obstacles=(two, one)), cell=1.0)
    assert not np.array_equal(world.clearance.values, turned.clearance.values)
    rebuilt = rebuild_world(world, turned.scene)
    assert np.array_equal(rebuilt.clearance.values, turned.clearance.values)
    there = rebuild_world(world, replace(scene, obstacles=(one, two, box("box", 5, 5))))
    again = rebuild_world(there, scene)
    assert np.array_equal(again.clearance.values, world.clearance.values)


def test_equal_ground_is_the_same_ground(world):
    rebuilt = rebuild_world(world, replace(world.scene, terrain=flat_terrain(BOUNDS)))
    assert rebuilt.clearance is world.clearance


@pytest.mark.parametrize("far", [50.0, 1e9, 1e30])
def test_obstacles_far_away_change_nothing(world, far):
    a, b, c, d = world.scene.obstacles
    for where in ((far, 0), (-far, 0), (0, far), (0, -far)):
        there = box("far", *where)
        rebuilt = rebuild_world(world, with_obstacles(world, a, b, c, d, there))
        assert rebuilt.clearance is world.clearance


def test_a_window_is_a_part_of_the_whole():
    rng = np.random.default_rng(4)
    edges = rng.uniform(0.0, 8.0, size=(12, 4))
    starts, rounding = np.array([0, 3, 7, 12]), np.array([0.0, 0.4, 0.1])
    grid = (-1.0, -1.0, 0.3, 3.0)
    whole = np.full((40, 30), 3.0)
    lower_to_edges(whole, *grid, edges, starts, rounding)
    part = np.full((40, 30), 3.0)
    lower_window(part, *grid, edges, starts, rounding, 10, 25, 4, 20)
    assert np.array_equal(part[10:25, 4:20], whole[10:25, 4:20])
    part[10:25, 4:20] = 3.0
    assert (part == 3.0).all()
