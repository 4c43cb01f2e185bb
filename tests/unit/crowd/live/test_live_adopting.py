"""Whatever differs in another scene becomes so: how undo, redo and opening a scene work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from walkon.errors import SceneError
from walkon.metrics import audit
from walkon.world import Goal


def commits_of(live):
    history = live.history()
    return {
        int(who): (
            history.clips[a:b].tolist(),
            history.frames[a:b].tolist(),
            history.placements[a:b].tolist(),
        )
        for who, a, b in zip(history.who, history.starts[:-1], history.starts[1:], strict=True)
    }


def test_adopting_what_is_there_changes_nothing(stage):
    people = [stage.walker("anna", -4.0, 0.0, 0.0, (4.0, 0.0)), stage.walker("ben", 4.0, 2.0, 0.0)]
    live, other = (stage.live(people, [stage.box("box", 0.0, 0.0)]) for _ in range(2))
    for one in (live, other):
        one.step(2.0)
    live.adopt(live.scene)
    for one in (live, other):
        one.step(3.0)
    assert commits_of(live) == commits_of(other)
    assert live.log.entries == []


def test_adopting_goes_back_and_forth_like_undo_and_redo(stage):
    live = stage.live([stage.walker("anna", -4.0, 3.0, 0.0, (4.0, 3.0))], [stage.box("box", 0.0, 0.0)])
    live.step(1.0)
    before = live.scene
    live.move_obstacle("box", 2.0, -2.0)
    live.add_obstacle(stage.box("post", -3.0, -3.0, 0.4, 0.4))
    live.add(stage.walker("ben", 4.0, -4.0, 0.0, (4.0, 4.0)))
    live.set_goal(0, Goal(-4.0, -4.0))
    live.step(1.0)
    later = live.scene
    for _ in range(2):
        live.adopt(before)
        assert {o.name: tuple(o.positions[0]) for o in live.scene.obstacles} == {"box": (0.0, 0.0, 0.0)}
        assert [p.name for p in live.people.values()] == ["anna"]
        assert live.people[0].goal == Goal(4.0, 3.0)
        live.step(1.0)
        live.adopt(later)
        assert {o.name: tuple(o.positions[0]) for o in live.scene.obstacles} == {
            "box": (2.0, 0.0, -2.0),
            "post": (-3.0, 0.0, -3.0),
        }
        assert [p.name for p in live.people.values()] == ["anna", "ben"]
        assert live.people[0].goal == Goal(-4.0, -4.0)
        live.step(1.0)
        stage.assert_sound(live)
    live.step(3.0)
    assert live.dropped == {}
    assert audit(live.take()).violations == ()


def test_adopting_says_for_whom_there_was_no_room_and_does_the_rest(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0)])
    wanted = stage.scene([stage.walker("ben", 0.1, 0.0, 0.0), stage.walker("cleo", 3.0, 0.0, 0.0)])
    wanted = replace(wanted, characters=(*live.scene.characters, *wanted.characters))
    with pytest.raises(SceneError, match="'ben'"):
        live.adopt(wanted)
    assert [p.name for p in live.people.values()] == ["anna", "cleo"]


def test_adopting_what_is_there_keeps_way_points(stage):
    live = stage.live([stage.walker("anna", 0.0, -5.0, 0.0, (0.0, 0.0), (0.0, 5.0))])
    live.step(1.0)
    live.adopt(live.scene)
    assert live.people[0].agenda == [Goal(0.0, 0.0), Goal(0.0, 5.0)]


def test_adopting_a_scene_in_which_somebody_has_no_goal_takes_it_away(stage):
    live = stage.live([stage.walker("anna", 0.0, -5.0, 0.0)])
    before = live.scene
    live.set_goal(0, Goal(0.0, 5.0))
    live.adopt(before)
    assert live.people[0].agenda == []


def test_adopting_what_is_there_leaves_those_who_are_still_to_come(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0), stage.walker("late", 3.0, 0.0, 0.0, start_time=2.0)])
    live.step(0.5)
    live.adopt(live.scene)
    assert [p.name for p in live.people.values()] == ["anna"]


def test_undoing_a_move_does_not_sweep_the_thing_across_the_ground(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0)], [stage.box("box", -4.0, 0.0)])
    live.step(0.5)
    before = live.scene
    live.move_obstacle("box", 4.0, 0.0)
    live.step(0.5)
    live.adopt(before)
    live.step(0.5)
    assert audit(live.take()).violations == ()
