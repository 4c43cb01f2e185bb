"""Places, exits, doors and stairs: what a file says of them, what is refused, and who takes which exit."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.records import JsonObject
from walkon.world import build_world, read_scene, scene_schema, scene_text
from walkon.world.exits import ExitChooser, choose_exits
from walkon.world.scene_data import INLINE, build_scene, describe_scene
from walkon.world.timed_doors import door_obstacle, with_doors

TEXT = """
bounds = [-10, -6, 10, 6]
duration = 100
[[places]]
name = "north"
kind = "exit"
region = [-2, 5, 2, 6]
[[places]]
name = "south"
kind = "exit"
region = [[-2, -6, 2, -5], [4, -6, 6, -5]]
[[places]]
name = "counter"
kind = "service"
region = [5, 0, 6, 1]
queue = [[5, -1], [0, -1]]
servers = 2
time = [2, 4]
[[places]]
name = "hall"
kind = "waiting"
region = [-9, 2, -6, 5]
time = 3
[[doors]]
name = "gate"
from = [-2, 4.5]
to = [2, 4.5]
open = [[10, 20], [30, 40]]
[[stairs]]
region = [-9, -5, -7, 5]
up = 90
[[crowds]]
kind = "flow"
from = [-9.5, -5, -6, 1]
to = ["north", "south"]
count = 10
via = [{ place = "counter" }, [1, 1], { place = "hall" }]
groups = [2, 3]
speed = [0.8, 1.6]
[[characters]]
name = "a"
start = [0, -3]
to = "north"
group = "family"
speed = 1.2
[[characters]]
name = "b"
start = [0, -1.5]
to = ["north", "south"]
choose = "least_crowded"
group = "family"
speed = 0.9
"""


def test_everything_comes_back_from_files_and_from_data():
    scene = read_scene(TEXT)
    again = read_scene(scene_text(scene))
    told = json.loads(json.dumps(describe_scene(scene, INLINE)))
    data = build_scene(JsonObject(told, "scene", SceneError), INLINE)
    for other in (again, data):
        assert (other.places, other.doors, other.stairs) == (scene.places, scene.doors, scene.stairs)
        for one, same in zip(scene.characters, other.characters, strict=True):
            assert replace(one, start=same.start) == same
    told["places"][0]["kind"] = "moon"
    with pytest.raises(SceneError, match=r"scene\.places: kind"):
        build_scene(JsonObject(told, "scene", SceneError), INLINE)
    assert {"places", "doors", "stairs"} <= scene_schema()["properties"].keys()
    plain = read_scene("bounds = [0, 0, 5, 5]")
    assert not {"places", "doors", "stairs"} & describe_scene(plain, INLINE).keys()


def test_people_are_sent_to_exits_and_by_places():
    people = {one.name: one for one in read_scene(TEXT).characters}
    assert people["a"].goals[-1].place == "north"
    assert people["a"].goals[-1].z == pytest.approx(5.4)
    assert people["b"].goals[-1].place == "south"  # by air
    assert {one.at_goal for one in people.values()} == {"leave"}
    assert people["a"].speed == people["b"].speed == 0.9  # as fast as the slowest
    walker = people["flow1_001"]
    assert [goal.place for goal in walker.goals[:-1]] == ["counter", "", "hall"]
    assert walker.goals[-1].place in ("north", "south")
    assert walker.exits == ("north", "south")


def test_groups_of_a_crowd_start_together_near_each_other_and_are_as_fast():
    text = TEXT.replace("groups", "over = 10\npremovement = [0, 5]\ngroups")
    people = [one for one in read_scene(text, seed=2).characters if one.name.startswith("flow")]
    groups = {one.group for one in people if one.group}
    assert groups
    for group in groups:
        members = [one for one in people if one.group == group]
        assert len(members) in (2, 3)
        assert len({(one.start_time, one.speed, one.premovement) for one in members}) == 1
        apart = [np.hypot(one.start.x - members[0].start.x, one.start.z - members[0].start.z) for one in members]
        assert max(apart) < 4.0
    alone = read_scene(text.replace("[2, 3]", "[]"), seed=2).characters
    assert sorted((p.start.x, p.start.z) for p in people) == sorted(
        (p.start.x, p.start.z) for p in alone if p.name.startswith("flow")
    )


@pytest.mark.parametrize(
    ("said", "instead", "complaint"),
    [
        ('to = "north"', 'to = "norht"', r"characters.0..to: no place 'norht'; did you mean 'north'\?"),
        ('to = "north"', 'to = "counter"', "place 'counter' is of kind 'service'; exit is needed"),
        ('["north", "south"]\ncount', '["nort"]\ncount', "crowds.0..to: no place 'nort'"),
        ('place = "counter"', 'place = "north"', "via.0..place: place 'north' is of kind 'exit'"),
        ("[-2, 5, 2, 6]", "[-2, 5, 2, 7]", "place 'north' lies outside the bounds"),
        ("[0, -1]]", "[0, -9]]", "places.2..queue: place 'counter' lies outside"),
        ("[30, 40]", "[15, 40]", "open: needs hours in order"),
        ("[30, 40]", "[50, 40]", r"open: needs a list of \[from, to\]"),
        ("[2, 4.5]", "[-2, 4.6]", "to: needs a door that is 0.3 m to 1000 m wide"),
        ("queue = [[5, -1], [0, -1]]", "", "a service place needs a queue"),
        ("time = 3", "time = 3\nservers = 2", "queue and servers are for places of kind"),
        ("time = [2, 4]", "time = [4, 2]", "time: needs seconds, or a range"),
        ("up = 90", "", "stairs.0..up: is missing"),
        ('name = "south"', 'name = "north"', "another place is called 'north'"),
        ('to = "north"\n', "", "characters.0..goal: is missing"),
        ("{ place = \"counter\" }", "{ tolerance = 1 }", "via.0..at: is missing"),
        ("[2, 3]", "[0]", "groups.0.: must be at least 1"),
        ('"least_crowded"', '"best"', "choose: no 'best'"),
    ],
)  # fmt: skip
def test_nonsense_is_refused(said, instead, complaint):
    assert said in TEXT
    with pytest.raises(SceneError, match=complaint):
        read_scene(TEXT.replace(said, instead, 1))


HALL = """
bounds = [-12, -6, 12, 6]
[[places]]
name = "left"
kind = "exit"
region = [-12, -2, -11, 2]
[[places]]
name = "right"
kind = "exit"
region = [11, -2, 12, 2]
"""
WALL = '[[obstacles]]\nshape = "box"\nat = [-6, -0.5]\nwidth = 0.3\ndepth = 11\nheight = 3\n'


def people(*starts, choose="nearest", to='["left", "right"]'):
    return "".join(
        f'[[characters]]\nname = "p{i}"\nstart = [{x}, {z}]\nto = {to}\nchoose = "{choose}"\n'
        for i, (x, z) in enumerate(starts)
    )


def chosen(text):
    scene = read_scene(text)
    return [one.goals[-1].place for one in choose_exits(scene, build_world(scene)).characters]


def test_the_nearest_exit_is_nearest_on_foot():
    assert chosen(HALL + people((-4, -4), (4, -4))) == ["left", "right"]
    assert chosen(HALL + WALL + people((-4, -4), (4, -4))) == ["right", "right"]  # around a wall it is farther


def test_nobody_takes_an_exit_that_it_may_not():
    both, one = people((4, -4)), people((4, 4), to='"left"').replace("p0", "q")
    assert chosen(HALL + both + one) == ["right", "left"]


def test_the_first_exit_that_can_be_reached():
    closed = WALL.replace("depth = 11", "depth = 12").replace("-0.5", "0")
    assert chosen(HALL + people((4, 0), choose="first")) == ["left"]
    assert chosen(HALL + closed + people((4, 0), choose="first")) == ["right"]


def test_who_minds_crowds_takes_the_other_exit_once_there_are_many():
    crowd = [(5.0 + 0.9 * (i % 6), -4.0 + 0.9 * (i // 6)) for i in range(54)]
    assert set(chosen(HALL + people(*crowd))) == {"right"}
    narrow = HALL.replace("[11, -2, 12, 2]", "[11, -0.5, 12, 0.5]")
    minding = chosen(narrow + people(*crowd, choose="least_crowded"))
    assert 10 <= minding.count("left") <= 35
    near = np.argsort([np.hypot(x - 11.0, z) for x, z in crowd])[:15]
    assert {minding[i] for i in near} == {"right"}  # these are out before it is crowded


def test_goals_in_exits_are_spread_and_free():
    scene = read_scene(HALL + people((0, 0)))
    chooser = ExitChooser(build_world(scene), scene.places)
    goals = {(goal.x, goal.z) for who in range(20) if (goal := chooser.goal(1, who, scene.characters[0].goals[0]))}
    assert len(goals) > 3
    assert all(scene.places[1].holds(*goal) for goal in goals)


def test_a_door_is_an_obstacle_but_for_its_hours():
    scene = read_scene(TEXT)
    leaf = door_obstacle(scene.doors[0], scene.terrain)
    assert leaf.shape.width == 4.0
    assert leaf.positions.tolist() == [[0.0, 0.0, 4.5]]
    told = with_doors(scene)
    assert not told.doors
    heights = told.obstacles[-1].positions[:, 1]
    assert len(heights) == 40 * 30 + 2
    seen = [
        heights[min(round(time * 30), len(heights) - 1)] for time in (0, 9.9, 10, 19.9, 20, 29.9, 30, 39.9, 40, 90)
    ]
    assert [height > -1.0 for height in seen] == [True, True, False, False, True, True, False, False, True, True]
