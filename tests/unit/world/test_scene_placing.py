"""Places that keep apart, and who goes where."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from walkon.world import Gridmap
from walkon.world.footprints import FreeGround
from walkon.world.placing import (
    REUSE,
    ClearGround,
    DiscArea,
    RectangleArea,
    match_goals,
    place_apart,
    share_places,
)

EMPTY = FreeGround((0.0, 0.0, 10.0, 10.0), [])
NOBODY = np.empty((0, 2))


def placed(count: int, *, seed: int = 0, taken: np.ndarray = NOBODY, spacing: float = 0.9) -> np.ndarray:
    region = RectangleArea(((0.0, 0.0, 10.0, 10.0),))
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


def test_a_crowd_is_placed_as_by_asking_everybody():
    """The cells find the same neighbours as comparing all with all."""
    taken = np.random.default_rng(9).uniform(-2.0, 12.0, (40, 2))
    places, kept = placed(60, taken=taken, spacing=0.7), [*taken]
    darts = np.random.default_rng(0)
    found: list[np.ndarray] = []
    while len(found) < 60:
        batch = 3 * (60 - len(found)) + 50
        darts.choice(1, size=batch, p=[1.0])
        for dart in 10.0 * darts.random((batch, 2)):
            inside = dart.min() >= 0.5 and dart.max() <= 9.5
            if len(found) < 60 and inside and min(np.hypot(*(dart - other)) for other in kept) >= 0.7:
                kept.append(dart)
                found.append(dart)
    assert np.array_equal(places, np.array(found))


def test_a_disc_is_filled_from_its_middle():
    open_ground = ClearGround(Gridmap(-50.0, -50.0, 1.0, np.full((101, 101), 3.0)))
    rng = np.random.default_rng(3)
    places = place_apart(rng, open_ground, DiscArea(1.0, 2.0, 5.0), 40, spacing=0.8, room=0.45, taken=NOBODY)
    assert places[0].tolist() == [1.0, 2.0]
    assert len(places) == 40
    assert np.hypot(*(places - [1.0, 2.0]).T).max() <= 5.0


def test_clear_ground_is_bilinear_and_ends_at_the_edge_of_its_grid():
    values = np.add.outer(np.zeros(21), np.arange(-10.0, 11.0))  # clearance x
    ground = ClearGround(Gridmap(-10.0, -10.0, 1.0, values))
    assert ground.bounds == (-10.0, -10.0, 10.0, 10.0)
    asked = np.array([[0.44, 0.3], [0.46, 0.3], [50.0, 0.0], [-50.0, 0.0]])
    assert ground.is_free(asked, 0.45).tolist() == [False, True, True, False]
    wall = RectangleArea(((-9.0, 0.0, -8.0, 1.0),))
    rng = np.random.default_rng(2)
    assert not len(place_apart(rng, ground, wall, 5, spacing=0.8, room=0.45, taken=NOBODY))


def test_a_region_without_area_is_a_line():
    line = RectangleArea(((1.0, 2.0, 1.0, 9.0),)).scatter(20, np.random.default_rng(0))
    assert set(line[:, 0]) == {1.0}
    assert len(set(line[:, 1])) == 20


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
