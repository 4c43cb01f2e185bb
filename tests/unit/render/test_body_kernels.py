"""The vectorised capsule kernel against a ray tracer that anybody can check."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.render import Camera
from walkon.render._kernels_bodies import draw_capsules, sort_far_to_near
from walkon.render._kernels_planes import empty_spans

WIDTH, HEIGHT, STRIDE = 72, 48, 80
FAR = 1e9
LIGHTING = np.array([0.3, -0.8, -0.52, 0.0, -1.0, 0.0, 0.4, 0.1, 0.4, 0.1])
NO_FOG = np.array([255.0, 255.0, 255.0, 1e9, 0.0])


def draw(camera: Camera, starts, ends, radii, tints=None, fog=NO_FOG):
    colour = np.zeros(HEIGHT * STRIDE, np.uint32)
    depth = np.full(HEIGHT * STRIDE, FAR, np.float32)
    starts, ends, radii = np.asarray(starts, float), np.asarray(ends, float), np.asarray(radii, float)
    tints = np.full((len(radii), 3), 200.0) if tints is None else np.asarray(tints, float)
    lens = camera.lens(WIDTH, HEIGHT)
    capsules = starts, ends, radii, tints, np.ones(len(radii))
    order = np.empty(len(radii), np.int64)
    canvas = colour, depth, empty_spans(HEIGHT, WIDTH), (WIDTH, HEIGHT, STRIDE)
    draw_capsules(canvas, lens, capsules, (LIGHTING, fog), order)
    pixels = colour.view(np.uint8).reshape(HEIGHT, STRIDE, 4)[:, :WIDTH, :3]
    return pixels, depth.reshape(HEIGHT, STRIDE)[:, :WIDTH]


def rays(camera: Camera, columns: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions (..., 3) in the world; a direction advances one metre of depth."""
    lens = camera.lens(WIDTH, HEIGHT)
    x, y = (columns - lens[13]) / lens[12], (rows - lens[14]) / lens[12]
    right, down, forward = camera.axes()
    sideways = x[..., None] * right + y[..., None] * down
    position = np.broadcast_to(camera.position, sideways.shape)
    if camera.span is None:
        return position, forward + sideways
    return position + sideways, np.broadcast_to(forward, sideways.shape)


def trace(camera: Camera, columns: np.ndarray, rows: np.ndarray, a, b, radius: float) -> np.ndarray:
    """Depth (...) where rays enter the capsule, by marching as far as it is safe; FAR where they miss."""
    origin, direction = rays(camera, columns, rows)
    unit = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    a, b = np.asarray(a, float), np.asarray(b, float)
    travelled, gap = np.zeros(columns.shape), np.ones(columns.shape)
    for _ in range(400):
        point = origin + travelled[..., None] * unit
        t = np.clip((point - a) @ (b - a) / max((b - a) @ (b - a), 1e-18), 0.0, 1.0)
        gap = np.linalg.norm(point - a - t[..., None] * (b - a), axis=-1) - radius
        travelled = np.minimum(travelled + gap, 50.0)
    return np.where(gap < 1e-6, travelled / np.linalg.norm(direction, axis=-1), FAR)


def traced(camera: Camera, a, b, radius: float) -> np.ndarray:
    columns, rows = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    return trace(camera, columns, rows, a, b, radius)


CAPSULES = [
    ((-0.5, 0.4, 0.1), (0.6, 1.3, -0.3), 0.15),  # slanted
    ((0.0, 0.3, 0.0), (0.0, 1.4, 0.0), 0.2),  # upright
    ((-0.6, 0.9, 0.0), (0.6, 0.9, 0.0), 0.1),  # level
    ((0.1, 0.9, 0.0), (0.1, 0.9, 0.0), 0.3),  # a ball
    ((0.5, 1.2, 1.5), (-0.4, 0.7, -1.5), 0.12),  # nearly along the view
]


@pytest.mark.parametrize(("a", "b", "radius"), CAPSULES)
def test_depth_agrees_with_the_ray_tracer(camera: Camera, a, b, radius: float) -> None:
    _, depth = draw(camera, [a], [b], [radius])
    expected = traced(camera, a, b, radius)
    both = (depth < FAR) & (expected < FAR)
    assert both.sum() > 40
    # A pixel more than half covered is drawn: only the very rim may differ.
    rim = (depth < FAR) ^ (expected < FAR)
    assert rim.sum() <= 2
    error = np.abs(depth - expected)[both]
    assert np.quantile(error, 0.9) < 2e-4
    assert error.max() < 0.03  # at the silhouette the surface turns away


@pytest.mark.parametrize(("a", "b", "radius"), CAPSULES)
def test_edges_are_covered_by_the_right_share(camera: Camera, a, b, radius: float) -> None:
    """A flat white capsule on black: brightness is coverage, compared with 6 x 6 samples a pixel."""
    flat = np.array([0.0, -1.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    colour = np.zeros(HEIGHT * STRIDE, np.uint32)
    depth = np.full(HEIGHT * STRIDE, FAR, np.float32)
    lens = camera.lens(WIDTH, HEIGHT)
    capsule = np.array([a]), np.array([b]), np.array([radius]), np.full((1, 3), 255.0), np.ones(1)
    canvas = colour, depth, empty_spans(HEIGHT, WIDTH), (WIDTH, HEIGHT, STRIDE)
    draw_capsules(canvas, lens, capsule, (flat, NO_FOG), np.empty(1, np.int64))
    coverage = colour.view(np.uint8).reshape(HEIGHT, STRIDE, 4)[:, :WIDTH, 0] / 255.0
    steps = (np.arange(6) + 0.5) / 6
    rows, columns = np.nonzero((coverage > 0.02) & (coverage < 0.98))
    u, v = np.meshgrid(steps, steps)
    hits = trace(camera, columns[:, None] + u.ravel(), rows[:, None] + v.ravel(), a, b, radius) < FAR
    assert len(rows) > 20
    assert coverage[rows, columns] == pytest.approx(hits.mean(axis=1), abs=0.16)


def test_shading_follows_the_normal() -> None:
    """On a ball the normal is known: compare a lit pixel with the lighting formula."""
    camera = Camera((0, 0, 6), (0, 0, 0), fov=0.5)
    pixels, depth = draw(camera, [(0, 0, 0)], [(0, 0, 0)], [1.0])
    lens = camera.lens(WIDTH, HEIGHT)
    for x, y in ((36, 24), (40, 20), (30, 28), (44, 24)):
        direction = np.array([(x + 0.5 - lens[13]) / lens[12], (y + 0.5 - lens[14]) / lens[12], 1.0])
        normal = direction * depth[y, x] - np.array([0.0, 0.0, 6.0])
        facing, upward = normal @ LIGHTING[:3], normal @ LIGHTING[3:6]
        outward = -normal @ direction / (direction @ direction)
        light = LIGHTING[6] + LIGHTING[7] * upward + LIGHTING[8] * max(facing, 0.0) + LIGHTING[9] * outward
        assert pixels[y, x, 0] == pytest.approx(200.0 * light, abs=1.01)


def test_the_nearer_capsule_wins_whatever_the_order(camera: Camera) -> None:
    towards = np.subtract(camera.position, camera.target) / camera.distance
    near, far = np.array(camera.target) + 0.8 * towards, np.array(camera.target) - 0.8 * towards
    for first, second in ((0, 1), (1, 0)):
        centres = np.array([near, far])[[first, second]]
        tints = np.array([[250.0, 0.0, 0.0], [0.0, 250.0, 0.0]])[[first, second]]
        pixels, _ = draw(camera, centres, centres, [0.2, 0.4], tints)
        assert pixels[HEIGHT // 2, WIDTH // 2, 0] > 80
        assert pixels[HEIGHT // 2, WIDTH // 2, 1] == 0


def test_fog_swallows_what_is_far() -> None:
    camera = Camera((0, 0, 6), (0, 0, 0))
    fog = np.array([10.0, 120.0, 240.0, 1.0, 0.0])
    pixels, _ = draw(camera, [(0, 0, 0)], [(0, 0, 0)], [1.0], fog=fog)
    assert pixels[HEIGHT // 2, WIDTH // 2].tolist() == pytest.approx([10, 120, 240], abs=1)


def test_a_hair_is_never_darker_than_its_width() -> None:
    """A capsule a fifth of a pixel wide covers a fifth of a pixel, not a whole one."""
    camera = Camera((0, 0, 10), (0, 0, 0), span=HEIGHT / 10.0)
    flat = np.full((1, 3), 255.0)
    pixels, _ = draw(camera, [(-1, 0, 0)], [(1, 0, 0)], [0.01], flat)
    assert 0 < pixels[..., 0].max() <= 0.25 * 255


@pytest.mark.parametrize("where", [(0.0, 0.0, 30.0), (0.0, 0.0, 9.99), (400.0, 0.0, 0.0), (0.0, -500.0, 0.0)])
def test_out_of_view_draws_nothing(where: tuple[float, float, float]) -> None:
    camera = Camera((0, 0, 10), (0, 0, 0))
    pixels, depth = draw(camera, [where], [where], [0.1])
    assert not pixels.any()
    assert np.all(depth == np.float32(FAR))


def test_capsules_that_leave_the_picture_do_not_wrap_around() -> None:
    camera = Camera((0, 0, 10), (0, 0, 0), span=4.0)
    edge = 2.0 * WIDTH / HEIGHT
    _, depth = draw(camera, [(edge, 0, 0)], [(edge + 5, 0, 0)], [0.3])
    assert (depth < FAR).any()
    assert np.all(depth[:, : WIDTH // 2] == np.float32(FAR))


def test_order_is_far_to_near() -> None:
    camera = Camera((0, 0, 10), (0, 0, 0))
    rng = np.random.default_rng(3)
    points = rng.uniform(-3, 3, (200, 3))
    order = np.empty(200, np.int64)
    sort_far_to_near(camera.lens(8, 8), points, points, order)
    depths = 10.0 - points[order, 2]
    assert sorted(order) == list(range(200))
    assert np.all(np.diff(depths) < 6.0 / 4096 * 2)
    assert math.isclose(depths[0], depths.max(), abs_tol=0.01)
