"""What happens over time in a live crowd: setting off, paces, exits, doors, queues; and the same in a replay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.crowd.live import Live, Log, replay
from walkon.errors import SceneError
from walkon.metrics.audit import audit
from walkon.world import Goal, read_scene


def test_somebody_stands_until_its_premovement_time_is_over(stage):
    late = stage.walker("late", -3.0, 0.0, np.pi / 2, (3.0, 0.0), premovement=2.0)
    live = stage.live([late])
    live.step(1.9)
    x, z, _ = live._engine.place_of(0)
    assert np.hypot(x + 3.0, z) < 0.1
    assert live.people[0].goal == Goal(3.0, 0.0)
    assert 0.0 < live.scene.characters[0].premovement < 0.2
    assert stage.until(live, lambda: bool(live.people[0].reached), 15.0)
    assert live.frame > 60


def test_somebody_sent_elsewhere_goes_at_once_and_the_log_says_the_same(stage):
    late = stage.walker("late", -3.0, 0.0, np.pi / 2, (3.0, 0.0), premovement=30.0)
    scene = stage.scene([late])
    live = Live(scene, workers=1)
    live.step(0.5)
    live.set_goal(0, Goal(-3.0, 3.0))
    assert stage.until(live, lambda: bool(live.people[0].reached), 15.0)
    again = replay(scene, Log.from_json(live.log.to_json()), workers=1)
    assert again._engine.place_of(0) == live._engine.place_of(0)


def test_the_engine_knows_how_fast_everybody_likes_to_walk_and_they_share_a_graph(stage):
    live = stage.live(
        [stage.walker("a", -3.0, 0.0, 0.0, (3.0, 0.0), speed=0.8), stage.walker("b", -3.0, 2.0, 0.0, (3.0, 2.0))]
    )
    assert live._engine.crew.pace[0] == 0.8
    assert np.isnan(live._engine.crew.pace[1])
    assert len(live.performers) == 1


ROOM = """
bounds = [-6, -6, 6, 6]
[[places]]
name = "left"
kind = "exit"
region = [-6, -1, -5, 1]
[[places]]
name = "right"
kind = "exit"
region = [5, -1, 6, 1]
"""
DOOR = '[[doors]]\nname = "door"\nfrom = [4, -6]\nto = [4, 6]\n'


def somebody(name, x, z, more=""):
    return f'[[characters]]\nname = "{name}"\nstart = [{x}, {z}]\nto = ["left", "right"]\n{more}\n'


def run_twice(text, seconds, seed=0):
    """A live crowd after some time; what happened is the same in a replay of its log, which is empty."""
    scene = read_scene(text)
    live = Live(scene, workers=1, seed=seed)
    live.step(seconds)
    assert not live.log.entries
    again = replay(scene, Log.from_json(live.log.to_json()), workers=1)
    assert [(p.name, p.left) for p in again._roster.gone] == [(p.name, p.left) for p in live._roster.gone]
    assert {p.name: again._engine.place_of(p.row) for p in again.people.values()} == {
        p.name: live._engine.place_of(p.row) for p in live.people.values()
    }
    return live


def test_whoever_finds_the_door_shut_takes_the_other_exit():
    live = run_twice(ROOM + DOOR + "open = [[0, 0.5]]\n" + somebody("a", 0.2, 0.0), 25.0)
    (person,) = live._roster.gone
    assert [goal.place for _, goal in person.reached] == ["left"]
    assert "door" in live.obstacles
    assert not live.dropped


def test_a_door_shuts_when_nobody_is_in_it_and_opens_in_time():
    text = ROOM + DOOR + "open = [[0, 1.5], [12, 20]]\n"
    text += somebody("in it", 3.0, 0.0, "premovement = 0") + somebody("late", -1.0, 3.0).replace('"left", ', "")
    live = Live(read_scene(text), workers=1)
    seen = []
    for _ in range(20 * 30):
        live.step()
        x = {person.name: live._engine.place_of(person.row)[0] for person in live.people.values()}
        seen.append("door" in live.obstacles)
        assert not (seen[-1] and abs(x.get("in it", 0.0) - 4.0) < 0.1)
    assert not live.dropped
    shut = np.flatnonzero(seen)
    assert 1.4 * 30 <= shut[0] < 6 * 30
    assert shut[-1] == 12 * 30 - 2
    names = {person.name: person for person in live._roster.gone}
    assert names["in it"].left < 6 * 30
    assert names["late"].left > 12 * 30
    take = live.take()
    assert [obstacle.name for obstacle in take.scene.obstacles] == ["door"]
    assert not audit(take).violations


def test_a_door_through_which_people_stream_has_them_stop_to_shut():
    wall = '[[obstacles]]\nshape = "box"\nat = [1, {z}]\nwidth = 0.2\ndepth = 4.9\nheight = 2\n'
    text = ROOM + wall.format(z=3.55) + wall.format(z=-3.55)
    text += '[[doors]]\nname = "door"\nfrom = [1, -1.1]\nto = [1, 1.1]\nopen = [[0, 4], [12, 60]]\n'
    text += '[[crowds]]\nkind = "flow"\nfrom = [-5.5, -5, 0, 5]\nto = "right"\ncount = 14\n'
    live = Live(read_scene(text), workers=1)
    live.step(9.0)
    assert "door" in live.obstacles
    assert not live.dropped
    before = [who for who, person in live.people.items() if live._engine.place_of(person.row)[0] < 1.0]
    assert 2 < len(before) < 14
    live.step(2.0)
    assert all(live._engine.place_of(live.people[who].row)[0] < 1.0 for who in before)
    live.step(30.0)
    assert not live.people
    assert not live.dropped


def test_doors_are_not_the_users_and_the_scene_has_them_as_doors():
    live = Live(read_scene(ROOM + DOOR + "open = []\n" + somebody("a", 0.0, 0.0)), workers=1)
    with pytest.raises(SceneError, match="opens by its hours"):
        live.remove_obstacle("door")
    assert not live.scene.obstacles
    assert [door.name for door in live.scene.doors] == ["door"]
    live.adopt(live.scene)
    assert "door" in live.obstacles


def test_people_are_slower_on_stairs_up_and_down():
    stairs = "[[stairs]]\nregion = [-4, -6, 4, 6]\nup = 90\nspeed_up = 0.5\nspeed_down = 0.7\n"
    text = ROOM + stairs
    text += somebody("up", -3.0, 2.0).replace('"left", ', "") + somebody("down", 3.0, -2.0).replace(
        ', "right"', ""
    )
    text += somebody("slow", 3.0, -4.0, "speed = 0.3").replace(', "right"', "")
    live = Live(read_scene(text), workers=1)
    live.step(3.0)
    pace = {person.name: live._engine.crew.pace[person.row] for person in live.people.values()}
    assert pace == {"up": 0.5, "down": 0.7, "slow": 0.3}
    crew, row = live._engine.crew, next(p.row for p in live.people.values() if p.name == "up")
    live._demand._scene = replace(live._demand._scene, stairs=())
    live.step(0.3)
    assert np.isnan(crew.pace[row])  # as it likes, again


def test_whoever_is_ahead_of_its_group_slows_down():
    text = (
        ROOM + somebody("first", 2.0, 0.0, 'group = "g"\nspeed = 1.2') + somebody("last", -2.0, 0.0, 'group = "g"')
    )
    live = Live(read_scene(text.replace('"left", ', "")), workers=1)
    live.step(0.4)
    pace = {person.name: live._engine.crew.pace[person.row] for person in live.people.values()}
    assert pace["last"] == 1.2  # both as fast as the slowest that is known
    assert pace["first"] < 0.8


COUNTER = """
[[places]]
name = "counter"
kind = "service"
region = [3, -0.5, 4, 0.5]
queue = [[2.4, 0], [-4, 0]]
time = 2
[[places]]
name = "lounge"
kind = "waiting"
region = [-4, -5, 4, -3]
time = [2, 3]
"""


def test_people_queue_and_are_served_one_after_another():
    people = "".join(
        somebody(f"p{i}", -1.0 + i, 3.0, 'via = [{ place = "counter" }]').replace('"left", ', "") for i in range(3)
    )
    text = ROOM + COUNTER + people
    watched, stood = Live(read_scene(text), workers=1), dict.fromkeys(range(3), 0)
    for _ in range(45 * 30):
        watched.step()
        for who, person in watched.people.items():
            x, z, _ = watched._engine.place_of(person.row)
            stood[who] += person.held and np.hypot(x - 3.5, z) < 0.35
    assert min(stood.values()) >= 2 * 30
    live = run_twice(text, 45.0)
    assert len(live._roster.gone) == 3
    served = sorted(person.reached[0][0] for person in live._roster.gone)
    assert (np.diff(served) >= 2.0 * live.fps).all()
    assert all(person.reached[0][1].place == "counter" for person in live._roster.gone)
    assert not audit(live.take()).violations


def test_people_wait_in_an_area_each_somewhere_else_for_their_time():
    people = "".join(
        somebody(f"p{i}", -1.0 + i, 1.0, 'via = [{ place = "lounge" }]').replace('"left", ', "") for i in range(4)
    )
    scene = read_scene(ROOM + COUNTER + people)
    live = Live(scene, workers=1)
    live.step(8.0)
    spots = {(p.agenda[0].x, p.agenda[0].z) for p in live.people.values() if p.agenda[0].place == "lounge"}
    assert len(spots) == len([p for p in live.people.values() if p.held]) > 1
    assert not any(live._engine.crew.passing[p.row] for p in live.people.values() if p.held)  # they are to stand
    assert all(scene.places[3].holds(*spot) for spot in spots)
    live.step(25.0)
    assert len(live._roster.gone) == 4
    for person in live._roster.gone:
        (went, _), (left, _) = person.reached
        assert left - went < 12 * live.fps


def test_whoever_is_sent_elsewhere_leaves_the_queue():
    people = "".join(
        somebody(f"p{i}", -1.0 + i, 1.5, 'via = [{ place = "counter" }]').replace('"left", ', "") for i in range(3)
    )
    live = Live(read_scene(ROOM + COUNTER + people), workers=1)
    live.step(6.0)
    live.set_goal(1, Goal(-3.0, 4.0))
    live.remove(0)
    live.step(20.0)
    gone = {person.name: [goal.place for _, goal in person.reached] for person in live._roster.gone}
    assert gone == {"p0": [], "p1": [""], "p2": ["counter", "right"]}
