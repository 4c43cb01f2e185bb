"""Worlds as kernels read them: nothing is copied, and obstacles that were seen before are not measured again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numba import typeof

from walkon.planning import ground
from walkon.planning.ground import compile_world
from walkon.rotations import rotation_about_y
from walkon.world import (
    Box,
    HeightField,
    Obstacle,
    Scene,
    Sphere,
    believed_world,
    build_world,
    flat_terrain,
    rebuild_world,
)

BOUNDS = (-10.0, -10.0, 10.0, 10.0)


def ball(name="ball", **more):
    positions = np.stack([np.linspace(-3.0, 3.0, 20), np.full(20, 0.5), np.zeros(20)], axis=1)
    return Obstacle(name, Sphere(0.5), positions, np.tile(rotation_about_y(0.0), (20, 1)), **more)


def world_of(*obstacles, terrain=None):
    return build_world(Scene("test", BOUNDS, terrain or flat_terrain(BOUNDS), obstacles), cell=0.5)


def test_arrays_are_shared_and_of_the_types_that_kernels_were_compiled_for():
    world = world_of(ball())
    compiled, shapes = compile_world(world, 0.3)
    assert np.shares_memory(compiled.clearance, world.clearance.values)
    assert np.shares_memory(shapes.corners, world.solids.corners)
    for array in (compiled.clearance, compiled.heights, *shapes[1:]):
        assert typeof(array) == typeof(array.copy())


def test_a_world_without_solids_has_arrays_of_the_same_types():
    (ground_with, with_ball), (ground_without, without) = (
        compile_world(world, 0.3) for world in (world_of(ball()), world_of())
    )
    assert typeof(with_ball) == typeof(without)
    assert typeof(ground_with) == typeof(ground_without)


def test_arrays_outlive_their_world():
    world = world_of(ball())
    expected = world.clearance.values.copy()
    compiled, _ = compile_world(world, 0.3)
    del world
    assert np.array_equal(compiled.clearance, expected)


def test_obstacles_are_measured_once(monkeypatch):
    seen, measure = [], ground.outline_steps

    def note(starts, corners, *rest):
        seen.append(len(corners))
        return measure(starts, corners, *rest)

    monkeypatch.setattr(ground, "outline_steps", note)
    rolling, other = ball(), ball("other")
    world = world_of(rolling, other)
    compile_world(world, 0.3)
    assert len(seen) == 2
    box = Obstacle("box", Box(1.0, 1.0, 1.0), [[5.0, 0.0, 5.0]], [rotation_about_y(0.0)])
    compile_world(rebuild_world(world, replace(world.scene, obstacles=(box, other, rolling))), 0.3)
    assert len(seen) == 2


def test_what_the_same_obstacle_is_elsewhere_is_measured_anew():
    slope = np.maximum(3.0 * np.arange(-10.0, 11.0), 0.0)
    ramp = HeightField(-10.0, -10.0, 1.0, np.tile(slope, (21, 1)))  # the ball rolls into it
    rolling = ball()
    compile_world(world_of(rolling), 0.3)
    _, again = compile_world(world_of(rolling, terrain=ramp), 0.3)
    _, anew = compile_world(world_of(replace(rolling), terrain=ramp), 0.3)
    assert anew.absent.any()
    for name, one, other in zip(again._fields, again, anew, strict=True):
        assert np.array_equal(one, other), name


def test_beliefs_are_measured_anew():
    world = world_of(ball(known=False), ball("known"))
    compile_world(world, 0.3)
    one, other = (
        compile_world(believed_world(each, 5, growth=0.3), 0.3)[1]
        for each in (world, world_of(ball(known=False), ball("known")))
    )
    for name, ours, theirs in zip(one._fields, one, other, strict=True):
        assert np.array_equal(ours, theirs), name
