"""People in a live crowd get to where they want to be, one way-point after another, and nobody is in two minds."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from walkon.crowd.live import Live
from walkon.errors import PlanError, SceneError
from walkon.metrics import audit
from walkon.world import Goal


def everybody_arrived(live):
    return bool(len(live.people)) and bool(live.state().arrived.all())


def test_somebody_walks_to_a_goal_and_stays_there(stage):
    live = stage.live([stage.walker("anna", -4.0, 0.0, 0.0, (4.0, 1.0))])
    assert stage.until(live, lambda: everybody_arrived(live), 20.0)
    there = live.scene.characters[0].start
    live.step(6.0)
    now = live.scene.characters[0].start
    assert math.hypot(there.x - 4.0, there.z - 1.0) <= 0.5
    assert math.hypot(now.x - there.x, now.z - there.z) < 0.3
    assert live.figures().waiting == 0
    assert live.figures().dropped == 0
    assert audit(live.take()).violations == ()


def test_way_points_are_reached_in_their_order(stage):
    goals = [(3.0, 3.0), (-3.0, 3.0), (-3.0, -3.0)]
    live = stage.live([stage.walker("anna", 3.0, -3.0, 0.0, *goals)])
    seen = []

    def finished():
        x, z, _ = live.state().circles[0]
        near = [g for g in goals if math.hypot(g[0] - x, g[1] - z) < 1.0]
        seen.extend(near[:1] if near and near[:1] != seen[-1:] else [])
        return everybody_arrived(live)

    assert stage.until(live, finished, 40.0)
    assert seen == goals
    (person,) = live.people.values()
    assert [goal for _, goal in person.reached] == [Goal(*goal) for goal in goals]
    assert sorted(frame for frame, _ in person.reached) == [frame for frame, _ in person.reached]


def test_a_goal_may_ask_for_a_heading(stage):
    goal = (0.0, 3.0, 0.6, math.pi, math.radians(40.0))
    live = stage.live([stage.walker("anna", 0.0, -3.0, 0.0, goal)])
    assert stage.until(live, lambda: everybody_arrived(live), 40.0)
    assert abs(math.remainder(live.scene.characters[0].start.heading - math.pi, 2 * math.pi)) < math.radians(45.0)


def test_whoever_is_to_leave_at_its_goal_is_gone_then(stage):
    live = stage.live([stage.walker("anna", -4.0, 0.0, 1.5, (4.0, 0.0), at_goal="leave")])
    live.step(2.0)
    assert len(live.people) == 1
    assert stage.until(live, lambda: not live.people, 20.0)
    live.step(1.0)
    take = live.take()
    (role,) = take.roles
    assert role.leaves
    assert audit(take).violations == ()
    # Her name and her place are free again.
    live.add(stage.walker("anna", 4.0, 0.0, 0.0))


def test_without_a_goal_one_stops_and_stays(stage):
    live = stage.live([stage.walker("anna", -5.0, 0.0, 1.57, (5.0, 0.0))])
    live.step(3.0)
    live.set_goal(0, None)
    live.step(4.0)
    before = live.scene.characters[0].start
    live.step(4.0)
    after = live.scene.characters[0].start
    assert before.x < 4.0, "she stopped before the goal she had"
    assert math.hypot(after.x - before.x, after.z - before.z) < 0.3
    assert np.isnan(live.state().goals).all()
    live.set_goal(0, Goal(5.0, 0.0))
    assert stage.until(live, lambda: everybody_arrived(live), 20.0)


def test_a_new_goal_is_gone_for_from_the_next_clip_on(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0, (0.0, 5.0))])
    live.step(1.5)
    live.set_goals([0], [Goal(0.0, -5.0)])
    assert stage.until(live, lambda: everybody_arrived(live), 30.0)
    assert live.scene.characters[0].start.z < -4.0


def test_whoever_comes_later_is_not_there_before(stage):
    live = stage.live([stage.walker("late", 0.0, 0.0, 0.0, (3.0, 0.0), start_time=1.0)])
    assert live.people == {}
    assert [c.name for c in live.scene.characters] == ["late"]
    stage.until(live, lambda: bool(live.people), 3.0)
    assert live.people[0].joined == 30
    assert stage.until(live, lambda: everybody_arrived(live), 20.0)
    take = live.take()
    assert take.roles[0].frames[0] == 30
    assert audit(take).violations == ()


def test_whoever_comes_later_waits_until_its_place_is_free(stage):
    live = stage.live([stage.walker("first", 0.0, 0.0, 0.0), stage.walker("late", 0.1, 0.0, 0.0, start_time=1.0)])
    live.step(3.0)
    assert [p.name for p in live.people.values()] == ["first"]
    live.set_goal(0, Goal(4.0, 0.0))
    assert stage.until(live, lambda: len(live.people) == 2, 20.0)
    stage.assert_sound(live)


def test_two_who_meet_head_on_in_a_corridor_both_arrive(stage):
    walls = [stage.box("left", -2.0, 0.0, 1.0, 12.0), stage.box("right", 2.0, 0.0, 1.0, 12.0)]
    live = stage.live(
        [
            stage.walker("south", 0.0, -5.0, 0.0, (0.0, 5.0)),
            stage.walker("north", 0.0, 5.0, math.pi, (0.0, -5.0)),
        ],
        walls,
    )
    assert stage.until(live, lambda: everybody_arrived(live), 60.0)
    assert audit(live.take()).violations == ()


def test_four_who_cross_all_arrive(stage):
    angles = 0.5 * math.pi * np.arange(4)
    people = [
        stage.walker(f"p{k}", 5 * math.sin(a), 5 * math.cos(a), a + math.pi, (-5 * math.sin(a), -5 * math.cos(a)))
        for k, a in enumerate(angles)
    ]
    live = stage.live(people)

    def done():
        if live.frame % 7 == 0:
            stage.assert_sound(live)
        return everybody_arrived(live)

    assert stage.until(live, done, 60.0)
    assert audit(live.take()).violations == ()


def test_a_jump_does_not_land_among_people_far_behind_the_hurdle(stage):
    hurdle = stage.box("hurdle", 0.0, 0.0, 4.0, 0.2, 0.5, passes=("jump_over",))
    jumped = 0
    for start in np.arange(-4.2, -3.2, 0.1):
        runner = stage.walker("runner", 0.0, start, 0.0, (0.0, 18.0), pose="jog")
        row = [stage.walker(f"s{k}", -1.4 + 0.7 * k, start + 7.6, 0.0) for k in range(5)]
        live = stage.live([runner, *row], [hurdle], (-2.0, -8.0, 2.0, 20.0))
        if next(person.name for person in live.people.values()) != "runner":
            continue
        for _ in range(12):
            live.step(0.25)
            stage.assert_sound(live)
        jumped += live.state().circles[0, 1] > 0.5
    # Whoever sees people where it would land does not jump at all.
    assert jumped == 0


def test_steps_of_any_length_add_up(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, 0.0)])
    assert live.frame == -1
    assert live.time == 0.0
    assert live.step() == 1
    assert live.frame == 0
    assert sum(live.step(0.01) for _ in range(100)) == 30
    assert live.time == pytest.approx(31 / 30)
    for wrong in (-0.1, math.nan, math.inf, 1e9):
        with pytest.raises(PlanError, match="stepped"):
            live.step(wrong)


def test_nobody_at_all_is_a_crowd_too(stage):
    live = stage.live()
    live.step(1.0)
    assert live.figures().people == 0
    assert len(live.drain()) == 0
    assert len(live.history()) == 0
    assert len(live.take().roles) == 0
    live.add(stage.walker("anna", 0.0, 0.0, 0.0, (2.0, 0.0)))
    assert stage.until(live, lambda: everybody_arrived(live), 20.0)


def test_a_crowd_of_more_than_there_was_room_for_at_first(stage):
    """Rows are added while people come: everybody keeps what it had."""
    xs, zs = np.meshgrid(np.arange(-4.5, 5.0, 1.0), np.arange(-4.5, 5.0, 1.0))
    people = [stage.walker(f"p{k}", x, z, 0.0) for k, (x, z) in enumerate(zip(xs.flat, zs.flat, strict=True))]
    live = stage.live(people[:60])
    live.step(0.5)
    for person in people[60:]:
        live.add(person)
    live.step(0.5)
    assert len(live.people) == 100
    stage.assert_sound(live)
    np.testing.assert_allclose(live.state().circles[:, 0], xs.flat, atol=0.2)


def test_a_planner_that_is_not_known_is_refused(stage):
    live = stage.live()
    with pytest.raises(PlanError, match="no live planner"):
        live.planner = "crystal ball"
    with pytest.raises(PlanError, match="no live planner"):
        Live(stage.scene(), planner="crystal ball")
    with pytest.raises(SceneError, match="number 7"):
        live.set_goal(7, None)


def test_who_has_arrived_and_makes_way_goes_back(stage):
    """Until then it has not arrived: the take would show it away from its goal otherwise."""
    live = stage.live([stage.walker("anna", 0.0, -2.0, 0.0, (0.0, 1.0))])
    crew = live._engine.crew
    assert stage.until(live, lambda: bool(crew.settled[0]), 20.0)
    # As if she had been asked to step aside: she is to be elsewhere when the clip that plays is over.
    crew.goal[0, 0] += 1.0
    live.people[0].reached[-1] = (live.frame, replace(live.people[0].reached[-1][1], x=1.0))
    live.step()
    assert not crew.settled[0]
    assert live.people[0].agenda
    assert stage.until(live, lambda: bool(crew.settled[0]), 20.0)
    assert np.hypot(*(live.state().circles[0, :2] - (1.0, 1.0))) < 0.75
