"""Places that keep apart, and who goes where."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from walkon.world.footprints import FreeGround
from walkon.world.placing import REUSE, match_goals, place_apart, share_places

EMPTY = FreeGround((0.0, 0.0, 10.0, 10.0), [])
NOBODY = np.empty((0, 2))


def placed(count: int, *, seed: int = 0, taken: np.ndarray = NOBODY, spacing: float = 0.9) -> np.ndarray:
    region = ((0.0, 0.0, 10.0, 10.0),)
    rng = np.random.default_rng(seed)
    return place_apart(rng, EMPTY, region, count, spacing=spacing, room=0.5, taken=taken)


def nearest(places: np.ndarray, others: np.ndarray) -> float:
    return float(np.hypot(*(places[:, None] - others).transpose(2, 0, 1)).min())


def test_a_full_region_is_packed_tightly():
    places = placed(1000)
    # 81 m² hold 115 in an endless triangular pattern; at random only 75 or so fit.
    assert 95 <= len(places) <= 125
    apart = np.hypot(*(places[:, None] - places).transpose(2, 0, 1)) + 9 * np.eye(len(places))
    assert apart.min() >= 0.9 - 1e-9
    assert places.min() >= 0.5
    assert places.max() <= 9.5


@pytest.mark.parametrize("count", [20, 100])
def test_places_keep_apart_from_those_taken(count):
    taken = np.array([[5.0, 5.0], [1.0, 1.0]])
    places = placed(count, taken=taken)
    assert nearest(places, taken) >= 0.9
    assert len(places) >= min(count, 85)


def test_places_without_spacing_may_be_anywhere():
    assert len(placed(5000, spacing=0.0)) == 5000


def test_the_same_seed_gives_the_same_places():
    assert np.array_equal(placed(30, seed=3), placed(30, seed=3))
    assert not np.array_equal(placed(30, seed=3), placed(30, seed=4))


def test_places_are_shared_one_after_the_other():
    places = np.array([[0.0, 0.0], [1.0, 0.0]])
    shared = share_places(places, np.array([0.0, 1.0, REUSE, REUSE + 1.0]))
    assert shared is not None
    assert shared.tolist() == [[0, 0], [1, 0], [0, 0], [1, 0]]
    assert share_places(places, np.array([0.0, 1.0, REUSE - 0.1])) is None
    assert share_places(NOBODY, np.array([0.0])) is None


def test_everybody_gets_a_goal_whenever_that_is_possible():
    rng = np.random.default_rng(0)
    for _ in range(300):
        count = int(rng.integers(1, 8))
        allowed = rng.random((count, count)) < rng.choice([0.3, 0.5, 0.8])
        goals = match_goals(allowed)
        best = allowed[linear_sum_assignment(allowed, maximize=True)].sum()
        given = goals[goals >= 0]
        assert len(set(given.tolist())) == len(given)
        assert all(allowed[person, goal] for person, goal in enumerate(goals) if goal >= 0)
        assert len(given) == best
