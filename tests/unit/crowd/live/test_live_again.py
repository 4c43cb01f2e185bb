"""The same people, goals and calls give the same run, however many threads there are; a log gives it again."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from walkon.crowd.live import Log, replay
from walkon.errors import SceneError
from walkon.records import JsonObject
from walkon.rotations import Placement
from walkon.world import Box, Capsule, Cylinder, Do, Follow, Go, Goal, Mesh, Obstacle, Polygon, Sphere
from walkon.world.scene_data import (
    INLINE,
    build_character,
    build_obstacle,
    describe_character,
    describe_obstacle,
)

BOUNDS = (-8.0, -8.0, 8.0, 8.0)


def crowd(stage):
    angles = np.linspace(0.0, 2.0 * math.pi, 20, endpoint=False)
    return [
        stage.walker(f"p{k}", 6.5 * math.sin(a), 6.5 * math.cos(a), a, (-6 * math.sin(a), -6 * math.cos(a)))
        for k, a in enumerate(angles)
    ]


def perform(live, stage):
    """A run with all kinds of edits."""
    live.step(2.0)
    live.add_obstacle(stage.box("post", 0.0, 0.0, 0.5, 0.5))
    live.set_goal(3, Goal(0.0, -5.0, 0.5, 1.0))
    live.step(1.5)
    live.move_obstacle("box", 0.5, 0.5, 0.7)
    live.remove(5)
    live.step(1.0)
    live.planner = "search"
    live.bodies = "circle"
    live.adopt(stage.scene(live.scene.characters[:-1], live.scene.obstacles[:1], BOUNDS))
    for x in np.arange(-6.0, 6.1, 2.0):
        try:
            live.add(stage.walker("late", x, 7.0, 0.0, (0.0, -7.0), start_time=0.0))
            break
        except SceneError:
            continue
    live.step(2.5)
    return live


def recorded(live):
    history, drained = live.history(), live.drain()
    return [
        getattr(part, name)
        for part in (history, drained)
        for name in ("who", "starts", "clips", "frames", "placements")
    ] + list(live._engine.diary.read())


def assert_same(one, other):
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.fixture(scope="module")
def first_run(stage):
    live = perform(stage.live(crowd(stage), [stage.box("box", 2.0, 2.0)], BOUNDS, workers=1), stage)
    return live, recorded(live)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_number_of_threads_makes_no_difference(stage, first_run, workers):
    live = perform(stage.live(crowd(stage), [stage.box("box", 2.0, 2.0)], BOUNDS, workers=workers), stage)
    assert_same(recorded(live), first_run[1])
    assert live.log.to_json() == first_run[0].log.to_json()
    live.close()


def test_people_propose_at_the_same_time_in_this_run(first_run):
    """Otherwise the threads would have had nothing to do."""
    frames = first_run[1][8]
    assert np.unique(frames, return_counts=True)[1].max() >= 8


def test_a_log_gives_the_same_run_again(stage, first_run):
    live, expected = first_run
    scene = stage.scene(crowd(stage), [stage.box("box", 2.0, 2.0)], BOUNDS)
    log = Log.from_json(live.log.to_json())
    again = replay(scene, log, workers=2)
    assert again.frame == live.frame
    assert list(again.people) == list(live.people)
    assert_same(recorded(again), expected)
    assert again.log.to_json() == live.log.to_json()
    shorter = replay(scene, log, workers=1, until=70)
    assert shorter.frame == 70
    again.close()


def test_another_seed_is_kept_and_replayed_too(stage):
    people = crowd(stage)[:6]
    live = stage.live(people, bounds=BOUNDS, seed=5)
    live.step(3.0)
    again = replay(stage.scene(people, bounds=BOUNDS), Log.from_json(live.log.to_json()))
    assert again.seed == 5 == live.take().seed
    assert_same(recorded(again), recorded(live))
    again.close()


@pytest.mark.parametrize(
    "shape",
    [
        Box(1.0, 2.0, 0.5),
        Cylinder(0.4, 1.0),
        Sphere(0.3),
        Capsule(0.2, 1.5),
        Polygon(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]), 1.5),
        Mesh(
            np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
            np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
        ),
    ],
    ids=lambda shape: type(shape).__name__,
)  # fmt: skip
def test_obstacles_come_back_from_a_log(shape):
    tilted = np.array([[1.0, 0.0, 0.0, 0.0], [0.8, 0.0, 0.6, 0.0]])
    thing = Obstacle(
        "thing", shape, np.array([[1.0, 2.0, 3.0], [0.1, 0.2, 0.3]]), tilted, ("jump_over",), known=False
    )
    log = Log(0, "search")
    log.note(3, "add_obstacle", obstacle=describe_obstacle(thing, INLINE))
    (entry,) = Log.from_json(log.to_json())
    back = build_obstacle(JsonObject(entry.arguments["obstacle"], "obstacle", SceneError), INLINE)
    assert (back.name, back.passes, back.known, type(back.shape)) == ("thing", ("jump_over",), False, type(shape))
    np.testing.assert_array_equal(back.positions, thing.positions)
    np.testing.assert_array_equal(back.rotations, thing.rotations)
    for name in type(shape).__dataclass_fields__:
        np.testing.assert_array_equal(getattr(back.shape, name), getattr(shape, name))


def test_characters_come_back_from_a_log(stage):
    anna = stage.walker(
        "anna", 1.0, 2.0, 0.3, (1.0, 2.0), (3.0, 4.0, 0.2, 1.0, 0.1), performer=2, start_time=1.5, at_goal="leave",
        weights={"jog_*": 3.0}, without=("jump_*",), climb=2.0, priority=4, pose="stand",
        script=(Go(1.0, 2.0), Follow(((1.0, 2.0), (3.0, 4.0)), soft=True), Do("jump", seconds=2.0)),
    )  # fmt: skip
    log = Log(0, "search")
    log.note(-1, "add", character=describe_character(anna))
    (entry,) = Log.from_json(log.to_json())
    assert build_character(JsonObject(entry.arguments["character"], "character", SceneError)) == anna


def test_logs_of_version_1_are_read(stage):
    """As they were written before scenes had one form as data."""
    script = [{"verb": "path", "soft": True, "weight": 1.0, "points": [[1.0, 2.0], [3.0, 4.0]], "tolerance": 0.5}]
    goal = {"x": 1.0, "z": 2.0, "tolerance": 0.5, "heading": None, "heading_tolerance": 0.1}
    character = {
        "name": "anna", "start": [1.0, 2.0, 0.3], "goals": [goal], "library": "human", "performer": 0,
        "pose": None, "start_time": 0.0, "at_goal": "stay", "weights": {}, "without": ["gesture"], "climb": 1.0,
        "priority": 0, "script": script,
    }  # fmt: skip
    obstacle = {
        "name": "thing", "shape": "polygon", "positions": [[1.0, 2.0, 3.0]], "rotations": [[1.0, 0.0, 0.0, 0.0]],
        "size": {"corners": [[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]], "height": 1.5}, "passes": [], "known": True,
    }  # fmt: skip
    entries = [
        {"frame": 0, "what": "add", "arguments": {"character": character}},
        {"frame": 0, "what": "add_obstacle", "arguments": {"obstacle": obstacle}},
        {"frame": 0, "what": "remove", "arguments": {"who": 3}},
    ]
    text = json.dumps({"version": 1, "seed": 0, "planner": "search", "frames": 1, "entries": entries})
    added, put, removed = Log.from_json(text)
    anna = build_character(JsonObject(added.arguments["character"], "character", SceneError))
    expected = (Follow(((1.0, 2.0), (3.0, 4.0)), soft=True),)
    assert (anna.start, anna.goals, anna.script) == (Placement(1.0, 2.0, 0.3), (Goal(**goal),), expected)
    thing = build_obstacle(JsonObject(put.arguments["obstacle"], "obstacle", SceneError), INLINE)
    assert isinstance(thing.shape, Polygon)
    assert thing.shape.corners.tolist() == obstacle["size"]["corners"]
    assert removed.arguments == {"who": 3}


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "7", "null", "{}", '{"version": 2}',
        '{"version": 1, "seed": 0, "planner": "search", "frames": 1}',
        '{"version": 1, "seed": 0, "planner": "search", "frames": 1, "entries": [{"frame": 0}]}',
        '{"version": 1, "seed": 1e999, "planner": "search", "frames": 1, "entries": []}',
    ],
)  # fmt: skip
def test_what_is_not_a_log_is_refused(text):
    with pytest.raises(SceneError):
        Log.from_json(text)


@pytest.mark.parametrize(
    ("what", "arguments"),
    [
        ("dance", {}),
        ("set_goal", {"who": 9, "goal": None}),
        ("add", {}),
        ("move_obstacle", {"name": "box", "y": 1.0}),
    ],
)
def test_a_log_that_does_not_fit_is_refused(stage, what, arguments):
    log = Log(0, "search", frames=3)
    log.note(1, what, **arguments)
    with pytest.raises(SceneError):
        replay(stage.scene(), log, workers=1)
