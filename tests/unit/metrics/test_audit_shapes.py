"""Distances to shapes, against naive twins: dense samples, and rejection of points."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.metrics.audit import _kernels_shapes as kernels
from walkon.metrics.audit.things import cut_polygon, lay_out
from walkon.world import Box, Capsule, Cylinder, Mesh, Polygon, Sphere

from .conftest import scene_of, thing

L_SHAPE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]])
CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (0.0, 1.0) for z in (-0.5, 0.5)])
CUBE_FACES = np.array(
    [
        [0, 1, 3],
        [0, 3, 2],
        [4, 6, 7],
        [4, 7, 5],
        [0, 4, 5],
        [0, 5, 1],
        [2, 3, 7],
        [2, 7, 6],
        [0, 2, 6],
        [0, 6, 4],
        [1, 5, 7],
        [1, 7, 3],
    ]
)
SOLIDS = {
    "box": (Box(1.0, 2.0, 0.6), lambda p: (abs(p[0]) < 0.5) & (p[1] > 0) & (p[1] < 2.0) & (abs(p[2]) < 0.3)),
    "cylinder": (Cylinder(0.7, 1.5), lambda p: (np.hypot(p[0], p[2]) < 0.7) & (p[1] > 0) & (p[1] < 1.5)),
    "sphere": (Sphere(0.8), lambda p: np.sqrt((p**2).sum(axis=0)) < 0.8),
    "capsule": (
        Capsule(0.4, 1.2),
        lambda p: np.sqrt(p[0] ** 2 + (p[1] - np.clip(p[1], 0, 1.2)) ** 2 + p[2] ** 2) < 0.4,
    ),
    "polygon": (
        Polygon(L_SHAPE, 1.0),
        lambda p: (p[1] > 0) & (p[1] < 1) & (p[0] > 0) & (p[2] > 0) & (p[0] < 2) & (p[2] < 2)
        & ((p[0] < 1) | (p[2] < 1)),
    ),
}  # fmt: skip


def pieces_of(shape):
    arrays = lay_out(scene_of(thing(shape)), 30.0).arrays
    return list(zip(arrays.kinds, arrays.pieces, strict=True))


def distance(pieces, a, b):
    return min(kernels.segment_distance(kind, piece, *a, *b) for kind, piece in pieces)


@pytest.mark.parametrize("name", SOLIDS)
def test_signs_and_distances_of_solids(name):
    """Negative exactly inside; and the distance is that to the nearest of many points inside."""
    shape, holds = SOLIDS[name]
    pieces = pieces_of(shape)
    rng = np.random.default_rng(1)
    cloud = rng.uniform([-1.2, -0.9, -1.2], [2.2, 2.2, 2.2], size=(60000, 3))
    inside = cloud[holds(cloud.T)]
    for point in rng.uniform(-1.5, 2.5, size=(60, 3)):
        found = distance(pieces, point, point)
        assert (found < 0) == bool(holds(point[:, None])[0])
        if found > 0:
            nearest = np.linalg.norm(inside - point, axis=1).min()
            assert found <= nearest <= found + 0.2


@pytest.mark.parametrize("name", SOLIDS)
def test_segments_are_as_near_as_their_nearest_point(name):
    pieces = pieces_of(SOLIDS[name][0])
    rng = np.random.default_rng(2)
    for a, b in rng.uniform(-2.0, 3.0, size=(25, 2, 3)):
        along = a + np.linspace(0, 1, 300)[:, None] * (b - a)
        dense = min(kernels.point_distance(kind, piece, *p) for kind, piece in pieces for p in along)
        found = distance(pieces, a, b)
        assert dense - 0.5 * np.linalg.norm(b - a) / 299 - 1e-9 <= found <= dense + 1e-9


def test_triangles_in_space():
    rng = np.random.default_rng(3)
    weights = rng.dirichlet(np.ones(3), size=20000)
    for corners in rng.normal(size=(20, 3, 3)):
        point = 2 * rng.normal(size=3)
        dense = np.linalg.norm(weights @ corners - point, axis=1).min()
        found = kernels.point_distance(kernels.TRIANGLE, corners.ravel(), *point)
        assert found <= dense <= found + 0.05


def test_two_segments():
    rng = np.random.default_rng(4)
    shares = np.linspace(0, 1, 200)[:, None]
    for index in range(60):
        a, b, c, d = rng.normal(size=(4, 3))
        if index % 4 == 0:
            d = c + rng.normal() * (b - a)  # parallel
        if index % 9 == 0:
            b = a  # a point
        apart = (a + shares * (b - a))[:, None] - (c + shares * (d - c))[None]
        dense = np.linalg.norm(apart, axis=2).min()
        found = kernels.segment_gap((*a, *b), (*c, *d))
        assert found <= dense + 1e-9
        assert dense <= found + 0.5 * (np.linalg.norm(b - a) + np.linalg.norm(d - c)) / 199


def test_inside_of_a_mesh():
    triangles = CUBE[CUBE_FACES].reshape(-1, 9)
    for flipped in (triangles, triangles.reshape(-1, 3, 3)[:, ::-1].reshape(-1, 9)):
        assert kernels.is_inside(flipped, 0, 12, 0.1, 0.9, -0.4)
        assert not kernels.is_inside(flipped, 0, 12, 0.1, 1.1, -0.4)


def test_only_whole_meshes_are_closed():
    whole, holed = Mesh(CUBE, CUBE_FACES), Mesh(CUBE, CUBE_FACES[1:])
    things = lay_out(scene_of(thing(whole, name="whole"), thing(holed, name="holed"), thing(Sphere(1.0))), 30.0)
    assert things.arrays.closed.tolist() == [True, False, False]


def test_polygons_are_cut_either_way_round():
    for corners in (L_SHAPE, L_SHAPE[::-1], np.insert(L_SHAPE, 1, [1.0, 0.0], axis=0)):
        triangles = cut_polygon(corners)
        areas = [0.5 * abs(np.linalg.det(np.column_stack([t, np.ones(3)]))) for t in triangles]
        assert sum(areas) == pytest.approx(3.0)


def test_a_polygon_that_crosses_itself_is_refused():
    with pytest.raises(SceneError, match=r"obstacle 'thing'.*crosses itself"):
        lay_out(scene_of(thing(Polygon(np.array([[0, 0], [1, 1], [1, 0], [0, 1.0]]), 1.0))), 30.0)


def test_poses_on_the_way_take_the_shorter_arc():
    first = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    second = np.array([2.0, 0.0, 0.0, *-np.array([np.cos(0.5), 0.0, np.sin(0.5), 0.0])])
    way = np.empty(7)
    kernels.between(first, second, 0.25, way)
    assert way == pytest.approx([0.5, 0.0, 0.0, np.cos(0.125), 0.0, np.sin(0.125), 0.0])
    assert kernels.turned(first, second) == pytest.approx(1.0)
