"""Outlines: hulls, fewer corners, layers of height, convex parts."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from walkon.rotations import from_axis_angle, rotate, rotation_about_y
from walkon.world import Box, Capsule, Cylinder, Mesh, Polygon, Sphere
from walkon.world._kernels_outlines import convex_hull, fewer_corners, layer_points
from walkon.world.parts import is_upright, vertical_extent
from walkon.world.triangulation import convex_pieces

STAR = (
    np.array([[math.cos(a), math.sin(a)] for a in np.arange(10) * math.pi / 5]) * np.tile([2.0, 0.8], 5)[:, None]
)


def hull_of(points):
    room = np.zeros((2 * len(points) + 2, 2))
    return room[: convex_hull(np.array(points, dtype=float), room)]


@pytest.mark.parametrize("count", [3, 4, 7, 40, 200])
def test_hull_is_that_of_shapely(count):
    points = np.random.default_rng(count).normal(size=(count, 2))
    points = np.concatenate([points, points[: count // 2]])  # some twice
    hull = hull_of(points)
    assert shapely.Polygon(hull).symmetric_difference(shapely.MultiPoint(points).convex_hull).area < 1e-12
    edges = np.roll(hull, -1, axis=0) - hull
    after = np.roll(edges, -1, axis=0)
    assert np.all(edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] > 0.0)


def test_hull_of_a_point_and_of_a_line():
    assert hull_of([[1, 2]] * 4).tolist() == [[1, 2]]
    assert hull_of([[1, 2], [3, 4], [2, 3], [1, 2]]).tolist() == [[1, 2], [3, 4]]
    assert hull_of([[1, 5], [1, 2], [1, 3]]).tolist() == [[1, 2], [1, 5]]


@pytest.mark.parametrize(("count", "most"), [(13, 12), (40, 12), (60, 4), (5, 4)])
def test_fewer_corners_go_around(count, most):
    angles = np.sort(np.random.default_rng(count).uniform(0.0, 2.0 * np.pi, count))
    corners = np.stack([2.0 * np.cos(angles), np.sin(angles)], axis=1)
    hull = corners.copy()
    size = fewer_corners(hull, count, most)
    assert size <= most
    around = shapely.Polygon(hull[:size])
    assert around.is_valid
    assert around.buffer(1e-9).contains(shapely.Polygon(corners))
    if most == 12:
        assert around.area < 1.06 * shapely.Polygon(corners).area


def test_layer_is_the_part_between_two_heights():
    """The naive twin: a dense cloud of points of the hull, those in the layer kept."""
    rng = np.random.default_rng(8)
    points = rng.normal(size=(8, 3))
    found = np.zeros((80, 2))
    pairs = np.stack(np.triu_indices(8, 1), axis=1)
    count = layer_points(points, pairs, -0.4, 0.5, found)
    layer = shapely.MultiPoint(found[:count]).convex_hull
    cloud = rng.dirichlet(np.full(8, 0.25), size=60_000) @ points
    cloud = cloud[(cloud[:, 1] >= -0.4) & (cloud[:, 1] <= 0.5)]
    inside = shapely.MultiPoint(cloud[:, [0, 2]]).convex_hull
    assert layer.buffer(1e-9).contains(inside)
    assert inside.area > 0.9 * layer.area
    assert layer_points(points, pairs, 50.0, 60.0, found) == 0


@pytest.mark.parametrize(
    "corners", [STAR, STAR[::-1], np.array([[0, 0], [4, 0], [4, 3], [3, 3], [3, 1], [0, 1.0]])]
)
def test_pieces_are_convex_and_fill_the_polygon(corners):
    pieces = [shapely.Polygon(piece) for piece in convex_pieces(corners)]
    whole = shapely.Polygon(corners)
    assert shapely.union_all(pieces).symmetric_difference(whole).area < 1e-9
    assert sum(piece.area for piece in pieces) == pytest.approx(whole.area)
    for piece in pieces:
        assert piece.convex_hull.area == pytest.approx(piece.area)
    assert len(pieces) < len(corners) - 2


def test_convex_polygon_stays_whole_and_a_huge_one_becomes_its_hull():
    assert len(convex_pieces(np.array([[0, 0], [0, 1], [1, 1], [1, 0.0]]))) == 1
    angles = np.arange(400) * 2.0 * math.pi / 400
    gear = np.stack([np.cos(angles), np.sin(angles)], axis=1) * (1.0 + 0.05 * (np.arange(400) % 2))[:, None]
    (hull,) = convex_pieces(gear)
    assert shapely.Polygon(hull).buffer(1e-9).contains(shapely.Polygon(gear))


def test_upright_means_turned_about_y_only():
    assert is_upright(np.stack([rotation_about_y(a) for a in (0.0, 1.0, 4.0)]))
    assert not is_upright(from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.01)[None])


def surface_points(shape, rng):
    """Many points of a shape in its own frame."""
    match shape:
        case Box(width, height, depth):
            return rng.uniform([-width / 2, 0, -depth / 2], [width / 2, height, depth / 2], size=(4000, 3))
        case Cylinder(radius, height):
            a = rng.uniform(0, 2 * np.pi, 4000)
            return np.stack([radius * np.cos(a), rng.uniform(0, height, 4000).round(), radius * np.sin(a)], axis=1)
        case Sphere(radius):
            n = rng.normal(size=(4000, 3))
            return radius * n / np.linalg.norm(n, axis=1, keepdims=True)
        case Capsule(radius, length):
            n = rng.normal(size=(4000, 3))
            n = radius * n / np.linalg.norm(n, axis=1, keepdims=True)
            return n + np.stack([np.zeros(4000), rng.uniform(0, length, 4000), np.zeros(4000)], axis=1)
        case Mesh():
            weights = rng.dirichlet(np.ones(len(shape.vertices)), size=4000)
            return weights @ shape.vertices
    raise AssertionError


ROCK = Mesh(np.random.default_rng(1).normal(size=(300, 3)), np.arange(300).reshape(100, 3))
SHEET = Mesh(np.array([[0, 1, 0], [2, 1, 0], [0, 1, 2]]), np.array([[0, 1, 2]]))


@pytest.mark.parametrize("shape", [Box(1, 2, 3), Cylinder(0.5, 1), Sphere(0.7), Capsule(0.3, 2), ROCK, SHEET])
@pytest.mark.parametrize("tilt", [0.0, 0.6, math.pi / 2])
def test_parts_hold_their_shape(shape, tilt):
    turn = from_axis_angle(np.array([0.6, 0.0, 0.8]), tilt)
    points = rotate(turn, surface_points(shape, np.random.default_rng(2)))
    parts = shape.parts(turn[None])
    areas, lows, highs = [], [], []
    for part in parts:
        turned = rotate(turn, part.points)
        areas.append(shapely.MultiPoint(turned[:, [0, 2]]).convex_hull.buffer(part.rounding + 1e-6, quad_segs=64))
        low, high = vertical_extent(part, turn[None])
        lows.append(low[0])
        highs.append(high[0])
    area = shapely.union_all(areas).buffer(2e-3)  # the rounding is drawn with corners
    assert shapely.contains_xy(area, points[:, 0], points[:, 2]).all()
    assert min(lows) <= points[:, 1].min() + 1e-9
    assert max(highs) >= points[:, 1].max() - 1e-9
    if not isinstance(shape, Mesh):
        assert max(highs) - min(lows) < np.ptp(points[:, 1]) + 0.2


def test_parts_of_a_polygon_are_prisms():
    parts = Polygon(STAR, 1.5).parts(rotation_about_y(0.0)[None])
    assert len(parts) > 1
    for part in parts:
        assert set(part.points[:, 1]) == {0.0, 1.5}


def test_mesh_with_many_vertices_has_few_points():
    (part,) = ROCK.parts(rotation_about_y(0.0)[None])
    assert len(part.points) <= 48


@pytest.mark.parametrize("tilt", [0.3, 1.1, math.pi / 2])
def test_a_tilted_cylinder_is_no_higher_than_it_is(tilt):
    """Its corners are drawn around it, but its height is exact."""
    turn = from_axis_angle(np.array([1.0, 0.0, 0.0]), tilt)
    (part,) = Cylinder(0.5, 1.0).parts(turn[None])
    low, high = vertical_extent(part, turn[None])
    assert low[0] == pytest.approx(-0.5 * math.sin(tilt), abs=1e-12)
    assert high[0] == pytest.approx(math.cos(tilt) + 0.5 * math.sin(tilt), abs=1e-12)
