"""Noise on motion: as much as is asked for, as smooth as is said, and nothing else changed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.rotations import angle_between, conjugate, logarithm, multiply
from walkon.variation.baselines import change_between, match_amount, measure_change, naive_noise, perlin_noise
from walkon.variation.perlin import perlin

SPEC = importlib.util.spec_from_file_location("moving", Path(__file__).with_name("moving.py"))
moving = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(moving)
LEFT, RIGHT, several, swing = moving.LEFT, moving.RIGHT, moving.several, moving.swing

NOISES = (naive_noise, perlin_noise)


@pytest.mark.parametrize("noise", NOISES)
def test_the_same_seed_makes_the_same_noise_and_no_amount_none(noise):
    clips = several(3)
    again = [noise(clips, 4, seed=5), noise(clips, 4, seed=5), noise(clips, 4, seed=6)]
    for one, same, other in zip(*again, strict=True):
        np.testing.assert_array_equal(one.rotations, same.rotations)
        assert np.abs(one.rotations - other.rotations).max() > 1e-4
    for k, clip in enumerate(noise(clips, 4, amount=0.0)):
        np.testing.assert_allclose(angle_between(clip.rotations, clips[k % 3].rotations), 0.0, atol=1e-7)
        np.testing.assert_array_equal(clip.root_positions, clips[k % 3].root_positions)


def test_naive_noise_is_where_clips_differ_once_they_are_warped():
    given = [swing(phase=0.0, height=0.5, together=0.0), swing(phase=0.1, height=0.7, together=0.0)]
    made = naive_noise(given, 1, amount=1.0)[0]
    changed = np.sqrt((angle_between(made.rotations, given[0].rotations) ** 2).mean(axis=0))
    assert changed[LEFT] > 0.05
    assert np.delete(changed, LEFT).max() < 1e-6
    # Heights of 0.5 and 0.7 differ by up to 0.2, on average over a cycle by 0.2 / sqrt(2) at most.
    assert changed[LEFT] < 0.25


def test_perlin_noise_is_a_share_of_how_much_each_joint_moves():
    given = [swing(frames=3000, together=0.3)]
    made = perlin_noise(given, 1, amount=0.4)[0]
    noise = logarithm(multiply(conjugate(given[0].rotations), made.rotations))
    moves = 0.5 / np.sqrt(2.0)
    assert noise[:, LEFT, 0].std() == pytest.approx(0.4 * moves, rel=0.1)
    assert noise[:, RIGHT, 0].std() == pytest.approx(0.4 * 0.3 * moves, rel=0.1)


def test_perlin_is_band_limited_and_of_unit_size():
    times = np.arange(6000) / 60.0
    values = perlin(times, 20, np.random.default_rng(2), slowest=1.0, octaves=1)
    assert np.sqrt((values**2).mean()) == pytest.approx(1.0, rel=0.05)
    power = (np.abs(np.fft.rfft(values, axis=0)) ** 2).mean(axis=1)
    frequencies = np.fft.rfftfreq(len(times), 1 / 60.0)
    assert power[(frequencies > 0.2) & (frequencies < 1.5)].sum() > 0.9 * power.sum()
    assert power[frequencies > 4.0].sum() < 0.001 * power.sum()
    three = perlin(times, 20, np.random.default_rng(2), slowest=1.0, octaves=3)
    assert np.sqrt((three**2).mean()) == pytest.approx(1.0, rel=0.05)
    faster = (np.abs(np.fft.rfft(three, axis=0)) ** 2).mean(axis=1)
    assert faster[frequencies > 2.5].sum() > 5.0 * power[frequencies > 2.5].sum()


def test_change_is_the_mean_square_of_angles_whatever_the_timing():
    straight = swing(height=0.5, together=0.0)
    assert change_between(straight, straight) == 0.0
    assert change_between(straight, swing(times=np.linspace(0.0, 119 / 30.0, 180), together=0.0)) < 2e-4
    still = [swing(height=0.0), swing(height=0.0, lean=0.2)]
    assert change_between(*still) == pytest.approx(0.2**2 / 7)


@pytest.mark.parametrize("noise", NOISES)
def test_noise_is_matched_to_variants(noise):
    inputs, variants = several(3), several(5, first=50, height=0.62)
    wanted = measure_change(inputs, variants)
    amount = match_amount(inputs, variants, noise, seed=3)
    made = noise(inputs, 6, seed=3, amount=amount)
    reached = [
        float((angle_between(one.rotations, inputs[k % 3].rotations) ** 2).mean()) for k, one in enumerate(made)
    ]
    assert np.mean(reached) == pytest.approx(wanted.mean, rel=0.02)
    assert match_amount(inputs[:1] * 2, inputs[:1], perlin_noise) == 0.0


def test_bad_input_is_refused():
    with pytest.raises(ClipError, match="two or more"):
        naive_noise(several(1), 2)
    with pytest.raises(ClipError, match="no clip"):
        perlin_noise([], 2)
    with pytest.raises(ClipError, match="amount"):
        perlin_noise(several(2), 2, amount=float("nan"))
    with pytest.raises(ClipError, match="frames"):
        perlin_noise([swing(2)], 1)
