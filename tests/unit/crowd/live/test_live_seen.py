"""What is told about a live crowd: who meets whom, where things are, and how somebody is now."""

from __future__ import annotations

import contextlib
import math

import numpy as np
import pytest

from walkon.crowd.live import State
from walkon.crowd.live.meetings import Meetings
from walkon.crowd.live.obstacles import LiveObstacles
from walkon.errors import SceneError
from walkon.motion.features.outlines import COMPASS, supports_around
from walkon.rotations import Placement, heading_of, multiply, rotation_about_y
from walkon.skeleton import build_body
from walkon.synthesis import perform_all
from walkon.world import BODY_LEVELS, Box, Goal, HeightField, Obstacle, Sphere, flat_terrain

BOUNDS = (-6.0, -6.0, 6.0, 6.0)
JOG = {"walk*": 20.0}
LEVEL = flat_terrain(BOUNDS)
SLOPE = HeightField(-6.0, -6.0, 1.0, np.add.outer(np.zeros(13), 0.5 * np.arange(-6.0, 7.0)))


class Shown:
    """People of these numbers in circles (N, 3), who are as broad as those and `depth` [m] deep."""

    def __init__(self, who, circles, depth):
        self.who, self.circles, self.depth = who, circles, depth

    def state(self):
        none, circles = np.zeros(len(self.who)), self.circles
        return State(0, self.who, circles, circles, circles[:, :2], none, none > 0.0, none == 0.0)

    def outlines(self, who):
        x, z, radius = self.circles[np.isin(self.who, who)].T[:, :, None]
        wide, deep = np.array([-1, -1, 1, 1]) * radius, np.array([-1, 1, 1, -1]) * 0.5 * self.depth
        above = np.stack([x + wide, z + deep * np.ones_like(wide)], axis=-1)
        return np.stack([np.full_like(above, np.nan), above], axis=1)


def test_meetings_are_counted_once_while_they_last():
    watch, numbers = Meetings(), np.array([4, 7, 9])

    def look(places, *, depth=0.3, only=3):
        circles = np.column_stack([places, [0.4, 0.4, 1.0]])
        return watch.look(Shown(numbers[:only], circles[:only], depth))

    apart, met = [(0.0, 0.0), (1.0, 0.0), (5.0, 0.0)], [(0.0, 0.0), (0.7, 0.0), (5.0, 0.0)]
    assert look(apart) == 0
    assert [look(met), look(met)] == [1, 1]
    look(apart)
    assert look(met) == 2
    assert look(met, only=1) == 2
    assert look(met, only=0) == 2
    passing = [(0.0, 0.0), (0.3, 0.35), (5.0, 0.0)]
    assert look(passing) == 2, "circles overlap, and bodies do not"
    assert look(passing, depth=0.4) == 3


def circles_of(live, take):
    """(frame, name) -> circle (3,) that belongs to everybody in every frame of the take of a live crowd."""
    table = live.repertoire.table
    numbers = {id(live.clip(number).clip): number for number in range(len(table.clips))}
    found = {}
    for role in take.roles:
        for clip, start, place in zip(role.clips, role.frames, role.placements, strict=True):
            own = table.clips[numbers[id(take.clips[clip].clip)]]
            for frame in range(own["duration"]):
                x, z, radius = table.circles[own["first"] + frame]
                found[int(start) + frame, role.character] = (*Placement(*place).point(x, z), radius)
    return found


def test_every_state_has_the_circles_of_its_own_frame(stage):
    """Over many clips, with people who come, go and are sent elsewhere, it is what the take of the run has."""
    rng, ring = np.random.default_rng(7), 2.0 * math.pi * np.arange(6) / 6
    corners = np.stack([4.5 * np.sin(ring), 4.5 * np.cos(ring)], axis=1)
    crowd = [stage.walker(f"p{n}", *corners[n], ring[n] + math.pi, (*-corners[n],)) for n in range(6)]
    live, looks, names = stage.live(crowd), [], {}
    for frame in range(300):
        live.step()
        if frame % 20 == 10:
            with contextlib.suppress(SceneError):
                x, z = map(float, rng.uniform(-5.0, 5.0, 2))
                live.add(stage.walker(f"q{frame}", x, z, 0.0, (-x, -z)))
        if frame % 70 == 60:
            live.remove(int(rng.choice(list(live.people))))
        for who in rng.choice(list(live.people), 1):
            live.set_goal(int(who), Goal(*map(float, rng.uniform(-5.0, 5.0, 2)), 0.3))
        names |= {who: person.name for who, person in live.people.items()}
        looks.append(live.state())
    recorded, compared = circles_of(live, live.take()), 0
    for look in looks:
        for who, circle in zip(look.who[look.there], look.circles[look.there], strict=True):
            known = recorded.get((look.frame, names[who]))
            if known is None:  # the clip in which somebody was taken away is in no take
                assert who not in live.people, (look.frame, who)
                continue
            assert circle == pytest.approx(known, abs=1e-9), (look.frame, who)
            compared += 1
    there = sum(int(look.there.sum()) for look in looks)
    assert compared > 0.9 * there > 1500
    assert compared >= len([key for key in recorded if key[0] < len(looks)])
    assert sum(int((~look.there).sum()) for look in looks) >= 5, "nobody came"
    assert sum(map(len, live.take().roles)) > 60, "hardly a clip has changed"


def test_outlines_hold_the_bodies_that_are_shown_and_no_more(stage):
    """Those of a frame, and the first and last of those ahead, against the poses of the take of the run."""
    crowd = [stage.walker(f"p{n}", -4.0 + 2.0 * n, -4.0, 0.0, (4.0 - 2.0 * n, 4.0)) for n in range(5)]
    live, looks = stage.live(crowd), {}
    for frame in range(200):
        live.step()
        if frame % 9 == 5:
            looks[live.frame] = live.outlines(np.arange(5)), [live.reserved(who) for who in range(5)]
    shown = {
        role.character: (role, one) for role, one in zip(live.take().roles, perform_all(live.take()), strict=True)
    }
    for frame, (outlines, reserved) in looks.items():
        for who in range(5):
            _, performed = shown[f"p{who}"]
            joints = performed.clip.positions[frame - performed.start_frame]
            body = supports_around(joints[None], build_body(performed.clip.skeleton))[0]
            reach = (outlines[who] @ COMPASS.T).max(axis=1)
            assert (reach - body).min() > -0.02, "seams move a body a little"
            assert np.median(reach - body) < 0.06, "what is done until the next frame is held as well"
            first, ahead = reserved[who]
            assert first == frame
            assert (ahead[0] @ COMPASS.T).max(axis=0) == pytest.approx(reach.max(axis=0), abs=0.03)
            rest = np.ptp(ahead[-1], axis=0)
            assert (rest < 0.8).all(), "who stands takes less room than a stride"
    assert max(len(ahead) for _, reserved in looks.values() for _, ahead in reserved) > 40


def test_reserved_space_is_what_planners_see_at_the_level(stage):
    live = stage.live([stage.walker("anna", 0.0, -4.0, 0.0, (0.0, 5.0))])
    live.step(3.0)
    areas = {}
    for level in BODY_LEVELS:
        live.bodies = level
        x, z = np.moveaxis(live.reserved(0)[1], -1, 0)
        areas[level] = float(np.abs((x * np.roll(z, -1, 1) - z * np.roll(x, -1, 1)).sum(axis=1)).mean()) / 2.0
    assert areas["one-circle"] > 1.3 * areas["circle"] > 1.7 * areas["outline"] > 0.2
    assert areas["outline"] == areas["body"]


def test_whoever_comes_where_somebody_has_just_left_meets_nobody(stage):
    """In the frame before, its circle of the next one may be where the other still is: nobody has met."""
    live = stage.live([stage.walker("jogs", 0.0, -5.0, 0.0, (0.0, 5.0), weights=JOG)])
    watch, mixed = Meetings(), []
    live.step(1.5)
    for _ in range(12):
        live.step()
        jogger = live.state().circles[0]
        for back in np.arange(0.4, 1.2, 0.02):
            with contextlib.suppress(SceneError):
                who = live.add(stage.walker("comes", -0.2, float(jogger[1] - back), 0.0))
                state = live.state()
                one, other = state.circles
                mixed.append(math.hypot(*(one - other)[:2]) - one[2] - other[2])
                assert state.there.tolist() == [True, False]
                assert state.places[1].tolist() == [-0.2, float(jogger[1] - back), 0.0]
                assert watch.look(live) == 0
                live.remove(who)
                break
    assert min(mixed) < -0.02, "circles of two frames do not overlap here: nothing is tested"


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
