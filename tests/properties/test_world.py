"""Worlds of random scenes: distances are true, solids hold what moves, and no way is shorter than its bound."""

from __future__ import annotations

import math

import numpy as np
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra

from walkon.rotations import from_axis_angle, rotate, rotation_about_y, slerp
from walkon.world import (
    CLEARANCE_REACH,
    Box,
    Capsule,
    Cylinder,
    Obstacle,
    Polygon,
    Scene,
    Sphere,
    build_world,
    flat_terrain,
    goal_field,
    sampling_error,
)
from walkon.world._kernels_routes import route_bound
from walkon.world.kernels import bilinear, outline_distance

SEEDS = st.integers(0, 2**32 - 1)


def random_boxes(rng, size, count):
    """Boxes and thin walls, some of them square to the axes, as obstacles and as areas."""
    obstacles, areas = [], []
    for k in range(count):
        x, z = rng.uniform(0.0, size, 2)
        thin = rng.random() < 0.6
        width, depth = (rng.uniform(0.5, 0.8 * size), rng.uniform(0.02, 0.2)) if thin else rng.uniform(0.1, 2.0, 2)
        heading = rng.choice([0.0, math.pi / 2, rng.uniform(0.0, 2.0 * math.pi)])
        obstacles.append(Obstacle(f"box {k}", Box(width, 2.0, depth), [[x, 0.0, z]], [rotation_about_y(heading)]))
        along = np.array([math.cos(heading), -math.sin(heading)]) * width / 2
        across = np.array([math.sin(heading), math.cos(heading)]) * depth / 2
        corners = [-along - across, along - across, along + across, across - along]
        areas.append(shapely.Polygon(np.array(corners) + np.array([x, z])))
    return tuple(obstacles), areas


def scene_of(obstacles, size):
    bounds = (0.0, 0.0, size, size)
    return Scene("random", bounds, flat_terrain(bounds), tuple(obstacles))


@given(seed=SEEDS)
@settings(max_examples=60, deadline=None)
def test_clearance_is_the_distance(seed):
    rng = np.random.default_rng(seed)
    size = rng.uniform(2.0, 8.0)
    obstacles, areas = random_boxes(rng, size, rng.integers(0, 6))
    grid = build_world(scene_of(obstacles, size), cell=0.3).clearance
    rows, columns = grid.values.shape
    x, z = np.meshgrid(grid.origin_x + np.arange(columns) * grid.cell, grid.origin_z + np.arange(rows) * grid.cell)
    points, room = shapely.points(x, z), shapely.box(0.0, 0.0, size, size)
    edge = shapely.distance(room.exterior, points)
    expected = np.minimum(np.where(shapely.intersects(room, points), edge, -edge), CLEARANCE_REACH)
    for area in areas:
        depth = shapely.distance(area.exterior, points)
        expected = np.minimum(expected, np.where(shapely.contains(area, points), -depth, depth))
    np.testing.assert_allclose(grid.values, expected, atol=1e-9)


@given(seed=SEEDS)
@settings(max_examples=40, deadline=None)
def test_sampled_clearance_exceeds_the_truth_by_no_more_than_it_says(seed):
    rng = np.random.default_rng(seed)
    size = rng.uniform(2.0, 6.0)
    obstacles, areas = random_boxes(rng, size, rng.integers(1, 6))
    grid = build_world(scene_of(obstacles, size), cell=rng.choice([0.1, 0.25])).clearance
    union = shapely.union_all([*areas, shapely.box(0, 0, size, size).exterior])
    for x, z in rng.uniform(0.0, size, size=(100, 2)):
        true = union.distance(shapely.Point(x, z))
        sampled = bilinear(grid.origin_x, grid.origin_z, grid.cell, grid.values, x, z)
        assert sampled <= true + sampling_error(grid.cell, true) + 1e-9


SHAPES = (
    (Box(1.0, 0.5, 2.0), lambda rng, n: rng.uniform([-0.5, 0.0, -1.0], [0.5, 0.5, 1.0], (n, 3))),
    (Sphere(0.4), lambda rng, n: _ball(rng, n, 0.4)),
    (Capsule(0.3, 1.2), lambda rng, n: _ball(rng, n, 0.3) + rng.uniform(0, 1.2, (n, 1)) * [0.0, 1.0, 0.0]),
    (
        Cylinder(0.5, 1.0),
        lambda rng, n: _ball(rng, n, 0.5) * [1, 0, 1] + rng.uniform(0, 1, (n, 1)) * [0.0, 1.0, 0.0],
    ),
    (
        Polygon(np.array([[0, 0], [2, 0], [2, 0.5], [0.5, 0.5], [0.5, 2], [0, 2]]), 0.7),
        lambda rng, n: _ell(rng, n)[:n],
    ),
)


def _ball(rng, count, radius):
    points = rng.normal(size=(count, 3))
    return points / np.linalg.norm(points, axis=1, keepdims=True) * radius * rng.random((count, 1)) ** 0.1


def _ell(rng, count):
    long = rng.uniform([0, 0, 0], [2, 0.7, 0.5], (count, 3))
    return np.where(rng.random((count, 1)) < 0.5, long, long[:, [2, 1, 0]])


@given(seed=SEEDS, which=st.integers(0, len(SHAPES) - 1))
@settings(max_examples=150, deadline=None)
def test_solids_hold_what_moves_within_half_a_frame(seed, which):
    rng = np.random.default_rng(seed)
    shape, points_of = SHAPES[which]
    frames = int(rng.integers(2, 6))
    positions = np.cumsum(rng.normal(scale=0.3, size=(frames, 3)), axis=0) + np.array([5.0, 1.0, 5.0])
    turns = [
        from_axis_angle(axis / np.linalg.norm(axis), rng.uniform(-1.5, 1.5))
        for axis in rng.normal(size=(frames, 3))
    ]
    if rng.random() < 0.3:
        turns = [rotation_about_y(angle) for angle in rng.uniform(-4, 4, frames)]
    solids = build_world(scene_of([Obstacle("it", shape, positions, np.array(turns))], 10.0), cell=1.0).solids
    points = points_of(rng, 60)
    for frame in range(frames):
        other = frame + rng.choice([-1, 1])
        if not 0 <= other < frames:
            continue
        share = rng.uniform(0.0, 0.5)
        moved = rotate(slerp(turns[frame], turns[other], share), points)
        moved = moved + positions[frame] + share * (positions[other] - positions[frame])
        for x, y, z in moved[(moved[:, 1] > 0.0) & (moved[:, 1] < 2.3)]:
            assert any(_holds(solids, row, x, y, z) for row in solids.starts[:-1] + frame)


def _holds(solids, row, x, y, z):
    if not solids.bottom[row] - 1e-9 <= y <= solids.top[row] + 1e-9:
        return False
    disc = math.hypot(x - solids.discs[row, 0], z - solids.discs[row, 1]) <= solids.discs[row, 2] + 1e-9
    return disc and outline_distance(solids.corners[row], solids.sizes[row], solids.rounding[row], x, z) <= 1e-9


def shortest_ways(free, goals, points):
    """Lengths (P,) of shortest paths in an area with straight sides from points to the nearest of goals: a graph
    of what sees what."""
    every = np.concatenate([goals, points, np.unique(shapely.get_coordinates(free), axis=0)])
    a, b = np.triu_indices(len(every), 1)
    room = free.buffer(1e-7)
    shapely.prepare(room)
    seen = shapely.covers(room, shapely.linestrings(np.stack([every[a], every[b]], axis=1)))
    graph = np.zeros((len(every), len(every)))
    graph[a[seen], b[seen]] = np.linalg.norm(every[a[seen]] - every[b[seen]], axis=1)
    lengths = dijkstra(graph, directed=False, indices=np.arange(len(goals)))
    return lengths.min(axis=0)[len(goals) : len(goals) + len(points)]


@given(seed=SEEDS)
@settings(max_examples=50, deadline=None)
def test_no_way_is_shorter_than_its_bound(seed):
    rng = np.random.default_rng(seed)
    size, radius = rng.uniform(3.0, 8.0), rng.uniform(0.02, 0.4)
    obstacles, areas = random_boxes(rng, size, rng.integers(1, 7))
    # Arcs are drawn from inside: a bit more room than there is, so these ways are no longer than the true ones.
    grown = [area.buffer(radius, quad_segs=2) for area in areas]
    free = shapely.box(radius, radius, size - radius, size - radius).difference(shapely.union_all(grown))
    points = rng.uniform(radius, size - radius, size=(40, 2))
    points = points[shapely.contains_xy(free, points[:, 0], points[:, 1])]
    if len(points) < 2:
        return
    (goal, *_), points = points, points[1:]
    tolerance = rng.choice([0.0, 0.4])
    angles = np.arange(24) * 2.0 * math.pi / 24
    around = goal + tolerance * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    goals = np.concatenate([[goal], around[shapely.contains_xy(free, around[:, 0], around[:, 1])]])
    true = shortest_ways(free, goals, points)
    world = build_world(scene_of(obstacles, size), cell=rng.choice([0.05, 0.1, 0.2]))
    field = goal_field(world, *goal, radius=radius, cell=rng.choice([0.1, 0.25, 0.5]), tolerance=tolerance)
    grid = (field.origin_x, field.origin_z, field.cell, field.values)
    # Between two of the places around the goal, the nearest way may be this much shorter.
    slack = tolerance * (1.0 - math.cos(math.pi / 24)) + 1e-5
    for (x, z), length in zip(points, true, strict=True):
        straight = math.hypot(x - goal[0], z - goal[1]) - tolerance
        bound = route_bound(*grid, x, z, *goal, tolerance)
        assert max(straight, bilinear(*grid, x, z)) - 1e-9 <= bound <= length + slack
