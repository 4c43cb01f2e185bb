"""The painted stage: triangles against a ray caster, and shadows of obstacles."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.render import Camera, Look
from walkon.render._kernels_light import distance_outside
from walkon.render.setting import level_setting
from walkon.render.stage import PaintedStage
from walkon.rotations import rotation_about_y
from walkon.world import Box, Cylinder, Obstacle, Polygon

WIDTH, HEIGHT = 64, 48
L_SHAPE = np.array([(-1.0, -0.6), (0.8, -0.6), (0.8, 0.0), (-0.2, 0.0), (-0.2, 0.7), (-1.0, 0.7)])


def standing(shape, x: float = 0.0, z: float = 0.0, heading: float = 0.0) -> Obstacle:
    """Something that stands on level ground."""
    return Obstacle("thing", shape, np.array([[x, 0.0, z]]), rotation_about_y(heading)[None])


def block(x: float, z: float, width: float, depth: float, height: float, heading: float = 0.0) -> Obstacle:
    return standing(Box(width, height, depth), x, z, heading)


def cast_ray(camera: Camera, x: int, y: int, triangles: np.ndarray) -> float:
    """Depth of the nearest triangle or the ground through a pixel's centre."""
    lens = camera.lens(WIDTH, HEIGHT)
    u, v = (x + 0.5 - lens[13]) / lens[12], (y + 0.5 - lens[14]) / lens[12]
    right, down, forward = camera.axes()
    origin, direction = np.array(camera.position), forward
    if camera.span is None:
        direction = forward + u * right + v * down
    else:
        origin = origin + u * right + v * down
    nearest = -origin[1] / direction[1] if direction[1] < -1e-9 else 1e9
    a, b, c = triangles.transpose(1, 0, 2)
    matrices = np.stack([b - a, c - a, np.broadcast_to(-direction, a.shape)], axis=2)
    whole = np.abs(np.linalg.det(matrices)) > 1e-12
    s, t, depth = np.linalg.solve(matrices[whole], (origin - a[whole])[..., None])[..., 0].T
    hits = depth[(s >= 0) & (t >= 0) & (s + t <= 1) & (depth > 0)]
    return min(nearest, hits.min(initial=1e9))


@pytest.mark.parametrize(
    "obstacle",
    [block(0.2, 0.1, 0.8, 0.6, 1.2, heading=0.4), standing(Cylinder(0.4, 1.0)), standing(Polygon(L_SHAPE, 0.8))],
)
def test_depth_agrees_with_the_ray_caster(camera: Camera, obstacle) -> None:
    setting = level_setting([obstacle])
    stage = PaintedStage(WIDTH, HEIGHT, Look(), setting)
    stage.paint(camera)
    depth = stage.depth.reshape(HEIGHT, -1)[:, :WIDTH]
    triangles = setting.solids[0].corners
    wrong = 0
    for y in range(1, HEIGHT, 3):
        for x in range(0, WIDTH, 2):
            wrong += abs(depth[y, x] - cast_ray(camera, x, y, triangles)) > 1e-3 * depth[y, x]
    assert wrong <= 2  # centres that lie on an edge


def test_solids_take_no_shadow_and_edges_take_part_of_it(camera: Camera) -> None:
    stage = PaintedStage(WIDTH, HEIGHT, Look(fog=1e6), level_setting([block(0, 0, 0.8, 0.8, 0.8)]))
    stage.paint(camera)
    receive = stage.receive.reshape(HEIGHT, -1)[:, :WIDTH]
    column, row, _ = camera.project((0.0, 0.6, 0.4), WIDTH, HEIGHT)
    assert receive[int(row), int(column)] == 0.0
    rim = (receive > 0.05) & (receive < 0.85)
    assert 20 < rim.sum() < 400


def test_the_shadow_lies_on_the_far_side_from_the_sun() -> None:
    look = Look(sun_azimuth=0.0, sun_elevation=0.8)
    camera = Camera((0.0, 20.0, 0.0), (0.0, 0.0, 0.0), span=6.0)
    stage = PaintedStage(WIDTH, HEIGHT, look, level_setting([block(0, 0, 1, 1, 1)]))
    stage.paint(camera)
    plane = stage.sun_plane.reshape(HEIGHT, -1)[:, :WIDTH]

    def at(x: float, z: float) -> float:
        column, row, _ = camera.project((x, 0.0, z), WIDTH, HEIGHT)
        return float(plane[int(row), int(column)])

    reach = 1.0 / np.tan(0.8)
    assert at(0.0, -0.5 - 0.6 * reach) > 0.95
    assert at(0.0, -0.5 - 1.4 * reach) == 0.0
    assert at(0.0, 0.8) == 0.0
    assert at(0.9, 0.0) == 0.0


def test_many_repaints_are_alike() -> None:
    camera = Camera.orbit((0, 0.5, 0), 5.0)
    stage = PaintedStage(WIDTH, HEIGHT, Look(), level_setting([standing(Cylinder(0.4, 1.0))]))
    stage.paint(camera)
    first = stage.shaded.copy()
    stage.paint(Camera.orbit((0, 0.5, 0), 2.0))
    stage.paint(camera)
    assert np.array_equal(first, stage.shaded)


def test_a_camera_inside_a_solid_sees_something_sane() -> None:
    stage = PaintedStage(WIDTH, HEIGHT, Look(), level_setting([block(0, 0, 2, 2, 2)]))
    stage.paint(Camera((0.0, 1.0, 0.5), (0.0, 0.9, -0.4)))
    assert np.isfinite(stage.depth).all()


@pytest.mark.parametrize(
    ("point", "expected"), [((-0.5, 0.3), 0.0), ((0.4, 0.4), 0.4), ((2.0, -0.3), 1.2), ((1.8, -1.6), np.sqrt(2.0))]
)
def test_distance_from_a_polygon(point, expected) -> None:
    assert distance_outside(np.array(L_SHAPE), *point) == pytest.approx(expected)
