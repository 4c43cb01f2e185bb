"""Feet roll over their plants without sliding, and travel between them without a jerk."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import dog_skeleton, human_skeleton
from walkon.builtin.footwork import (
    FootShape,
    FootTrack,
    Plant,
    Swing,
    follow_plants,
    follow_points,
    foot_of,
    planted_ankle,
    sole_clearance,
    track_of,
)
from walkon.builtin.human import human_feet
from walkon.builtin.keyframes import sequence
from walkon.rotations import multiply, rotate, rotation_about_y

PLANT = Plant(0.0, 1.0, 0.3, 2.0, heading=0.4)
LEFT = human_feet(human_skeleton())["Left"]


def parts_of(foot: FootShape, track: FootTrack) -> dict[str, np.ndarray]:
    """Where ball, tip and heel are (F, 3), from the track alone."""
    ball = track.ankles + rotate(track.foot_rotations, foot.to_ball)
    tip = ball + rotate(multiply(track.foot_rotations, track.toe_rotations), foot.to_tip)
    parts = {foot.toes: ball, foot.tip: tip}
    return parts | ({foot.heel: track.ankles + rotate(track.foot_rotations, foot.to_heel)} if foot.heel else {})


@pytest.mark.parametrize(
    ("pitch", "still"),
    [
        ((5, 25), {"LeftHeel"}),
        ((0, 0), {"LeftHeel", "LeftToeBase", "LeftToeTip"}),
        ((-25, -5), {"LeftToeBase", "LeftToeTip"}),
    ],
)
def test_what_carries_the_foot_does_not_move(pitch, still):
    times = np.linspace(0.2, 0.8, 13)
    track = follow_plants(LEFT, [PLANT], sequence({0.2: pitch[0], 0.8: pitch[1]}), times, Swing({}))
    assert {joint for k, joint in enumerate(track.joints) if track.planted[:, k].all()} == still
    for joint, path in parts_of(LEFT, track).items():
        moved = np.linalg.norm(path - path[0], axis=1).max()
        assert (moved < 1e-4) == (joint in still), f"{joint} moved {moved}"


def test_a_steep_foot_rolls_over_its_toe_tip():
    track = follow_plants(LEFT, [PLANT], sequence({0.0: -60, 1.0: -80}), np.linspace(0, 1, 9), Swing({}))
    tip = parts_of(LEFT, track)["LeftToeTip"]
    np.testing.assert_allclose(tip, tip[:1].repeat(9, axis=0), atol=1e-9)
    assert not track.planted[:, track.joints.index("LeftToeBase")].any()


def test_a_flat_foot_stands_at_its_plant_and_points_where_it_should():
    track = follow_plants(LEFT, [PLANT], sequence({0.0: 0.0}), np.array([0.5]), Swing({}))
    np.testing.assert_allclose(track.ankles, [[0.3, LEFT.height, 2.0]], atol=1e-12)
    np.testing.assert_allclose(track.foot_rotations, [rotation_about_y(0.4)], atol=1e-12)


def test_a_paw_turns_about_its_ball_whichever_way_it_is_pitched():
    skeleton = dog_skeleton()
    paw = foot_of(skeleton, "LeftFoot", "LeftToeBase", "LeftToeTip")
    track = follow_plants(paw, [PLANT], sequence({0.0: 30, 1.0: -30}), np.linspace(0, 1, 9), Swing({}))
    ball = parts_of(paw, track)["LeftToeBase"]
    np.testing.assert_allclose(ball, ball[:1].repeat(9, axis=0), atol=1e-3)
    assert track.planted.all()


def test_swings_meet_their_plants_in_place_and_speed():
    plants = [Plant(0.0, 1.0, 0.1, 0.0), Plant(1.6, 2.5, 0.1, 1.4)]
    pitch = sequence({0.5: 0, 1.0: -60, 1.1: -65, 1.5: 20, 1.6: 18, 1.7: 0})
    for seam in (1.0, 1.6):
        times = seam + 1e-4 * np.arange(-2, 3)
        ankles = follow_plants(LEFT, plants, pitch, times, Swing({0.4: 0.12})).ankles
        speeds = np.diff(ankles, axis=0) / 1e-4
        np.testing.assert_allclose(speeds[1], speeds[2], atol=0.05)


def test_lift_is_the_height_of_the_ankle_on_the_way():
    plants = [Plant(0.0, 1.0, 0.1, 0.0), Plant(2.0, 3.0, 0.1, 1.4, y=0.2)]
    track = follow_plants(LEFT, plants, sequence({0.0: 0.0}), np.array([1.5]), Swing({0.5: 0.1}))
    assert track.ankles[0, 1] == pytest.approx(LEFT.height + 0.1 + 0.1)
    assert not track.planted.any()


def test_a_carrier_takes_the_swing_along():
    plants = [Plant(0.0, 1.0, 0.0, 0.0), Plant(2.0, 3.0, 0.0, 2.0)]
    swing = Swing({0.5: -0.5}, carrier=lambda t: np.stack([0 * t, 1 + 0 * t, t], axis=-1), forward={0.5: 0.3})
    track = follow_plants(LEFT, plants, sequence({0.0: 0.0}), np.array([1.5]), swing)
    np.testing.assert_allclose(track.ankles[0, 1:], [0.5, 1.8], atol=1e-9)


def test_points_rest_and_lift():
    plants = [Plant(0.0, 1.0, 0.1, 0.0, y=0.05), Plant(2.0, 3.0, 0.1, 1.0, y=0.05)]
    path, resting = follow_points(plants, np.array([0.0, 1.0, 1.5, 2.0]), {0.5: 0.08})
    np.testing.assert_allclose(
        path, [[0.1, 0.05, 0], [0.1, 0.05, 0], [0.1, 0.13, 0.5], [0.1, 0.05, 1]], atol=1e-12
    )
    assert resting.tolist() == [True, True, False, True]


def test_planted_ankles_are_continuous_in_pitch():
    pitch = np.linspace(-90, 40, 2601)
    path = planted_ankle(LEFT, PLANT, pitch)
    assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() < 3e-4


def test_clearance_is_that_of_the_lowest_part():
    pitch, relax = np.linspace(-100, 40, 57), np.linspace(0.0, 1.0, 57)
    ankles = np.array([0.0, 0.3, 0.0]) + np.zeros((57, 3))
    track = track_of(LEFT, ankles, np.zeros(57), pitch, relax, np.zeros(57, dtype=bool))
    flat = track_of(
        LEFT, np.array([[0.0, LEFT.height, 0.0]]), np.zeros(1), np.zeros(1), np.ones(1), np.ones(1, bool)
    )
    heights = [parts_of(LEFT, track)[part][:, 1] - level[0, 1] for part, level in parts_of(LEFT, flat).items()]
    np.testing.assert_allclose(
        sole_clearance(LEFT, ankles[:, 1], pitch, relax), np.min(heights, axis=0), atol=1e-9
    )
