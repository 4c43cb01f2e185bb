"""Shadows and marks on the ground, against the formulas pixel by pixel."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.render import Camera, Look, Renderer
from walkon.render._kernels_ground import paint_ground, survey_ground
from walkon.render._kernels_planes import empty_spans
from walkon.render._kernels_shadows import shade_ground, stroke

WIDTH, HEIGHT, STRIDE = 96, 64, 104
SIZE = (WIDTH, HEIGHT, STRIDE)
PLAIN = (1.0, 0.0, 0.0, 1.0)


def surveyed(camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    lens, rows = camera.lens(WIDTH, HEIGHT), np.zeros((HEIGHT, 5))
    survey_ground(lens, rows)
    return lens, rows


def ground_points(camera: Camera) -> np.ndarray:
    """Ground point (H, W, 2) under every pixel, NaN above the horizon, by intersecting rays."""
    lens = camera.lens(WIDTH, HEIGHT)
    right, down, forward = camera.axes()
    found = np.full((HEIGHT, WIDTH, 2), np.nan)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            u, v = (x + 0.5 - lens[13]) / lens[12], (y + 0.5 - lens[14]) / lens[12]
            origin, direction = np.array(camera.position), forward
            if camera.span is None:
                direction = forward + u * right + v * down
            else:
                origin = origin + u * right + v * down
            if direction[1] < -1e-6:
                point = origin - origin[1] / direction[1] * direction
                found[y, x] = point[0], point[2]
    return found


def segment_distance(points: np.ndarray, a, b) -> np.ndarray:
    a, b = np.asarray(a, float), np.asarray(b, float)
    t = np.clip((points - a) @ (b - a) / max((b - a) @ (b - a), 1e-18), 0.0, 1.0)
    return np.linalg.norm(points - a - t[..., None] * (b - a), axis=-1)


def test_rows_know_the_ground(camera: Camera) -> None:
    lens, rows = surveyed(camera)
    points = ground_points(camera)
    for y in (20, 40, 63):
        along = np.arange(WIDTH)[:, None] * rows[y, 3] * lens[[3, 5]]
        assert rows[y, 1:3] + along == pytest.approx(points[y])
        assert camera.project((rows[y, 1], 0.0, rows[y, 2]), WIDTH, HEIGHT) == pytest.approx(
            (0.5, y + 0.5, rows[y, 0])
        )


def test_no_ground_above_the_horizon() -> None:
    _, rows = surveyed(Camera((0, 1, 10), (0, 1, 0), fov=0.8))
    assert np.all(rows[: HEIGHT // 2, 0] == 0.0)
    assert np.all(rows[HEIGHT // 2 :, 0] > 0.0)


@pytest.mark.parametrize(
    ("a", "b"), [((-0.6, 0.3), (0.7, -0.4)), ((0.2, 0.1), (0.2, 0.1)), ((0.0, -1.0), (0.0, 1.0))]
)
def test_stroke_is_full_inside_and_nothing_outside(camera: Camera, a, b) -> None:
    lens, rows = surveyed(camera)
    plane, spans = np.zeros(HEIGHT * STRIDE, np.float32), empty_spans(HEIGHT, WIDTH)
    stroke((plane, spans, SIZE, lens, rows), PLAIN, a, b, (0.3, (0.1, 0.1), (1.0, 1.0)))
    ink = plane.reshape(HEIGHT, STRIDE)[:, :WIDTH]
    distance = segment_distance(np.nan_to_num(ground_points(camera), nan=1e6), a, b)
    assert np.all(ink[distance < 0.2] > 0.999)
    assert np.all(ink[distance > 0.401] == 0.0)
    assert (distance < 0.2).sum() > 10
    inside = np.clip((0.4**2 - distance**2) / (0.4**2 - 0.2**2), 0.0, 1.0)
    assert ink == pytest.approx(inside**2 * (3 - 2 * inside), abs=2e-3)
    touched = ink > 0
    for y in range(HEIGHT):
        if touched[y].any():
            assert spans[y, 0] <= np.argmax(touched[y])
            assert spans[y, 1] >= WIDTH - 1 - np.argmax(touched[y][::-1])


def test_a_shadow_falls_where_the_sun_ray_meets_the_ground(camera: Camera) -> None:
    sun = np.array([0.5, 0.7, -0.4])
    sun /= np.linalg.norm(sun)
    ball = np.array([[0.1, 0.8, 0.2]])
    lens, rows = surveyed(camera)
    planes = np.zeros((2, HEIGHT * STRIDE), np.float32)
    canvas = empty_spans(HEIGHT, WIDTH), SIZE, lens, rows
    shade_ground((planes[0], planes[1]), canvas, sun, 0.01, (ball, ball, np.array([0.25])))
    ink = planes[0].reshape(HEIGHT, STRIDE)[:, :WIDTH]
    points = np.nan_to_num(ground_points(camera), nan=1e6)
    spot = np.stack([points[..., 0], np.zeros((HEIGHT, WIDTH)), points[..., 1]], axis=-1)
    # How far the sun ray through a ground point passes the ball's centre.
    away = np.linalg.norm(np.cross(spot - ball[0], sun), axis=-1)
    assert np.all(ink[away < 0.18] > 0.99)
    assert np.all(ink[away > 0.36] == 0.0)
    assert not planes[1].any()  # too high to touch


def test_contact_shade_fades_with_height(camera: Camera) -> None:
    darkest = []
    for height in (0.1, 0.2, 0.3, 0.5):
        lens, rows = surveyed(camera)
        planes = np.zeros((2, HEIGHT * STRIDE), np.float32)
        ball = np.array([[0.0, height, 0.0]])
        sun = np.array([0.0, 1.0, 0.0])
        canvas = empty_spans(HEIGHT, WIDTH), SIZE, lens, rows
        shade_ground((planes[0], planes[1]), canvas, sun, 0.02, (ball, ball, np.array([0.1])))
        darkest.append(planes[1].max())
    assert darkest == sorted(darkest, reverse=True)
    assert darkest[0] > 0.8
    assert darkest[-1] == 0.0


def test_shadows_that_overlap_darken_once(camera: Camera) -> None:
    """Two limbs in the same place cast the shadow of one, in the penumbra and at the contact too."""
    sun = np.array([0.3, 0.9, -0.2]) / np.linalg.norm([0.3, 0.9, -0.2])
    lens, rows = surveyed(camera)
    found = []
    for times in (1, 2):
        starts, ends = np.tile([[0.0, 0.15, 0.0]], (times, 1)), np.tile([[0.3, 0.9, 0.1]], (times, 1))
        planes = np.zeros((2, HEIGHT * STRIDE), np.float32)
        canvas = empty_spans(HEIGHT, WIDTH), SIZE, lens, rows
        shade_ground((planes[0], planes[1]), canvas, sun, 0.1, (starts, ends, np.full(times, 0.1)))
        found.append(planes)
    assert ((found[0] > 0.1) & (found[0] < 0.9)).sum() > 30
    assert np.array_equal(found[0], found[1])


def test_full_shadow_is_as_dark_as_the_look_says() -> None:
    camera = Camera.orbit((0, 0, 0), 8.0, elevation=0.6)
    look = Look(sun_elevation=math.pi / 2, contact=0.0)
    ball, nobody = np.array([[0.0, 3.0, 0.0]]), np.zeros((0, 3))
    renderer = Renderer(WIDTH, HEIGHT, camera, look=look)
    lit = renderer.draw(nobody, nobody, [], nobody)[HEIGHT // 2, WIDTH // 2].astype(float)
    shaded = renderer.draw(ball, ball, [0.5], np.full((1, 3), 255.0))[HEIGHT // 2, WIDTH // 2]
    assert shaded == pytest.approx(lit * (1.0 - look.darkness()[:3]), abs=2)


def test_grid_lines_are_where_whole_metres_are() -> None:
    camera = Camera((0.5, 10.0, 0.5), (0.5, 0.0, 0.5), span=2.0)
    lens, rows = surveyed(camera)
    planes = np.zeros(HEIGHT * STRIDE, np.uint32), np.zeros(HEIGHT * STRIDE, np.float32)
    receive = np.zeros(HEIGHT * STRIDE, np.float32)
    look = Look(ground=(200.0, 200.0, 200.0), grid=(100.0, 100.0, 100.0), line=0.1, cell=1.0, fog=1e6)
    paint_ground(*planes, receive, SIZE, lens, rows, look.floor(camera))
    red = (planes[0].reshape(HEIGHT, STRIDE)[:, :WIDTH] & 255).astype(float)
    points = ground_points(camera)
    off_line = np.abs(points - np.round(points)).min(axis=-1)
    assert np.all(red[off_line > 0.13] == 200.0)
    assert red[off_line < 0.03].max() <= 151.0


def test_a_grid_too_fine_to_see_becomes_its_average() -> None:
    """No moiré: far beyond the pixel's resolution all pixels look alike."""
    camera = Camera((0.5, 10.0, 0.5), (0.5, 0.0, 0.5), span=2000.0)
    lens, rows = surveyed(camera)
    lit, depth = np.zeros(HEIGHT * STRIDE, np.uint32), np.zeros(HEIGHT * STRIDE, np.float32)
    look = Look(ground=(200.0, 200.0, 200.0), grid=(100.0, 100.0, 100.0), line=0.1, fog=1e6)
    paint_ground(lit, depth, np.zeros_like(depth), SIZE, lens, rows, look.floor(camera))
    red = (lit.reshape(HEIGHT, STRIDE)[:, :WIDTH] & 255).astype(float)
    assert np.ptp(red) <= 3.0
    assert 175.0 < red.mean() < 195.0
