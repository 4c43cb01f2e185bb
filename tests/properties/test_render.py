"""What holds for every camera and every capsule."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.render import Camera, Look, Renderer

WIDTH, HEIGHT = 64, 48
length = st.floats(-2.0, 2.0)
point = st.tuples(length, length, length)
cameras = st.builds(
    lambda target, distance, azimuth, elevation, fov, span: Camera.orbit(
        target, distance, azimuth=azimuth, elevation=elevation, fov=fov, span=span
    ),
    point,
    st.floats(4.0, 50.0),
    st.floats(-4.0, 4.0),
    st.floats(-1.5, 1.5),
    st.floats(0.1, 2.0),
    st.none() | st.floats(1.0, 20.0),
)


@given(cameras, point)
@settings(max_examples=60, deadline=None)
def test_a_point_lies_on_the_ray_of_its_pixel(camera: Camera, where) -> None:
    column, row, depth = camera.project(where, WIDTH, HEIGHT)
    if depth < 0.05:
        return
    lens = camera.lens(WIDTH, HEIGHT)
    x, y = (column - lens[13]) / lens[12], (row - lens[14]) / lens[12]
    stretch = depth if camera.span is None else 1.0
    back = np.array(camera.position) + np.array([x * stretch, y * stretch, depth]) @ camera.axes()
    assert np.allclose(back, where, atol=1e-9 * max(1.0, depth))


@given(cameras, point, st.floats(0.1, 0.9))
@settings(max_examples=60, deadline=None)
def test_straight_lines_stay_straight(camera: Camera, where, share: float) -> None:
    a, b = np.array(camera.target), np.array(where)
    seen = camera.project([a, b, a + share * (b - a)], WIDTH, HEIGHT)
    if seen[:, 2].min() < 0.5:
        return
    first, second = seen[1, :2] - seen[0, :2], seen[2, :2] - seen[0, :2]
    assert abs(first[0] * second[1] - first[1] * second[0]) < 1e-6 * max(1.0, np.abs(seen).max() ** 2)


@given(
    st.lists(st.tuples(length, st.floats(0.5, 3.0), length, st.floats(0.1, 0.5)), min_size=1, max_size=6),
    st.floats(-3.0, 3.0),
    st.none() | st.just(6.0),
)
@settings(max_examples=30, deadline=None)
def test_the_nearest_ball_shows(balls, azimuth: float, span) -> None:
    """At the middle of every ball's image the colour is that of whoever is nearest along that ray."""
    camera = Camera.orbit((0, 1, 0), 12.0, azimuth=azimuth, elevation=0.2, span=span)
    centres, radii = np.array([ball[:3] for ball in balls]), np.array([ball[3] for ball in balls])
    tints = np.zeros((len(balls), 3))
    tints[:, 0], tints[:, 1] = 255.0, np.arange(len(balls)) * 40.0
    picture = Renderer(WIDTH, HEIGHT, camera, look=Look(fog=1e6)).draw(centres, centres, radii, tints)
    for column, row, _ in camera.project(centres, WIDTH, HEIGHT):
        x, y = int(column), int(row)
        if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
            continue
        depths, margins = _hits(camera, x + 0.5, y + 0.5, centres, radii)
        order = np.argsort(depths)
        # Rims and crossings are blends of two; judge only where one ball is clearly in front.
        pixel = 12.0 / camera.lens(WIDTH, HEIGHT)[12] if span is None else 1.0 / camera.lens(WIDTH, HEIGHT)[12]
        clear = len(order) == 1 or depths[order[1]] - depths[order[0]] > 3 * pixel
        if clear and np.all(np.abs(margins) > 1.5 * pixel) and depths[order[0]] < 1e9:
            red, green, _ = picture[y, x].astype(float)
            assert abs(green / red - order[0] * 40.0 / 255.0) < 0.03


def _hits(camera: Camera, column: float, row: float, centres, radii):
    """Depth where a pixel's ray enters each ball (1e12 if it does not), and how far inside the rim it passes."""
    lens = camera.lens(WIDTH, HEIGHT)
    x, y = (column - lens[13]) / lens[12], (row - lens[14]) / lens[12]
    right, down, forward = camera.axes()
    origin, direction = np.array(camera.position), forward
    if camera.span is None:
        direction = forward + x * right + y * down
    else:
        origin = origin + x * right + y * down
    scale = np.linalg.norm(direction)
    unit = direction / scale
    along = (centres - origin) @ unit
    away = np.linalg.norm(centres - origin - along[:, None] * unit, axis=1)
    inside = radii**2 - away**2
    depths = np.where(inside > 0, (along - np.sqrt(np.maximum(inside, 0))) / scale, 1e12)
    return depths, radii - away


@given(st.lists(st.tuples(length, st.floats(0.1, 2.0), length, st.floats(0.05, 0.4)), min_size=1, max_size=5))
@settings(max_examples=25, deadline=None)
def test_a_mirrored_scene_gives_a_mirrored_picture(balls) -> None:
    """Sun and camera in the plane x = 0: bodies, shadows and contacts are all symmetric."""
    camera = Camera.orbit((0, 0.5, 0), 9.0, azimuth=0.0, elevation=0.4)
    look = Look(sun_azimuth=0.0, sun_elevation=0.9)
    rng = np.random.default_rng(5)
    starts = np.array([ball[:3] for ball in balls])
    ends = starts + rng.uniform(-0.3, 0.3, starts.shape)
    radii, tints = np.array([ball[3] for ball in balls]), rng.uniform(50, 250, starts.shape)
    mirror = np.array([-1.0, 1.0, 1.0])
    renderer = Renderer(WIDTH, HEIGHT, camera, look=look)
    picture = renderer.draw(starts, ends, radii, tints).astype(int)
    mirrored = renderer.draw(starts * mirror, ends * mirror, radii, tints).astype(int)
    difference = np.abs(picture - mirrored[:, ::-1])
    assert np.quantile(difference, 0.995) <= 3
    assert difference.max() <= 40


@given(st.floats(0.0, 6.0), st.floats(0.35, math.pi / 2), point)
@settings(max_examples=25, deadline=None)
def test_shadow_never_brightens(sun_azimuth: float, sun_elevation: float, where) -> None:
    camera = Camera.orbit((0, 0, 0), 9.0, elevation=0.5)
    renderer = Renderer(WIDTH, HEIGHT, camera, look=Look(sun_azimuth=sun_azimuth, sun_elevation=sun_elevation))
    nothing = np.zeros((0, 3))
    empty = renderer.draw(nothing, nothing, [], nothing).astype(int)
    centre = np.array([where]) * 0.5 + np.array([[0.0, 1.2, 0.0]])
    black = renderer.draw(centre, centre, [0.3], np.zeros((1, 3))).astype(int)
    assert np.all(black <= empty + 1)
    assert (empty - black).max() > 30
