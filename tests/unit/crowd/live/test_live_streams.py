"""Streams: who has only people around it who go the same way holds several steps ahead, and still does as told."""

from __future__ import annotations

import math

import numpy as np
import pytest

EAST = 0.5 * math.pi


def file_of(stage, *others):
    """Five people who walk one behind another along x, with more people in the scene."""
    people = [stage.walker(f"p{k}", -1.5 * k, 0.1 * k, EAST, (30.0, 0.1 * k), pose="walk") for k in range(5)]
    return stage.live([*people, *others], bounds=(-8.0, -6.0, 32.0, 6.0))


def held(live, name):
    """For how many frames after its clip somebody has committed to go on, without the stop at the end."""
    row = next(person.row for person in live.people.values() if person.name == name)
    crew = live._engine.crew[row]
    return int(crew.guess[4] - crew.boundary)


def test_a_stream_holds_several_steps_ahead(stage):
    live = file_of(stage)
    most = np.zeros(5)
    for _ in range(60):
        live.step()
        stage.assert_sound(live)
        most = np.maximum(most, [held(live, f"p{k}") for k in range(5)])
    # The first has nobody ahead of it; the others follow, and hold more than a step and a half all the same.
    assert (most > 60).all()


def test_who_meets_others_holds_a_step(stage):
    live = file_of(stage, stage.walker("across", 2.0, -1.5, 0.0, (2.0, 5.0), pose="walk"))
    live.step(0.8)
    places = {person.name: live._engine.place_of(person.row)[:2] for person in live.people.values()}
    near = [name for name, place in places.items() if 0.0 < math.dist(place, places["across"]) < 2.4]
    assert near
    assert all(held(live, name) < 45 for name in near)


def test_who_is_told_to_stop_does_so_at_once(stage):
    """The last of them: behind the others somebody comes who counts on their going on."""
    live = file_of(stage)
    live.step(2.0)
    number, person = next((number, person) for number, person in live.people.items() if person.name == "p4")
    assert held(live, "p4") > 45
    live.set_goal(number, None)
    live.step(2.2)
    before = live._engine.place_of(person.row)
    live.step(0.5)
    assert math.dist(live._engine.place_of(person.row)[:2], before[:2]) < 0.05
    stage.assert_sound(live)


@pytest.mark.parametrize("x", [0.5, 0.65, 0.8])
def test_nobody_circles_around_its_goal(stage, x):
    """With the goal beside it, in the middle of the circle that its turning steps make."""
    live = stage.live(
        [
            stage.walker("ann", 0.0, 0.0, 0.0, (x, 0.1), pose="stroll_on_left"),
            stage.walker("ben", 4.0, -4.0, 0.0, (4.0, 5.0)),
        ]
    )
    row = next(person.row for person in live.people.values() if person.name == "ann")
    assert stage.until(live, lambda: live._engine.crew.settled[row], seconds=12.0)
