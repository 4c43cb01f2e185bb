"""Clearance: exact distances, against shapely and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from walkon.errors import SceneError
from walkon.rotations import from_axis_angle, multiply, rotation_about_y
from walkon.world import (
    CLEARANCE_REACH,
    Box,
    Capsule,
    Cylinder,
    Footing,
    HeightField,
    Mesh,
    Obstacle,
    Polygon,
    Scene,
    Sphere,
    build_world,
    flat_terrain,
    sampling_error,
)
from walkon.world import clearance as clearance_module
from walkon.world.clearance import closed_by
from walkon.world.kernels import bilinear, bilinear_level, outline_distance

BOUNDS = (-4.0, -3.0, 5.0, 6.0)
ELL = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 2.5], [0, 2.5]])


def standing(shape, x=0.0, z=0.0, *, y=0.0, heading=0.0, tilt=0.0, **options):
    turn = multiply(rotation_about_y(heading), from_axis_angle(np.array([1.0, 0.0, 0.0]), tilt))
    return Obstacle("it", shape, [[x, y, z]], [turn], **options)


def world_with(*obstacles, terrain=None, cell=0.25, bounds=BOUNDS):
    scene = Scene("test", bounds, terrain or flat_terrain(bounds), tuple(obstacles))
    # Obstacles alone: what slopes add is tested with the slopes.
    return build_world(scene, cell=cell, footing=Footing(steepest=math.inf, sway=0.0))


def vertices(grid):
    rows, columns = grid.values.shape
    x, z = np.meshgrid(grid.origin_x + np.arange(columns) * grid.cell, grid.origin_z + np.arange(rows) * grid.cell)
    return shapely.points(x, z)


def expected(grid, area):
    """Signed distance to an area and to the edge of the bounds, cut off as documented."""
    points, room = vertices(grid), shapely.box(*BOUNDS)
    values = np.where(
        shapely.contains(area, points), -shapely.distance(area.boundary, points), shapely.distance(area, points)
    )
    edge = shapely.distance(room.exterior, points)
    return np.minimum(np.minimum(values, CLEARANCE_REACH), np.where(shapely.intersects(room, points), edge, -edge))


def turned(corners, x, z, heading):
    c, s = math.cos(heading), math.sin(heading)
    corners = np.asarray(corners, dtype=float)
    return np.stack(
        [corners[:, 0] * c + corners[:, 1] * s + x, -corners[:, 0] * s + corners[:, 1] * c + z], axis=1
    )


def rectangle(width, depth):
    return 0.5 * np.array([[-width, -depth], [width, -depth], [width, depth], [-width, depth]])


@pytest.mark.parametrize("heading", [0.0, 0.7, -2.0])
def test_box_is_its_turned_rectangle(heading):
    grid = world_with(standing(Box(2.0, 1.0, 0.6), 0.3, 0.4, heading=heading)).clearance
    area = shapely.Polygon(turned(rectangle(2.0, 0.6), 0.3, 0.4, heading))
    np.testing.assert_allclose(grid.values, expected(grid, area), atol=1e-12)


@pytest.mark.parametrize("corners", [ELL, ELL[::-1]])
def test_polygon_that_is_not_convex_is_exact_inside_and_out(corners):
    grid = world_with(standing(Polygon(corners, 1.0), -1.0, 0.5, heading=0.4)).clearance
    area = shapely.Polygon(turned(ELL, -1.0, 0.5, 0.4))
    np.testing.assert_allclose(grid.values, expected(grid, area), atol=1e-12)


@pytest.mark.parametrize("shape", [Cylinder(0.7, 1.0), Sphere(0.7)])
def test_disc(shape):
    grid = world_with(standing(shape, 0.5, 1.0)).clearance
    points = vertices(grid)
    disc = shapely.distance(shapely.points(0.5, 1.0), points) - 0.7
    np.testing.assert_allclose(grid.values, np.minimum(world_with().clearance.values, disc), atol=1e-12)


def test_capsule_that_leans_is_a_stadium_cut_off_above_all_heads():
    capsule = standing(Capsule(0.3, 10.0), 0.0, 0.0, tilt=math.radians(45.0))
    ((edges, rounding),) = capsule.shape.regions(capsule, flat_terrain(BOUNDS))
    assert rounding == 0.3
    # It leans towards +z; what is higher than a body, and farther than its own radius from there, is no obstacle.
    np.testing.assert_allclose(sorted(edges[:, 1]), [0.0, 2.6], atol=1e-9)
    np.testing.assert_allclose(edges[:, 0], 0.0, atol=1e-12)


def test_lying_cylinder_is_drawn_around_but_not_far():
    lying = standing(Cylinder(0.5, 3.0), 0.0, 0.0, y=0.5, tilt=math.pi / 2)
    ((edges, rounding),) = lying.shape.regions(lying, flat_terrain(BOUNDS))
    area = shapely.Polygon(edges[:, :2]).buffer(rounding)
    true = shapely.box(-0.5, 0.0, 0.5, 3.0)
    assert area.buffer(1e-9).contains(true)
    assert area.area < 1.02 * true.area


def test_tilted_box_is_only_as_wide_as_it_is_below_heads():
    leaning = standing(Box(1.0, 20.0, 1.0), tilt=math.radians(30.0))
    ((edges, _),) = leaning.shape.regions(leaning, flat_terrain(BOUNDS))
    assert edges[:, 1].max() == pytest.approx(0.5 / math.cos(math.radians(30)) + 2.3 * math.tan(math.radians(30)))


@pytest.mark.parametrize("y", [2.3, -1.0])
@pytest.mark.parametrize("shape", [Box(1, 1, 1), Cylinder(1, 1), Polygon(ELL, 1.0), Capsule(0.2, 0.6)])
def test_what_is_above_heads_or_below_the_ground_is_not_there(shape, y):
    y = y + 0.2 * isinstance(shape, Capsule)
    free = world_with().clearance.values
    np.testing.assert_array_equal(world_with(standing(shape, y=y)).clearance.values, free)
    assert (world_with(standing(shape, y=y - math.copysign(0.01, y))).clearance.values < free).any()


def test_what_can_be_passed_or_moves_is_not_in_the_clearance():
    free = world_with().clearance.values
    hurdle = standing(Box(1, 0.4, 1), passes=("step_over",))
    mover = Obstacle("mover", Sphere(0.5), [[0, 0.5, 0], [1, 0.5, 0]], [[1, 0, 0, 0]] * 2)
    np.testing.assert_array_equal(world_with(hurdle, mover).clearance.values, free)


def prism_mesh(corners, height):
    n = len(corners)
    points = [[x, y, z] for y in (0.0, height) for x, z in corners]
    faces = [face for k in range(n) for face in ([k, n + k, (k + 1) % n], [(k + 1) % n, n + k, n + (k + 1) % n])]
    faces += [[0, k, k + 1] for k in range(1, n - 1)] + [[n, n + k + 1, n + k] for k in range(1, n - 1)]
    return Mesh(np.array(points), np.array(faces))


@pytest.mark.parametrize("height", [1.0, 9.0])
def test_closed_mesh_is_solid_even_where_its_top_is_out_of_reach(height):
    corners = rectangle(2.0, 1.0)
    mesh = world_with(standing(prism_mesh(corners, height), 0.5, 1.0, heading=0.3)).clearance.values
    box = world_with(standing(Box(2.0, height, 1.0), 0.5, 1.0, heading=0.3)).clearance.values
    np.testing.assert_array_equal(mesh < -1e-9, box < -1e-9)
    outside = box > 0.0
    np.testing.assert_allclose(mesh[outside], box[outside], atol=1e-9)


def test_open_mesh_is_what_its_triangles_cover():
    wall = Mesh(np.array([[0, 0, 0], [2, 0, 0], [2, 9, 0], [0, 9, 0]]), np.array([[0, 1, 2], [0, 2, 3]]))
    grid = world_with(standing(wall)).clearance
    distance = shapely.distance(shapely.LineString([(0, 0), (2, 0)]), vertices(grid))
    np.testing.assert_allclose(grid.values, np.minimum(world_with().clearance.values, distance), atol=1e-12)


def test_sheets_on_the_ground_and_above_heads_are_no_obstacles():
    sheet = Mesh(np.array([[0, 0, 0], [2, 0, 0], [2, 0, 2]]), np.array([[0, 1, 2]]))
    free = world_with().clearance.values
    for y in (0.0, 2.3):
        np.testing.assert_array_equal(world_with(standing(sheet, y=y)).clearance.values, free)
    assert (world_with(standing(sheet, y=1.0)).clearance.values < free).any()


def test_heights_count_from_the_ground_where_the_obstacle_is():
    slope = HeightField(-4.0, -3.0, 1.0, np.add.outer(np.zeros(11), np.arange(11.0)))  # rises 1 m per metre of x
    free = world_with(terrain=slope).clearance.values
    beam = Box(0.5, 0.5, 4.0)
    assert (world_with(standing(beam, 3.0, 1.0, y=8.0), terrain=slope).clearance.values < free).any()
    np.testing.assert_array_equal(
        world_with(standing(beam, -3.0, 1.0, y=8.0), terrain=slope).clearance.values, free
    )
    np.testing.assert_array_equal(
        world_with(standing(beam, 3.0, 1.0, y=1.0), terrain=slope).clearance.values, free
    )


def test_distances_change_no_faster_than_one_goes():
    ball = Obstacle("ball", Sphere(0.5), [[2, 0, 3]], [[1, 0, 0, 0]])
    grid = world_with(standing(Polygon(ELL, 1.0), -1.0, 0.5), ball, cell=0.1).clearance
    for axis in (0, 1):
        assert np.abs(np.diff(grid.values, axis=axis)).max() <= grid.cell + 1e-12


def test_grid_reaches_a_cell_beyond_the_bounds():
    grid = world_with(cell=0.4).clearance
    rows, columns = grid.values.shape
    assert (grid.origin_x, grid.origin_z) == (-4.4, -3.4)
    assert grid.origin_x + (columns - 1) * grid.cell >= 5.4 - 1e-9
    assert grid.origin_z + (rows - 1) * grid.cell >= 6.4 - 1e-9
    assert (
        max(grid.values[0].max(), grid.values[-1].max(), grid.values[:, 0].max(), grid.values[:, -1].max()) < 0.0
    )
    assert not grid.values.flags.writeable


def test_bounds_however_large_make_a_grid_of_bounded_size(monkeypatch):
    monkeypatch.setattr(clearance_module, "MOST_VERTICES", 10_000)
    for bounds in ((-1e6, 0.0, 1e6, 1e6), (0.0, 0.0, 1e9, 0.5), (0.0, 0.0, 30.0, 30.0)):
        grid = world_with(standing(Box(1, 1, 1), 1.0, 0.2), bounds=bounds, cell=0.1).clearance
        assert grid.values.size <= 10_000
        assert grid.cell > 0.1


def test_obstacles_far_out_of_bounds_do_no_harm():
    free = world_with().clearance.values
    far = [standing(Box(1, 1, 1), x, z) for x, z in ((1e12, 0.0), (-1e12, 1e12), (0.0, -1e300))]
    for obstacle in far:
        np.testing.assert_array_equal(world_with(obstacle).clearance.values, free)


@pytest.mark.parametrize("cell", [0.0, -1.0, math.nan])
def test_cell_must_be_positive(cell):
    with pytest.raises(SceneError, match="cell"):
        world_with(cell=cell)


def test_bilinear_is_the_mean_of_four_and_falls_beyond_the_edge():
    field = HeightField(-1.0, 2.0, 0.5, np.random.default_rng(3).normal(size=(4, 6)))
    grid = (field.origin_x, field.origin_z, field.cell, field.heights)
    for x, z in np.random.default_rng(4).uniform([-1.0, 2.0], [1.5, 3.5], size=(50, 2)):
        assert bilinear(*grid, x, z) == pytest.approx(float(field.at(x, z)))
        assert bilinear_level(*grid, x, z) == pytest.approx(float(field.at(x, z)))
    for x, z in ((-4.0, 2.5), (0.0, 9.0), (5.0, -2.0)):
        outside = math.hypot(x - min(max(x, -1.0), 1.5), z - min(max(z, 2.0), 3.5))
        assert bilinear_level(*grid, x, z) == pytest.approx(float(field.at(x, z)))
        assert bilinear(*grid, x, z) == pytest.approx(float(field.at(x, z)) - outside)


def test_clearance_is_negative_everywhere_outside():
    grid = world_with(cell=0.5).clearance
    for x, z in ((-4.1, 0.0), (5.2, 6.1), (100.0, 0.0), (0.0, -1e6)):
        assert bilinear(grid.origin_x, grid.origin_z, grid.cell, grid.values, x, z) < 0.0


@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_outline_distance_is_that_of_the_rounded_hull(size):
    rng = np.random.default_rng(size)
    angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, size))
    corners = np.zeros((12, 2))
    corners[:size] = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 1.3
    hull = shapely.MultiPoint(corners[:size]).convex_hull
    for x, z in rng.uniform(-3.0, 3.0, size=(60, 2)):
        point = shapely.Point(x, z)
        plain = -hull.exterior.distance(point) if size > 2 and hull.contains(point) else hull.distance(point)
        assert outline_distance(corners, size, 0.2, x, z) == pytest.approx(plain - 0.2, abs=1e-12)


def test_sampling_error_holds_around_a_point():
    cell = 0.1
    grid = np.hypot(*np.meshgrid(np.arange(-2.0, 2.05, cell), np.arange(-2.0, 2.05, cell)))
    for x, z in np.random.default_rng(5).uniform(-1.9, 1.9, size=(3000, 2)):
        true = math.hypot(x, z)
        assert bilinear(-2.0, -2.0, cell, grid, x, z) - true <= sampling_error(cell, true) + 1e-12
    assert sampling_error(0.1, 0.3) < 0.02
    assert sampling_error(0.1, 0.0) == pytest.approx(0.1 / math.sqrt(2.0))


def test_what_an_obstacle_closes_is_drawn_once_for_a_terrain():
    box, terrain = standing(Box(1.0, 2.0, 1.0)), flat_terrain(BOUNDS)
    assert closed_by(box, terrain) is closed_by(box, terrain)
    assert closed_by(box, flat_terrain(BOUNDS)) is not closed_by(box, terrain)
