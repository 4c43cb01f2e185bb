"""What is left after some seconds: the least is never said to be more, and nothing is cut short that counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba import njit

from walkon.crowd.live import Live
from walkon.crowd.live._kernels_foresight import SPARE, View, left_along, left_up_to, whole_reach

SPAN = 80.0

left_straight = njit(left_along.py_func)
"""The same, compiled so that Python may call it with what is around."""


@pytest.fixture(scope="module")
def around(stage):
    live: Live = stage.live([], [stage.box("kiosk", 2.0, 1.0)])
    yield live._engine.surroundings.around
    live.close()


@pytest.fixture(params=range(60))
def question(request, around):
    """Somebody among others, as the arguments of `left_along` without what would be enough."""
    rng = np.random.default_rng(request.param)
    count = int(rng.integers(0, 12))
    seen = np.column_stack(
        [rng.uniform(-4.0, 4.0, (count, 2)), rng.normal(0.0, 0.03, (count, 2)), rng.normal(0.0, 0.7, (count, 2))]
    )
    turn, speed = rng.uniform(-math.pi, math.pi), float(rng.choice([0.012, 0.03, 0.04, 0.046]))
    target = rng.uniform(-6.0, 6.0, 2)
    passing, keep_right = bool(rng.integers(2)), float(rng.integers(2))
    view = View(*target, 0.04, 0.04, 0.25, passing, 30.0, keep_right, 0.0, 0.0, 0.0, count)
    x, z = rng.uniform(-1.0, 1.0, 2)
    return (x, z, math.sin(turn), math.cos(turn), 15.0, SPAN, speed), (view, seen, around)


def test_nobody_gets_further_than_with_nobody_and_nothing_in_the_way(question):
    (x, z, dx, dz, late, span, speed), (view, seen, around) = question
    to_x, to_z, reach = view.x - x, view.z - z, whole_reach(span, speed, view)
    away = math.hypot(to_x, to_z)
    least = left_up_to(to_x, to_z, dx, dz, min(reach, away)) - SPARE * max(reach - away, 0.0)
    assert left_straight(x, z, dx, dz, late, span, speed, math.inf, view, seen, around) >= least - 1e-9


def test_what_is_cut_short_would_have_been_no_less(question):
    how, what = question
    left = left_straight(*how, math.inf, *what)
    assert left_straight(*how, left + 1e-9, *what) == left
    assert left_straight(*how, left - 1e-9, *what) >= left - 1e-9
