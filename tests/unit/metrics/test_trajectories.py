"""Trajectories: their clock, other rates, arrivals, and those of a take."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import TrajectoryError
from walkon.export import export_take
from walkon.metrics.trajectories import (
    Trajectories,
    arrivals,
    of_take,
    read_trajectories,
    resample,
    until_arrival,
)
from walkon.rotations import Placement
from walkon.synthesis import perform_all
from walkon.take import write_take
from walkon.world import Goal

BEHAVIORS = ["start_walk", "walk_forward", "stop_walk", "idle"]


@pytest.fixture(scope="module")
def take(workshop):
    return workshop.take(BEHAVIORS, [0, 1, 1, 2, 3, 3], (Placement(0.0, 0.0, 0.3), Placement(-2.0, 0.5, 0.3)))


def test_rows_frames_and_times():
    found = Trajectories.build(5.0, [np.zeros((3, 2)), np.ones((2, 2))], starts=[4, 10], names=["anna", "ben"])
    assert len(found) == 2
    assert found.counts.tolist() == [3, 2]
    assert found.stops.tolist() == [7, 12]
    assert (found.first, found.frames, found.seconds) == (4, 8, 1.4)
    np.testing.assert_allclose(found.times(1), [2.0, 2.2])
    assert found.path(1).tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert "2 people" in repr(found)
    chosen = found.choose([1])
    assert chosen.names == ("ben",)
    assert chosen.starts.tolist() == [10]
    assert found.choose([False, True]).names == ("ben",)
    with pytest.raises(ValueError, match="read-only"):
        found.places[0] = 1.0


def test_nobody_is_a_trajectory_too():
    found = Trajectories.build(10.0, [])
    assert (len(found), found.first, found.frames, found.seconds) == (0, 0, 0, 0.0)
    assert len(resample(found, 5.0)) == len(until_arrival(found)) == 0


@pytest.mark.parametrize(
    ("fps", "paths", "facts", "word"),
    [
        (0.0, [np.zeros((3, 2))], {}, "rate"),
        (np.nan, [np.zeros((3, 2))], {}, "rate"),
        (1e5, [np.zeros((3, 2))], {}, "rate"),
        (10.0, [np.zeros((0, 2))], {}, "at least one row"),
        (
            10.0,
            [np.zeros((3, 2)), [[0, 0], [0, np.nan]]],
            {"names": ["a", "ben"], "starts": [0, 7]},
            "'ben'.*frame 8",
        ),
        (10.0, [[[1e9, 0.0]]], {}, "within"),
        (10.0, [np.zeros((3, 2))], {"starts": [0, 1]}, "starts"),
        (10.0, [np.zeros((3, 2))], {"goals": [[0, 0], [1, 1]]}, "goals"),
        (10.0, [np.zeros((3, 2))], {"names": []}, "starts"),
    ],
)
def test_what_trajectories_cannot_be(fps, paths, facts, word):
    with pytest.raises(TrajectoryError, match=word):
        Trajectories.build(fps, paths, **facts)


def test_a_rate_that_divides_picks_rows_on_one_clock():
    path = np.random.default_rng(0).normal(size=(20, 2))
    found = resample(Trajectories.build(30.0, [path, path], starts=[3, 4]), 10.0)
    assert found.starts.tolist() == [1, 2]
    np.testing.assert_array_equal(found.path(0), path[0::3])
    np.testing.assert_array_equal(found.path(1), path[2::3])
    same = Trajectories.build(10.0, [path])
    assert resample(same) is same


def test_other_rates_follow_smooth_paths():
    t = np.arange(0, 200) / 25.0
    path = np.stack([np.sin(t), 1.3 * t + 0.1 * np.cos(3.0 * t)], axis=1)
    found = resample(Trajectories.build(25.0, [path], starts=[50]))
    assert found.starts.tolist() == [20]
    times = found.times(0) - 2.0
    expected = np.stack([np.sin(times), 1.3 * times + 0.1 * np.cos(3.0 * times)], axis=1)
    np.testing.assert_allclose(found.path(0), expected, atol=1e-5)


def test_who_is_there_too_shortly_has_one_row():
    found = resample(Trajectories.build(30.0, [np.ones((1, 2)), [[0, 0], [1, 1]]], starts=[4, 31]))
    assert found.counts.tolist() == [1, 1]
    assert found.starts.tolist() == [1, 10]
    assert found.path(0).tolist() == [[1.0, 1.0]]


def test_slow_annotations_are_not_blown_up_beyond_reason():
    with pytest.raises(TrajectoryError, match="cannot be brought"):
        resample(Trajectories.build(0.01, [np.zeros((5, 2))]))


def test_a_path_is_over_when_its_goal_is_reached_for_good():
    z = np.concatenate([np.linspace(0.0, 10.0, 101), 10.0 + 0.01 * np.sin(np.arange(50))])
    there = np.stack([np.zeros_like(z), z], axis=1)
    passing = there[:101]
    people = Trajectories.build(
        10.0,
        [there, there, passing, there, there],
        starts=[5, 0, 0, 0, 0],
        goals=[[0.0, 10.0], [3.0, 0.0], [0.0, 5.0], [np.nan, np.nan], [0.3, 10.0]],
    )
    found = arrivals(people)
    # Within five centimetres of the nearest it gets, after the last time it is farther than half a metre.
    assert found[0] == pytest.approx(5 + 100, abs=1)
    assert found[1:4].tolist() == [-1, -1, -1]
    assert found[4] >= 0
    cut = until_arrival(people)
    assert cut.counts.tolist() == [found[0] - 5 + 1, 151, 101, 151, found[4] + 1]
    np.testing.assert_array_equal(cut.starts, people.starts)


def test_a_take_gives_the_roots_of_its_performances(take):
    performances = perform_all(take)
    found, given = of_take(take), of_take(take, performances)
    assert found.fps == 30.0
    assert found.names == tuple(one.character for one in performances)
    for person, one in enumerate(performances):
        np.testing.assert_array_equal(found.path(person), one.clip.root_positions[:, [0, 2]])
        np.testing.assert_array_equal(found.path(person), given.path(person))
        goal = take.scene.characters[person].goals[-1]
        assert found.goals[person].tolist() == [goal.x, goal.z]
        assert found.tolerances[person] == goal.tolerance
    assert np.isnan(found.ways).all()
    assert (arrivals(found) > 0).all()


def test_way_points_make_the_way_longer(take):
    from dataclasses import replace

    first, second = take.scene.characters
    round_about = replace(first, goals=(Goal(3.0, 0.0), Goal(3.0, 4.0)))
    nowhere = replace(second, goals=())
    found = of_take(replace(take, scene=replace(take.scene, characters=(round_about, nowhere))))
    assert found.ways[0] == pytest.approx(7.0, abs=0.1)
    assert np.isnan(found.goals[1]).all()


def test_a_take_and_its_table_say_the_same(take, tmp_path):
    write_take(take, tmp_path / "a.take")
    export_take(take, tmp_path / "a.csv")
    kept, table = read_trajectories(tmp_path / "a.take"), read_trajectories(tmp_path / "a.csv")
    assert kept.names == table.names
    assert kept.fps == table.fps
    assert kept.starts.tolist() == table.starts.tolist()
    np.testing.assert_allclose(kept.places, table.places, atol=1e-5)
