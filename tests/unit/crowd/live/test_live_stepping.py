"""Step by step: people keep a speed of their own, pass each other, turn in time, and queue at doors only."""

from __future__ import annotations

import math

import pytest

EAST = 0.5 * math.pi


def places(live):
    return {person.name: live._engine.place_of(person.row) for person in live.people.values()}


@pytest.mark.parametrize("speed", [0.5, 0.61, 0.85, 1.1])
def test_a_speed_that_no_step_has_is_kept_in_the_mean(stage, speed):
    anna = stage.walker("anna", 0.0, 0.0, EAST, (38.0, 0.0), speed=speed)
    live = stage.live([anna], bounds=(-1.0, -3.0, 40.0, 3.0))
    live.step(5.0)
    x, _, _ = places(live)["anna"]
    live.step(15.0)
    assert (places(live)["anna"][0] - x) / 15.0 == pytest.approx(speed, rel=0.05)


def test_two_who_meet_in_the_open_pass_on_the_right_and_do_not_stop(stage):
    anna, ben = (
        stage.walker("anna", -9.0, 0.0, EAST, (9.0, 0.0)),
        stage.walker("ben", 9.0, 0.0, -EAST, (-9.0, 0.0)),
    )
    live = stage.live([anna, ben], bounds=(-12.0, -6.0, 12.0, 6.0))
    live.step(3.0)
    before, slowest, aside = places(live), math.inf, []
    for _ in range(16):
        live.step(0.5)
        stage.assert_sound(live)
        now = places(live)
        slowest = min(slowest, *(math.dist(now[who][:2], before[who][:2]) / 0.5 for who in now))
        if abs(now["anna"][0] - now["ben"][0]) < 1.2:
            aside.append(now["anna"][1] - now["ben"][1])
        before = now
    assert slowest > 0.5
    # To the right of who walks along x is where z grows.
    assert aside
    assert min(aside) > 0.5


def test_of_two_whose_ways_converge_one_lets_the_other_go_first(stage):
    # Both used to walk beside each other, each a little aside at every step, until far past their goals.
    slant = 0.25 * math.pi
    x, z = math.sin(slant), math.cos(slant)
    anna = stage.walker("anna", 0.0, -7.0, 0.0, (0.0, 7.0), pose="walk")
    ben = stage.walker("ben", -8.0 * x, -8.0 * z, slant, (7.0 * x, 7.0 * z), pose="walk", performer=1)
    live = stage.live([anna, ben], bounds=(-12.0, -12.0, 12.0, 12.0))
    live.step(13.0)
    stage.assert_sound(live)
    assert live.state().arrived.any()


def test_a_file_walks_between_walls_that_leave_it_hardly_any_room(stage):
    walls = [stage.box(f"wall {side}", 5.0, 0.5 * side, 30.0, 0.2) for side in (-1, 1)]
    people = [
        stage.walker(f"p{k}", -8.0 + 2.0 * k, 0.04 * (-1) ** k, EAST, (18.0, 0.0), performer=k) for k in range(5)
    ]
    live = stage.live(people, walls, (-10.0, -0.6, 20.0, 0.6))
    before = places(live)
    live.step(12.0)
    stage.assert_sound(live)
    now = places(live)
    assert min(now[who][0] - before[who][0] for who in now) > 8.0


def test_whoever_has_its_goal_beside_it_turns_instead_of_circling(stage):
    live = stage.live([stage.walker("anna", 0.0, 0.0, EAST, (0.5, 1.9), pose="walk", speed=1.2)])
    live.step(9.0)
    assert not live.people[0].agenda


def test_what_one_gets_around_is_no_door(stage):
    anna, bounds = stage.walker("anna", -5.0, 0.3, EAST, (5.0, 0.3)), (-8.0, -8.0, 8.0, 8.0)
    posts = [stage.box(f"post {k}", 0.0, 1.8 * k - 3.6, 0.6, 0.6) for k in range(5)]
    assert not len(stage.live([anna], posts, bounds)._engine.surroundings.land.doors)
    walls = [stage.box("far", 0.0, 4.5, 0.2, 7.8), stage.box("near", 0.0, -4.5, 0.2, 7.8)]
    assert len(stage.live([anna], walls, bounds)._engine.surroundings.land.doors) == 1
