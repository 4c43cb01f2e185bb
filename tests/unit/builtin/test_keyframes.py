"""Curves go through their keys, as smoothly as they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.builtin.keyframes import (
    bridge,
    cycle,
    cycle_channels,
    ease,
    held_cycle,
    read_table,
    sequence,
    sequence_channels,
)

KEYS = {0.0: 1.0, 0.2: 1.0, 0.5: -2.0, 0.7: 4.0}


def jump_in_derivatives(curve, at: float, step: float = 1e-4) -> tuple[float, float]:
    """How much slope and curvature differ on the two sides of a time."""
    before, after = (curve(at + side * step * np.array([0.0, 1.0, 2.0])) for side in (-1, 1))
    slopes = (before[0] - before[1]) / step, (after[1] - after[0]) / step
    bends = (np.diff(before, 2)[0] / step**2, np.diff(after, 2)[0] / step**2)
    return abs(slopes[1] - slopes[0]), abs(bends[1] - bends[0])


@pytest.mark.parametrize("join", [cycle, held_cycle, sequence])
def test_curves_pass_through_their_keys(join):
    np.testing.assert_allclose(join(KEYS)(np.array(list(KEYS))), list(KEYS.values()), atol=1e-12)


@pytest.mark.parametrize("join", [cycle, held_cycle])
def test_cycles_repeat_in_both_directions(join):
    phases = np.linspace(0, 1, 50, endpoint=False)
    for turns in (-3, 1, 7):
        np.testing.assert_allclose(join(KEYS)(phases + turns), join(KEYS)(phases), atol=1e-9)


@pytest.mark.parametrize("join", [cycle, held_cycle, sequence])
@pytest.mark.parametrize("key", [0.2, 0.5])
def test_slope_and_curvature_are_continuous_at_keys(join, key):
    slope, bend = jump_in_derivatives(join(KEYS), key)
    assert slope < 0.2
    assert bend < 10.0


def test_a_cycle_is_smooth_across_its_seam():
    slope, bend = jump_in_derivatives(cycle({0.1: 1.0, 0.4: 2.0, 0.8: -1.0}), 1.0)
    assert slope < 0.2
    assert bend < 10.0


@given(st.lists(st.floats(-50, 50), min_size=2, max_size=8))
@settings(max_examples=40, deadline=None)
def test_a_sequence_never_overshoots(values):
    curve = sequence(dict(enumerate(values)))
    sampled = curve(np.linspace(-1, len(values), 301))
    assert sampled.min() >= min(values) - 1e-6
    assert sampled.max() <= max(values) + 1e-6


def test_equal_neighbours_are_held():
    inside = np.linspace(0.0, 0.2, 20)
    np.testing.assert_allclose(sequence(KEYS)(inside), 1.0, atol=1e-12)
    np.testing.assert_allclose(held_cycle(KEYS)(inside), 1.0, atol=1e-12)


def test_a_sequence_rests_outside_its_keys():
    np.testing.assert_allclose(sequence(KEYS)([-5.0, 9.0]), [1.0, 4.0])
    np.testing.assert_allclose(sequence({2.0: 3.0})([0.0, 2.0, 4.0]), 3.0)


def test_a_bridge_leaves_and_arrives_as_told():
    curve = bridge(1.0, 3.0, np.array([0.0, 5.0]), np.array([2.0, -1.0]), {0.5: 7.0})
    np.testing.assert_allclose(curve([1.0, 2.0, 3.0]), [0.0, 7.0, 5.0], atol=1e-12)
    step = 1e-6
    assert (curve(1.0 + step) - curve(1.0)) / step == pytest.approx(2.0, abs=1e-3)
    assert (curve(3.0) - curve(3.0 - step)) / step == pytest.approx(-1.0, abs=1e-3)


def test_ease_goes_from_rest_to_rest():
    np.testing.assert_allclose(ease([-1.0, 0.0, 0.5, 1.0, 2.0]), [0, 0, 0.5, 1, 1])
    assert ease(1e-3) < 1e-7


def test_tables_read_as_they_look():
    text = """
    time  a    b
    0     1    .     # b has no key yet
    0.5   2    5

    1     .   -6
    """
    assert {name: dict(keys) for name, keys in read_table(text).items()} == {
        "a": {0.0: 1.0, 0.5: 2.0},
        "b": {0.5: 5.0, 1.0: -6.0},
    }
    assert sequence_channels(text, 0.5) == {"a": pytest.approx(2.0), "b": pytest.approx(5.0)}


def test_tables_of_phases_become_cycles():
    channels = cycle_channels("phase a\n0 1\n0.5 3", np.array([0.0, 0.5, 1.0]))
    np.testing.assert_allclose(channels["a"], [1, 3, 1], atol=1e-12)


def test_a_row_with_a_missing_column_is_refused():
    with pytest.raises(ValueError, match=r"row at 0\.5 has 1 values for 2 channels"):
        read_table("time a b\n0 1 2\n0.5 1")


@pytest.mark.parametrize("phases", [[0.0], [0.0, 1.0], [-0.1, 0.5]])
def test_a_cycle_wants_phases_inside_one_turn(phases):
    with pytest.raises(ValueError, match="phases in"):
        cycle(dict.fromkeys(phases, 1.0))
