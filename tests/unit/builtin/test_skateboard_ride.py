"""The rolling board: it goes along its length, leans as the turn asks, and carries what stands on it."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.falling import GRAVITY
from walkon.builtin.keyframes import sequence
from walkon.builtin.skateboard.actions import GLIDE, POSES, carve
from walkon.builtin.skateboard.feet import REAR_FOOT, Excursion, RearStep
from walkon.builtin.skateboard.play import breath
from walkon.builtin.skateboard.repertoire import REPERTOIRE
from walkon.builtin.skateboard.ride import DECK_TILT, Ride, roll
from walkon.builtin.skateboard.rider import CHANNELS
from walkon.builtin.skeletons import DECK_HEIGHT, WHEELBASE
from walkon.rotations import rotate

LEVEL = sequence({0.0: 0.0})


def ride(speed=2.0, heading=None, nose=LEVEL, tail=LEVEL) -> Ride:
    return roll(lambda at: speed + 0.0 * np.asarray(at), sequence(heading or {0.0: 0.0}), (-1.0, 3.0), nose, tail)


def test_a_straight_ride_goes_straight_with_the_middle_at_the_origin():
    times = np.array([-0.5, 0.0, 1.5])
    path = ride(2.0).path(times)
    np.testing.assert_allclose(path[:, 2], 2.0 * times + WHEELBASE / 2, atol=1e-9)
    np.testing.assert_allclose(path[:, :2], 0.0, atol=1e-12)


def test_the_middle_moves_along_the_board_in_a_turn():
    turning = ride(2.0, {0.2: 0.0, 1.8: 90.0})
    times = np.linspace(0, 2, 400)
    middle = turning.to_world(times, np.array([0.0, 0.0, -WHEELBASE / 2]))
    velocity = np.gradient(middle, times, axis=0)
    along = rotate(turning.rotation(times), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(velocity[2:-2], 2.0 * along[2:-2], atol=0.01)


def test_the_lean_balances_the_turn():
    turning = ride(2.0, {0.0: 0.0, 2.0: 60.0})
    rate = np.radians(np.gradient(turning.heading(np.array([0.99, 1.0, 1.01])), 0.01)[1])
    # To the left, which is negative.
    assert turning.lean(1.0) == pytest.approx(-np.degrees(np.arctan(2.0 * rate / GRAVITY)), rel=1e-3)
    deck = rotate(turning.tilt(1.0), np.array([1.0, 0.0, 0.0]))
    assert np.degrees(np.arcsin(deck[1])) == pytest.approx(DECK_TILT * turning.lean(1.0), rel=1e-6)


def test_world_and_board_are_inverse_to_each_other():
    turning, times = ride(1.5, {0.0: 10.0, 1.0: 80.0}), np.array([0.3, 0.9])
    points = np.array([[0.1, 0.2, 0.3], [-1.0, 0.0, 2.0]])
    np.testing.assert_allclose(turning.to_board(times, turning.to_world(times, points)), points, atol=1e-12)


def test_the_deck_carries_its_bolts_to_where_nose_and_tail_are():
    hop = ride(nose=sequence({0.0: 0.30}), tail=sequence({0.0: 0.12}))
    front, rear = hop.on_deck(0.0, np.array([[0.0, DECK_HEIGHT, 0.0], [0.0, DECK_HEIGHT, -WHEELBASE]]))
    assert front[1] - DECK_HEIGHT == pytest.approx(0.30)
    assert rear[1] - DECK_HEIGHT == pytest.approx(0.12)
    resting = np.array([0.05, 0.2, -0.3])
    np.testing.assert_allclose(ride().on_deck(0.0, resting), resting, atol=1e-12)


def test_the_rear_foot_rolls_flat_for_braking_and_over_its_toes_for_pushing():
    push, brake = (
        Excursion(0.3, (RearStep(0.7, 1.0),), 1.6),
        Excursion(0.3, (RearStep(0.7, 1.9, brakes=True),), 2.4),
    )
    for excursion in (push, brake):
        pitch, yaw = sequence(excursion.pitch()), sequence(excursion.yaw())
        assert pitch(np.array([0.0, 5.0])) == pytest.approx([0.0, 0.0])
        assert yaw(np.array([0.0, 0.8, 5.0])) == pytest.approx([REAR_FOOT[2], 0.0, REAR_FOOT[2]])
    assert sequence(push.pitch())(1.0) < -45
    assert sequence(brake.pitch())(np.linspace(0.7, 1.9, 9)) == pytest.approx(np.zeros(9))


@pytest.mark.parametrize("name", REPERTOIRE)
def test_actions_go_from_pose_to_pose(name):
    action = REPERTOIRE[name]
    channels = action.channels()
    assert set(channels) == set(CHANNELS)
    for channel, keys in channels.items():
        curve = sequence(keys)
        assert curve(0.0) == pytest.approx(POSES[action.entry][channel])
        assert curve(action.duration) == pytest.approx(POSES[action.exit][channel])
        assert min(keys) == 0.0
        assert max(keys) == action.duration
    assert round(action.duration * 30) == pytest.approx(action.duration * 30)


def test_a_deeper_carve_is_lower():
    shallow, deep = carve(-30.0, 1.5, 0.3), carve(-30.0, 1.5, 0.9)
    assert min(deep.channels()["height"].values()) < min(shallow.channels()["height"].values()) < GLIDE["height"]


def test_breath_is_at_the_same_point_where_actions_begin_and_end():
    for duration in (1.6, 2.4, 3.1):
        assert breath(np.array([0.0]), duration) == pytest.approx(breath(np.array([duration]), duration))
        step = 1e-5
        around = breath(np.array([-step, step, duration - step, duration + step]), duration)
        assert around[1] - around[0] == pytest.approx(around[3] - around[2], rel=1e-3)
