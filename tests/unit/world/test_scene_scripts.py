"""Scripts in scene files: what they say, what planners make of them, what is wrong with them, and back again."""

from __future__ import annotations

import json
import math

import pytest

from walkon.errors import SceneError
from walkon.records import JsonObject
from walkon.rotations import Placement
from walkon.world import (
    Do,
    Face,
    Follow,
    Go,
    Goal,
    Style,
    Via,
    Wait,
    goals_of_script,
    read_scene,
    scene_schema,
    scene_text,
)
from walkon.world.scene_data import build_step, describe_step
from walkon.world.script_goals import ends_at_a_place

HEAD = 'bounds = [-10, -10, 10, 10]\n[[characters]]\nname = "ben"\nstart = [0, 0]\n'
STEPS = """
tolerance = 0.6
heading_tolerance = 20
[[characters.script]]
via = [0, 4]
[[characters.script]]
style = "run"
[[characters.script]]
go = [6, 5]
tolerance = 0.3
[[characters.script]]
face = 90
soft = true
weight = 2
[[characters.script]]
do = "jump"
[[characters.script]]
do = "wave"
seconds = 3
soft = true
[[characters.script]]
wait = 2
[[characters.script]]
path = [[6, 5], [8, 2], [7, -2]]
[[characters.script]]
face = 180
tolerance = 10
"""
SCRIPT = (
    Via(0.0, 4.0, 0.6),
    Style("run"),
    Go(6.0, 5.0, 0.3),
    Face(math.radians(90.0), math.radians(20.0), soft=True, weight=2.0),
    Do("jump"),
    Do("wave", seconds=3.0, soft=True),
    Wait(2.0),
    Follow(((6.0, 5.0), (8.0, 2.0), (7.0, -2.0)), 0.6),
    Face(math.radians(180.0), math.radians(10.0)),
)


def ben(text: str):
    (person,) = read_scene(HEAD + text).characters
    return person


def test_a_script_is_what_its_tables_say():
    assert ben(STEPS).script == SCRIPT


def test_without_a_goal_the_places_are_the_way_and_the_last_is_the_goal():
    person = ben(STEPS)
    places = [(goal.x, goal.z, goal.tolerance) for goal in person.goals]
    assert places == [(0, 4, 0.6), (6, 5, 0.3), (6, 5, 0.6), (8, 2, 0.6), (7, -2, 0.6)]
    # The soft facing is a wish; the hard one belongs to the end of the line.
    assert [goal.heading for goal in person.goals] == [None, None, None, None, math.pi]
    assert person.goals[-1].heading_tolerance == math.radians(10.0)
    assert person.start.heading == 0.0


def test_a_goal_that_is_given_stays_the_goal():
    person = ben("goal = [5, 5]\nvia = [[1, 1]]\nscript = [{ go = [-4, 0] }]\n")
    assert [(goal.x, goal.z) for goal in person.goals] == [(1, 1), (5, 5)]
    assert person.script == (Go(-4.0, 0.0),)


def test_a_script_without_places_stays_where_it_starts():
    assert ben('tolerance = 1\nscript = [{ do = "jump" }]\n').goals == (Goal(0.0, 0.0, 1.0),)


def test_soft_places_are_wishes_but_for_the_last():
    start = Placement()
    script = (Go(1.0, 0.0, soft=True), Face(1.0), Go(2.0, 0.0), Do("jump"), Face(2.0), Via(3.0, 0.0, soft=True))
    assert goals_of_script(script, start) == (Goal(2.0, 0.0), Goal(3.0, 0.0))


def test_of_a_drawn_line_planners_get_points_two_metres_apart():
    line = tuple((0.1 * k, 0.0) for k in range(52))
    places = [goal.x for goal in goals_of_script((Follow(line),), Placement())]
    assert places == pytest.approx([0.0, 2.0, 4.0, 5.1])


def test_whether_a_script_ends_at_a_place():
    assert ends_at_a_place((Do("jump"), Go(1.0, 0.0), Face(1.0), Wait(2.0)))
    assert not ends_at_a_place((Go(1.0, 0.0), Do("jump")))
    assert not ends_at_a_place((Do("jump"),))


@pytest.mark.parametrize(
    "text",
    [
        STEPS,
        "goal = [5, 5]\nvia = [[1, 1]]\ngoal_heading = 45\nscript = [{ go = [-4, 0] }, { face = 45 }]\n",
        'tolerance = 1\nscript = [{ do = "jump", times = 3 }]\n',
        "heading_tolerance = 7\nscript = [{ go = [1, 1], tolerance = 2 }, { face = 33.3 }]\n",
        "heading_tolerance = 7\nscript = [{ face = 33.3 }, { go = [1, 1] }]\n",
    ],
)
def test_scripts_are_written_as_they_were_read(text):
    scene = read_scene(HEAD + text)
    written = scene_text(scene)
    assert read_scene(written).characters == scene.characters
    assert ("goal = " in written) == ("goal = " in text)


def test_steps_come_back_from_json():
    described = json.loads(json.dumps([describe_step(step) for step in SCRIPT]))
    assert tuple(build_step(JsonObject(step, "step", SceneError)) for step in described) == SCRIPT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"scene:2: characters\[0\].goal: is missing"),
        ("script = []", r"characters\[0\].goal: is missing"),
        ("script = 3", r"characters\[0\].script: needs a list, not 3"),
        ("script = [3]", r"script\[0\]: needs a table, not 3"),
        ("script = [{ go = [1, 2] }, {}]", r"script\[1\]: needs one of go, via, .* wait, and has none"),
        ("script = [{ wat = 2 }]", r"and has none; did you mean 'wait'\?"),
        ('script = [{ go = [1, 2], do = "x" }]', r"not go and do: each is a step of its own"),
        ("script = [{ go = [1, 2], weight = 2 }]", r"script\[0\]: weight is for steps with soft = true"),
        ("script = [{ go = [1, 2], soft = true, weight = 0 }]", r"weight: must be more than 0, not 0"),
        ("script = [{ go = [1, 2], tolerence = 2 }]", r"tolerence: unknown key; did you mean 'tolerance'\?"),
        ('script = [{ do = "x", tolerance = 2 }]', r"tolerance: unknown key; it may be one of: do, seconds, soft"),
        ('script = [{ do = "x", times = 1, seconds = 2 }]', r"needs times or seconds, not both"),
        ('script = [{ do = "x", times = 0 }]', r"times: must be at least 1, not 0"),
        ("script = [{ do = 3 }]", r"do: needs a text in quotes, not 3"),
        ("script = [{ go = [1] }]", r"script\[0\].go: needs 2 numbers \[x, z\]"),
        ("script = [{ path = [[1, 2]] }]", r"path: needs at least 2 elements, not 1"),
        ("script = [{ path = [[1, 2], [3]] }]", r"path\[1\]: needs 2 numbers"),
        ("script = [{ wait = 0 }]", r"wait: must be more than 0, not 0"),
        ("script = [{ face = 0, tolerance = 200 }]", r"tolerance: must be at most 180, not 200"),
        ("via = [[1, 2]]\nscript = [{ go = [1, 2] }]", r"via: is for a character with a goal; .* say via = "),
        ("goal_heading = 3\nscript = [{ go = [1, 2] }]", r"goal_heading: is for .* say face = "),
        ("script = [{ go = [11, 2] }]", r"script\[0\].go: .* step 1 of the script \(11.0, 2.0\) lies outside"),
        ("script = [{ wait = 1 }, { path = [[1, 2], [2, 11]] }]", r"script\[1\].path\[1\]: .* outside the bounds"),
        (f"script = [{1001 * '{ wait = 1 },'}]", r"script: needs at most 1000 elements"),
    ],
)
def test_wrong_scripts_are_named(text, message):
    with pytest.raises(SceneError, match=message):
        read_scene(f"{HEAD}{text}\n")


def test_a_wrong_script_is_not_the_lack_of_a_goal_too():
    with pytest.raises(SceneError) as caught:
        read_scene(HEAD + "script = [{ got = [1, 2] }]\n")
    assert "goal" not in str(caught.value)


def test_places_in_walls_have_the_line_of_their_step():
    wall = '[[obstacles]]\nname = "wall"\nshape = "box"\nat = [3, 4]\nwidth = 2\ndepth = 1\nheight = 2\n'
    steps = "[[characters.script]]\nvia = [3, 4]\n[[characters.script]]\ngo = [5, 5]\n"
    with pytest.raises(SceneError, match=r"scene:6: characters\[0\].script\[0\].via: .*inside obstacle 'wall'"):
        read_scene(HEAD + steps + wall)


def test_two_scripts_cannot_end_in_one_place():
    script = "tolerance = 0.1\nscript = [{ go = [5, 5] }]\n"
    other = '[[characters]]\nname = "carl"\nstart = [2, 0]\n'
    with pytest.raises(SceneError, match=r"characters\[1\].script\[0\].go: .*no room for two"):
        read_scene(HEAD + script + other + script)


def test_the_schema_knows_scripts():
    schema = scene_schema()
    character = schema["$defs"]["CharacterTable"]
    assert character["anyOf"] == [{"required": [key]} for key in ("goal", "script", "to")]
    assert set(schema["$defs"]["DoTable"]["properties"]) == {"do", "times", "seconds", "soft", "weight"}
    assert schema["$defs"]["GoTable"]["required"] == ["go"]


def test_a_line_has_two_points():
    with pytest.raises(SceneError, match="two points"):
        Follow(((0.0, 0.0),))
