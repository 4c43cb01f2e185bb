from __future__ import annotations

import math
import random

import numpy as np
import pytest

from walkon.motion.readers._kernels import (
    DONE,
    HARD_TOKEN,
    LONG_ROW,
    SHORT_ROW,
    longest_steps,
    scan_rows,
    turn_by_channels,
)
from walkon.rotations import angle_between, from_euler


def scan(text: str, columns: int):
    data = np.frombuffer(text.encode(), np.uint8)
    values = np.full((len(text) // (2 * columns) + 1, columns), np.nan)
    status, position, line, row, column = scan_rows(data, 0, 1, columns, values, 0, 0)
    return status, int(position), line, row, column, values


def scan_token(token: str) -> float | None:
    """What the scanner makes of one token, or None when it leaves it to the caller."""
    status, *_, values = scan(token, 1)
    return float(values[0, 0]) if status == DONE else None


PLAIN = ["0", "-0", "7", "+7", "-7.5", ".5", "5.", "-.0083333", "007.250", "100000000.0"]
LONG = [
    "0.014563697255502847",
    "-123.456789012345678901",
    "0.00012345678901234567890",
    "1234567890123456789e-15",
]
POWERS = ["1e2", "1E+2", "25e-1", "1.5e0", "0e9999", "0e-9999"]
LEFT = ["nan", "inf", "-", "+", ".", "-.", "e5", "1e", "0e", "1e+", "1.2.3", "1-2", "0x1", "1_0", "1d5", "1,5"]
LEFT += ["1e400", "1e-400", "1e10", "1e9999999999999999999"]


@pytest.mark.parametrize("token", [*PLAIN, *LONG, *POWERS])
def test_numbers_are_read_as_python_reads_them(token):
    value = scan_token(token)
    assert value is not None
    assert value == float(token)
    assert math.copysign(1.0, value) == math.copysign(1.0, float(token))


@pytest.mark.parametrize("token", LEFT)
def test_anything_else_is_left_to_the_caller(token):
    assert scan_token(token) is None


def test_random_doubles_in_many_notations_are_exact():
    rng = random.Random(7)
    for _ in range(5_000):
        value = rng.uniform(-1, 1) * 10.0 ** rng.randint(-6, 6)
        digits = rng.randint(0, 20)
        token = rng.choice([repr(value), f"{value:.{digits}f}", f"{value:.{digits}e}", f"{value:+.6g}"])
        read = scan_token(token)
        assert read is None or read == float(token), token
        # Nothing an exporter would print may take the slow road.
        assert read is not None or abs(float(token)) < 1e-3 or "e" in token


def test_rows_lines_and_columns_are_counted():
    status, _, line, row, column, values = scan("1 2\r\n\r3\t4\n", 2)
    assert (status, line, row, column) == (DONE, 4, 2, 0)
    np.testing.assert_array_equal(values[:2], [[1, 2], [3, 4]])
    assert scan("1 2\n3", 2)[:5] == (SHORT_ROW, 5, 2, 1, 1)
    assert scan("1 2\n3\n4 5", 2)[:5] == (SHORT_ROW, 5, 2, 1, 1)
    assert scan("1 2 3\n", 2)[:5] == (LONG_ROW, 4, 1, 0, 2)
    assert scan("1\n x", 1)[:5] == (HARD_TOKEN, 3, 2, 1, 0)


def test_channels_turn_joints_as_euler_angles_do():
    rng = np.random.default_rng(3)
    values = rng.uniform(-400, 400, (20, 5))
    values[rng.random(values.shape) < 0.2] = 0.0
    columns, joints, axes = np.array([[0, 1, 0], [1, 1, 2], [3, 2, 1], [4, 1, 1]]).T.copy()
    rotations = np.full((20, 4, 4), np.nan)
    turn_by_channels(values, columns, joints, axes, rotations)
    assert (angle_between(rotations[:, 0], [1.0, 0, 0, 0]) == 0).all()
    assert angle_between(rotations[:, 1], from_euler(np.radians(values[:, [0, 1, 4]]), "XZY")).max() < 1e-7
    assert angle_between(rotations[:, 2], from_euler(np.radians(values[:, [3]]), "Y")).max() < 1e-7
    assert (np.einsum("fjk,fjk->fj", rotations[1:], rotations[:-1]) >= 0).all()


def test_longest_steps_agree_with_numpy():
    positions = np.random.default_rng(4).normal(size=(9, 5, 3))
    steps = np.empty(8)
    longest_steps(positions, steps)
    np.testing.assert_allclose(steps, np.linalg.norm(np.diff(positions, axis=0), axis=2).max(axis=1))
