"""Every rival model: two who meet pass, one alone goes straight, and the same seed gives the same."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from walkon.errors import MissingExtraError, PlanError, SceneError
from walkon.metrics import Trajectories
from walkon.rivals import MODELS, Orca, simulate
from walkon.world import Box, Cylinder, Goal, Scene, Sphere

NO_PYRVO = pytest.mark.skipif(find_spec("pyrvo") is None, reason="pyrvo is not installed")
NAMES = [pytest.param(name, marks=NO_PYRVO) if name == "orca" else name for name in MODELS]


def nearest(played: Trajectories) -> float:
    """The least distance [m] between any two, whenever both are there."""
    best = np.inf
    for i in range(len(played)):
        for j in range(i):
            first = max(played.starts[i], played.starts[j])
            last = min(played.stops[i], played.stops[j])
            if first < last:
                apart = (
                    played.path(i)[first - played.starts[i] : last - played.starts[i]]
                    - played.path(j)[first - played.starts[j] : last - played.starts[j]]
                )
                best = min(best, float(np.hypot(*apart.T).min()))
    return best


def deviations(played: Trajectories) -> np.ndarray:
    ends = np.array([played.path(person)[-1] for person in range(len(played))])
    return np.hypot(*(ends - played.goals).T)


@pytest.mark.parametrize("model", NAMES)
def test_two_who_meet_head_on_pass_and_arrive(model: str, head_on: Scene) -> None:
    """Nobody walks through the other, and both get to the goal."""
    played = simulate(head_on, model)
    assert played.names == ("a", "b")
    assert nearest(played) > 0.6
    assert deviations(played).max() < 0.5
    assert played.seconds < 14.0


@pytest.mark.parametrize("model", NAMES)
def test_one_alone_goes_straight_at_the_speed_that_is_wanted(model: str, make_scene) -> None:
    """The path is the line to the goal but for the error of aim; the pace is steady until one slows down."""
    played = simulate(make_scene({"a": (-4.0, 1.0, 5.0, 1.0)}), model)
    path = played.path(0)
    assert np.abs(path[:, 1] - 1.0).max() < 0.05
    assert (np.diff(path[:-30, 0]) > 0.0).all()
    speeds = np.hypot(*np.diff(path[:120], axis=0).T) * 30.0
    np.testing.assert_allclose(speeds, MODELS[model]().speed, rtol=0.02)
    assert tuple(path[0]) == (-4.0, 1.0)


@pytest.mark.parametrize("model", NAMES)
def test_the_same_seed_gives_the_same_and_another_does_not(model: str, head_on: Scene) -> None:
    first, second, other = (simulate(head_on, model, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.places, second.places)
    assert first.places.shape != other.places.shape or not np.array_equal(first.places, other.places)


@pytest.mark.parametrize("model", NAMES)
def test_people_go_around_what_stands_in_the_way(model: str, make_scene) -> None:
    """A wall, a pillar, a ball, and a bar that a rival cannot step over."""
    things = (("wall", Box(6.0, 2.0, 0.3), 0.0, 0.0), ("pillar", Cylinder(0.4, 2.0), 5.0, 2.0),
              ("ball", Sphere(0.3), -5.0, 2.0), ("bar", Box(2.0, 0.3, 0.2), -4.0, 0.0))  # fmt: skip
    played = simulate(make_scene({"a": (-1.0, -4.0, -1.0, 4.0), "b": (1.0, 4.0, 1.0, -4.0)}, things), model)
    assert deviations(played).max() < 0.5
    x, z = played.places.T
    assert not ((np.abs(x) < 3.0) & (np.abs(z) < 0.15)).any()
    assert not ((np.abs(x + 4.0) < 1.0) & (np.abs(z) < 0.1)).any()
    assert (np.hypot(x - 5.0, z - 2.0) > 0.4).all()


@pytest.mark.parametrize("model", NAMES)
def test_turned_scenes_are_played_alike(model: str, make_scene) -> None:
    """A quarter turn of everything changes nothing else: no model has a favourite direction."""
    plain = simulate(make_scene({"a": (0.0, -5.0, 0.3, 5.0), "b": (5.0, 0.0, -5.0, 0.2)}), model)
    turned = simulate(make_scene({"a": (-5.0, 0.0, 5.0, -0.3), "b": (0.0, -5.0, 0.2, 5.0)}), model)
    np.testing.assert_allclose(
        turned.places, np.column_stack([plain.places[:, 1], -plain.places[:, 0]]), atol=2e-3
    )


def test_who_comes_later_appears_later_and_who_leaves_is_gone(make_scene) -> None:
    scene = make_scene({"a": (-3.0, 0.0, 3.0, 0.0), "b": (-3.0, 3.0, 3.0, 3.0)}, at_goal="leave")
    late = replace(scene.characters[1], start_time=2.0)
    played = simulate(replace(scene, characters=(scene.characters[0], late)), "steering")
    assert played.starts.tolist() == [0, 60]
    ends = np.array([played.path(person)[-1] for person in (0, 1)])
    np.testing.assert_allclose(np.hypot(*(ends - played.goals).T), 0.5, atol=0.05)
    assert played.counts[0] < 5.5 / 1.33 * 30 + 3
    assert played.stops[1] == played.stops.max()


@pytest.mark.parametrize("model", NAMES)
def test_people_stand_first_and_walk_as_fast_as_the_scene_says(model: str, make_scene) -> None:
    scene = make_scene({"slow": (-4.0, 1.0, 5.0, 1.0), "usual": (-4.0, -6.0, 5.0, -6.0)})
    slow, usual = scene.characters
    slow = replace(slow, speed=0.7, premovement=2.0)
    played = simulate(replace(scene, characters=(slow, usual)), model)
    speeds = [np.hypot(*np.diff(played.path(person), axis=0).T) * 30.0 for person in range(2)]
    assert speeds[0][:55].max() < 0.05
    assert np.median(speeds[0][200:330]) == pytest.approx(0.7, abs=0.02)
    assert np.median(speeds[1][:90]) == pytest.approx(MODELS[model]().speed, rel=0.02)


def test_who_starts_at_its_goal_stands_there_for_its_time_and_is_gone(make_scene) -> None:
    """As recorded people do who only stand; others appear in the same frame."""
    people = {"stands": (0.0, 4.0, 0.1, 4.0), "goes": (-4.0, 1.0, 4.0, 1.0), "too": (-4.0, -3.0, 4.0, -3.0)}
    scene = make_scene(people, at_goal="leave")
    stands, *others = scene.characters
    played = simulate(replace(scene, characters=(replace(stands, premovement=3.0), *others)), "steering")
    assert played.names == ("stands", "goes", "too")
    assert played.counts[0] == pytest.approx(91, abs=1)
    at_once = simulate(scene, "steering")
    assert at_once.counts[0] == 1
    assert at_once.counts[1:].min() > 100


def test_way_points_are_visited_in_order(make_scene) -> None:
    scene = make_scene({"a": (0.0, 0.0, 5.0, 0.0)})
    roundabout = replace(scene.characters[0], goals=(Goal(0.0, 4.0), Goal(5.0, 4.0), Goal(5.0, 0.0)))
    played = simulate(replace(scene, characters=(roundabout,)), "pairs")
    visits = [int(np.hypot(*(played.path(0) - np.array(at)).T).argmin()) for at in ((0, 4), (5, 4), (5, 0))]
    assert visits == sorted(visits)
    assert played.ways[0] == pytest.approx(13.0)
    assert deviations(played)[0] < 0.5


def test_a_scene_may_be_played_at_other_rates(head_on: Scene) -> None:
    """Ten frames a second show the same way as sixty, as far as steps allow."""
    slow, fast = (simulate(head_on, "forces", fps=fps) for fps in (10.0, 60.0))
    assert slow.fps == 10.0
    assert slow.seconds == pytest.approx(fast.seconds, abs=1.5)
    assert nearest(slow) > 0.5


def test_nobody_in_a_scene_is_no_trajectories(make_scene) -> None:
    assert len(simulate(make_scene({}), "forces")) == 0


def test_what_cannot_be_played_is_refused(head_on: Scene, make_scene, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlanError, match="no rival model 'boids'; there are: orca"):
        simulate(head_on, "boids")
    with pytest.raises(SceneError, match="frames a second"):
        simulate(head_on, "pairs", fps=0.0)
    with pytest.raises(SceneError, match="too many"):
        simulate(replace(head_on, duration=1e8), "pairs")
    scene = make_scene({"a": (0.0, 0.0, 1.0, 1.0)}, (("ball", Sphere(0.3), 4.0, 4.0),))
    rolling = replace(
        scene.obstacles[0], positions=np.zeros((2, 3)), rotations=np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    )
    with pytest.raises(SceneError, match="'ball' moves"):
        simulate(replace(scene, obstacles=(rolling,)), "pairs")
    monkeypatch.setitem(sys.modules, "pyrvo", None)
    with pytest.raises(MissingExtraError, match=r"walkon\[rivals\]"):
        simulate(head_on, Orca())
