"""Copies are found, wherever they stand; and what is none is none."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.motion import crop
from walkon.rotations import from_axis_angle
from walkon.variation.evaluation import among_themselves, find_copies

SPEC = importlib.util.spec_from_file_location("moving", Path(__file__).with_name("moving.py"))
moving = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(moving)
LEFT, several, swing, turned = moving.LEFT, moving.several, moving.swing, moving.turned


def test_a_copy_is_found_wherever_it_stands():
    inputs = several(3)
    found = find_copies(inputs, [turned(crop(inputs[1], 20, 90), 1.3, -4.0, 2.0)])
    assert found.copied.all()
    assert found.positions.max() < 1e-9
    assert found.angles.max() < 1e-7
    assert found.timings.max() < 1e-9


def test_one_copied_frame_among_others_is_found():
    inputs = several(3, leans=0.05)
    variant = swing(height=0.9, rate=0.9, lean=0.2)
    rotations = variant.rotations.copy()
    rotations[47] = -inputs[2].rotations[31]
    found = find_copies(inputs, [variant.with_changes(rotations=rotations)])
    assert np.flatnonzero(found.copied).tolist() == [47]
    assert found.least_position < 1e-9
    assert np.delete(found.positions, 47).min() > 1e-4


def test_distances_are_those_of_the_nearest_frame():
    still = swing(1, height=0.0, speed=0.0)
    bent = still.rotations.copy()
    bent[:, LEFT] = from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.01)
    found = find_copies(
        [swing(4, height=0.0, speed=0.0), swing(4, height=0.0, lean=0.5)], [still.with_changes(rotations=bent)]
    )
    # One of seven joints turns by 0.01 rad, and moves the end of a bone of 0.5 m.
    assert found.angles[0] == pytest.approx(0.01 / np.sqrt(7), rel=1e-3)
    assert found.positions[0] == pytest.approx(0.005 / np.sqrt(7), rel=1e-3)


def test_other_timing_is_measured():
    inputs = several(3, phase=0.0, rate=1.0)
    steady = swing(height=0.52)
    late = swing(times=np.arange(120) / 30.0 + 0.12 * np.sin(np.arange(120) / 30.0 * np.pi / 2), height=0.52)
    same, other = find_copies(inputs, [steady]), find_copies(inputs, [late])
    assert same.timings[0] < 0.01
    # A sine of 0.12 s is 0.076 s from its median, on average.
    assert other.timings[0] == pytest.approx(0.076, abs=0.02)


def test_long_streams_are_cut_and_single_clips_have_nothing_to_be_alike_with():
    inputs = several(2)
    stream = swing(1000, rate=1.02)
    assert len(find_copies(inputs, [stream]).timings) == 8
    assert among_themselves(inputs[:1]) is None
    found = among_themselves(inputs)
    assert found is not None
    assert len(found.positions) == 240
    assert found.least_position > 0.0
    assert among_themselves([inputs[0], inputs[0].with_changes(name="again")]).copied.all()
