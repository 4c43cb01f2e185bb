"""Curves with given values, speeds and accelerations at their knots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import BPoly

from walkon.builtin.gait.curves import held, quintic

numbers = st.floats(-10.0, 10.0)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=2, max_size=6), st.integers(0, 1000))
def test_quintic_pieces_are_the_ones_scipy_makes(knots, seed):
    times = np.cumsum(np.random.default_rng(seed).uniform(0.1, 1.0, len(knots)))
    given_at = np.array(knots)
    ask = np.linspace(times[0], times[-1], 41)
    expected = BPoly.from_derivatives(times, given_at)(ask)
    np.testing.assert_allclose(quintic(times, *given_at.T)(ask), expected, atol=1e-8)


def test_a_curve_stays_where_it_begins_and_ends():
    curve = quintic([1.0, 2.0], [[3.0, 4.0], [5.0, 6.0]], np.zeros((2, 2)), np.zeros((2, 2)))
    np.testing.assert_allclose(curve([0.0, 9.0]), [[3.0, 4.0], [5.0, 6.0]])
    assert curve(1.5).shape == (2,)


def test_held_curves_hold_between_stretches_and_have_no_jumps():
    curve = held([{0.0: 0.0, 0.3: -20.0, 0.5: -60.0, 1.0: 15.0, 1.2: 0.0}, {2.0: 0.0, 2.4: -50.0, 3.0: 0.0}])
    times = np.linspace(-0.5, 3.5, 40001)
    values = curve(times)
    assert np.abs(values[(times > 1.2) & (times < 2.0)]).max() < 1e-12
    assert curve(0.5) == pytest.approx(-60.0)
    step = times[1] - times[0]
    bends = np.diff(values, 2) / step**2
    assert np.abs(np.diff(bends)).max() < 0.01 * np.abs(bends).max()


def test_nothing_cannot_be_joined():
    with pytest.raises(ValueError, match="at least one"):
        held([])
