"""Paths by arc length."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.searching.drawn_path import POINT_SPACING, draw_path


def test_points_are_evenly_spaced_along_straight_lines():
    path = draw_path([(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)])
    assert path.length == pytest.approx(7.0)
    assert path.spacing <= POINT_SPACING
    assert path.at([0.0, 1.5, 3.0, 5.0, 7.0, 99.0, -1.0]) == pytest.approx(
        np.array([(0, 0), (1.5, 0), (3, 0), (3, 2), (3, 4), (3, 4), (0, 0)])
    )


def test_points_drawn_twice_do_no_harm():
    path = draw_path([(1.0, 1.0), (1.0, 1.0), (1.0, 3.0), (1.0, 3.0)])
    assert path.length == pytest.approx(2.0)
    assert np.isfinite(path.points).all()


def test_one_begins_at_the_beginning_and_looks_along():
    place = draw_path([(1.0, 2.0), (4.0, 2.0), (4.0, 9.0)]).placement()
    assert (place.x, place.z, place.heading) == pytest.approx((1.0, 2.0, np.pi / 2))


def test_distances_are_those_to_the_nearest_point():
    rng = np.random.default_rng(0)
    path = draw_path(np.cumsum(rng.normal(size=(12, 2)), axis=0))
    track = rng.normal(0.0, 3.0, (40, 2))
    dense = path.at(np.linspace(0.0, path.length, 40_000))
    naive = np.hypot(*(track[:, None] - dense).transpose(2, 0, 1)).min(axis=1)
    assert path.distances(track) == pytest.approx(naive, abs=1e-3)


@pytest.mark.parametrize(
    "points", [[(0, 0)], [(1, 1), (1, 1)], [(0, 0), (np.nan, 1)], [0, 1, 2], [(0, 0), (1e6, 0)]]
)
def test_what_is_no_path_is_refused(points):
    with pytest.raises(GraphError, match="path"):
        draw_path(points)
