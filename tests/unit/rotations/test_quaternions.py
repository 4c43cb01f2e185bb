"""Quaternions against matrices, scipy and their own algebra."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from walkon import rotations as rot

ORDERS = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]
angles = st.floats(-3.14, 3.14)


def random_quaternions(count, seed=0):
    return rot.normalize(np.random.default_rng(seed).normal(size=(count, 4)))


def scipy_of(q):
    return Rotation.from_quat(np.roll(q, -1, axis=-1))


def test_products_and_turned_vectors_agree_with_scipy():
    a, b = random_quaternions(50, 1), random_quaternions(50, 2)
    v = np.random.default_rng(3).normal(size=(50, 3))
    np.testing.assert_allclose(rot.rotate(rot.multiply(a, b), v), (scipy_of(a) * scipy_of(b)).apply(v), atol=1e-12)
    np.testing.assert_allclose(rot.to_matrix(a), scipy_of(a).as_matrix(), atol=1e-12)
    np.testing.assert_allclose(rot.rotate(rot.conjugate(a), rot.rotate(a, v)), v, atol=1e-12)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_are_intrinsic_and_return(order):
    given_angles = np.random.default_rng(4).uniform(-3, 3, size=(100, 3))
    q = rot.from_euler(given_angles, order)
    expected = Rotation.from_euler(order, given_angles).as_matrix()
    np.testing.assert_allclose(rot.to_matrix(q), expected, atol=1e-12)
    assert rot.angle_between(rot.from_euler(rot.to_euler(q, order), order), q).max() < 1e-7


@pytest.mark.parametrize("order", ORDERS)
@given(first=angles, last=angles, up=st.booleans(), off=st.sampled_from([0.0, 1e-14, 1e-9, 1e-6, 1e-4]))
def test_gimbal_lock_and_its_neighbourhood_lose_no_rotation(order, first, last, up, off):
    q = rot.from_euler([first, (np.pi / 2 - off) * (1 if up else -1), last], order)
    assert rot.angle_between(rot.from_euler(rot.to_euler(q, order), order), q) < 1e-9


def test_the_last_angle_is_zero_in_gimbal_lock():
    half = np.sqrt(0.5)
    assert rot.to_euler([half, 0.0, half, 0.0], "XYZ")[2] == 0.0


def test_matrices_of_half_turns_give_their_quaternions_back():
    q = np.vstack([np.eye(4), random_quaternions(100, 5)])
    assert rot.angle_between(rot.from_matrix(rot.to_matrix(q)), q).max() < 1e-7


def test_shortest_rotation_between_directions_even_opposite_ones():
    rng = np.random.default_rng(6)
    a, b = rng.normal(size=(2, 60, 3))
    b[:10] = -a[:10]
    b[10:20] = a[10:20]
    turned = rot.rotate(rot.from_two_vectors(a, b), a / np.linalg.norm(a, axis=1, keepdims=True))
    np.testing.assert_allclose(turned, b / np.linalg.norm(b, axis=1, keepdims=True), atol=1e-7)


def test_heading_of_a_tilted_turn_is_the_turn():
    heading = np.linspace(-3.0, 3.0, 13)
    tilt = rot.from_axis_angle([1.0, 0.0, 0.0], 0.4)
    np.testing.assert_allclose(
        rot.heading_of(rot.multiply(rot.rotation_about_y(heading), tilt)), heading, atol=1e-12
    )
    np.testing.assert_allclose(rot.rotate(rot.rotation_about_y(np.pi / 2), [0, 0, 1.0]), [1, 0, 0], atol=1e-12)


def test_logarithm_and_exponential_undo_each_other():
    q = np.vstack([random_quaternions(100, 7), rot.IDENTITY, -rot.IDENTITY])
    assert rot.angle_between(rot.exponential(rot.logarithm(q)), q).max() < 1e-7
    assert np.linalg.norm(rot.logarithm(q), axis=1).max() <= np.pi + 1e-9


@given(st.floats(0, 1))
def test_slerp_goes_the_short_way_at_even_speed(weight):
    a, b = rot.from_axis_angle([0, 1.0, 0], 0.2), -rot.from_axis_angle([0, 1.0, 0], 1.4)
    assert abs(rot.heading_of(rot.slerp(a, b, weight)) - (0.2 + 1.2 * weight)) < 1e-9


def test_continuous_keeps_rotations_and_removes_sign_flips():
    smooth = rot.rotation_about_y(np.linspace(0, 9, 60))[:, None]
    flipped = smooth * np.random.default_rng(8).choice([-1.0, 1.0], size=(60, 1, 1))
    mended = rot.continuous(flipped)
    assert rot.angle_between(mended, smooth).max() < 1e-9
    assert np.all(np.sum(mended[1:] * mended[:-1], axis=-1) > 0)


def test_a_zero_quaternion_becomes_the_identity():
    np.testing.assert_array_equal(rot.normalize([0, 0, 0, 0]), rot.IDENTITY)


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_normalize_works_at_any_size(size):
    np.testing.assert_allclose(rot.normalize(size * np.array([1.0, 1.0, -1.0, 1.0])), [0.5, 0.5, -0.5, 0.5])
