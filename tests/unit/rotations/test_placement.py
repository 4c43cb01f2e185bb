"""Placements form a group and agree with matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walkon.rotations import (
    Placement,
    carry,
    carry_back,
    compose,
    rotate,
    seen_from,
    turn,
    turn_back,
    wrap_angles,
)

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


rng = np.random.default_rng(5)
ROWS = rng.uniform(-3, 3, (4, 3))
CLOUDS = rng.normal(size=(4, 6, 3))


def test_rows_of_points_are_carried_as_each_placement_would():
    by_hand = np.stack([Placement(*row).points(cloud) for row, cloud in zip(ROWS, CLOUDS, strict=True)])
    assert np.array_equal(carry(ROWS, CLOUDS), by_hand)
    assert np.array_equal(carry(ROWS, CLOUDS[..., [0, 2]]), by_hand[..., [0, 2]])
    assert np.array_equal(carry(ROWS[0], CLOUDS[0]), by_hand[0])


def test_carrying_back_undoes_carrying():
    np.testing.assert_allclose(carry_back(ROWS, carry(ROWS, CLOUDS)), CLOUDS, atol=1e-12)
    np.testing.assert_allclose(turn_back(ROWS[:, 2], turn(ROWS[:, 2], CLOUDS)), CLOUDS, atol=1e-12)
    np.testing.assert_allclose(seen_from(ROWS, compose(ROWS, CLOUDS[:, 0])), CLOUDS[:, 0], atol=1e-12)


def test_rows_compose_as_placements_do():
    for row, other, found in zip(ROWS, CLOUDS[:, 0], compose(ROWS, CLOUDS[:, 0]), strict=True):
        assert as_matrix(Placement(*found)) == pytest.approx(as_matrix(Placement(*row) @ Placement(*other)))


def test_what_is_carried_stays_as_it_was():
    points = CLOUDS.copy()
    for moved in (carry, carry_back, compose):
        moved(ROWS, points if moved is not compose else points[:, 0])
    turn(ROWS[:, 2], points)
    assert np.array_equal(points, CLOUDS)


def test_angles_wrap_into_one_turn():
    np.testing.assert_allclose(wrap_angles([0.5, 7.0, -7.0]), [0.5, 7.0 - 2 * np.pi, 2 * np.pi - 7.0])
