"""What is told about a live crowd: who meets whom, where things are, and how somebody is now."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.crowd.live import State
from walkon.crowd.live.meetings import Meetings
from walkon.crowd.live.obstacles import LiveObstacles
from walkon.errors import SceneError
from walkon.rotations import heading_of, multiply, rotation_about_y
from walkon.world import Box, HeightField, Obstacle, Sphere, flat_terrain

BOUNDS = (-6.0, -6.0, 6.0, 6.0)
LEVEL = flat_terrain(BOUNDS)
SLOPE = HeightField(-6.0, -6.0, 1.0, np.add.outer(np.zeros(13), 0.5 * np.arange(-6.0, 7.0)))


def seen(who, circles):
    """People of these numbers in circles (N, 3); nothing else is looked at."""
    none = np.zeros(len(who))
    return State(0, who, circles, circles, circles[:, :2], none, none > 0.0)


def test_meetings_are_counted_once_while_they_last():
    watch, who = Meetings(), np.array([4, 7, 9])
    apart = np.array([(0.0, 0.0, 0.4), (1.0, 0.0, 0.4), (5.0, 0.0, 1.0)])
    met = np.array([(0.0, 0.0, 0.4), (0.7, 0.0, 0.4), (5.0, 0.0, 1.0)])
    assert watch.look(seen(who, apart)) == 0
    assert [watch.look(seen(who, met)), watch.look(seen(who, met))] == [1, 1]
    watch.look(seen(who, apart))
    assert watch.look(seen(who, met)) == 2
    assert watch.look(seen(who[:1], met[:1])) == 2
    assert watch.look(seen(who[:0], met[:0])) == 2


def leaning(turn):
    """The rotation of something that leans by 0.3 rad, turned about the vertical."""
    lean = np.array([math.cos(0.15), math.sin(0.15), 0.0, 0.0])
    return multiply(rotation_about_y(turn), lean)


def plank(rotation, y=1.0):
    return Obstacle("plank", Box(1.0, 1.0, 1.0), np.array([[1.0, y, 2.0]]), np.atleast_2d(rotation))


def test_what_is_put_elsewhere_keeps_its_lean_and_its_height_above_the_ground():
    things = LiveObstacles([plank(leaning(0.4))])
    moved = things.moved("plank", 3.0, -1.0, 1.1, frame=0, terrain=SLOPE)
    assert moved.positions.tolist() == pytest.approx(np.array([[3.0, 2.0, -1.0]]))
    assert heading_of(moved.rotations[0]) == pytest.approx(1.1)
    assert np.abs(moved.rotations[0]) == pytest.approx(np.abs(leaning(1.1)), abs=1e-9)
    assert things.moved("plank", 3.0, -1.0, 1.1, frame=0, terrain=LEVEL).positions[0, 1] == 1.0
    # Without a heading nothing turns; what stands upright is turned exactly.
    upright = LiveObstacles([plank(rotation_about_y(0.4))])
    turned = upright.moved("plank", 3.0, 0.0, 1.1, frame=0, terrain=LEVEL)
    assert turned.rotations.tolist() == rotation_about_y(np.array([1.1])).tolist()
    assert upright.moved("plank", 3.0, 0.0, None, frame=0, terrain=LEVEL).rotations.tolist() == [
        rotation_about_y(0.4).tolist()
    ]


def test_what_moves_goes_on_from_where_it_is_put():
    places = np.stack([np.arange(5.0), np.zeros(5), np.zeros(5)], axis=1)
    things = LiveObstacles()
    things.put(10, Obstacle("ball", Sphere(0.5), places, np.tile([1.0, 0.0, 0.0, 0.0], (5, 1))))
    moved = things.moved("ball", 0.0, 3.0, 1.0, frame=13, terrain=SLOPE)
    assert moved.positions.tolist() == [[0.0, 0.0, 3.0], [1.0, 0.0, 3.0]]
    (told,) = things.from_the_start()
    assert told.positions[:, 0].tolist() == [0.0] * 10 + [0.0, 1.0, 2.0, 3.0, 4.0]


def test_obstacles_are_known_by_name_and_since_when():
    things = LiveObstacles([plank(leaning(0.0))])
    assert (list(things), len(things), things.since("plank")) == (["plank"], 1, 0)
    things.put(7, plank(leaning(0.1)))
    assert things.since("plank") == 7
    things.strike(9, "plank")
    assert "plank" not in things
    assert things.get("plank") is None
    with pytest.raises(SceneError, match="nothing called 'plank'"):
        things.find("plank")


def test_somebody_can_come_again_as_it_is(stage):
    live = stage.live([stage.walker("anna", -4.0, 0.0, 1.57, (4.0, 0.0))])
    live.step(2.0)
    now = live.character(0)
    assert (now.name, now.goals, now.start_time) == ("anna", live.people[0].goals, 0.0)
    assert math.hypot(*(live.state().circles[0, :2] - (now.start.x, now.start.z))) < 0.3
    assert live.scene.characters == (now,)
    live.remove(0)
    assert live.add(now) == 1


def test_what_has_a_name_becomes_what_is_wanted(stage):
    crate, other = stage.box("crate", 3.0, 3.0), stage.box("crate", -3.0, 3.0)
    live = stage.live([], [crate])
    live.set_obstacle("crate", crate)
    assert live.log.entries == []
    live.set_obstacle("crate", other)
    assert live.obstacles["crate"] is other
    live.set_obstacle("crate", None)
    live.set_obstacle("crate", None)
    assert [entry.what for entry in live.log] == ["remove_obstacle", "add_obstacle", "remove_obstacle"]
    assert live.world.scene.obstacles == ()
