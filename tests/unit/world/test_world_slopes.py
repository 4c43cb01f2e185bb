"""Slopes in the world that planners see: what is too steep is closed, and bodies get room beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.world import Box, Footing, HeightField, Obstacle, Scene, build_world, flat_terrain, world_for
from walkon.world.building import slope_room, steep_distance
from walkon.world.slopes import FADE, cell_slopes

BOUNDS = (-8.0, -8.0, 8.0, 8.0)
FOOTING = Footing(steepest=0.4, sway=0.5)


def ramp(slope, cell=0.5, left=0.0, right=2.0):
    """Level ground that rises along x from `left` to `right` [m]."""
    x = np.arange(-8.0, 8.0 + cell, cell)
    return HeightField(-8.0, -8.0, cell, np.tile(slope * (np.clip(x, left, right) - left), (len(x), 1)))


def world(terrain, obstacles=(), footing=FOOTING):
    return build_world(Scene("slope", BOUNDS, terrain, tuple(obstacles)), footing=footing)


def test_level_ground_needs_no_room_wherever_it_lies():
    for height in (0.0, 3.0):
        level = world(HeightField(-8.0, -8.0, 16.0, np.full((2, 2), height)))
        assert level.slopes is None
        assert level.clearance.values.tobytes() == world(flat_terrain(BOUNDS)).clearance.values.tobytes()


def test_the_slope_of_a_cell_is_that_of_its_steepest_edges():
    assert cell_slopes(HeightField(0.0, 0.0, 2.0, np.array([[0.0, 1.0], [3.0, 0.0]]))) == pytest.approx(
        np.hypot(1.5, 1.5)
    )


@pytest.mark.parametrize("cell", [0.04, 0.1, 0.5, 2.0])
def test_ground_that_is_too_steep_stands_in_the_way(cell):
    steep = world(ramp(0.6, cell))
    x = np.linspace(-3.0, 6.0, 200)
    away = np.maximum(-x, x - 2.0)
    found = np.array([steep_distance(steep, at, 0.0) for at in x])
    # Never farther than it is, and not much nearer: two cells of the clearance grid.
    assert (found <= away + 1e-9).all()
    assert (found >= away - 0.3).all()
    middle = steep.clearance.values.shape[0] // 2
    assert (steep.clearance.values[middle] < 0.0).sum() >= 20


def test_a_slope_that_can_be_walked_needs_room_and_only_there():
    gentle = world(ramp(0.2))
    on, beside, far = slope_room(gentle, np.array([1.0, -1.0, -6.0]), np.zeros(3))
    assert on == pytest.approx(FOOTING.room(0.2))
    assert 0.01 < beside <= on
    assert far == 0.0
    assert steep_distance(gentle) == np.inf
    lost = world(flat_terrain(BOUNDS)).clearance.values - gentle.clearance.values
    assert lost.max() == pytest.approx(on)
    assert np.abs(np.diff(lost, axis=0)).max() <= FADE * gentle.clearance.cell + 1e-12
    assert np.abs(np.diff(lost, axis=1)).max() <= FADE * gentle.clearance.cell + 1e-12


def test_a_short_step_between_two_vertices_is_seen():
    terrain = ramp(5.0, cell=0.02, left=1.03, right=1.05)
    assert steep_distance(world(terrain), 1.04, 0.0) <= 0.0


def test_what_can_be_passed_is_wider_on_a_slope_and_as_it_was_elsewhere():
    walls = [
        Obstacle(name, Box(0.2, 0.4, 2.0), [[x, 0.0, 0.0]], [[1.0, 0.0, 0.0, 0.0]], passes=("jump_over",))
        for name, x in (("here", 1.0), ("there", -7.0))
    ]
    level, sloping = world(flat_terrain(BOUNDS), walls).solids, world(ramp(0.2), walls).solids
    assert sloping.rounding[0] == pytest.approx(level.rounding[0] + FOOTING.room(0.2))
    assert sloping.discs[0, 2] == pytest.approx(level.discs[0, 2] + FOOTING.room(0.2))
    assert sloping.rounding[1] - level.rounding[1] <= FADE * level.discs[1, 2]


def test_a_world_for_somebody_else_closes_what_they_cannot_walk():
    gentle = world(ramp(0.2))
    assert world_for(gentle, 0.4) is gentle
    wheels = world_for(gentle, 0.1)
    assert steep_distance(wheels, 1.0, 0.0) < 0.0
    assert wheels.footing == replace(FOOTING, steepest=0.1)
    assert world_for(gentle, 0.1) is wheels
    level = world(flat_terrain(BOUNDS))
    assert world_for(level, 0.1) is level
