"""What is wrong with who is in a scene, said before anybody plans."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from walkon.directing.checking import check_people
from walkon.rotations import Placement
from walkon.world import Box, Character, Goal, HeightField, Obstacle, Scene, flat_terrain

BOUNDS = (-6.0, -6.0, 6.0, 6.0)


def wall(name, x, z, width, depth, **more):
    return Obstacle(name, Box(width, 2.0, depth), [[x, 0.0, z]], [[1.0, 0.0, 0.0, 0.0]], **more)


def room(door=0.0, thick=0.1):
    """Walls around (3, 3), two metres to each side, with a door of some width in the near one."""
    half = 0.5 * (4.0 - door)
    near = [wall(f"near {side}", 3.0 + side * (2.0 - 0.5 * half), 1.0, half, thick) for side in (-1, 1)]
    beside = [wall("left", 1.0, 3.0, thick, 4.0 + thick), wall("right", 5.0, 3.0, thick, 4.0 + thick)]
    return [*near, *beside, wall("far", 3.0, 5.0, 4.0 + thick, thick)]


def told(obstacles=(), terrain=None, bodies="outline", **more):
    anna = replace(Character("anna", Placement(-4.0, -4.0, 0.0), (Goal(3.0, 3.0),)), **more)
    scene = Scene("s", BOUNDS, terrain or flat_terrain(BOUNDS), tuple(obstacles), (anna,), bodies=bodies)
    return check_people(scene)


def test_nothing_is_said_where_nothing_is_wrong():
    assert told() == []
    assert told(room(door=1.2), bodies="one-circle") == []
    assert told(room(door=0.45)) == [], "one can sidle"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"library": "humans"}, "no library 'humans'"),
        ({"pose": "handstand"}, "no pose 'handstand'"),
        ({"weights": {"swim*": 2.0}}, "no behavior 'swim*'"),
        ({"without": ("swim",)}, "no behavior 'swim'"),
    ],
)
def test_unknown_libraries_poses_and_behaviors_are_problems(more, said):
    (remark,) = told(**more)
    assert remark.kind == "problem"
    assert remark.character == "anna"
    assert said in remark.message
    assert not remark.message.startswith("character")


def test_a_library_that_is_not_there_is_looked_for_once_and_said_of_everybody(monkeypatch):
    people = tuple(
        Character(f"p{k}", Placement(k, 0.0, 0.0), (Goal(k, 3.0),), library="nowhere") for k in range(4)
    )
    remarks = check_people(Scene("s", BOUNDS, flat_terrain(BOUNDS), (), people))
    assert [remark.character for remark in remarks] == ["p0", "p1", "p2", "p3"]
    assert len({remark.message for remark in remarks}) == 1


@pytest.mark.parametrize("thick", [0.1, 0.13, 0.4])
def test_a_goal_behind_closed_walls_is_a_problem(thick):
    (remark,) = told(room(thick=thick))
    assert remark.kind == "problem"
    assert "there is no way from (-4.00, -4.00) to the goal at (3.00, 3.00), because of obstacle" in remark.message


@pytest.mark.parametrize(("door", "level"), [(0.25, "outline"), (0.45, "circle"), (0.45, "one-circle")])
def test_a_door_too_narrow_for_the_body_is_a_warning_with_its_place(door, level):
    (remark,) = told(room(door=door), bodies=level)
    assert remark.kind == "warning"
    assert "too narrow for a body that needs 0." in remark.message
    width, x, z = map(float, re.search(r"about (\S+) m wide at \((\S+), (\S+)\), beside", remark.message).groups())
    assert width == pytest.approx(door, abs=0.15)
    assert (x, z) == pytest.approx((3.0, 1.0), abs=0.3)
    assert "beside obstacle 'near" in remark.message


def test_every_leg_of_a_way_is_looked_at():
    (remark,) = told(room(), goals=(Goal(4.0, -4.0), Goal(3.0, 3.0), Goal(-4.0, 4.0)))
    assert "from (4.00, -4.00) to the goal at (3.00, 3.00)" in remark.message


def test_what_can_be_passed_or_moves_closes_nothing():
    walls = room(door=1.0)
    bar = wall("bar", 3.0, 1.0, 1.0, 0.1, passes=("jump_over",))
    assert told([*walls, bar]) == []


def test_ground_that_is_too_steep_closes_a_way():
    x = np.linspace(-6.0, 6.0, 61)
    rim = HeightField(-6.0, -6.0, 0.2, np.tile(2.0 * np.clip(1.0 - np.abs(x), 0.0, None), (61, 1)))
    (remark,) = told(terrain=rim)
    assert remark.kind == "problem"
    assert "because of ground steeper than 0.40" in remark.message


def test_people_with_scripts_are_left_alone():
    from walkon.world import Go

    assert told(library="nowhere", script=(Go(1.0, 1.0),)) == []
