"""Lines that legs follow: by all places, no further from them than allowed, and into a facing at the end."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.directing.courses import Corner, arc_of, lay_course, length_of, point_at


def nearest(course: np.ndarray, x: float, z: float) -> float:
    """Distance of a line from a point, by brute force."""
    fine = np.array([point_at(course, arc) for arc in np.linspace(0.0, length_of(course), 4000)])
    return float(np.hypot(fine[:, 0] - x, fine[:, 1] - z).min())


def test_one_place_is_a_straight_line():
    course = lay_course((1.0, 2.0), [Corner(4.0, 6.0, 0.5)])
    np.testing.assert_allclose(course, [[1.0, 2.0], [4.0, 6.0]])
    assert length_of(course) == pytest.approx(5.0)
    assert point_at(course, 2.5) == pytest.approx((2.5, 4.0))
    assert point_at(course, 99.0) == pytest.approx((4.0, 6.0))


@pytest.mark.parametrize("slack", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("turn", [30.0, 90.0, 150.0, 179.0])
def test_corners_are_round_and_not_missed(slack, turn):
    angle = math.radians(turn)
    end = (4.0 * math.sin(angle), 5.0 + 4.0 * math.cos(angle))
    course = lay_course((0.0, 0.0), [Corner(0.0, 5.0, slack), Corner(*end, 0.5)])
    assert nearest(course, 0.0, 5.0) <= 0.5 * slack + 1e-3
    np.testing.assert_allclose(course[[0, -1]], [(0.0, 0.0), end])
    steps = np.diff(course, axis=0)
    bends = np.abs(np.angle(np.exp(1j * np.diff(np.arctan2(*steps.T)))))
    # Where one turns back there is nothing to cut.
    assert turn > 170.0 or bends.max() < max(math.radians(60.0), 0.8 * angle)


def test_drawn_points_are_not_rounded():
    points = [(0.0, 1.0), (1.0, 1.0), (1.0, 2.0)]
    course = lay_course((0.0, 0.0), [Corner(x, z, 0.5, sharp=True) for x, z in points])
    np.testing.assert_allclose(course, [(0.0, 0.0), *points])


@pytest.mark.parametrize("heading", [0.0, 1.5, 3.0, -2.0])
def test_a_facing_is_run_into(heading):
    course = lay_course((0.0, 0.0), [Corner(0.0, 6.0, 0.5)], heading)
    (x0, z0), (x1, z1) = point_at(course, length_of(course) - 0.2), course[-1]
    assert math.remainder(math.atan2(x1 - x0, z1 - z0) - heading, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_allclose(course[-1], (0.0, 6.0))


def test_a_place_where_one_is_already_is_no_line():
    assert len(lay_course((1.0, 1.0), [Corner(1.0, 1.0, 0.5)])) == 1
    assert len(lay_course((1.0, 1.0), [Corner(1.0, 1.0, 0.5), Corner(1.0, 3.0, 0.5)])) == 2


def test_arcs_are_found_in_order():
    course = lay_course((0.0, 0.0), [Corner(4.0, 0.0, 0.0, True), Corner(0.0, 0.0, 0.0, True)])
    assert arc_of(course, 1.0, 0.3) == pytest.approx(1.0)
    assert arc_of(course, 1.0, 0.3, after=2.0) == pytest.approx(7.0)
    assert arc_of(course, 9.0, 0.0) == pytest.approx(4.0)
