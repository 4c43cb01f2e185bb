"""Outlines as triangles, solids and their shadows, lines on the ground."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.render import GroundPath, RenderError
from walkon.render.solids import solid_of_surface, sun_plane_of
from walkon.world import Box
from walkon.world.triangulation import convex_hull, is_convex, signed_area, triangulate

L_SHAPE = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)]


def area_of(outline: np.ndarray, triangles: np.ndarray) -> float:
    return sum(signed_area(outline[t]) for t in triangles)


def test_an_outline_with_a_notch_is_filled() -> None:
    outline = np.array(L_SHAPE)
    triangles = triangulate(outline)
    assert len(triangles) == len(outline) - 2
    assert all(signed_area(outline[t]) > 0 for t in triangles)
    assert area_of(outline, triangles) == pytest.approx(4.0)


def test_comb_is_filled() -> None:
    """Many ears that are none: teeth whose corners hide behind each other."""
    comb = [(0.0, 0.0), (8.0, 0.0)]
    for tooth in range(7, -1, -1):
        comb += [(tooth + 1.0, 3.0), (tooth + 0.5, 1.0)]
    outline = np.array(comb)
    triangles = triangulate(outline)
    assert area_of(outline, triangles) == pytest.approx(signed_area(outline))
    assert all(signed_area(outline[t]) > -1e-12 for t in triangles)


def test_hull_and_convexity() -> None:
    hull = convex_hull(np.array([*L_SHAPE, (0.5, 0.5)]))
    assert len(hull) == 5
    assert signed_area(hull) > 0
    assert is_convex(hull)
    assert not is_convex(np.array(L_SHAPE))


def test_shadow_of_an_upright_box_under_a_vertical_sun_is_its_outline() -> None:
    sun = np.array([0.0, 1.0, 0.0])
    solid = solid_of_surface(Box(2.0, 3.0, 1.0).surface(), (200.0, 200.0, 200.0))
    (hull,) = solid.shadow_hulls(sun)
    assert abs(signed_area(hull)) == pytest.approx(2.0)
    across = sun_plane_of(np.array([0.6, 0.8, 0.0]))
    assert across @ across.T == pytest.approx(np.eye(2))
    assert across @ np.array([0.6, 0.8, 0.0]) == pytest.approx(np.zeros(2))


@pytest.mark.parametrize(
    "make",
    [
        lambda: GroundPath([(0, 0)]),
        lambda: GroundPath([(0, 0), (1, math.nan)]),
        lambda: GroundPath([(0, 0), (1, 1)], width=0.0),
        lambda: GroundPath([(0, 0), (1, 1)], opacity=2.0),
    ],
)
def test_refuses_what_is_no_line(make) -> None:
    with pytest.raises(RenderError):
        make()
