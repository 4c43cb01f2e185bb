"""Surfaces of shapes: closed, facing outwards, of the right size."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.world import Box, Capsule, Cylinder, HeightField, Mesh, Polygon, Sphere, flat_terrain
from walkon.world.surfaces import build_ground

L_SHAPE = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)]
CUBE = Box(1.0, 2.0, 3.0).surface()
SHAPES = [
    (Box(1.0, 2.0, 3.0), 6.0),
    (Cylinder(0.5, 2.0), 0.5 * math.pi),
    (Sphere(1.0), 4.0 / 3.0 * math.pi),
    (Capsule(0.5, 2.0), 0.5 * math.pi + math.pi / 6.0),
    (Polygon(np.array(L_SHAPE), 2.0), 8.0),
    (Polygon(np.array(L_SHAPE[::-1]), 2.0), 8.0),
    (Mesh(CUBE.points, CUBE.triangles), 6.0),
]


@pytest.mark.parametrize(("shape", "volume"), SHAPES)
def test_a_surface_is_closed_and_faces_outwards(shape, volume) -> None:
    surface = shape.surface(64)
    corners = surface.points[surface.triangles]
    # The divergence theorem holds only for closed surfaces that face outwards everywhere.
    inside = np.einsum("tk,tk->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0
    assert inside == pytest.approx(volume, rel=0.01)
    planes = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert planes.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-9)
    assert np.all(np.einsum("tk,tk->t", planes, surface.normals[surface.triangles].sum(axis=1)) > 0)
    assert np.linalg.norm(surface.normals, axis=1) == pytest.approx(np.ones(len(surface.points)))


def test_a_mesh_keeps_hard_edges_and_smooths_soft_ones() -> None:
    ball = Sphere(1.0).surface()
    smooth = Mesh(ball.points, ball.triangles).surface()
    outwards = smooth.points / np.linalg.norm(smooth.points, axis=1, keepdims=True)
    assert np.einsum("vk,vk->v", smooth.normals, outwards).min() > 0.95
    box = Mesh(CUBE.points, CUBE.triangles).surface()
    assert sorted(np.abs(box.normals).max(axis=1)) == pytest.approx(np.ones(len(box.normals)))


def test_the_ground_follows_the_terrain_and_goes_on_level() -> None:
    x, z = np.meshgrid(np.arange(5.0), np.arange(4.0))
    terrain = HeightField(0.0, 0.0, 1.0, 0.3 * x - 0.1 * z)
    ground = build_ground(terrain, (0.0, 0.0, 4.0, 3.0), reach=10.0)
    assert ground.points[:, 1] == pytest.approx(terrain.at(ground.points[:, 0], ground.points[:, 2]))
    assert ground.points[:, 0].min() == -10.0
    corners = ground.points[ground.triangles]
    assert np.all(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1] > 0)
    assert len(build_ground(flat_terrain((0.0, 0.0, 4.0, 3.0)), (0.0, 0.0, 4.0, 3.0)).triangles) == 2


def test_poles_are_told_by_radius_and_length() -> None:
    """Pictures draw moving poles by these, and their outlines are rounded by the radius."""
    assert [shape.pole for shape, _ in SHAPES[:4]] == [None, None, (1.0, 0.0), (0.5, 2.0)]
    assert [shape.rounding for shape, _ in SHAPES[:4]] == [0.0, 0.0, 1.0, 0.5]
