"""Speed, turning and path; centre of mass; smoothing."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import human_skeleton, make
from walkon.motion import Clip
from walkon.motion.features import center_of_mass, center_of_mass_velocity, measure_locomotion
from walkon.motion.features.smoothing import smooth_over_time
from walkon.rotations import IDENTITY, from_axis_angle, rotation_about_y
from walkon.skeleton import build_body


def gliding(x, z, heading, fps: float = 50.0) -> Clip:
    """A human in T pose whose root follows a ground path."""
    human = human_skeleton()
    rotations = np.tile(IDENTITY, (len(x), len(human), 1))
    rotations[:, 0] = rotation_about_y(heading)
    return Clip("gliding", human, fps, np.stack([x, np.full(len(x), 0.9), z], axis=1), rotations)


def test_a_circle_has_its_speed_turn_and_length():
    times = np.arange(0, 10, 0.02)
    angle = 0.5 * times
    locomotion = measure_locomotion(gliding(2 - 2 * np.cos(angle), 2 * np.sin(angle), angle))
    middle = slice(30, -30)
    np.testing.assert_allclose(locomotion.speed[middle], 1.0, rtol=0.01)
    np.testing.assert_allclose(locomotion.turn_rate[middle], 0.5, rtol=0.01)
    assert locomotion.path_length == pytest.approx(times[-1], rel=0.01)
    assert locomotion.total_turn == pytest.approx(angle[-1], abs=0.01)
    assert locomotion.net_displacement == pytest.approx(4 * abs(np.sin(angle[-1] / 2)), rel=0.02)
    assert locomotion.mean_speed == pytest.approx(1.0, rel=0.01)


def test_sway_of_single_steps_is_not_travel():
    times = np.arange(0, 6, 0.02)
    sway = 0.02 * np.sin(2 * np.pi * 2 * times)
    clip = gliding(sway, times, np.zeros(len(times)))
    assert measure_locomotion(clip).path_length == pytest.approx(times[-1], rel=0.005)
    assert measure_locomotion(clip, sway=0.0).path_length > 1.005 * times[-1]


def test_a_single_frame_goes_nowhere():
    locomotion = measure_locomotion(gliding(np.ones(1), np.ones(1), np.ones(1)))
    assert locomotion.path_length == locomotion.net_displacement == locomotion.total_turn == 0
    assert locomotion.speed.shape == locomotion.turn_rate.shape == (1,)


def test_walk_speed_is_what_was_asked():
    assert measure_locomotion(make("walk", speed=1.2, cycles=4)).mean_speed == pytest.approx(1.2, rel=0.03)


def test_center_of_mass_is_where_anatomy_has_it():
    """A standing adult's is at 55 to 58 % of stature (Winter), in the middle plane."""
    human = human_skeleton(1.75)
    clip = Clip("stand", human, 30.0, human.offsets[:1], np.tile(IDENTITY, (1, len(human), 1)))
    x, y, _ = center_of_mass(clip)[0]
    assert x == pytest.approx(0, abs=1e-9)
    assert 0.53 < y / 1.75 < 0.62  # arms out, as in the rest pose, raise it a little


def test_center_of_mass_is_the_weighed_mean_of_the_capsules():
    clip = make("crawl")
    body = build_body(clip.skeleton)
    middles = body.capsules(clip.positions).mean(axis=2)
    np.testing.assert_allclose(center_of_mass(clip), np.einsum("c,fck->fk", body.masses, middles), atol=1e-12)


def test_raising_an_arm_raises_the_center():
    human = human_skeleton()
    rotations = np.tile(IDENTITY, (2, len(human), 1))
    rotations[1, human.index("LeftArm")] = from_axis_angle(np.array([0, 0, 1.0]), 1.2)
    low, high = center_of_mass(Clip("arm", human, 30.0, np.zeros((2, 3)), rotations))
    assert high[1] > low[1] + 0.01


def test_velocity_of_the_center():
    times = np.arange(20) / 50.0
    velocity = center_of_mass_velocity(gliding(3 * times, -times, np.zeros(20)))
    np.testing.assert_allclose(velocity, np.tile([3, 0, -1], (20, 1)), atol=1e-9)
    np.testing.assert_array_equal(
        center_of_mass_velocity(gliding(np.ones(1), np.ones(1), np.zeros(1))), np.zeros((1, 3))
    )


def test_smoothing_leaves_steady_change_alone():
    line = np.outer(np.arange(40.0), [1.0, -2.0]) + 3
    np.testing.assert_allclose(smooth_over_time(line, 100.0, 0.1), line, atol=1e-9)


def test_smoothing_is_a_gaussian_of_the_given_width():
    impulse = np.zeros((201, 1))
    impulse[100] = 1
    smoothed = smooth_over_time(impulse, 100.0, 0.1)[:, 0]
    offsets = np.arange(-100, 101) / 100.0
    assert smoothed.sum() == pytest.approx(1)
    assert np.sqrt(np.sum(smoothed * offsets**2)) == pytest.approx(0.1, rel=0.02)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_smoothing_of_next_to_nothing(frames):
    values = np.arange(float(frames))[:, None]
    np.testing.assert_allclose(smooth_over_time(values, 30.0, 0.5), values, atol=1e-9)
    np.testing.assert_array_equal(smooth_over_time(values, 30.0, 0.0), values)
