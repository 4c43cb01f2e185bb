"""Paths to walk along: as long and as round as they say, and a word that can be read."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.graphs.searching.shapes import SHAPES, circle, hello, letter_s, line


def length(points):
    return float(np.hypot(*np.diff(points, axis=0).T).sum())


def test_shapes_have_their_lengths():
    assert length(line(7.0)) == pytest.approx(7.0)
    assert length(circle(2.0)) == pytest.approx(4.0 * np.pi, rel=1e-3)
    assert length(letter_s(1.5)) == pytest.approx(3.0 * np.pi, rel=1e-3)
    assert 50.0 < length(hello()) < 80.0


def test_no_path_has_corners_but_the_line_ends():
    for name, make in SHAPES.items():
        points = make()
        if len(points) > 2:
            ways = np.diff(points, axis=0)
            turns = np.angle(np.exp(1j * np.diff(np.arctan2(ways[:, 1], ways[:, 0]))))
            assert np.abs(turns).max() < 0.35, name


def test_the_word_is_written_from_left_to_right_and_upwards():
    points = hello()
    assert points[-1, 0] - points[0, 0] == pytest.approx(15.0)
    # Three letters are high, and a plan has z down.
    high = points[:, 1] < -4.3
    assert np.flatnonzero(np.diff(high.astype(int)) == 1).size == 3
    assert points[:, 1].max() < 0.3
