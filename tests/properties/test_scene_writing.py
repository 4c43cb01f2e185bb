"""Random scenes, written and read: the same scene."""

from __future__ import annotations

import math
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from walkon.rotations import Placement, from_axis_angle, multiply, normalize, rotate, rotation_about_y
from walkon.world import (
    BODY_LEVELS,
    PASSES,
    Box,
    Capsule,
    Character,
    Cylinder,
    Do,
    Face,
    Follow,
    Go,
    Goal,
    HeightField,
    Mesh,
    Obstacle,
    Polygon,
    Scene,
    Sphere,
    Style,
    Via,
    Wait,
    flat_terrain,
    goals_of_script,
    read_scene,
    write_scene,
)

BOUNDS = (-40.0, -20.0, 40.0, 20.0)

numbers = st.floats(-8.0, 8.0, allow_nan=False)
sizes = st.floats(0.05, 3.0)
angles = st.floats(-math.pi, math.pi)
words = st.text(min_size=1, max_size=12)


@st.composite
def shapes(draw):
    kind = draw(st.integers(0, 5))
    if kind == 0:
        return Box(draw(sizes), draw(sizes), draw(sizes))
    if kind == 1:
        return Cylinder(draw(sizes), draw(sizes))
    if kind == 2:
        return Sphere(draw(sizes))
    if kind == 3:
        return Capsule(draw(sizes), draw(sizes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if kind == 4:
        count = int(rng.integers(3, 30))
        turns = 2.0 * np.pi * np.arange(count) / count
        star = rng.uniform(0.5, 3.0, count)[:, None] * np.stack([np.sin(turns), np.cos(turns)], axis=1)
        return Polygon(star, draw(sizes))
    vertices = rng.normal(size=(8, 3)) if draw(st.booleans()) else rng.normal(size=(8, 3)).round(2)
    return Mesh(vertices, [rng.permutation(8)[:3] for _ in range(6)])


@st.composite
def obstacles(draw, number):
    frames = draw(st.sampled_from([1, 1, 1, 2, 7]))
    start = np.array([draw(numbers), draw(st.floats(-1.0, 3.0)), draw(numbers)])
    steps = np.array([[draw(st.floats(-0.3, 0.3)) for _ in range(3)] for _ in range(frames)]) * (frames > 1)
    turns = rotation_about_y(np.full(frames, draw(angles)))
    way = draw(st.integers(0, 3))
    if way == 1:
        turns = multiply(turns, from_axis_angle((1.0, 0.0, 0.0), draw(angles)))
    elif way == 2:
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        turns = normalize(rng.normal(size=(frames, 4)))
    passes = tuple(draw(st.lists(st.sampled_from(PASSES), unique=True, max_size=4)))
    positions = start + np.cumsum(steps, axis=0)
    name = f"thing {number} {draw(st.sampled_from(['', 'ä', 'x.y', '#', '=']))}".strip()
    return Obstacle(name, draw(shapes()), positions, np.atleast_2d(turns), passes, draw(st.booleans()))


@st.composite
def goals(draw, x):
    heading = draw(st.none() | angles)
    tolerance = draw(st.sampled_from([0.5, 0.5, 0.25, 1.7]))
    beyond = {} if draw(st.booleans()) else {"heading_tolerance": draw(st.floats(0.01, 3.0))}
    return Goal(x, draw(st.floats(15.0, 19.0)), tolerance, heading, **beyond)


def steps(x):
    """Any step; those that lead somewhere do so on the strip of whoever has it."""
    places = st.tuples(st.just(x), st.floats(-19.0, 19.0))
    near, turn = st.sampled_from([0.5, 0.25, 1.7]), st.floats(0.01, 3.0) | st.just(Goal.heading_tolerance)
    wishes = st.fixed_dictionaries({"soft": st.just(True), "weight": st.floats(0.01, 9.0)}) | st.just({})
    kinds = st.one_of(
        st.builds(lambda place, tolerance: Go(*place, tolerance), places, near),
        st.builds(lambda place, tolerance: Via(*place, tolerance), places, near),
        st.builds(lambda points, tolerance: Follow(tuple(points), tolerance), st.lists(places, min_size=2), near),
        st.builds(Do, words, st.integers(1, 9)) | st.builds(Do, words, st.just(1), st.floats(0.1, 9.0)),
        st.builds(Face, angles, turn),
        st.builds(Style, words),
        st.builds(Wait, st.floats(0.1, 9.0)),
    )
    return st.builds(lambda step, wish: replace(step, **wish), kinds, wishes)


@st.composite
def people(draw, number):
    """Someone on a free strip, beside the obstacles."""
    x = -35.0 + 2.0 * number + draw(st.floats(0.0, 1.0))
    start = Placement(x, draw(st.floats(-19.0, -15.0)), draw(angles | st.floats(-200.0, 200.0)))
    script = tuple(draw(st.just([]) | st.lists(steps(x), max_size=5)))
    own = tuple(draw(goals(x)) for _ in range(draw(st.integers(1, 3))))
    return Character(
        name=f"p{number}",
        start=start,
        goals=goals_of_script(script, start) if script and draw(st.booleans()) else own,
        script=script,
        library=draw(st.sampled_from(["human", "horse", "/some/where"])),
        performer=draw(st.integers(0, 9)),
        pose=draw(st.none() | st.just("stand")),
        start_time=draw(st.sampled_from([0.0, 1.1, 19.0])),
        at_goal=draw(st.sampled_from(["stay", "leave"])),
        weights=draw(st.dictionaries(words, st.floats(0.01, 100.0), max_size=3)),
        without=tuple(draw(st.just(["gesture"]) | st.lists(words, max_size=2))),
        climb=draw(st.floats(0.0, 10.0)),
        priority=draw(st.integers(-5, 5)),
    )


@st.composite
def terrains(draw):
    if draw(st.booleans()):
        return flat_terrain(BOUNDS)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, columns = rng.integers(2, 12, 2)
    corner = (draw(st.floats(-60.0, 0.0)), draw(st.floats(-60.0, 0.0)))
    return HeightField(*corner, draw(st.floats(0.02, 90.0)), rng.normal(size=(rows, columns)))


@st.composite
def scenes(draw):
    return Scene(
        name=draw(st.sampled_from(["park", "a b", 'quo"te', "ünï"])),
        bounds=BOUNDS,
        terrain=draw(terrains()),
        obstacles=tuple(draw(obstacles(k)) for k in range(draw(st.integers(0, 4)))),
        characters=tuple(draw(people(k)) for k in range(draw(st.integers(0, 3)))),
        duration=draw(st.floats(20.0, 100.0)),
        fps=draw(st.sampled_from([30.0, 60.0, 24.0, 29.97])),
        clearance=draw(st.floats(0.0, 0.5)),
        bodies=draw(st.sampled_from(BODY_LEVELS)),
    )


def points_of(obstacle: Obstacle) -> np.ndarray:
    """Where (T, N, 3) a shape is at all frames: points that tell all of its sizes and turns."""
    shape = obstacle.shape
    match shape:
        case Box(width, height, depth):
            local = np.array([[width, 0.0, 0.0], [0.0, height, 0.0], [0.0, 0.0, depth]])
        case Cylinder(radius, height) | Capsule(radius, height):
            local = np.array([[radius, 0.0, 0.0], [0.0, height, 0.0], [0.0, 0.0, radius]])
        case Sphere(radius):
            local = radius * np.eye(3)
        case Polygon(corners, height):
            local = np.column_stack([corners[:, 0], np.full(len(corners), height), corners[:, 1]])
        case Mesh(vertices, faces):
            local = vertices[faces].reshape(-1, 3)
    return rotate(obstacle.rotations[:, None], local[None]) + obstacle.positions[:, None]


def assert_same(one: Scene, other: Scene) -> None:
    for key in ("name", "bounds", "duration", "fps", "clearance", "bodies"):
        assert getattr(one, key) == getattr(other, key)
    assert one.terrain.is_flat == other.terrain.is_flat
    if not one.terrain.is_flat:
        assert np.array_equal(one.terrain.heights, other.terrain.heights)
        for key in ("origin_x", "origin_z", "cell"):
            assert getattr(one.terrain, key) == getattr(other.terrain, key)
    assert len(one.obstacles) == len(other.obstacles)
    for ours, theirs in zip(one.obstacles, other.obstacles, strict=True):
        assert (ours.name, ours.passes, ours.known) == (theirs.name, theirs.passes, theirs.known)
        assert type(ours.shape) is type(theirs.shape)
        np.testing.assert_allclose(points_of(ours), points_of(theirs), atol=1e-8, rtol=0.0)
    for ours, theirs in zip(one.characters, other.characters, strict=True):
        assert_same_person(ours, theirs)


def assert_same_person(ours: Character, theirs: Character) -> None:
    for key in ("name", "library", "performer", "pose", "start_time", "at_goal", "without", "climb", "priority"):
        assert getattr(ours, key) == getattr(theirs, key), key
    assert dict(ours.weights) == dict(theirs.weights)
    assert (ours.start.x, ours.start.z) == (theirs.start.x, theirs.start.z)
    assert abs(math.remainder(ours.start.heading - theirs.start.heading, 2.0 * math.pi)) < 1e-9
    for goal, same in zip(ours.goals, theirs.goals, strict=True):
        assert (goal.x, goal.z, goal.tolerance) == (same.x, same.z, same.tolerance)
        assert (goal.heading is None) == (same.heading is None)
        assert abs((goal.heading or 0.0) - (same.heading or 0.0)) < 1e-12
        assert abs(goal.heading_tolerance - same.heading_tolerance) < 1e-12
    for step, same in zip(ours.script, theirs.script, strict=True):
        if isinstance(step, Face):
            assert abs(step.heading - same.heading) < 1e-12
            assert abs(step.tolerance - same.tolerance) < 1e-12
            same = replace(same, heading=step.heading, tolerance=step.tolerance)  # noqa: PLW2901
        assert step == same


@given(scene=scenes())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_scenes_are_the_same_again(scene):
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first.toml", Path(folder) / "second.toml"
        write_scene(scene, first)
        once = read_scene(first)
        assert_same(scene, once)
        write_scene(once, second)
        twice = read_scene(second)
        assert_same(once, twice)
        assert once.characters == twice.characters  # now to the last bit
