"""People who wait before doors are led: whole ways, checked as any other, given up when something changes."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.metrics import audit
from walkon.world import Goal

WALLS = ((0.0, -3.25, 0.2, 5.5), (0.0, 3.25, 0.2, 5.5))
"""x, z, width, depth [m] of a wall along z with a door 1 m wide in its middle."""


@pytest.fixture
def doorway(stage):
    """Eight people on both sides of a door, who want through it."""
    things = [stage.box(f"wall {number}", *wall) for number, wall in enumerate(WALLS)]
    people = []
    for number in range(4):
        z = -2.4 + 1.6 * number
        people.append(stage.walker(f"left {number}", -3.5, z, 1.57, (3.5, -z, 0.4)))
        people.append(stage.walker(f"right {number}", 5.0, z, -1.57, (-5.0, -z, 0.4)))
    return stage.live(people, things)


def led(live):
    """Rows of those who go a way that is all reserved."""
    crew = live._engine.crew
    return np.flatnonzero(crew.here & (crew.led > max(live.frame, 0))).tolist()


def test_both_sides_of_a_door_get_through_it_and_nobody_meets_anybody(stage, doorway):
    assert stage.until(doorway, lambda: len(led(doorway)) >= 2), "somebody is led, and somebody follows"
    stage.assert_sound(doorway)
    assert stage.until(doorway, lambda: bool(doorway.state().arrived.all()), 90.0)
    assert audit(doorway.take()).counts() == {}


def test_who_is_led_decides_nothing_until_its_goal_or_the_world_changes(stage, doorway):
    assert stage.until(doorway, lambda: bool(led(doorway)))
    row = led(doorway)[0]
    crew = doorway._engine.crew
    clips = crew.clips[row, : crew.count[row]].tolist()
    for _ in range(20):
        doorway.step()
    left = crew.clips[row, : crew.count[row]].tolist()
    assert left == clips[len(clips) - len(left) :], "it goes on as it began"
    number = next(person.number for person in doorway.people.values() if person.row == row)
    doorway.set_goal(number, Goal(-4.5, 4.5, 0.4))
    assert crew.led[row] == 0
    for _ in range(90):
        doorway.step()
        stage.assert_sound(doorway)


def test_when_the_world_changes_nobody_waits_before_a_door_that_has_another_number_or_is_gone(stage, doorway):
    for _ in range(12):
        doorway.step()
    crew = doorway._engine.crew
    assert (crew.door[crew.here] >= 0).any()
    for wall in list(doorway.obstacles):
        doorway.remove_obstacle(wall)
    assert (crew.door == -1).all()
    assert crew.turn.all()
    assert stage.until(doorway, lambda: bool(doorway.state().arrived.all()), 60.0)


def test_a_way_that_meets_somebody_is_not_committed_to(stage):
    live = stage.live([stage.walker("goes", -3.0, 0.0, 1.57), stage.walker("stands", 0.0, 0.0, 0.0)])
    live.step()
    engine, crew = live._engine, live._engine.crew
    names = [live.clip(clip).clip.name for clip in range(len(engine.repertoire.table.clips))]
    way = ("start_walk_1", "walk_forward_1", "walk_forward_1", "halt_1")
    chain = np.array([names.index(name) for name in way])
    first, kept = engine.performer_at(0).first_clip, crew.clips[0].copy()
    assert first <= chain.min()
    assert not engine.promise(0, chain)
    assert (crew.clips[0] == kept).all()
    assert crew.led[0] == 0
    live.remove(1)
    assert engine.promise(0, chain)
    assert crew.led[0] > live.frame
    stage.assert_sound(live)


def test_two_who_change_rooms_through_a_corridor_both_arrive(stage):
    """Each wants to where the other comes from; the corridor is too narrow for two who meet in the middle."""
    walls = [stage.box("near", 0.0, -3.3, 6.0, 5.4), stage.box("far", 0.0, 3.3, 6.0, 5.4)]
    people = [
        stage.walker("a", -4.5, 1.0, 1.6, (4.5, 1.0, 0.5)),
        stage.walker("b", 4.5, -1.0, -1.6, (-4.5, -1.0, 0.5)),
    ]
    live = stage.live(people, walls)
    assert stage.until(live, lambda: bool(live.state().arrived.all()), 60.0)
    assert audit(live.take()).counts() == {}


@pytest.fixture
def exodus(stage):
    """Five people before a door, who all leave at the same place behind it."""
    things = [stage.box(f"wall {number}", *wall) for number, wall in enumerate(WALLS)]
    people = [
        stage.walker(
            f"p{number}", -2.0 - 0.8 * number, 0.5 * (-1) ** number, 1.57, (4.0, 0.0, 0.3), at_goal="leave"
        )
        for number in range(5)
    ]
    return stage.live(people, things)


def leaving(live):
    """The people who have promised to be gone at the end of their ways."""
    crew = live._engine.crew
    return [person for person in live.people.values() if crew.ends[person.row]]


def test_who_leaves_at_its_goal_is_in_nobodys_way_there(stage, exodus):
    """All five set out before the first is there: nobody could, if it were to stand there for good."""
    assert stage.until(exodus, lambda: len(leaving(exodus)) == 5, 8.0)
    assert len(exodus.people) == 5
    while exodus.people and exodus.time < 40.0:
        exodus.step()
        stage.assert_sound(exodus)
    assert not exodus.people
    assert audit(exodus.take()).counts() == {}


@pytest.mark.parametrize("after", [0.2, 1.5, 4.0])
def test_who_was_to_leave_and_is_sent_back_goes_there(stage, exodus, after):
    assert stage.until(exodus, lambda: bool(leaving(exodus)))
    first = leaving(exodus)[0]
    exodus.step(after)
    exodus.set_goal(first.number, Goal(-4.0, 4.0, 0.4))
    for _ in range(120):
        exodus.step()
        stage.assert_sound(exodus)
    assert stage.until(exodus, lambda: not exodus.people)
    assert [(goal.x, goal.z) for _, goal in first.reached] == [(-4.0, 4.0)], "there, and then gone"
    assert audit(exodus.take()).counts() == {}


def test_who_was_to_leave_and_is_told_to_stay_stops(stage, exodus):
    assert stage.until(exodus, lambda: bool(leaving(exodus)))
    first = leaving(exodus)[0]
    exodus.set_goal(first.number, None)
    for _ in range(240):
        exodus.step()
        stage.assert_sound(exodus)
    assert first.number in exodus.people
    assert not exodus._engine.crew.ends[first.row]


def test_who_cannot_help_going_on_is_gone_when_it_has_promised_to_be(stage, exodus):
    """A step before it is there, it is sent elsewhere: others may have been promised its place."""
    assert stage.until(exodus, lambda: bool(leaving(exodus)))
    first, crew = leaving(exodus)[0], exodus._engine.crew
    gone = int(crew.first[first.row] + crew.length[first.row]) - 1
    while exodus.frame < gone - 1:
        exodus.step()
    assert first.number in exodus.people
    exodus.set_goal(first.number, Goal(-4.0, 4.0, 0.4))
    exodus.step()
    assert first.number not in exodus.people
    assert not first.reached
