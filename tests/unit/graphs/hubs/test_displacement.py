"""Displacement maps pass what they are told to pass, at the speed they are told, and fade to nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.builtin import make
from walkon.graphs.hubs.displacement import changes_between, displace, fade, turn_difference
from walkon.graphs.hubs.moments import BodyMoments, mean_rotations, measure_moments
from walkon.motion import Clip, crop, place
from walkon.rotations import (
    Placement,
    angle_between,
    conjugate,
    exponential,
    from_axis_angle,
    logarithm,
    multiply,
    normalize,
)

STEER = 15


@pytest.fixture(scope="module")
def walk() -> Clip:
    return make("walk", cycles=3)


@pytest.mark.parametrize("frames", [2, 9, 40])
@pytest.mark.parametrize("at_end", [False, True])
def test_a_change_has_its_value_and_rate_at_its_own_end_and_neither_at_the_other(
    frames: int, at_end: bool
) -> None:
    value, rate = np.array([0.3, -0.1]), np.array([0.02, 0.05])
    curve = fade(frames, (value, rate), STEER, at_end=at_end)
    near, far = (-1, 0) if at_end else (0, -1)
    assert np.allclose(curve[near], value, atol=1e-15)
    assert np.allclose(curve[far], 0.0, atol=1e-15)
    if frames > 2:
        # The rate at an end of a cubic, from its values: differences are exact but for what curves.
        bend = 6.0 * np.abs(value) / (frames - 1) ** 2 + 4.0 * np.abs(rate) / min(STEER, frames - 1)
        step = curve[-1] - curve[-2] if at_end else curve[1] - curve[0]
        assert np.all(np.abs(step - rate) <= bend)
        off = curve[1] - curve[0] if at_end else curve[-1] - curve[-2]
        assert np.all(np.abs(off) <= bend)


def test_a_change_of_rate_dies_away_soon_however_long_the_stretch() -> None:
    curve = fade(300, (np.zeros(1), np.ones(1)), STEER, at_end=False)
    assert np.allclose(curve[STEER:], 0.0)
    assert np.abs(curve).max() < 0.15 * STEER + 0.1


def test_rotations_are_led_to_the_wanted_one_at_the_wanted_rate() -> None:
    rng = np.random.default_rng(0)
    recorded, wanted = normalize(rng.normal(size=(2, 50, 4)))
    rates, wanted_rates = 0.2 * rng.normal(size=(2, 50, 3))
    value, slope = turn_difference(recorded, rates, wanted, wanted_rates)

    def led(time: float) -> np.ndarray:
        return multiply(multiply(recorded, exponential(time * rates)), exponential(value + time * slope))

    assert np.allclose(angle_between(led(0.0), wanted), 0.0, atol=1e-7)
    small = 1e-5
    measured = logarithm(multiply(conjugate(led(-small)), led(small))) / (2.0 * small)
    assert np.allclose(measured, wanted_rates, atol=1e-6)


def test_small_turns_are_told_as_exactly_as_large_ones() -> None:
    axis = np.array([0.0, 0.6, 0.8])
    for angle in (1e-9, 9e-5, 1.1e-4, 1.0):
        wanted = exponential(angle * axis)
        rates, slope = np.array([0.1, 0.0, 0.0]), turn_difference
        _, found = slope(np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3), wanted, rates)
        # J(d) d' = rate, with the right Jacobian written out.
        d = angle * axis
        cross = np.array([[0, -d[2], d[1]], [d[2], 0, -d[0]], [-d[1], d[0], 0]])
        jacobian = np.eye(3) - (1 - np.cos(angle)) / angle**2 * cross if angle > 1e-3 else np.eye(3) - 0.5 * cross
        third = (angle - np.sin(angle)) / angle**3 if angle > 1e-3 else 1 / 6
        assert np.allclose((jacobian + third * cross @ cross) @ found, rates, atol=1e-9)


def nudged(moment: BodyMoments) -> BodyMoments:
    """A moment a little to the side, bent and slower than this one."""
    turn = from_axis_angle(np.array([0.0, 0.0, 1.0]), np.array(0.1))
    rotations = moment.rotations.copy()
    rotations[:, 1:5] = multiply(rotations[:, 1:5], turn)
    return replace(
        moment,
        roots=moment.roots + np.array([0.02, -0.01, 0.03]),
        rotations=rotations,
        root_rates=0.8 * moment.root_rates,
    )


def test_a_clip_is_led_through_a_moment_and_left_alone_at_its_other_end(walk: Clip) -> None:
    moments = measure_moments(walk, np.array([20, 50]))
    wanted = nudged(moments.subset(np.array([0])))
    stretch = crop(walk, 20, 51)
    led = displace(stretch, changes_between(moments.subset(np.array([0])), wanted).at(0), None)
    assert np.allclose(led.root_positions[0], wanted.roots[0], atol=1e-12)
    trunk = [j for j, name in enumerate(walk.skeleton.names) if "Leg" not in name and "Foot" not in name]
    assert angle_between(led.rotations[0], wanted.rotations[0])[trunk].max() < 1e-7
    assert np.allclose(led.root_positions[-1], stretch.root_positions[-1], atol=1e-12)
    assert angle_between(led.rotations[-1], stretch.rotations[-1]).max() < 1e-6
    # Feet stay where they were, for that was asked for too.
    feet = [walk.skeleton.index(name) for name in ("LeftFoot", "RightFoot")]
    assert np.abs(led.positions[:, feet] - stretch.positions[:, feet]).max() < 0.005


def test_the_rate_is_that_of_the_wanted_moment(walk: Clip) -> None:
    moments = measure_moments(walk, np.array([30]))
    wanted = nudged(moments)
    change = changes_between(moments, wanted).at(0)
    before, after = displace(crop(walk, 0, 31), None, change), displace(crop(walk, 30, 70), change, None)
    led = walk.with_changes(
        root_positions=np.concatenate([before.root_positions, after.root_positions[1:], walk.root_positions[70:]]),
        rotations=np.concatenate([before.rotations, after.rotations[1:], walk.rotations[70:]]),
    )
    measured = measure_moments(led, np.array([30]))
    asked, got = wanted.root_rates - moments.root_rates, measured.root_rates - moments.root_rates
    # Measured over two frames to either side, where the change has begun to fade already.
    share = float(np.sum(asked * got) / np.sum(asked * asked))
    assert 0.75 < share <= 1.0
    assert np.allclose(got, share * asked, atol=0.03 * np.linalg.norm(asked))


def test_nothing_to_change_changes_nothing(walk: Clip) -> None:
    moment = measure_moments(walk, np.array([10]))
    led = displace(crop(walk, 10, 40), changes_between(moment, moment).at(0), None)
    assert np.allclose(led.positions, walk.positions[10:40], atol=1e-3)
    assert displace(walk, None, None) is walk


def test_moments_are_carried_as_clips_are(walk: Clip) -> None:
    spot = Placement(3.0, -2.0, 2.1)
    frames = np.array([12, 33])
    ours = measure_moments(walk, frames).placed(np.array([[spot.x, spot.z, spot.heading]] * 2))
    theirs = measure_moments(place(walk, spot), frames)
    for name in BodyMoments.__dataclass_fields__:
        assert np.allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12), name


def test_steady_motion_has_its_own_rate(walk: Clip) -> None:
    turn = 0.03
    times = np.arange(20.0)
    rotations = np.tile(walk.rotations[:1], (20, 1, 1))
    rotations[:, 3] = multiply(rotations[:, 3], exponential(times[:, None] * [0.0, turn, 0.0]))
    roots = walk.root_positions[:1] + times[:, None] * [0.01, 0.0, -0.02]
    steady = Clip("steady", walk.skeleton, 30.0, roots, rotations)
    moment = measure_moments(steady, np.array([9]))
    assert np.allclose(moment.root_rates, [[0.01, 0.0, -0.02]])
    assert np.allclose(moment.turn_rates[0, 3], [0.0, turn, 0.0])
    assert np.allclose(moment.turn_rates[0, 4], 0.0)


def test_the_mean_of_rotations_is_in_their_middle_whatever_their_signs() -> None:
    middle = normalize(np.array([0.3, -0.5, 0.2, 0.8]))
    away = exponential(np.array([[0.2, 0.1, -0.3], [-0.2, -0.1, 0.3], [0.0, 0.4, 0.0], [0.0, -0.4, 0.0]]))
    around = multiply(middle, away)
    around[1] *= -1.0
    around[2] *= -1.0
    assert angle_between(mean_rotations(around), middle) < 1e-7
