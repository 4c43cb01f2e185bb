"""A foot on a board is carried; the same foot without the board slides."""

from __future__ import annotations

import numpy as np

from walkon.metrics.audit.feet import _carried


def test_only_what_is_clearly_under_the_foot_carries_it():
    heel, wheel, hand = [0.0, 0.15, 0.0], [0.1, 0.03, 0.2], [0.0, 0.02, 2.0]
    rides = np.array([[heel, heel, wheel, hand]] * 3)
    assert _carried(rides, {0, 1}, 0).all()
    wheels_away, wheels_level = rides.copy(), rides.copy()
    wheels_away[:, 2, 0] = 0.6
    wheels_level[:, 2, 1] = 0.12
    assert not _carried(wheels_away, {0, 1}, 0).any()
    assert not _carried(wheels_level, {0, 1}, 0).any()


def test_toes_of_the_same_foot_carry_nothing():
    points = np.array([[[0.0, 0.1, 0.0], [0.0, 0.02, 0.1]]])
    assert not _carried(points, {0, 1}, 0).any()
