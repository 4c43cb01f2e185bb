"""Doors of a live crowd: where they are, which way leads through, who goes next, and who keeps them free."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.crowd.live._kernels_doors import (
    add_door,
    door_near,
    goes_through,
    mark_doors,
    narrowest_doors,
    possible_doors,
)
from walkon.crowd.live._kernels_land import Land
from walkon.crowd.live._kernels_memory import Rules
from walkon.crowd.live._kernels_turns import HEADS, ON_ONES_OWN, QUEUE, give_turns, next_door
from walkon.crowd.live.crew import empty_crew
from walkon.crowd.live.surroundings import SLIMMEST, doors_found_again

FINE, CELLS = 0.05, 160


def room_beside(walls):
    """Distances (CELLS, CELLS) [m] to walls, each from (x0, z0) to (x1, z1), on a grid from (-4, -4) on."""
    z, x = np.mgrid[:CELLS, :CELLS] * FINE - 4.0
    found = np.full(x.shape, np.inf)
    for x0, z0, x1, z1 in walls:
        along = np.array([x1 - x0, z1 - z0])
        part = np.clip(((x - x0) * along[0] + (z - z0) * along[1]) / (along @ along), 0.0, 1.0)
        found = np.minimum(found, np.hypot(x - x0 - part * along[0], z - z0 - part * along[1]))
    return (-4.0, -4.0, FINE), found


def find_doors(grid, values, least):
    """Everywhere."""
    return narrowest_doors(possible_doors(grid, values, least, (0, CELLS, 0, CELLS)))


def wall_with_door(x, z, angle, width):
    """A wall through (x, z) with a door there, through which one goes at this angle."""
    across = np.array([math.cos(angle), -math.sin(angle)])
    ends = [(x, z) + side * far * across for side in (-1, 1) for far in (width / 2, 20.0)]
    return [(*ends[0], *ends[1]), (*ends[2], *ends[3])]


def test_doors_around_a_change_are_found_again_and_others_kept():
    """Distances of one place with a block of another's in them, as small as a change may be."""
    rng, met = np.random.default_rng(3), 0
    everywhere = (0, CELLS, 0, CELLS)
    places = [room_beside(wall_with_door(x, 0.7 * x, angle, 0.9)) for x, angle in ((-0.6, 0.3), (0.5, 1.2))]
    grid, before = places[0]
    known = possible_doors(grid, before, SLIMMEST, everywhere)
    for _ in range(40):
        row, column = rng.integers(30, CELLS - 40, 2).tolist()
        window = (row, row + int(rng.integers(1, 25)), column, column + int(rng.integers(1, 25)))
        block = slice(*window[:2]), slice(*window[2:])
        after = before.copy()
        after[block] = places[1][1][block]
        found = doors_found_again(grid, after, known, window)
        assert np.array_equal(found, possible_doors(grid, after, SLIMMEST, everywhere))
        met += len(found) != len(known)
    assert met > 5


WAY_OFF = 16
"""Degrees by which the way through a door may be off: directions are tried 11° apart, on cells of 0.1 m; the worst
of 3000 doors is 15° off."""


@settings(max_examples=60, deadline=None, database=None)
@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0, math.pi), st.floats(0.45, 1.3))
def test_a_door_in_any_wall_is_found_and_nothing_else(x, z, angle, width):
    grid, values = room_beside(wall_with_door(x, z, angle, width))
    (door,) = find_doors(grid, values, 0.12)
    dx, dz = door[0] - x, door[1] - z
    assert abs(dx * math.cos(angle) - dz * math.sin(angle)) < 0.08, "it is not in the middle"
    # Along the way through a wide door there is hardly more room in the next cells of the grid.
    assert abs(dx * math.sin(angle) + dz * math.cos(angle)) < 0.25
    assert abs(door[2] * math.sin(angle) + door[3] * math.cos(angle)) > math.cos(math.radians(WAY_OFF))
    assert door[4] == pytest.approx(width / 2, abs=0.05)


@settings(max_examples=20, deadline=None, database=None)
@given(st.floats(0, math.pi), st.floats(0.8, 1.45))
def test_a_corridor_is_no_door(angle, width):
    aside = np.array([math.cos(angle), -math.sin(angle)]) * width / 2
    along = np.array([math.sin(angle), math.cos(angle)]) * 20.0
    walls = [(*(s * aside - along), *(s * aside + along)) for s in (-1, 1)]
    assert len(find_doors(*room_beside(walls), 0.12)) == 0


def land_with_door(width=0.8):
    grid, values = room_beside(wall_with_door(0.0, 0.0, 0.0, width))
    doors, shape = find_doors(grid, values, 0.12), (26, 26)
    blank = (np.zeros(shape), np.zeros((*shape, 2)), np.zeros(shape))
    land = Land(-4.0, -4.0, 0.3, *blank, doors, np.full(shape, -1), np.zeros(len(doors), dtype=np.bool_))
    mark_doors(land)
    return land


def test_who_stands_before_a_door_keeps_it_free_only_in_the_way_of_others():
    land = land_with_door()
    assert door_near(land, 0.0, -0.5) == 0, "in front of it"
    assert door_near(land, 1.3, -0.4) == 0, "beside it, where nobody can walk straight in"
    assert door_near(land, 0.1, -2.45) == -1, "in line"
    assert door_near(land, 3.0, -2.5) == -1
    assert door_near(land, math.nan, 0.0) == -1


@pytest.mark.parametrize(("width", "lanes"), [(0.8, 1), (1.2, 2)])
def test_routes_lead_straight_through_and_abreast_where_there_is_room(width, lanes):
    land, crew = land_with_door(width), empty_crew(1)
    found = set()
    for x in (-2.0, 2.0):
        assert add_door(land.doors[0], crew[0], 0, x, -2.0, 0.0, 3.0) == 2
        (x0, z0), (x1, z1) = crew.corners[0, :2]
        assert z0 < 0.0 < z1
        assert x0 == pytest.approx(x1, abs=0.02)
        assert goes_through(land.doors[0], x0, z0, x1, z1)
        assert not goes_through(land.doors[0], 1.5, -1.0, 1.5, 1.0)
        found.add(round(x0, 1))
    assert len(found) == lanes


def waiting(land, count):
    """People in a queue before a door, the first nearest to it."""
    crew = empty_crew(count)
    crew.here = True
    for row in range(count):
        crew.end[row] = 0.0, -1.0 - 0.3 * row, 0.0
        crew.goal[row] = 0.0, 3.0, 0.3, math.nan
        crew.corner_count[row] = add_door(land.doors[0], crew[row], 0, 0.0, -2.0, 0.0, 3.0)
        crew.still_left[row] = 4.0 + 0.3 * row
    return crew


RULES = Rules(gap=0.05, fps=30.0, effort=1.0, again=4, led=True)


def test_who_waits_before_a_door_is_led_and_only_after_long_goes_by_itself_the_nearest_first():
    land = land_with_door()
    crew = waiting(land, QUEUE + 2)
    crew.turn = True
    give_turns(0, RULES, crew, land)
    assert land.busy[0]
    assert not crew.turn.any()
    late = int(RULES.fps * ON_ONES_OWN) + 1
    give_turns(late, RULES, crew, land)
    assert crew.turn.tolist() == [row < HEADS // 2 for row in range(QUEUE + 2)]
    give_turns(late + 900, RULES, crew, land)
    assert not crew.turn[0], "who takes too long lets others go"
    assert crew.turn[HEADS // 2]


def test_a_few_are_no_queue_and_wait_for_nobody_unless_they_are_led():
    land = land_with_door()
    crew = waiting(land, QUEUE - 1)
    give_turns(0, RULES, crew, land)
    assert not land.busy[0]
    assert not crew.turn.any()
    give_turns(6, RULES._replace(led=False), crew, land)
    assert crew.turn.all()


def test_where_nobody_is_led_the_nearest_go_first():
    land = land_with_door()
    crew = waiting(land, QUEUE + 2)
    crew.turn = False
    give_turns(0, RULES._replace(led=False), crew, land)
    assert crew.turn.tolist() == [row < HEADS // 2 for row in range(QUEUE + 2)]


def test_a_door_counts_that_is_seen_through_but_not_one_that_was_passed():
    land = land_with_door()
    crew = waiting(land, 1)
    crew.corners[0, 2] = crew.goal[0, :2]
    crew.axes[0, 2], crew.corner_count[0], crew.aim[0] = math.nan, 3, 2
    assert next_door(crew[0], land) == 0
    crew.end[0] = 0.0, 1.0, 0.0
    assert next_door(crew[0], land) == -1
