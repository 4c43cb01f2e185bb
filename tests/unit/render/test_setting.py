"""Scenes drawn: every shape, hills, things that move, and the shadows of it all."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.render import Camera, Look, Renderer
from walkon.render._kernels_light import height_at, landing
from walkon.render._kernels_relief import screen_box, stroke_relief
from walkon.render._kernels_shadows import stroke
from walkon.render.movers import RigidMotion
from walkon.render.setting import build_setting
from walkon.render.solids import face_groups, solid_of_surface
from walkon.render.stage import PaintedStage
from walkon.rotations import from_axis_angle
from walkon.world import Box, Capsule, Cylinder, HeightField, Mesh, Obstacle, Polygon, Scene, Sphere, flat_terrain

WIDTH, HEIGHT = 96, 64
BOUNDS = (-4.0, -4.0, 4.0, 4.0)
CAMERA = Camera.orbit((0.0, 0.4, 0.0), 8.0, azimuth=0.4, elevation=0.5)
NOTHING = np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros((0, 3))
TILTED = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.array([0.6]))
PLAIN = np.array([[1.0, 0.0, 0.0, 0.0]])
BALL = Sphere(0.5).surface(12)


def hill() -> HeightField:
    x, z = np.meshgrid(np.linspace(-4.0, 4.0, 65), np.linspace(-4.0, 4.0, 65))
    return HeightField(-4.0, -4.0, 0.125, 1.5 * np.exp(-(x**2 + z**2) / 3.0))


def scene(*obstacles: Obstacle, terrain: HeightField | None = None) -> Scene:
    return Scene("scene", BOUNDS, flat_terrain(BOUNDS) if terrain is None else terrain, obstacles)


def standing(shape, at=(0.0, 0.6, 0.0), rotation=PLAIN, **how) -> Obstacle:
    return Obstacle("thing", shape, np.array([at]), rotation, **how)


def plane(stage: PaintedStage, values: np.ndarray) -> np.ndarray:
    return values.reshape(HEIGHT, -1)[:, :WIDTH]


@pytest.mark.parametrize(
    "shape",
    [
        Box(1.0, 0.8, 0.6),
        Cylinder(0.4, 1.0),
        Sphere(0.5),
        Capsule(0.3, 0.8),
        Polygon(np.array([(0.0, 0.0), (1.0, 0.0), (0.2, 0.2), (0.0, 1.0)]), 0.5),
        Mesh(BALL.points, BALL.triangles),
    ],
)
def test_every_shape_in_any_pose_hides_what_its_surface_covers(shape) -> None:
    obstacle = standing(shape, rotation=TILTED)
    stage = PaintedStage(WIDTH, HEIGHT, Look(), build_setting(scene(obstacle)))
    stage.paint(CAMERA)
    nearer = plane(stage, stage.depth) < plane(stage, stage.ground) - 1e-4
    solid = build_setting(scene(obstacle)).solids[0]
    image = CAMERA.project(solid.corners, WIDTH, HEIGHT)
    columns, rows = np.meshgrid(np.arange(WIDTH) + 0.5, np.arange(HEIGHT) + 0.5)
    covered = np.zeros((HEIGHT, WIDTH), dtype=bool)
    for a, b, c in image[..., :2]:
        turns = [
            (q[0] - p[0]) * (rows - p[1]) - (q[1] - p[1]) * (columns - p[0]) for p, q in ((a, b), (b, c), (c, a))
        ]
        covered |= np.all(np.array(turns) >= 0, axis=0) | np.all(np.array(turns) <= 0, axis=0)
    assert (nearer != covered).sum() <= 3
    assert covered.sum() > 50


def test_faces_of_a_box_are_six_and_of_a_ball_one() -> None:
    counts = []
    for shape in (Box(1.0, 1.0, 1.0), Sphere(1.0), Cylinder(1.0, 1.0)):
        surface = shape.surface()
        groups = face_groups(surface.points[surface.triangles], surface.normals[surface.triangles])
        counts.append(len(np.unique(groups)))
    assert counts == [6, 1, 3]


def test_convex_solids_cast_one_shadow_and_others_one_a_face() -> None:
    star = Polygon(np.array([(0.0, 0.0), (1.0, 0.0), (0.2, 0.2), (0.0, 1.0)]), 0.5)
    assert len(solid_of_surface(Cylinder(0.5, 1.0).surface(), (0.0, 0.0, 0.0)).pieces) == 1
    assert len(solid_of_surface(star.surface(), (0.0, 0.0, 0.0)).pieces) > 4


def test_a_silhouette_of_slivers_has_soft_edges_all_along() -> None:
    """The last facets of a cylinder before its outline own no pixel, yet they cover parts of some."""
    camera = Camera.orbit((0.0, 0.9, 0.0), 40.0, azimuth=0.3, elevation=0.3, span=2.4)
    pole = standing(Cylinder(0.5, 1.5), at=(0.0, 0.2, 0.0))
    stage = PaintedStage(WIDTH, HEIGHT, Look(fog=1e6), build_setting(scene(pole)))
    stage.paint(camera)
    left = camera.project(np.array([0.0, 0.9, 0.0]) - 0.5 * camera.axes()[0], WIDTH, HEIGHT)[0]
    free = plane(stage, stage.receive)[HEIGHT // 2 - 8 : HEIGHT // 2 + 8]
    expected = left - math.floor(left)  # share of the pixel that the outline leaves to the ground
    assert free[:, math.floor(left)] == pytest.approx(np.full(16, expected), abs=0.15)


def march(camera: Camera, x: int, y: int, terrain: HeightField) -> float:
    """Depth of the ground through a pixel's centre: small steps along its ray."""
    lens = camera.lens(WIDTH, HEIGHT)
    u, v = (x + 0.5 - lens[13]) / lens[12], (y + 0.5 - lens[14]) / lens[12]
    right, down, forward = camera.axes()
    depths = np.arange(2.0, 14.0, 0.004)
    points = np.array(camera.position) + depths[:, None] * (forward + u * right + v * down)
    below = points[:, 1] < terrain.at(points[:, 0], points[:, 2])
    return float(depths[np.argmax(below)]) if below.any() else 1e9


def test_hills_are_where_the_terrain_is() -> None:
    terrain = hill()
    stage = PaintedStage(WIDTH, HEIGHT, Look(), build_setting(scene(terrain=terrain)))
    stage.paint(CAMERA)
    depth = plane(stage, stage.depth)
    for y in range(20, HEIGHT, 7):
        for x in range(3, WIDTH, 9):
            assert depth[y, x] == pytest.approx(march(CAMERA, x, y, terrain), abs=0.03)


def test_a_hill_is_bright_towards_the_sun_and_dark_behind() -> None:
    look = Look(sun_azimuth=-math.pi / 2, sun_elevation=0.7, fog=1e6)  # the sun stands on the side of -x
    camera = Camera((0.0, 20.0, 0.0), (0.0, 0.0, 0.0), span=8.0)
    stage = PaintedStage(WIDTH, HEIGHT, look, build_setting(scene(terrain=hill())))
    stage.paint(camera)
    green = (plane(stage, stage.lit) >> 8 & 255).astype(float)

    def at(x: float) -> float:
        column, row, _ = camera.project((x, 0.5, 0.3), WIDTH, HEIGHT)
        return float(green[int(row), int(column)])

    assert at(-1.3) > at(1.3) + 20


def test_on_level_ground_both_strokes_agree() -> None:
    stage = PaintedStage(WIDTH, HEIGHT, Look(), build_setting(scene()))
    stage.paint(CAMERA)
    lens = CAMERA.lens(WIDTH, HEIGHT)
    a, b = np.array([-0.8, 0.0, 0.3]), np.array([0.9, 0.0, -0.4])
    flat, hilly = np.zeros_like(stage.depth), np.zeros_like(stage.depth)
    spans = np.zeros((HEIGHT, 2), np.int64)
    pen = 0.3, (0.05, 0.2), (1.0, 0.6)
    level = flat, spans, stage.size, lens, stage.rows
    stroke(level, (1.0, 0.0, 0.0, 1.0), (a[0], a[2]), (b[0], b[2]), pen)
    metric = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    box = screen_box(lens, stage.size, a, b, 0.5)
    stroke_relief((hilly, stage.ground, spans, stage.size, lens), metric, a, b, pen, box)
    assert flat.max() > 0.9
    assert hilly == pytest.approx(flat, abs=2e-3)


def test_heights_and_landings() -> None:
    terrain = hill()
    field = terrain.origin_x, terrain.origin_z, terrain.cell
    rng = np.random.default_rng(0)
    for x, z in rng.uniform(-5.0, 5.0, (30, 2)):
        assert height_at(terrain.heights, field, x, z) == pytest.approx(float(terrain.at(x, z)), abs=1e-12)
    sun = np.array([0.48, 0.8, 0.36])
    x, y, z = landing(terrain.heights, field, sun, 0.3, 3.0, 0.2)
    assert y == pytest.approx(float(terrain.at(x, z)), abs=0.03)
    assert np.cross([0.3 - x, 3.0 - y, 0.2 - z], sun) == pytest.approx(np.zeros(3), abs=1e-9)


def test_shadows_climb_the_hill() -> None:
    """The shadow of a ball lies where the sun's ray meets the slope, not where level ground would be."""
    look = Look(sun_azimuth=0.5, sun_elevation=0.9, fog=1e6)
    terrain = hill()
    camera = Camera((0.0, 20.0, 0.0), (0.0, 0.0, 0.0), span=8.0)
    renderer = Renderer(WIDTH, HEIGHT, camera, look=look, setting=build_setting(scene(terrain=terrain)))
    empty = renderer.draw(*NOTHING).astype(int)
    ball = np.array([[1.0, 2.6, 0.4]])
    drawn = renderer.draw(ball, ball, [0.25], np.full((1, 3), 200.0)).astype(int)
    field = terrain.origin_x, terrain.origin_z, terrain.cell
    spot = landing(terrain.heights, field, look.sun, *ball[0])
    column, row, _ = camera.project(np.array(spot), WIDTH, HEIGHT)
    assert (empty - drawn)[int(row), int(column)].min() > 40
    assert np.array_equal(renderer.draw(*NOTHING), empty.astype(np.uint8))


def mover(shape, height: float) -> Obstacle:
    places = np.stack([np.linspace(-2.0, 2.0, 31), np.full(31, height), np.zeros(31)], axis=1)
    return Obstacle("mover", shape, places, np.repeat(TILTED, 31, axis=0))


@pytest.mark.parametrize("shape", [Sphere(0.5), Capsule(0.2, 0.6), Box(0.8, 0.8, 0.8), Cylinder(0.4, 0.8)])
@pytest.mark.parametrize("ground", ["level", "hilly"])
def test_what_moves_is_where_it_is_at_that_time_and_leaves_no_trace(shape, ground) -> None:
    terrain = hill() if ground == "hilly" else None
    height = 1.8 if ground == "hilly" else 0.5
    setting = build_setting(scene(mover(shape, height), terrain=terrain))
    renderer = Renderer(WIDTH, HEIGHT, CAMERA, setting=setting)
    bare = Renderer(WIDTH, HEIGHT, CAMERA, look=renderer.look, setting=build_setting(scene(terrain=terrain)))
    background = bare.draw(*NOTHING).astype(int)
    pictures = [renderer.draw(*NOTHING, time=time).astype(int) for time in (0.0, 0.5, 1.0, 0.0)]
    assert np.array_equal(pictures[0], pictures[3])
    touched = [np.abs(picture - background).max(axis=2) > 24 for picture in pictures]
    middles = [np.nonzero(mask)[1].mean() for mask in touched if mask.any()]
    expected = [CAMERA.project((x, height, 0.0), WIDTH, HEIGHT)[0] for x in (-2.0, 0.0, 2.0)]
    assert middles[:3] == pytest.approx(expected, abs=12)


def test_a_still_thing_and_one_that_moves_nowhere_look_alike() -> None:
    box = Box(0.8, 0.8, 0.8)
    still = standing(box, at=(0.3, 0.0, 0.2))
    moving = Obstacle("thing", box, np.tile(still.positions, (2, 1)), np.repeat(PLAIN, 2, axis=0))
    look = Look(shadow=0.0, contact=0.0)
    pictures = []
    for obstacle in (still, moving):
        setting = build_setting(scene(obstacle))
        tinted = Renderer(WIDTH, HEIGHT, CAMERA, look=look, setting=setting)
        pictures.append(tinted.draw(*NOTHING).astype(int))
    changed = [np.abs(picture - pictures[0][0, 0]).max(axis=2) > 30 for picture in pictures]
    assert (changed[0] != changed[1]).sum() <= 6


def test_what_is_under_the_ground_casts_no_shadow() -> None:
    deep = Obstacle(
        "root", Box(1.0, 0.2, 1.0), np.array([[0.0, 0.2, 0.0], [0.0, 0.2, 0.0]]), np.repeat(PLAIN, 2, axis=0)
    )
    terrain = hill()
    look = Look().lit_for(CAMERA)
    pictures = [
        Renderer(WIDTH, HEIGHT, CAMERA, look=look, setting=build_setting(scene(*things, terrain=terrain))).draw(
            *NOTHING
        )
        for things in ((), (deep,))
    ]
    assert np.array_equal(*pictures)


def test_between_frames_a_motion_takes_the_short_way() -> None:
    turns = from_axis_angle(np.array([0.0, 1.0, 0.0]), np.array([0.2, 0.4]))
    motion = RigidMotion(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), turns * np.array([[1.0], [-1.0]]))
    place, turn = motion.at(0.5)
    assert place == pytest.approx([0.5, 0.0, 0.0])
    assert abs(turn @ from_axis_angle(np.array([0.0, 1.0, 0.0]), np.array(0.3))) == pytest.approx(1.0, abs=1e-6)
    assert motion.at(9.0)[0] == pytest.approx([1.0, 0.0, 0.0])


def test_level_ground_beside_a_hill_has_no_contour_line() -> None:
    """Heights of almost 0 all around must not flicker between two levels."""
    field = hill()
    rng = np.random.default_rng(0)
    heights = np.where(field.heights > 0.15, field.heights, rng.normal(0.0, 1e-6, field.heights.shape))
    look = Look(grid=Look().ground, fog=1e6)
    camera = Camera((0.0, 20.0, 0.0), (0.0, 0.0, 0.0), span=8.0)
    setting = build_setting(scene(terrain=HeightField(-4.0, -4.0, 0.125, heights)))
    stage = PaintedStage(WIDTH, HEIGHT, look, setting)
    stage.paint(camera)
    green = (plane(stage, stage.lit) >> 8 & 255).astype(int)
    assert np.ptp(green[1:6]) <= 2
