"""Distances between sets of clips: nothing between the same, and what was changed is what is found."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.variation.evaluation import fit_dofs, measure_coverage
from walkon.variation.evaluation.distributions import (
    correlation_difference,
    greatest_gap,
    pair_transport,
    transport,
)
from walkon.variation.evaluation.spectra import spectral_distance, spectrum

SPEC = importlib.util.spec_from_file_location("moving", Path(__file__).with_name("moving.py"))
moving = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(moving)
several, swing, turned = moving.several, moving.swing, moving.turned


def cloud(frames=4000, seed=0):
    return np.random.default_rng(seed).standard_normal((frames, 3))


def test_degrees_of_freedom_are_those_that_move_wherever_the_body_is():
    clips = several(3)
    dofs = fit_dofs(clips)
    assert set(dofs.names) == {"left_hip x", "right_hip x"}
    values = np.concatenate([dofs.measure(clip) for clip in clips])
    np.testing.assert_allclose(values.mean(axis=0), 0.0, atol=1e-9)
    np.testing.assert_allclose(values.std(axis=0), 1.0, atol=1e-9)
    np.testing.assert_allclose(dofs.measure(turned(clips[0], 2.0, 3.0, -1.0)), dofs.measure(clips[0]), atol=1e-7)
    with_speed = fit_dofs(clips, [swing(times=np.linspace(0.0, 2.0, 60) ** 2)])
    assert "ahead" in with_speed.names
    fast = with_speed.raw(swing(speed=1.4))[:, with_speed.names.index("ahead")]
    np.testing.assert_allclose(fast, 1.4, atol=1e-6)
    np.testing.assert_allclose(with_speed.raw(turned(swing(speed=1.4), 1.0, 0, 0))[:, 0], 1.4, atol=1e-6)


def test_transport_of_a_shift_is_the_shift_and_of_a_stretch_what_moves():
    a = cloud()
    np.testing.assert_allclose(transport(a, a), 0.0)
    np.testing.assert_allclose(transport(a, np.add(a[::-1], [0.0, 0.3, -0.5])), [0.0, 0.3, 0.5], atol=1e-9)
    assert transport(a, 2.0 * a)[0] == pytest.approx(np.sqrt(2 / np.pi), rel=0.05)


def test_the_greatest_gap_is_that_of_kolmogorov_and_smirnov():
    stats = pytest.importorskip("scipy.stats")
    a, b = cloud(300), np.add(cloud(170, 1), [0.0, 0.5, 3.0])
    np.testing.assert_allclose(greatest_gap(a, b), [stats.ks_2samp(a[:, k], b[:, k]).statistic for k in range(3)])


def test_pairs_tell_what_single_columns_do_not():
    a = cloud()
    together = a.copy()
    together[:, 1] = a[:, 0]
    apart = cloud(seed=1)
    assert transport(together, apart).max() < 0.1
    assert correlation_difference(together, apart) == pytest.approx(1.0 / np.sqrt(3), abs=0.05)
    assert pair_transport(together, apart) > 3.0 * pair_transport(a, apart)
    # The sum has a deviation of 2 instead of the root of 2, the difference 0.
    by_hand = (2.0 - np.sqrt(2.0) + np.sqrt(2.0)) * np.sqrt(2.0 / np.pi) / (2.0 * np.sqrt(2.0))
    assert pair_transport(together[:, :2], apart[:, :2]) == pytest.approx(by_hand, rel=0.05)
    assert correlation_difference(a, a) == 0.0
    assert pair_transport(a, a) == 0.0
    assert correlation_difference(a[:, :1], a[:, :1]) == 0.0


def test_spectra_know_how_fast_things_move():
    times = np.arange(900) / 30.0
    slow, fast = (np.sin(2 * np.pi * rate * times)[:, None] for rate in (2.0, 5.0))
    power = spectrum([slow], 30.0, 30)
    assert power[:, 0].argmax() == 2
    assert power.sum() == pytest.approx(0.5, rel=0.01)
    assert spectral_distance([slow], [slow[::-1]], 30.0)[0] < 0.1
    # Twice as high is four times the power: 6 dB, wherever it is above the floor.
    noise = np.random.default_rng(0).standard_normal((9000, 1))
    assert spectral_distance([noise], [2.0 * noise], 30.0)[0] == pytest.approx(6.02, abs=0.05)
    assert spectral_distance([slow], [fast], 30.0)[0] > 10.0


def test_coverage_of_the_same_is_full_and_of_a_part_is_not():
    parts = [cloud(200, seed) * [3.0, 1.0, 0.1] for seed in range(4)]
    others = [cloud(200, 10 + seed) * [3.0, 1.0, 0.1] for seed in range(4)]
    same = measure_coverage(others, parts)
    assert same.dimensions == 2
    assert same.span > 0.99
    assert same.precision > 0.95
    assert same.recall > 0.95
    narrow = measure_coverage([part * [0.1, 0.1, 0.1] for part in others], parts)
    assert narrow.precision > 0.95
    assert narrow.recall < 0.5
    wide = measure_coverage([part * [4.0, 4.0, 1.0] for part in others], parts)
    assert wide.precision < 0.6
    flat = measure_coverage([part * [0.0, 1.0, 5.0] for part in others], parts)
    assert flat.span < 0.2
    assert measure_coverage(others[:1], parts[:1]).precision > 0.8
