"""Goal fields: against a plain Dijkstra, walls, and what cannot be reached."""

from __future__ import annotations

import heapq
import itertools
import math

import numpy as np
import pytest

from walkon.rotations import rotation_about_y
from walkon.world import (
    UNREACHABLE,
    Box,
    Obstacle,
    Scene,
    Sphere,
    build_world,
    coarse_path,
    flat_terrain,
    goal_field,
)
from walkon.world import routes as routes_module
from walkon.world._kernels_routes import descend, open_cells, route_bound, spread
from walkon.world.queries import sample
from walkon.world.routes import _flat, _moves

BOUNDS = (0.0, 0.0, 12.0, 10.0)


def world_with(*boxes, cell=0.1, bounds=BOUNDS):
    obstacles = tuple(
        Obstacle(f"box {k}", Box(width, 2.0, depth), [[x, 0, z]], [rotation_about_y(heading)])
        for k, (x, z, width, depth, heading) in enumerate(boxes)
    )
    return build_world(Scene("test", bounds, flat_terrain(bounds), obstacles), cell=cell)


def bound(field, x, z, goal, tolerance=0.0):
    return route_bound(field.origin_x, field.origin_z, field.cell, field.values, x, z, *goal, tolerance)


def slow_spread(distances, cells, moves, weights):
    """The naive twin: a heap, and every check spelled out."""
    distances = distances.copy()
    heap = [(value, corner) for corner, value in np.ndenumerate(distances) if value < math.inf]
    heapq.heapify(heap)
    while heap:
        value, (j, i) = heapq.heappop(heap)
        if value > distances[j, i]:
            continue
        for (b, a, r1, c1, r2, c2, needed), weight in zip(moves.tolist(), weights, strict=True):
            found = int(cells[j + r1, i + c1]) + int(cells[j + r2, i + c2])
            if found >= needed and value + weight < distances[j + b, i + a]:
                distances[j + b, i + a] = value + weight
                heapq.heappush(heap, (value + weight, (j + b, i + a)))
    return distances


@pytest.mark.parametrize("seed", range(6))
def test_spread_is_dijkstra(seed):
    rng = np.random.default_rng(seed)
    cells = np.zeros((26, 33), dtype=np.uint8)
    cells[2:-3, 2:-3] = rng.random((21, 28)) < 0.7
    distances = np.full(cells.shape, math.inf)
    for row, column in np.argwhere(cells)[rng.integers(0, cells.sum(), 3)]:
        distances[row, column] = rng.uniform(-0.7, 0.0)
    moves, weights = _moves()
    expected = slow_spread(distances, cells, moves, weights * 0.5)
    hops = moves @ _flat(cells.shape[1])
    spread(distances.reshape(-1), cells.reshape(-1), hops, weights * 0.5, -0.7, 5)
    np.testing.assert_allclose(distances, expected, atol=1e-9)
    assert np.isinf(distances).any()


def test_moves_are_the_sixteen_and_never_longer_than_the_straight_line():
    moves, weights = _moves()
    assert len({tuple(move) for move in moves[:, :2].tolist()}) == 16
    # The shortest chain to a far corner in open space is a mix of two moves next to each other in direction.
    ways = moves[:, :2].astype(float)
    order = np.argsort(np.arctan2(ways[:, 0], ways[:, 1]))
    for first, second in zip(order, np.roll(order, -1), strict=True):
        for share in np.linspace(0.0, 1.0, 21):
            way = share * ways[first] + (1.0 - share) * ways[second]
            length = share * weights[first] + (1.0 - share) * weights[second]
            assert 0.97 * np.linalg.norm(way) < length <= np.linalg.norm(way) + 1e-12


def test_cells_are_open_when_any_vertex_is():
    rng = np.random.default_rng(0)
    clearance = rng.normal(size=(11, 13))
    for step in (1, 2, 3):
        rows, columns = -(-10 // step), -(-12 // step)
        cells = np.zeros((rows + 5, columns + 5), dtype=np.uint8)
        open_cells(clearance, step, 0.8, cells)
        for j in range(rows):
            for i in range(columns):
                block = clearance[j * step : (j + 1) * step + 1, i * step : (i + 1) * step + 1]
                assert cells[j + 2, i + 2] == (block.max() >= 0.8)
        assert cells.sum() == cells[2 : rows + 2, 2 : columns + 2].sum()


def test_open_space_is_as_far_as_it_looks():
    field = goal_field(world_with(), 9.0, 8.0, radius=0.25)
    for x, z in ((1.0, 1.0), (9.0, 1.0), (5.0, 4.0), (9.0, 8.0)):
        assert bound(field, x, z, (9.0, 8.0)) == math.hypot(x - 9.0, z - 8.0)
        assert sample(field, x, z) <= math.hypot(x - 9.0, z - 8.0)
        assert sample(field, x, z) > 0.97 * math.hypot(x - 9.0, z - 8.0) - 3.0 * field.cell


def test_field_alone_never_exceeds_the_straight_line_in_the_open():
    rng = np.random.default_rng(7)
    world = world_with(bounds=(0.0, 0.0, 5.0, 5.0))
    for gx, gz in rng.uniform(1.0, 4.0, size=(40, 2)):
        field = goal_field(world, gx, gz, radius=0.0, cell=0.5)
        for x, z in np.array([gx, gz]) + rng.normal(scale=0.5, size=(50, 2)):
            # A goal a thousand kilometres wide: the straight line says nothing.
            alone = bound(field, x, z, (gx, gz), 1e6)
            assert alone <= math.hypot(x - gx, z - gz) + 1e-9


@pytest.mark.parametrize("heading", [0.0, 0.6])
def test_bound_goes_around_a_wall(heading):
    wall = (6.0, 5.0, 7.0, 0.2, heading)
    start = 6.0 + 1.0 * math.sin(heading), 5.0 + 1.0 * math.cos(heading)
    goal = 6.0 - 1.0 * math.sin(heading), 5.0 - 1.0 * math.cos(heading)
    true = 2.0 * math.hypot(3.5, 1.0)  # and a bit, for the radius
    for cell, least in ((0.25, 0.83), (0.1, 0.9)):
        field = goal_field(world_with(wall), *goal, radius=0.25, cell=cell)
        assert least * true < bound(field, *start, goal) <= true + 0.6


def test_doorway_is_open_only_to_those_who_fit():
    walls = [(3.0, 5.0, 5.4, 0.3, 0.0), (9.0, 5.0, 5.4, 0.3, 0.0)]  # 0.6 m between them
    walls += [(0.1, 5.0, 0.8, 0.3, 0.0), (11.9, 5.0, 0.8, 0.3, 0.0)]
    goal = (6.0, 9.0)
    thin = goal_field(world_with(*walls), *goal, radius=0.29)
    assert bound(thin, 6.0, 1.0, goal) == pytest.approx(8.0, abs=0.6)
    wide = goal_field(world_with(*walls), *goal, radius=0.45)
    assert bound(wide, 6.0, 1.0, goal) >= 0.9 * UNREACHABLE
    assert bound(wide, 6.0, 7.0, goal) < 3.0


def test_goal_in_a_wall_or_out_of_bounds_is_unreachable():
    world = world_with((6.0, 5.0, 3.0, 3.0, 0.0))
    assert np.all(goal_field(world, 6.0, 5.0, radius=0.3).values == UNREACHABLE)
    assert np.all(goal_field(world, 50.0, 5.0, radius=0.3).values == UNREACHABLE)
    # Within reach of the tolerance it is not.
    near = goal_field(world, 6.0, 5.0, radius=0.3, tolerance=2.0)
    assert bound(near, 1.0, 5.0, (6.0, 5.0), 2.0) == pytest.approx(3.0, abs=0.1)


def test_tolerance_shortens_the_way():
    world = world_with()
    for tolerance in (0.0, 0.5, 2.0):
        field = goal_field(world, 9.0, 5.0, radius=0.3, tolerance=tolerance)
        assert bound(field, 2.0, 5.0, (9.0, 5.0), tolerance) == pytest.approx(7.0 - tolerance)
        assert sample(field, 2.0, 5.0) <= 7.0 - tolerance
        assert bound(field, 9.0, 5.1, (9.0, 5.0), tolerance) <= 0.1


def test_what_moves_or_can_be_passed_is_ignored():
    blocked = Obstacle("fence", Box(30, 0.4, 0.2), [[6, 0, 5]], [[1, 0, 0, 0]], passes=("jump_over",))
    ball = Obstacle("ball", Sphere(2.0), [[6, 2, 5], [7, 2, 5]], [[1, 0, 0, 0]] * 2)
    world = build_world(Scene("test", BOUNDS, flat_terrain(BOUNDS), (blocked, ball)), cell=0.1)
    np.testing.assert_array_equal(
        goal_field(world, 6.0, 9.0, radius=0.3).values, goal_field(world_with(), 6.0, 9.0, radius=0.3).values
    )


def test_cell_is_a_multiple_of_the_clearance_and_limited(monkeypatch):
    world = world_with()
    assert goal_field(world, 1, 1, radius=0.3).cell == pytest.approx(0.2)
    assert goal_field(world, 1, 1, radius=0.3, cell=0.3).cell == pytest.approx(0.3)
    assert goal_field(world, 1, 1, radius=0.3, cell=0.01).cell == pytest.approx(0.1)
    monkeypatch.setattr(routes_module, "MOST_CORNERS", 500)
    assert goal_field(world, 1, 1, radius=0.3).values.size < 700


def test_path_leads_to_the_goal_around_walls():
    world = world_with((4.0, 4.0, 8.5, 0.4, 0.0), (8.5, 7.0, 8.0, 0.4, 0.3))
    goal = (10.5, 9.3)
    field = goal_field(world, *goal, radius=0.3)
    path = coarse_path(field, 1.0, 1.0)
    assert path[0].tolist() == [1.0, 1.0]
    assert math.hypot(path[-1, 0] - goal[0], path[-1, 1] - goal[1]) < 0.5
    dense = np.concatenate([a + (b - a) * np.linspace(0, 1, 50)[:, None] for a, b in itertools.pairwise(path)])
    assert min(sample(world.clearance, x, z) for x, z in dense) > 0.0
    length = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    assert sample(field, 1.0, 1.0) <= length < 1.1 * sample(field, 1.0, 1.0) + 1.5


def test_path_to_nowhere_is_its_start():
    field = goal_field(world_with(), 50.0, 5.0, radius=0.3)
    assert coarse_path(field, 1.0, 2.0).tolist() == [[1.0, 2.0]]


def slow_descent(values, corner, moves, lengths):
    """The naive twin: any corner that a move reaches and that is nearer by just its length, the first of them."""
    path = []
    while values[corner] < UNREACHABLE:
        path.append(corner)
        for (down, right), length in zip(moves.tolist(), lengths.tolist(), strict=True):
            to = corner[0] + down, corner[1] + right
            inside = 0 <= to[0] < values.shape[0] and 0 <= to[1] < values.shape[1]
            if inside and math.isclose(values[corner] - values[to], length, abs_tol=1e-9):
                corner = to
                break
        else:
            return path
    return path


@pytest.mark.parametrize("seed", range(5))
def test_the_way_down_is_the_naive_one_and_as_long_as_the_field_says(seed):
    rng = np.random.default_rng(seed)
    boxes = [(*rng.uniform((0, 0), (12, 10)), *rng.uniform(0.3, 3.0, 2), rng.uniform(0, 3)) for _ in range(7)]
    world = world_with(*boxes)
    goal = next(p for p in rng.uniform((1, 1), (11, 9), (99, 2)).tolist() if sample(world.clearance, *p) > 0.4)
    field = goal_field(world, *goal, radius=0.3)
    moves, weights = _moves()
    lengths, walked = weights * field.cell, 0
    for row, column in zip(*(rng.integers(0, size, 60) for size in field.values.shape), strict=True):
        found = descend(field.values, row, column, moves[:, :2], lengths, UNREACHABLE)
        expected = slow_descent(field.values, (int(row), int(column)), moves[:, :2], lengths)
        assert [tuple(corner) for corner in found.tolist()] == expected
        if len(found) > 1:
            steps = {tuple(move): length for move, length in zip(moves[:, :2].tolist(), lengths, strict=True)}
            gone = sum(steps[tuple(step)] for step in np.diff(found, axis=0).tolist())
            assert gone == pytest.approx(field.values[row, column] - field.values[tuple(found[-1])])
            last = field.origin_x + field.cell * found[-1, 1], field.origin_z + field.cell * found[-1, 0]
            assert math.dist(last, goal) <= 1.5 * field.cell
            walked += 1
    assert walked > 10


def test_a_rough_path_has_no_needless_points_and_starts_where_one_is():
    field = goal_field(world_with(), 9.0, 5.0, radius=0.3)
    path = coarse_path(field, 2.0, 5.0)
    assert path[0].tolist() == [2.0, 5.0]
    assert len(path) <= 4
    turns = np.diff(np.arctan2(*np.diff(path, axis=0).T))
    assert (np.abs(turns) > 1e-9).all()
    # From outside the bounds as well: over the nearest corner.
    assert math.dist(coarse_path(field, -3.0, 5.0)[-1], (9.0, 5.0)) < 0.6
