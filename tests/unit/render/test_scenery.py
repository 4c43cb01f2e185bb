"""Obstacles and paths, as outlines, triangles and shadows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.render import Box, Cylinder, GroundPath, Prism, RenderError
from walkon.render.solids import build_solid, sun_plane_of
from walkon.world.triangulation import convex_hull, is_convex, signed_area, triangulate

L_SHAPE = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)]


def area_of(outline: np.ndarray, triangles: np.ndarray) -> float:
    return sum(signed_area(outline[t]) for t in triangles)


@pytest.mark.parametrize("corners", [L_SHAPE, L_SHAPE[::-1]])
def test_prism_outline_turns_one_way_and_fills(corners) -> None:
    outline = Prism(corners, 1.0).outline()
    assert signed_area(outline) == pytest.approx(4.0)
    triangles = triangulate(outline)
    assert len(triangles) == len(corners) - 2
    assert all(signed_area(outline[t]) > 0 for t in triangles)
    assert area_of(outline, triangles) == pytest.approx(4.0)


def test_comb_is_filled() -> None:
    """Many ears that are none: teeth whose corners hide behind each other."""
    comb = [(0.0, 0.0), (8.0, 0.0)]
    for tooth in range(7, -1, -1):
        comb += [(tooth + 1.0, 3.0), (tooth + 0.5, 1.0)]
    outline = Prism(comb, 1.0).outline()
    triangles = triangulate(outline)
    assert area_of(outline, triangles) == pytest.approx(signed_area(outline))
    assert all(signed_area(outline[t]) > -1e-12 for t in triangles)


def test_box_turns_with_its_heading() -> None:
    outline = Box(1.0, 2.0, 4.0, 1.0, 1.0, heading=math.pi / 2).outline()
    assert outline.min(axis=0) == pytest.approx((0.5, 0.0))
    assert outline.max(axis=0) == pytest.approx((1.5, 4.0))
    assert signed_area(outline) == pytest.approx(4.0)


def test_hull_and_convexity() -> None:
    hull = convex_hull(np.array([*L_SHAPE, (0.5, 0.5)]))
    assert len(hull) == 5
    assert signed_area(hull) > 0
    assert is_convex(hull)
    assert not is_convex(np.array(L_SHAPE))


@pytest.mark.parametrize("obstacle", [Box(1, 1, 1, 2, 3), Cylinder(0, 0, 0.5, 1.5), Prism(L_SHAPE, 1.0)])
def test_walls_and_lid_face_outwards(obstacle) -> None:
    solid = build_solid(obstacle)
    middle = solid.corners.reshape(-1, 3).mean(axis=0)
    planes = np.cross(solid.corners[:, 1] - solid.corners[:, 0], solid.corners[:, 2] - solid.corners[:, 0])
    assert np.linalg.norm(solid.normals, axis=2) == pytest.approx(np.ones(solid.normals.shape[:2]))
    if len(solid.pieces) == 1:
        outwards = np.einsum("tk,tk->t", solid.normals.mean(axis=1), solid.corners.mean(axis=1) - middle)
        assert np.all(outwards > 0)
    flat = np.abs(np.einsum("tk,tk->t", planes, solid.normals[:, 0])) / np.linalg.norm(planes, axis=1)
    assert np.all(flat > 0.99)


def test_what_hangs_has_an_underside() -> None:
    standing, hanging = build_solid(Box(0, 0, 1, 1, 1)), build_solid(Box(0, 0, 1, 1, 1, bottom=1.0))
    assert len(hanging.corners) == len(standing.corners) + 2
    assert hanging.top == 2.0


def test_shadow_of_an_upright_box_under_a_vertical_sun_is_its_outline() -> None:
    sun = np.array([0.0, 1.0, 0.0])
    solid = build_solid(Box(1.0, 2.0, 2.0, 1.0, 3.0))
    (hull,) = solid.shadow_hulls(sun)
    assert abs(signed_area(hull)) == pytest.approx(2.0)
    across = sun_plane_of(np.array([0.6, 0.8, 0.0]))
    assert across @ across.T == pytest.approx(np.eye(2))
    assert across @ np.array([0.6, 0.8, 0.0]) == pytest.approx(np.zeros(2))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Box(0, 0, 0, 1, 1),
        lambda: Box(0, math.nan, 1, 1, 1),
        lambda: Box(0, 0, 1, 1, 1, bottom=-1.0),
        lambda: Cylinder(0, 0, -1, 1),
        lambda: Prism([(0, 0), (1, 1)], 1.0),
        lambda: Prism([(0, 0), (1, 1), (2, 2)], 1.0),
        lambda: Prism([(0, 0), (1, 0), (0, math.inf)], 1.0),
        lambda: GroundPath([(0, 0)]),
        lambda: GroundPath([(0, 0), (1, math.nan)]),
        lambda: GroundPath([(0, 0), (1, 1)], width=0.0),
        lambda: GroundPath([(0, 0), (1, 1)], opacity=2.0),
    ],
)
def test_refuses_what_cannot_stand(make) -> None:
    with pytest.raises(RenderError):
        make()
