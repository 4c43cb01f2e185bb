"""Drifts: small, smooth, gone at both ends."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.drift import drift


def test_a_drift_vanishes_at_both_ends_and_outside():
    curve = drift(np.random.default_rng(0), 2.0, 1.5)
    times = np.array([-1.0, 0.0, 1.5, 3.0])
    assert curve(times) == pytest.approx(np.zeros(4))
    inside = curve(np.linspace(0, 1.5, 100))
    assert 0.1 < np.abs(inside).max() < 8.0
    # Two derivatives vanish too: a little of the way in, hardly anything has happened.
    assert np.abs(curve(np.array([0.09, 1.41]))).max() < 1e-3 * np.abs(inside).max()


def test_drifts_differ_by_their_randomness_only():
    times = np.linspace(0, 1, 20)
    first, same = (drift(np.random.default_rng(4), 1.0, 1.0)(times) for _ in range(2))
    assert first.tobytes() == same.tobytes()
    assert not np.allclose(first, drift(np.random.default_rng(5), 1.0, 1.0)(times))
