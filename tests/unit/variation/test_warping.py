"""Dynamic time warping: which moments belong together."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.variation.warping import rows_along, timing_difference, warp


def least_cost(a, b):
    """The cost of the best path, by the book: a step in both counts twice."""
    costs = np.full((len(a), len(b)), np.inf)
    for i in range(len(a)):
        for j in range(len(b)):
            here = float(np.sum((a[i] - b[j]) ** 2))
            options = [2 * here] if i == j == 0 else []
            if i and j:
                options.append(costs[i - 1, j - 1] + 2 * here)
            if i:
                options.append(costs[i - 1, j] + here)
            if j:
                options.append(costs[i, j - 1] + here)
            costs[i, j] = min(options)
    return costs[-1, -1]


def cost_of(path, a, b):
    steps = np.diff(path, axis=0, prepend=path[:1] - 1).sum(axis=1)
    return float(np.sum(steps * np.sum((a[path[:, 0]] - b[path[:, 1]]) ** 2, axis=1)))


def test_the_path_is_the_cheapest_there_is():
    random = np.random.default_rng(1)
    for _ in range(20):
        a, b = (
            random.standard_normal((random.integers(1, 12), 3)),
            random.standard_normal((random.integers(1, 12), 3)),
        )
        path = warp(a, b)
        assert path[0].tolist() == [0, 0]
        assert path[-1].tolist() == [len(a) - 1, len(b) - 1]
        steps = np.diff(path, axis=0)
        assert ((steps >= 0) & (steps <= 1)).all()
        assert (steps.sum(axis=1) > 0).all()
        assert cost_of(path, a, b) == pytest.approx(least_cost(a, b))


def test_a_stretched_signal_is_found_where_it_was_stretched():
    times = np.linspace(0.0, 1.0, 101)
    slow = np.linspace(0.0, 1.0, 151)
    path = warp(np.sin(7.0 * times)[:, None], np.sin(7.0 * slow)[:, None])
    np.testing.assert_allclose(rows_along(path, 101), 1.5 * np.arange(101), atol=3.0)
    # The delay grows evenly from 0 to half a second at 100 Hz: a quarter of that from its median, on average.
    assert timing_difference(path, 100.0) == pytest.approx(0.125, abs=0.01)


def test_the_same_motion_has_the_same_timing_wherever_it_begins():
    wave = np.column_stack([f(0.13 * np.arange(160)) for f in (np.sin, np.cos)])
    whole = warp(wave[:120], wave[:120])
    assert timing_difference(whole, 30.0) == 0.0
    late = warp(wave[:120], wave[9:129], loose=12)
    assert timing_difference(late, 30.0) == pytest.approx(0.0, abs=1e-9)
    assert np.median(late[:, 0] - late[:, 1]) == 9
    assert timing_difference(warp(wave[:120], wave[9:129]), 30.0) > 0.01


def test_leaving_out_the_end_is_no_gain_in_itself():
    path = warp(np.zeros((40, 1)), np.ones((40, 1)), loose=10)
    assert path[-1].tolist() == [39, 39]
    assert warp(np.zeros((40, 1)), np.ones((40, 1)), loose=(0, 10))[0, 0] == 0


def test_bad_input_is_refused():
    with pytest.raises(ClipError, match="as many values"):
        warp(np.zeros((4, 2)), np.zeros((4, 3)))
    with pytest.raises(ClipError, match="cut them"):
        warp(np.zeros((30_000, 1)), np.zeros((30_000, 1)))
