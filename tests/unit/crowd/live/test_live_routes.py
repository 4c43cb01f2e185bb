"""Rough ways: the heap against heapq, what is seen against dense samples, ways against a plain Dijkstra."""

from __future__ import annotations

import heapq
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.crowd.live._kernels_heap import pop, push
from walkon.crowd.live._kernels_land import Land, crowd_density, survey
from walkon.crowd.live._kernels_routes import Ways, find_way, route, sees, take_aim
from walkon.crowd.live.crew import CORNERS, empty_crew
from walkon.crowd.live.surroundings import make_scouting
from walkon.planning.kernels_collision import Raster

seeds = st.integers(0, 2**32 - 1)
often = settings(max_examples=120, deadline=None, database=None)


@often
@given(st.lists(st.one_of(st.none(), st.integers(-20, 20)), max_size=80))
def test_the_heap_gives_what_heapq_gives(doings):
    """None takes one off, a number is put on."""
    keys, items, count = np.zeros(100), np.zeros(100, dtype=np.int64), 0
    twin: list[float] = []
    for turn, key in enumerate(doings):
        if key is not None:
            count = push(keys, items, count, float(key), 1000 * turn + key)
            heapq.heappush(twin, float(key))
        elif twin:
            assert keys[0] == heapq.heappop(twin)
            assert (items[0] - int(keys[0])) % 1000 == 0, "an item has lost its key"
            count = pop(keys, items, count)
        assert count == len(twin)
    while twin:
        assert keys[0] == heapq.heappop(twin)
        count = pop(keys, items, count)
    assert count == 0


def field_of_discs(rng, cells=60, fine=0.1, discs=4):
    """Distances (cells, cells) [m] to some discs on a grid from (0, 0) on, and that grid."""
    z, x = np.mgrid[:cells, :cells] * fine
    middles, radii = rng.uniform(0.0, cells * fine, (discs, 2)), rng.uniform(0.1, 0.8, discs)
    away = [np.hypot(x - middle[0], z - middle[1]) - radius for middle, radius in zip(middles, radii, strict=True)]
    return (0.0, 0.0, fine), np.min(away, axis=0)


def sampled(grid, values, points):
    """Distances (P,) at points (P, 2), bilinear: a twin of distance_at."""
    u, v = ((points - grid[:2]) / grid[2]).T
    i, j = (np.clip(np.floor(w).astype(int), 0, len(values) - 2) for w in (u, v))
    u, v = u - i, v - j
    near = values[j, i] * (1 - u) + values[j, i + 1] * u
    return near * (1 - v) + (values[j + 1, i] * (1 - u) + values[j + 1, i + 1] * u) * v


@often
@given(seeds)
def test_what_is_seen_is_free_all_the_way(seed):
    rng = np.random.default_rng(seed)
    grid, values = field_of_discs(rng)
    ends = rng.uniform(0.2, 5.7, (2, 2))
    wanted = rng.uniform(0.2, 0.6)
    room = sampled(grid, values, ends)
    # Close to a wall one makes oneself slim, but not thinner than this.
    radius = max(min(wanted, *(room - 0.01)), 0.3)
    length = float(np.hypot(*(ends[1] - ends[0])))
    samples = ends[0] + np.linspace(0.0, 1.0, int(length / 0.002) + 2)[:, None] * (ends[1] - ends[0])
    least = float(sampled(grid, values, samples).min())
    if sees(Raster(*grid, 0.0), values, *ends[0], *ends[1], wanted, 0.3):
        # Steps of 0.05 m: between them it cannot get narrower than by half of one (and the grid's cells).
        assert least >= radius - 0.045
    else:
        assert least < radius + 1e-3


def test_everybody_sees_the_place_it_is_at():
    grid, values = (0.0, 0.0, 0.1), np.full((20, 20), -1.0)
    assert sees(Raster(*grid, 0.0), values, 1.0, 1.0, 1.0, 1.0, 0.5, 0.3)


def no_doors(shape):
    """What land of so many cells says of doors where there are none."""
    return np.zeros((0, 5)), np.full(shape, -1, dtype=np.int64), np.zeros(0, dtype=np.bool_)


def random_land(rng, rows, columns):
    room = rng.choice([0.2, 0.4, 0.6, 1.5], (rows, columns), p=[0.3, 0.15, 0.15, 0.4])
    spots = np.stack(np.meshgrid(0.5 * np.arange(columns) + 0.25, 0.5 * np.arange(rows) + 0.25), axis=-1)
    density = rng.uniform(0.0, 2.0, (rows, columns)) * (rng.random((rows, columns)) < 0.4)
    return Land(0.0, 0.0, 0.5, room, np.ascontiguousarray(spots), density, *no_doors(room.shape))


def step_length(land, here, there, goal, crowding):
    """[m] What it costs to go from one cell (row, column) to one beside it; inf if one cannot."""
    down, right = there[0] - here[0], there[1] - here[1]
    if land.room[there] < 0.3 and there != goal:
        return math.inf
    strain = 0.3 * (land.room[there] < 0.8) + 1.0 * (land.room[there] < 0.5)
    strain = 6.0 if land.room[there] < 0.3 else strain
    return math.hypot(down, right) * land.cell * (1.0 + strain + crowding * land.density[there])


def dijkstra(land, start, goal, crowding):
    """[m] Length of the shortest way between two cells, or inf."""
    lengths, heap, done = {start: 0.0}, [(0.0, start)], set()
    while heap:
        length, here = heapq.heappop(heap)
        if here in done:
            continue
        done.add(here)
        if here == goal:
            return length
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                there = (here[0] + down, here[1] + right)
                inside = 0 <= there[0] < land.room.shape[0] and 0 <= there[1] < land.room.shape[1]
                if there == here or not inside:
                    continue
                further = length + step_length(land, here, there, goal, crowding)
                if further < lengths.get(there, math.inf):
                    lengths[there] = further
                    heapq.heappush(heap, (further, there))
    return math.inf


@often
@given(seeds, st.integers(1, 12), st.integers(1, 12), st.sampled_from([0.0, 4.0]))
def test_ways_are_as_short_as_those_of_dijkstra(seed, rows, columns, crowding):
    rng = np.random.default_rng(seed)
    land = random_land(rng, rows, columns)
    # Nothing stands between the spots of cells: only their room counts.
    ways = ways_over(land, (0.0, 0.0, 0.5), np.full((2 * rows + 2, 2 * columns + 2), 9.0))
    scouting = ways.scouting
    for _ in range(3):  # the memory is used again and again
        start, goal = ((int(rng.integers(rows)), int(rng.integers(columns))) for _ in range(2))
        (z0, x0), (z1, x1) = ((0.5 * cell[0] + 0.2, 0.5 * cell[1] + 0.3) for cell in (start, goal))
        last = find_way(ways, x0, z0, x1, z1, crowding, 100_000)
        shortest = dijkstra(land, start, goal, crowding)
        if math.isinf(shortest):
            assert last == -1
            continue
        assert last == goal[0] * columns + goal[1]
        cells = [last]
        while scouting.parents[cells[-1]] >= 0:
            cells.append(int(scouting.parents[cells[-1]]))
        way = [(cell // columns, cell % columns) for cell in cells[::-1]]
        assert way[0] == start
        steps = [step_length(land, a, b, goal, crowding) for a, b in itertools.pairwise(way)]
        assert shortest - 1e-9 <= sum(steps) <= 1.001 * shortest + 1e-9


def test_a_way_is_given_up_after_so_many_cells():
    land = Land(0.0, 0.0, 0.5, np.full((4, 40), 2.0), np.zeros((4, 40, 2)), np.zeros((4, 40)), *no_doors((4, 40)))
    ways = ways_over(land, (0.0, 0.0, 0.5), np.full((6, 42), 9.0))
    assert find_way(ways, 0.2, 0.2, 19.8, 0.2, 0.0, 100_000) == 39
    assert find_way(ways, 0.2, 0.2, 19.8, 0.2, 0.0, 20) == -1


def walled(door, at, cells=81):
    """Distances (cells, cells) [m] to a wall 0.1 m thick along z = 4, with a door this wide [m] at x = `at`."""
    z, x = np.mgrid[:cells, :cells] * 0.1
    aside = np.maximum(0.5 * door - np.abs(x - at), 0.0)
    return (0.0, 0.0, 0.1), np.hypot(aside, np.maximum(np.abs(z - 4.0) - 0.05, 0.0))


@pytest.mark.parametrize("at", [4.0, 4.07, 4.13, 4.2, 4.25])
def test_a_route_leads_through_the_middle_of_a_narrow_door_and_not_through_a_wall(at):
    """Wherever a door lies in the cells. A grid of 0.1 m does not see the last centimetres of a door of 0.7 m."""
    for door, open_ in ((0.9, True), (0.8, True), (0.45, False), (0.0, False)):
        (grid, values), crew = walled(door, at), empty_crew(1)
        crew.goal[0] = 5.0, 6.5, 0.5, np.nan
        found = route(ways_over(surveyed(grid, values, 3), grid, values), crew, 0, 2.0, 1.5, 0.0, 100_000)
        assert found is open_, f"a door of {door} m"
        if found:
            way = np.concatenate([[(2.0, 1.5)], crew.corners[0, : crew.corner_count[0]]])
            first = int(np.argmax(way[:, 1] > 4.0))
            crosses = np.interp(4.0, way[first - 1 : first + 1, 1], way[first - 1 : first + 1, 0])
            assert abs(crosses - at) < 0.5 * door - 0.25


def surveyed(grid, values, step=5):
    shape = tuple(-(-(count - 1) // step) for count in values.shape)
    land = Land(
        *grid[:2], step * grid[2], np.zeros(shape), np.zeros((*shape, 2)), np.zeros(shape), *no_doors(shape)
    )
    survey(grid, values, step, land, (0, values.shape[0], 0, values.shape[1]))
    return land


def ways_over(land, grid, values):
    """What it takes to look for ways over some land."""
    return Ways(land, make_scouting(land), Raster(*grid, 0.0), values, 0.3, 0.3)


@often
@given(seeds)
def test_the_room_of_a_cell_is_the_most_there_is_in_it(seed):
    rng = np.random.default_rng(seed)
    grid, values = field_of_discs(rng, cells=int(rng.integers(12, 40)))
    land = surveyed(grid, values)
    for row in range(land.room.shape[0]):
        for column in range(land.room.shape[1]):
            inside = values[5 * row : 5 * row + 6, 5 * column : 5 * column + 6]
            assert land.room[row, column] == inside.max()
            spot = land.spots[row, column]
            assert sampled(grid, values, spot[None])[0] >= min(inside.max(), 1.0) - 1e-9
            assert (spot >= 0.5 * np.array([column, row]) - 1e-9).all()
            assert (spot <= 0.5 * np.array([column, row]) + 0.5 + 1e-9).all()


@often
@given(seeds)
def test_a_route_leads_from_sight_to_sight_to_the_goal(seed):
    rng = np.random.default_rng(seed)
    grid, values = field_of_discs(rng, cells=80, discs=8)
    land, crew = surveyed(grid, values), empty_crew(1)
    x, z, goal_x, goal_z = rng.uniform(0.5, 7.4, 4)
    crew.goal[0] = goal_x, goal_z, 0.5, np.nan
    found = route(ways_over(land, grid, values), crew, 0, x, z, 0.0, 100_000)
    count = int(crew.corner_count[0])
    assert 1 <= count <= CORNERS
    corners, lengths = crew.corners[0, :count], crew.lengths[0, :count]
    np.testing.assert_allclose(corners[-1], (goal_x, goal_z))
    legs = np.hypot(*np.diff(corners, axis=0).T)
    np.testing.assert_allclose(lengths, [legs[corner:].sum() for corner in range(count)], atol=1e-9)
    if found and count > 1:
        # Beside the goal and around tight corners a route may lead from cell to cell without sight; never far.
        seen = [sees(Raster(*grid, 0.0), values, *a, *b, 0.3, 0.3) for a, b in itertools.pairwise(corners)]
        assert all(ok or leg < 1.5 for ok, leg in zip(seen, legs, strict=True))


def test_aim_is_taken_at_the_farthest_corner_in_sight():
    """A wall from z = 2 on: from before it only the corner beside it is seen, from there the goal as well."""
    z, x = np.mgrid[:80, :80] * 0.1
    values = np.hypot(np.maximum(np.abs(x - 4.0) - 0.1, 0.0), np.maximum(2.0 - z, 0.0))
    grid, crew = (0.0, 0.0, 0.1), empty_crew(1)
    ways = ways_over(surveyed(grid, values), grid, values)
    crew.corner_count[0], crew.corners[0, :2] = 2, [(4.0, 1.0), (7.0, 4.0)]
    assert take_aim(ways, crew, 0, 1.0, 4.0)
    assert crew.aim[0] == 0
    assert take_aim(ways, crew, 0, 4.0, 1.2)
    assert crew.aim[0] == 1
    crew.aim[0] = 1
    assert not take_aim(ways, crew, 0, 1.0, 4.0)


def test_who_stands_crowds_the_cells_around_and_who_walks_hardly():
    land = Land(0.0, 0.0, 0.5, np.ones((9, 9)), np.zeros((9, 9, 2)), np.zeros((9, 9)), *no_doors((9, 9)))
    crew = empty_crew(3)
    crew.here[:2] = True
    crew.bound[:2] = [(1.1, 1.1, 0.3), (3.1, 3.1, 0.3)]
    crew.guess[1, 2] = 1.3 / 30.0  # metres per frame
    crowd_density(crew, 0, 30.0, land)
    share = 1.0 / (9 * 0.25)
    np.testing.assert_allclose(land.density[1:4, 1:4], share)
    np.testing.assert_allclose(land.density[5:8, 5:8], 0.1 * share)
    assert math.isclose(land.density.sum() * 0.25, 1.1)
