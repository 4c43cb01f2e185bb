"""Solids: what moves or can be passed, frame by frame."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from walkon.rotations import from_axis_angle, rotation_about_y, slerp
from walkon.world import (
    HULL_CORNERS,
    PASSES,
    Box,
    Capsule,
    Cylinder,
    HeightField,
    Obstacle,
    Polygon,
    Scene,
    Sphere,
    build_world,
    flat_terrain,
    near_region,
    solid_frame,
    within_region,
)
from walkon.world.building import FAR_AWAY

BOUNDS = (-10.0, -10.0, 10.0, 10.0)
STILL = [1.0, 0.0, 0.0, 0.0]


def world_with(*obstacles, terrain=None):
    return build_world(Scene("test", BOUNDS, terrain or flat_terrain(BOUNDS), tuple(obstacles)), cell=0.5)


def hurdle(name="hurdle", shape=None, y=0.0, passes=("jump_over",), heading=0.0):
    return Obstacle(name, shape or Box(3.0, 0.4, 0.2), [[1, y, 2]], [rotation_about_y(heading)], passes=passes)


def rolling(velocity, frames=10, radius=0.5, **options):
    positions = np.arange(frames)[:, None] * np.array([velocity, 0.0, 0.0]) + np.array([0.0, radius, 0.0])
    return Obstacle("ball", Sphere(radius), positions, [STILL] * frames, **options)


def outline(solids, row):
    hull = shapely.MultiPoint(solids.corners[row, : solids.sizes[row]]).convex_hull
    return hull.buffer(solids.rounding[row], quad_segs=64)


def test_world_without_solids():
    world = world_with(Obstacle("post", Cylinder(0.5, 2), [[0, 0, 0]], [STILL]))
    assert not world.moves
    assert world.frames == 1
    assert world.solids.starts.tolist() == [0]
    assert world.solids.corners.shape == (0, HULL_CORNERS, 2)


def test_hurdle_is_one_solid_with_its_passes():
    solids = world_with(hurdle(passes=("jump_over", "step_over"), heading=0.3)).solids
    assert solids.obstacle.tolist() == [0]
    assert solids.passes[0] == (1 << PASSES.index("step_over")) | (1 << PASSES.index("jump_over"))
    assert solids.starts.tolist() == [0, 1]
    assert (solids.bottom[0], solids.top[0]) == (0.0, 0.4)
    assert (solids.sizes[0], solids.rounding[0]) == (4, 0.0)
    assert outline(solids, 0).area == pytest.approx(0.6)
    signed = shapely.LinearRing(solids.corners[0, :4])
    assert signed.is_ccw
    assert solids.near[0] == 6.0
    assert solids.within[0] == pytest.approx(0.4)


def test_bar_overhead_keeps_its_height():
    solids = world_with(hurdle(shape=Box(3, 0.2, 0.2), y=1.4, passes=("duck_under",))).solids
    assert solids.bottom[0] == pytest.approx(1.4)
    assert solids.top[0] == pytest.approx(1.6)


@pytest.mark.parametrize(("shape", "size", "rounding"), [(Sphere(0.3), 1, 0.3), (Cylinder(0.3, 1), 1, 0.3)])
def test_round_things_are_discs(shape, size, rounding):
    solids = world_with(hurdle(shape=shape)).solids
    assert (solids.sizes[0], solids.rounding[0]) == (size, rounding)
    np.testing.assert_allclose(solids.discs[0], [1.0, 2.0, rounding])


def test_lying_capsule_is_a_stadium():
    lying = Obstacle(
        "log",
        Capsule(0.2, 2),
        [[0, 0.2, 0]],
        [from_axis_angle(np.array([1.0, 0, 0]), math.pi / 2)],
        ("jump_over",),
    )
    solids = world_with(lying).solids
    assert (solids.sizes[0], solids.rounding[0]) == (2, 0.2)
    assert solids.top[0] == pytest.approx(0.4)
    np.testing.assert_allclose(solids.discs[0], [0.0, 1.0, 1.2], atol=1e-9)


def test_polygon_that_is_not_convex_becomes_several_solids():
    ell = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 2.5], [0, 2.5]])
    solids = world_with(rolling(0.1), hurdle(shape=Polygon(ell, 0.3))).solids
    assert solids.obstacle.tolist() == [0, 1, 1]
    union = shapely.union_all([outline(solids, row) for row in solids.starts[1:-1]])
    assert union.symmetric_difference(shapely.Polygon(ell + np.array([1, 2]))).area < 1e-9


def test_round_outline_is_drawn_around_with_few_corners():
    angles = np.arange(60) * 2.0 * math.pi / 60
    plate = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    solids = world_with(hurdle(shape=Polygon(plate, 0.3))).solids
    assert solids.sizes[0] == HULL_CORNERS
    assert outline(solids, 0).buffer(1e-9).contains(shapely.Polygon(plate + np.array([1, 2])))
    assert outline(solids, 0).area < 1.05 * math.pi


def test_ball_that_rolls_is_wider_by_half_a_step():
    world = world_with(rolling(0.2, frames=10))
    assert world.moves
    assert world.frames == 11  # one more than it moves: there it rests, and is no wider than it is
    solids = world.solids
    assert solids.starts.tolist() == [0, 11]
    np.testing.assert_allclose(solids.rounding, [0.6] * 10 + [0.5])
    np.testing.assert_allclose(solids.discs[:, 2], [0.6] * 10 + [0.5])
    np.testing.assert_allclose(solids.corners[:, 0, 0], 0.2 * np.minimum(np.arange(11), 9))


def test_solid_frame_stays_at_the_last():
    world = world_with(rolling(0.2, frames=10), hurdle())
    assert [solid_frame(world, 0, frame) for frame in (0, 4, 9, 10, 1000)] == [0, 4, 9, 10, 10]
    assert [solid_frame(world, 1, frame) for frame in (0, 4)] == [11, 11]


@pytest.mark.parametrize("shape", [Box(3.0, 0.5, 0.2), Capsule(0.2, 3.0), Cylinder(0.2, 3.0)])
def test_outline_holds_what_moves_between_frames(shape):
    frames = 6
    turns = np.stack([from_axis_angle(np.array([0.3, 0.9, math.sqrt(0.1)]), 0.7 * k) for k in range(frames)])
    positions = np.stack([0.3 * np.arange(frames), np.full(frames, 0.5), 0.1 * np.arange(frames) ** 2], axis=1)
    solids = world_with(Obstacle("it", shape, positions, turns)).solids
    for frame in range(frames):
        for share in (-0.5, -0.3, 0.3, 0.5):
            other = frame + int(math.copysign(1, share))
            if not 0 <= other < frames:
                continue
            position = positions[frame] + abs(share) * (positions[other] - positions[frame])
            turn = slerp(turns[frame], turns[other], abs(share))
            now = world_with(Obstacle("it", shape, [position], [turn], passes=("jump_over",))).solids
            true = outline(now, 0)
            if isinstance(shape, Cylinder):  # both are drawn around it with corners, but not the same ones
                true = true.buffer(-0.06)
            assert outline(solids, frame).buffer(1e-3).contains(true)
            assert solids.bottom[frame] <= now.bottom[0] + 1e-9
            assert solids.top[frame] >= now.top[0] - 1e-9


def test_falling_tree_covers_only_what_is_below_heads():
    angles = np.linspace(0.0, math.pi / 2, 40)
    turns = np.stack([from_axis_angle(np.array([0.0, 0.0, 1.0]), -a) for a in angles])
    tree = Obstacle("tree", Cylinder(0.3, 10.0), np.zeros((40, 3)), turns)
    solids = world_with(tree).solids
    assert outline(solids, 0).bounds[2] < 0.6
    assert outline(solids, 20).bounds[2] < 4.0  # at 46° the rest is above 2.3 m
    assert outline(solids, 39).bounds[2] > 10.0
    assert np.all(solids.sizes <= HULL_CORNERS)


def test_nothing_is_there_while_it_is_out_of_reach():
    heights = np.array([9.0, 6.0, 3.2, 1.0, 0.5])
    positions = np.stack([np.zeros(5), heights, np.zeros(5)], axis=1)
    solids = world_with(Obstacle("rock", Sphere(0.3), positions, [STILL] * 5)).solids
    assert (solids.corners[:, 0, 0] == FAR_AWAY).tolist() == [True, True, False, False, False, False]
    assert np.all(solids.sizes == 1)
    np.testing.assert_allclose(solids.discs[0], [FAR_AWAY, FAR_AWAY, 0.0])
    for y in (-0.4, 2.3):  # it only touches the ground, or the highest head
        assert world_with(hurdle(y=y)).solids.corners[0, 0, 0] == FAR_AWAY
        assert world_with(hurdle(y=y - math.copysign(0.01, y))).solids.corners[0, 0, 0] != FAR_AWAY


def test_heights_are_above_the_ground_there():
    plateau = HeightField(-10.0, -10.0, 1.0, np.full((21, 21), 5.0))
    solids = world_with(hurdle(y=5.0), terrain=plateau).solids
    assert (solids.bottom[0], solids.top[0]) == pytest.approx((0.0, 0.4))
    slope = HeightField(-10.0, -10.0, 1.0, np.add.outer(np.arange(21) * 0.1, np.zeros(21)))
    solids = world_with(hurdle(y=1.2), terrain=slope).solids
    assert solids.bottom[0] <= 0.0
    assert solids.top[0] >= 0.4


def test_heights_of_the_world_are_the_terrain():
    slope = HeightField(-3.0, -2.0, 0.5, np.arange(12.0).reshape(3, 4))
    heights = world_with(terrain=slope).heights
    assert (heights.origin_x, heights.origin_z, heights.cell) == (-3.0, -2.0, 0.5)
    np.testing.assert_array_equal(heights.values, slope.heights)


def test_regions_lie_around_the_solid():
    world = world_with(rolling(0.5, frames=10), hurdle())
    near, within = near_region(world, 1, 0), within_region(world, 1, 0)
    assert set(np.unique(near.values)) == set(np.unique(within.values)) == {0.0, 1.0}
    assert np.all(near.values >= within.values)
    grid = world.clearance
    column, row = round((1.0 - grid.origin_x) / grid.cell), round((2.0 - grid.origin_z) / grid.cell)
    assert within.values[row, column] == 1.0
    assert near.values[row + 12, column] == 1.0  # 6 m from the middle
    assert near.values[row + 13, column] == 0.0
    assert within.values[row + 1, column] == within.values[row - 1, column] == 1.0
    assert within.values[row + 2, column] == 0.0
    assert near_region(world, 0, 9).values.sum() != near_region(world, 0, 0).values.sum()


def test_arrays_are_read_only():
    solids = world_with(hurdle(), rolling(0.1)).solids
    for name in ("obstacle", "passes", "starts", "corners", "sizes", "rounding", "bottom", "top", "discs", "near"):
        assert not getattr(solids, name).flags.writeable
