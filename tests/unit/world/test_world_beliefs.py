"""Beliefs: what someone expects of things that move in unknown ways."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.rotations import angle_between, from_axis_angle
from walkon.world import (
    Box,
    Cylinder,
    HeightField,
    Obstacle,
    Scene,
    Sphere,
    believed_world,
    build_world,
    flat_terrain,
    solid_frame,
)

BOUNDS = (0.0, 0.0, 10.0, 10.0)
STILL = [1.0, 0.0, 0.0, 0.0]


def world_with(*obstacles, terrain=None, duration=20.0):
    scene = Scene("test", BOUNDS, terrain or flat_terrain(BOUNDS), tuple(obstacles), duration=duration, fps=10.0)
    return build_world(scene, cell=0.5)


def turning_ball(known=False, name="ball"):
    """Rolls along x for 20 frames, then along z."""
    x = np.concatenate([2.0 + 0.1 * np.arange(20), np.full(20, 3.9)])
    z = np.concatenate([np.full(20, 5.0), 5.0 + 0.1 * np.arange(1, 21)])
    return Obstacle(name, Sphere(0.5), np.stack([x, np.full(40, 0.5), z], axis=1), [STILL] * 40, known=known)


def place(world, solid, frame):
    return world.solids.corners[solid_frame(world, solid, frame), 0]


def test_up_to_now_all_is_as_it_was_and_then_it_goes_on_straight():
    world = world_with(turning_ball())
    believed = believed_world(world, 10)
    for frame in range(11):
        np.testing.assert_allclose(place(believed, 0, frame), place(world, 0, frame))
    for frame in (15, 25, 60):
        np.testing.assert_allclose(place(believed, 0, frame), [2.0 + 0.1 * frame, 5.0])
    later = believed_world(world, 30)
    np.testing.assert_allclose(place(later, 0, 35), [3.9, 5.0 + 0.1 * 16])


def test_clearance_is_shared_and_the_original_untouched():
    world = world_with(turning_ball())
    believed = believed_world(world, 10)
    assert believed.clearance is world.clearance
    assert believed.heights is world.heights
    assert world.frames == 41  # one more than it moves: there it rests
    assert believed.frames == len(believed.scene.obstacles[0].positions) + 1


def test_what_is_known_stays_as_it_is_and_solids_keep_their_order():
    known = turning_ball(known=True, name="known")
    fence = Obstacle("fence", Box(1, 0.4, 0.2), [[8, 0, 8]], [STILL], passes=("step_over",))
    world = world_with(known, turning_ball(), fence, Obstacle("post", Cylinder(0.2, 1), [[1, 0, 1]], [STILL]))
    believed = believed_world(world, 25)
    assert believed.solids.obstacle.tolist() == world.solids.obstacle.tolist() == [0, 1, 2]
    assert believed.solids.passes.tolist() == world.solids.passes.tolist()
    for frame in (0, 19, 39, 200):
        np.testing.assert_array_equal(place(believed, 0, frame), place(world, 0, frame))
    np.testing.assert_array_equal(place(believed, 2, 7), place(world, 2, 7))


def test_at_the_first_frame_nothing_is_known_to_move_but_it_is_there():
    believed = believed_world(world_with(turning_ball()), 0)
    assert len(believed.solids.obstacle) == 1
    np.testing.assert_allclose(place(believed, 0, 500), [2.0, 5.0])


def test_after_its_end_it_rests():
    believed = believed_world(world_with(turning_ball()), 80)
    np.testing.assert_allclose(place(believed, 0, 150), [3.9, 7.0])


def test_it_is_followed_until_it_has_left_or_the_scene_is_over():
    assert believed_world(world_with(turning_ball()), 10).frames < 90
    positions = believed_world(world_with(turning_ball()), 10).scene.obstacles[0].positions
    assert positions[-1, 0] > 10.5
    assert believed_world(world_with(turning_ball(), duration=3.0), 10).frames == 32


def test_turns_go_on():
    turns = np.stack([from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.1 * k) for k in range(10)])
    bar = Obstacle("bar", Box(3, 1, 0.2), [[5, 0, 5]] * 10, turns, known=False)
    believed = believed_world(world_with(bar), 4).scene.obstacles[0]
    for frame in (4, 20, 100):
        expected = from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.1 * frame)
        assert angle_between(believed.rotations[frame], expected) == pytest.approx(0.0, abs=1e-6)


def test_what_falls_stops_at_the_ground_and_what_rolls_follows_it():
    falling = np.stack([np.full(5, 5.0), 3.0 - 0.4 * np.arange(5), np.full(5, 5.0)], axis=1)
    rock = Obstacle("rock", Sphere(0.3), falling, [STILL] * 5, known=False)
    believed = believed_world(world_with(rock), 2).scene.obstacles[0]
    assert believed.positions[-1, 1] == pytest.approx(0.3)
    slope = HeightField(0.0, 0.0, 1.0, np.add.outer(np.zeros(11), 0.2 * np.arange(11)))
    rolling = np.stack([2.0 + 0.1 * np.arange(5), 0.5 + np.full(5, 0.2 * 2.4), np.full(5, 5.0)], axis=1)
    ball = Obstacle("ball", Sphere(0.5), rolling, [STILL] * 5, known=False)
    believed = believed_world(world_with(ball, terrain=slope), 4).scene.obstacles[0]
    x, y, _ = believed.positions[40]
    assert y == pytest.approx(0.5 + 0.2 * x, abs=1e-9)


def test_doubt_grows_with_time():
    world = world_with(turning_ball())
    sure, unsure = believed_world(world, 10), believed_world(world, 10, growth=0.5)
    for frame, more in ((5, 0.0), (10, 0.0), (30, 1.0), (50, 2.0)):
        row = solid_frame(sure, 0, frame)
        other = solid_frame(unsure, 0, frame)
        assert unsure.solids.rounding[other] - sure.solids.rounding[row] == pytest.approx(more)
        assert unsure.solids.discs[other, 2] - sure.solids.discs[row, 2] == pytest.approx(more)
