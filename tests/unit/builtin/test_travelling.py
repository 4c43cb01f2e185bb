"""Ways over the ground, and through the air."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.falling import GRAVITY, falling
from walkon.builtin.travelling import grid_times, travelled


def test_a_grid_has_a_point_at_zero_and_covers_its_span() -> None:
    times = grid_times(-0.25, 1.01, 0.1)
    assert 0.0 in times
    assert times[0] <= -0.25
    assert times[-1] >= 1.01
    assert np.diff(times) == pytest.approx(0.1)


def test_who_turns_at_a_steady_rate_goes_round_a_circle() -> None:
    times = grid_times(-1.0, 2.0, 0.01)
    way = travelled(times, 3.0, 0.5 * times)
    assert way(0.0) == pytest.approx(np.zeros(3))
    # To the left of +z is +x: the middle of the circle lies 6 m that way.
    assert np.hypot(way(times)[:, 0] - 6.0, way(times)[:, 2]) == pytest.approx(6.0, abs=1e-6)


def test_speed_may_change_on_the_way() -> None:
    times = grid_times(0.0, 2.0, 0.01)
    assert travelled(times, times, 0.0 * times)(2.0) == pytest.approx([0.0, 0.0, 2.0])


def test_what_falls_meets_both_ends_and_knows_only_gravity() -> None:
    start, stop = np.array([0.0, 1.0, 0.0]), np.array([0.3, 0.8, 2.0])
    path = falling(start, stop, 0.5, 1.1)
    assert path(0.5) == pytest.approx(start)
    assert path(1.1) == pytest.approx(stop)
    times = np.linspace(0.5, 1.1, 7)
    pull = np.diff(path(times), 2, axis=0) / 0.1**2
    assert pull == pytest.approx(np.tile([0.0, -GRAVITY, 0.0], (5, 1)), abs=1e-9)
