"""Placements form a group and agree with matrices."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from walkon.rotations import Placement, rotate

numbers = st.floats(-50, 50)
placements = st.builds(Placement, numbers, numbers, st.floats(-3.1, 3.1))


def as_matrix(p):
    c, s = np.cos(p.heading), np.sin(p.heading)
    return np.array([[c, s, p.x], [-s, c, p.z], [0, 0, 1]])


@given(placements, placements)
def test_composition_is_the_product_of_matrices(a, b):
    np.testing.assert_allclose(as_matrix(a @ b), as_matrix(a) @ as_matrix(b), atol=1e-9)


@given(placements)
def test_inverse_undoes(a):
    np.testing.assert_allclose(as_matrix(a @ a.inverse()), np.eye(3), atol=1e-9)
    np.testing.assert_allclose(as_matrix(a.inverse() @ a), np.eye(3), atol=1e-9)


@given(placements)
def test_points_turn_as_the_quaternion_does(a):
    v = np.array([[0.3, 1.7, -0.4]])
    np.testing.assert_allclose(a.points(v), rotate(a.quaternion(), v) + np.array([a.x, 0, a.z]), atol=1e-9)


def test_heading_looks_from_z_towards_x():
    np.testing.assert_allclose(Placement(heading=np.pi / 2).points([0, 0, 1.0]), [1, 0, 0], atol=1e-12)
