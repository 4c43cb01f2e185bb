"""Recorded people in the scene that was made of them: its clock, its goals, and what others make of it beside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.errors import TrajectoryError
from walkon.metrics import Trajectories, measure
from walkon.metrics.beside import TOLD_BY_PATHS, set_beside
from walkon.metrics.trajectories import recorded_in, scene_of

FPS = 2.5


def line(start, goal, speed, fps=FPS):
    """Somebody who walks straight from one place to the other, at rows `speed / fps` apart."""
    start, goal = np.array(start, float), np.array(goal, float)
    steps = round(np.hypot(*(goal - start)) / speed * fps)
    return start + np.linspace(0.0, 1.0, steps + 1)[:, None] * (goal - start)


@pytest.fixture
def crossing():
    """Two who cross 40 s into a recording, one who stands, and one who came long before."""
    paths = [
        line((0, 0), (8, 0), 1.25),
        line((4, -4), (4, 4), 1.0),
        np.repeat([[9.0, 5.0]], 25, 0),
        line((0, 9), (8, 9), 1.0),
    ]
    return Trajectories.build(FPS, paths, names=["7", "8 (2)", "9", "1"], starts=[100, 105, 102, 0])


def test_they_are_on_the_clock_of_the_scene_with_its_names_and_goals(crossing):
    scene = scene_of(crossing, since=40.0).scene
    found = recorded_in(scene, crossing)
    assert found.paths.names == tuple(one.name for one in scene.characters) == ("7", "9", "8 2")
    np.testing.assert_allclose(found.paths.starts / found.paths.fps, [0.0, 0.8, 2.0])
    np.testing.assert_allclose(found.paths.goals, [[8.0, 0.0], [9.0, 5.0], [4.0, 4.0]])
    assert (found.fps, found.paths.fps) == (FPS, 10.0)
    assert (found.missing, found.delayed, found.standing) == ((), (), ("9",))


def test_they_are_gone_where_ours_leave_and_who_stands_is_there_all_the_time(crossing):
    found = recorded_in(scene_of(crossing, since=40.0).scene, crossing)
    apart = [np.hypot(*(found.paths.path(k) - found.paths.goals[k]).T) for k in range(3)]
    for walked in (apart[0], apart[2]):
        assert (walked[:-1] > 0.5).all()
        assert 0.35 < walked[-1] <= 0.5
    assert len(apart[1]) == 24 * 4 + 1
    stays = [replace(one, at_goal="stay") for one in scene_of(crossing, since=40.0).scene.characters]
    whole = recorded_in(replace(scene_of(crossing, since=40.0).scene, characters=tuple(stays)), crossing)
    assert np.hypot(*(whole.paths.path(0)[-1] - whole.paths.goals[0])) == pytest.approx(0.0, abs=1e-9)


def test_who_comes_back_to_the_goal_is_followed_to_the_last_time(crossing):
    there_and_back = np.concatenate([line((0, 0), (4, 0), 1.0), line((4, 0), (0.2, 0), 1.0)[1:]])
    recorded = Trajectories.build(FPS, [there_and_back], names=["7"])
    (path,) = (recorded_in(scene_of(recorded).scene, recorded).paths.path(0),)
    assert path[:, 0].max() == pytest.approx(4.0, abs=0.05)
    assert 0.55 < path[-1, 0] <= 0.7


def test_delays_and_people_who_are_not_in_the_recording_are_said(crossing):
    together = Trajectories.build(
        FPS, [line((0, 0), (8, 0), 1.0), line((0, 0.3), (8, 0.3), 1.0)], names=["a", "b"]
    )
    made = scene_of(together)
    assert recorded_in(made.scene, together).delayed == ("b",)
    assert recorded_in(made.scene, together).paths.starts.tolist() == [0, 0]
    scene = scene_of(crossing, since=40.0).scene
    stranger = replace(scene.characters[0], name="stranger")
    moved = replace(scene.characters[1], start=replace(scene.characters[1].start, x=2.0))
    found = recorded_in(replace(scene, characters=(scene.characters[0], moved, stranger)), crossing)
    assert found.missing == ("9", "stranger")
    with pytest.raises(TrajectoryError, match="is the scene made from this recording"):
        recorded_in(replace(scene, characters=(moved, stranger)), crossing)


def test_the_same_people_are_compared_with_themselves():
    """One walks at half the speed, one arrives in neither, one only stands, one is alone in each."""
    ways = [((0, 0), (8, 0)), ((0, 5), (8, 5)), ((0, 9), (8, 9))]
    goals, names = [goal for _, goal in ways] + [(3.0, -8.0)], ["a", "b", "lost", "stands"]
    still = np.repeat([[3.0, -8.0]], 30, 0)
    fast = [*(line(*way, 1.6, 10.0) for way in ways), still]
    slow = [line(*ways[0], 0.8, 10.0), line(*ways[1], 1.6, 10.0), line((0, 9), (4, 9), 1.0, 10.0), still]
    recorded = measure(Trajectories.build(10.0, fast, names=names, goals=goals))
    played = measure(Trajectories.build(10.0, slow[::-1], names=names[::-1], goals=goals[::-1]))
    found = set_beside(recorded, played)
    assert tuple(found) == TOLD_BY_PATHS
    assert {one.people for one in found.values()} == {2}
    time, speed = found["travel_time"], found["speed"]
    # Somebody has arrived 5 cm before the goal: within a row of the whole way.
    assert (time.recorded, time.played) == (pytest.approx(5.0, abs=0.11), pytest.approx(7.5, abs=0.11))
    assert (time.low, time.difference, time.high) == pytest.approx((1.25, 2.5, 3.75), abs=0.11)
    assert (speed.low, speed.high) == pytest.approx((-0.6, -0.2), abs=0.01)
    assert found["proximity"].recorded == pytest.approx(0.5 * (5.0 + 4.0) / 2, abs=0.3)
    nobody = set_beside(recorded, measure(Trajectories.build(10.0, [still], names=["x"], goals=[(3.0, -8.0)])))
    assert nobody["travel_time"].people == 0
    assert np.isnan(nobody["travel_time"].played)


def test_speed_is_of_the_way_and_nobody_who_sways_has_one():
    sways = 0.1 * np.sin(np.arange(60))[:, None] * np.array([[0.02, 0.0]])
    found = measure(Trajectories.build(10.0, [line((0, 0), (8, 0), 1.25, 10.0), sways], names=["goes", "sways"]))
    goes, stands = found.per_person()["speed"]
    assert goes == pytest.approx(1.25, abs=0.001)
    assert np.isnan(stands)
    assert found.summary()["speed"] == pytest.approx(1.25, abs=0.001)
