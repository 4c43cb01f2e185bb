"""Obstacles that go along a line: where they are, where they look, and for how long."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.rotations import heading_of, rotate
from walkon.world import Box, Obstacle, Scene, flat_terrain, patrol, read_scene, write_scene
from walkon.world.motions import MOST_ROWS

LINE = [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0]]


def go(**more):
    return patrol(more.pop("points", LINE), more.pop("speed", 1.0), **{"fps": 30.0, "duration": 20.0, **more})


def test_there_and_back():
    positions, rotations = go(height=0.25)
    assert positions.shape == (601, 3)
    assert rotations.shape == (601, 4)
    assert positions[[0, 60, 150, 180, 210, 360, 420]] == pytest.approx(
        np.array([[0, 0.25, x] for x in (0, 0, 1, 2, 1, 0, 0)]) + np.outer([0, 2, 4, 4, 4, 0, 2], [1, 0, 0])
    )


@pytest.mark.parametrize(("repeat", "corners"), [("back", 10), ("loop", 9), ("stop", 1)])
def test_speed_is_even_and_it_looks_where_it_goes(repeat, corners):
    positions, rotations = go(repeat=repeat, speed=1.5)
    steps = np.diff(positions, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    assert lengths.max() <= 0.05 + 1e-9
    assert (lengths < 0.05 - 1e-9).sum() <= corners  # they are cut in the frame that passes them
    forward = rotate(rotations[:-1], np.array([0.0, 0.0, 1.0]))
    straight = np.sum(forward * steps, axis=1) > 0.999 * lengths
    assert (~straight).sum() <= 16 * corners  # half a second each
    assert straight.sum() > 0.7 * len(straight)


def test_turns_take_half_a_second_and_the_short_way():
    _, rotations = go()
    headings = np.unwrap(heading_of(rotations))
    assert headings[[0, 100, 150]] == pytest.approx([np.pi / 2, np.pi / 2, 0.0], abs=1e-9)
    turning = np.flatnonzero(np.abs(np.diff(headings[:150])) > 1e-9)
    assert len(turning) == pytest.approx(15, abs=2)
    assert turning.mean() == pytest.approx(120, abs=1)
    assert np.abs(np.diff(headings)).max() < np.pi / 14


def test_a_slight_bend_is_a_slight_turn_whatever_the_heading():
    # Towards -z, first a bit to the right, then a bit to the left: from nearly 180° to nearly -180°.
    _, rotations = go(points=[[0, 0], [0.2, -4], [0, -8]], repeat="stop")
    assert (rotate(rotations, np.array([0.0, 0.0, 1.0]))[:, 2] < -0.99).all()


def test_a_loop_goes_on_from_the_last_point_to_the_first():
    positions, _ = go(points=[[0, 0], [3, 0], [3, 4]], repeat="loop")
    assert positions[[0, 90, 210, 285, 360, 450]][:, [0, 2]] == pytest.approx(
        np.array([[0, 0], [3, 0], [3, 4], [1.5, 2], [0, 0], [3, 0]])
    )


def test_a_stop_is_the_end():
    positions, rotations = go(repeat="stop")
    assert len(positions) == len(rotations) == 181
    assert positions[-1] == pytest.approx([4.0, 0.0, 2.0])
    assert len(go(repeat="stop", duration=2.0)[0]) == 61


def test_points_on_top_of_each_other_do_not_matter():
    ours, theirs = go(points=[[0, 0], [0, 0], [4, 0], [4, 0], [4, 2], [4, 2]]), go()
    assert ours[0] == pytest.approx(theirs[0])
    assert ours[1] == pytest.approx(theirs[1])


def test_a_patrol_is_an_obstacle_that_can_be_saved(tmp_path):
    bounds = (-5.0, -5.0, 9.0, 9.0)
    cart = Obstacle("cart", Box(0.5, 1.0, 1.0), *go())
    scene = Scene("yard", bounds, flat_terrain(bounds), (cart,), duration=20.0)
    write_scene(scene, tmp_path / "yard.toml")
    (again,) = read_scene(tmp_path / "yard.toml").obstacles
    assert np.array_equal(again.positions, cart.positions)
    assert again.rotations == pytest.approx(cart.rotations, abs=1e-9)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"points": [[0, 0]]}, "two points"),
        ({"points": [[1, 1], [1, 1]], "repeat": "loop"}, "two points"),
        ({"points": []}, "finite points"),
        ({"points": np.zeros((0, 2))}, "two points"),
        ({"points": [[0, 0], [np.nan, 1]]}, "finite points"),
        ({"points": [[0, 0, 0], [1, 1, 1]]}, "finite points"),
        ({"speed": 0.0}, "must be positive"),
        ({"speed": np.inf}, "must be positive"),
        ({"fps": -1.0}, "must be positive"),
        ({"duration": np.nan}, "must be positive"),
        ({"duration": 1e12}, f"more than {MOST_ROWS} frames"),
        ({"repeat": "twice"}, "'twice'"),
    ],
)
def test_wrong_patrols_are_scene_errors(wrong, message):
    with pytest.raises(SceneError, match=message):
        go(**wrong)
