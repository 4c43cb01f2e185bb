"""Jerk and uprightness, on motion that was made to have them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.variation.evaluation import measure_smoothness, measure_steadiness

SPEC = importlib.util.spec_from_file_location("moving", Path(__file__).with_name("moving.py"))
moving = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(moving)
FPS, several, swing = moving.FPS, moving.several, moving.swing


def test_jerk_is_the_third_derivative():
    still = swing(height=0.0, speed=0.0)
    times = np.arange(120) / FPS
    roots = still.root_positions + np.stack([0 * times, 0 * times, 0.5 * times**3], axis=1)
    found = measure_smoothness([still, still.with_changes(root_positions=roots), swing(3)])
    np.testing.assert_allclose(found.means, [0.0, 3.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(found.peaks, [0.0, 3.0, 0.0], atol=1e-6)
    rough = measure_smoothness([swing(), swing(noise=0.01)])
    assert rough.means[1] > 3.0 * rough.means[0]
    assert rough.peaks[1] > 3.0 * rough.peaks[0]


def test_who_goes_on_as_before_stays_upright_and_does_not_drift():
    found = measure_steadiness(swing(1900), several(3))
    assert len(found.times) == 6
    assert found.times[1] == pytest.approx(10.0)
    assert found.is_upright
    assert found.stays
    assert abs(found.trend) < 0.05
    np.testing.assert_allclose(found.spreads, 1.0, atol=0.1)


def test_who_falls_sinks_freezes_or_drifts_is_found():
    inputs, stream = several(3), swing(1800)
    leaning = swing(300, lean=0.5)
    fallen = stream.rotations.copy()
    fallen[700:720, 0] = leaning.rotations[0, 0]
    found = measure_steadiness(stream.with_changes(rotations=fallen), inputs)
    assert not found.is_upright
    assert np.flatnonzero(found.tilts > 0.4).tolist() == [2]
    sunk = stream.root_positions - np.linspace(0.0, 0.3, 1800)[:, None] * [0.0, 1.0, 0.0]
    found = measure_steadiness(stream.with_changes(root_positions=sunk), inputs)
    assert not found.is_upright
    assert found.heights[-1, 0] == pytest.approx(0.7)
    assert not found.stays
    assert found.trend > 0.5
    assert measure_steadiness(swing(600, height=0.0), inputs).spreads.max() < 0.1
