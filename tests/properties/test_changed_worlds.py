"""Edits of random scenes: a world rebuilt is the world built, to the last bit, and the old one stays as it was."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.planning.ground import compile_world
from walkon.rotations import normalize, rotation_about_y
from walkon.world import (
    Box,
    Capsule,
    Cylinder,
    HeightField,
    Mesh,
    Obstacle,
    Polygon,
    Scene,
    Sphere,
    World,
    build_world,
    flat_terrain,
    rebuild_world,
)

SIZE = 14.0
BOUNDS = (0.0, 0.0, SIZE, SIZE)
TENT = Mesh(
    [[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1], [0, 1.5, 0]],
    [[0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0], [0, 1, 2], [0, 2, 3]],
)
ELL = Polygon([[0, 0], [2, 0], [2, 0.5], [0.5, 0.5], [0.5, 2], [0, 2]], 1.0)


def random_obstacle(rng, name):
    """Anything, anywhere: upright or not, in the grid or beside it, standing, moving or passable."""
    width, height, depth = rng.uniform(0.1, 2.5, 3)
    shapes = (Box(width, height, depth), Cylinder(depth, height), Sphere(depth), Capsule(0.3, height), ELL, TENT)
    shape = shapes[rng.integers(len(shapes))]
    frames = 1 if rng.random() < 0.7 else int(rng.integers(2, 6))
    start = rng.uniform([-4.0, -0.2, -4.0], [SIZE + 4.0, 0.6, SIZE + 4.0])
    if rng.random() < 0.4:
        start = np.round(start)  # equal distances to several, where the order matters
    steps = rng.normal(scale=0.2, size=(frames, 3))
    positions = start + (np.cumsum(steps, axis=0) - steps[0])
    turns = [rotation_about_y(angle) for angle in rng.choice([0.0, np.pi / 2, rng.uniform(0, 6)], frames)]
    if rng.random() < 0.3:
        turns = normalize(rng.normal(size=(frames, 4)))
    return Obstacle(name, shape, positions, np.array(turns), ("jump_over",) if rng.random() < 0.2 else ())


def edited(rng, scene, number):
    """The scene with a few obstacles moved, gone, added, made passable or put elsewhere in the list."""
    obstacles = list(scene.obstacles)
    for edit in range(rng.integers(0, 4)):
        kind, which = rng.integers(5), int(rng.integers(len(obstacles))) if obstacles else 0
        if kind == 0 or not obstacles:
            obstacles.insert(which, random_obstacle(rng, f"new {number} {edit}"))
        elif kind == 1:
            del obstacles[which]
        elif kind == 2:
            shift = rng.uniform(-1.0, 1.0, 3) * [1.0, 0.0, 1.0]
            obstacles[which] = replace(obstacles[which], positions=obstacles[which].positions + shift)
        elif kind == 3:
            obstacles[which] = replace(obstacles[which], passes=() if obstacles[which].passes else ("duck_under",))
        elif rng.random() < 0.3:
            obstacles.append(obstacles.pop(which))
    return replace(scene, obstacles=tuple(obstacles))


def arrays_of(world: World) -> dict[str, np.ndarray]:
    solids = {field.name: getattr(world.solids, field.name) for field in fields(world.solids)}
    return {"clearance": world.clearance.values, "heights": world.heights.values, **solids}


def assert_same(one: World, other: World) -> None:
    assert one.frames == other.frames
    assert (one.clearance.origin_x, one.clearance.origin_z) == (other.clearance.origin_x, other.clearance.origin_z)
    assert one.clearance.cell == other.clearance.cell
    expected = arrays_of(other)
    for name, array in arrays_of(one).items():
        assert array.dtype == expected[name].dtype, name
        assert not array.flags.writeable, name
        assert np.array_equal(array, expected[name]), name


def assert_compiled_alike(one: World, other: World) -> None:
    for ours, theirs in zip(compile_world(one, 0.3), compile_world(other, 0.3), strict=True):
        for name, array, expected in zip(ours._fields, ours, theirs, strict=True):
            parts = zip(array, expected, strict=True) if name == "walls" else [(array, expected)]
            assert all(np.array_equal(a, b) for a, b in parts), name


def as_new(scene: Scene) -> Scene:
    """The same scene of other objects, about which nobody knows anything yet."""
    return replace(scene, obstacles=tuple(replace(obstacle) for obstacle in scene.obstacles))


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_rebuilt_is_built(seed):
    rng = np.random.default_rng(seed)
    hills = HeightField(-1.0, -1.0, 2.0, rng.uniform(0.0, 1.0, size=(9, 9)))
    terrain = hills if rng.random() < 0.4 else flat_terrain(BOUNDS)
    obstacles = tuple(random_obstacle(rng, f"old {k}") for k in range(rng.integers(0, 12)))
    world = build_world(Scene("edits", BOUNDS, terrain, obstacles), cell=rng.choice([0.15, 0.25, 1.0]))
    for number in range(5):
        before = {name: array.copy() for name, array in arrays_of(world).items()}
        compile_world(world, 0.3)
        scene = edited(rng, world.scene, number)
        rebuilt = rebuild_world(world, scene)
        built = build_world(as_new(scene), cell=world.clearance.cell)
        assert rebuilt.scene is scene
        assert_same(rebuilt, built)
        assert_compiled_alike(rebuilt, built)
        for name, array in arrays_of(world).items():
            assert np.array_equal(array, before[name]), name
        world = rebuilt
