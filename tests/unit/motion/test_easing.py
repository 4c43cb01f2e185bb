"""Curves without corners reach what they must, and no more than that."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.motion.easing import covering, smooth_step, smooth_steps


def test_smooth_steps_of_a_gap_and_back_add_up_to_one() -> None:
    np.testing.assert_allclose(smooth_steps(7) + smooth_steps(7)[::-1], 1.0)
    assert np.all(np.diff(smooth_steps(20)) > 0)


def test_a_smooth_step_stays_between_nothing_and_all() -> None:
    np.testing.assert_allclose(smooth_step(np.array([-3.0, 0.0, 0.5, 1.0, 2.0])), [0.0, 0.0, 0.5, 1.0, 1.0])


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("reach", [0, 1, 5])
def test_a_need_is_covered(reach: int, rounds: int) -> None:
    need = np.maximum(np.random.default_rng(reach).normal(size=80), 0.0)
    need[:20] = need[40:60] = 0.0
    covered = covering(need, reach, rounds=rounds)
    assert np.all(covered >= need - 1e-12)
    assert covered.max() <= need.max() + 1e-12
    if reach == 5:
        far = np.convolve(need, np.ones(4 * rounds * reach + 1), "same") == 0.0
        assert np.all(np.abs(covered[far]) < 1e-12)
        assert np.abs(np.diff(covered)).max() < 2.0 * need.max() / (2 * reach + 1)


def test_twice_averaged_has_no_corners() -> None:
    need = np.zeros(60)
    need[30] = 1.0
    once, twice = (np.abs(np.diff(covering(need, 6, rounds=rounds), n=2)).max() for rounds in (1, 2))
    assert twice < 0.3 * once
