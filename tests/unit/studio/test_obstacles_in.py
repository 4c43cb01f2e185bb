"""Walls drawn by hand and paths of moving things."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.studio.limits import MOST_REPEATED_FRAMES
from walkon.studio.obstacles_in import lay_out, make_obstacle, simplify, wall_outline
from walkon.studio.protocol_obstacles import ObstacleRecord, TrackRecord
from walkon.world import HeightField, Polygon
from walkon.world.triangulation import check_simple

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def area(corners: np.ndarray) -> float:
    x, z = corners.T
    return 0.5 * abs(float(x @ np.roll(z, -1) - z @ np.roll(x, -1)))


def record(shape: dict, **more) -> ObstacleRecord:
    return ObstacleRecord.model_validate_json(json.dumps({"shape": shape, "position": [1, 0, 2], **more}))


def test_a_straight_wall_is_a_rectangle():
    line = np.column_stack([np.linspace(0, 6, 50), 0.02 * np.sin(np.arange(50))])
    outline = wall_outline(line, 0.3)
    assert len(outline) == 4
    assert area(outline) == pytest.approx(6 * 0.3, rel=0.01)


def test_a_wall_with_a_corner_keeps_its_thickness():
    outline = wall_outline(np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]]), 0.2)
    check_simple(outline)
    assert area(outline) == pytest.approx(7 * 0.2, rel=1e-6)


def test_a_hand_drawn_curve_is_simple_and_near_the_hand():
    angle = np.linspace(0.0, 1.5 * math.pi, 300)
    hand = 3.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    kept = simplify(hand, 0.08)
    assert 6 < len(kept) < 30
    outline = wall_outline(hand, 0.2)
    check_simple(outline)
    assert area(outline) == pytest.approx(1.5 * math.pi * 3.0 * 0.2, rel=0.02)


def test_a_wall_across_itself_is_refused():
    shape = {"kind": "wall", "points": [[0, 0], [4, 0], [4, 2], [2, 2], [2, -2]]}
    with pytest.raises(SceneError, match="several pieces"):
        make_obstacle(record(shape), "wall")
    with pytest.raises(SceneError, match="two points"):
        make_obstacle(record({"kind": "wall", "points": [[1, 1], [1, 1]]}), "wall")
    wall = make_obstacle(record({"kind": "wall", "points": [[0, 0], [4, 0]]}), "wall")
    assert isinstance(wall.shape, Polygon)


def test_a_way_is_gone_once_and_looked_along():
    track = TrackRecord(every=10, positions=((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 0.0, 4.0)))
    positions, rotations = lay_out(track, UPRIGHT)
    assert len(positions) == 21
    assert positions[5].tolist() == [1.0, 0.0, 0.0]
    assert positions[20].tolist() == [2.0, 0.0, 4.0]
    half = math.sqrt(0.5)
    assert rotations[0] == pytest.approx([half, 0.0, half, 0.0])  # along +x
    assert rotations[20] == pytest.approx(UPRIGHT)  # along +z
    assert np.linalg.norm(rotations, axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("repeat", ["back", "cycle"])
def test_a_way_that_repeats_never_jumps(repeat):
    track = TrackRecord(every=10, positions=((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 0.0, 4.0)), repeat=repeat)
    positions, _ = lay_out(track, UPRIGHT)
    assert len(positions) == MOST_REPEATED_FRAMES
    assert np.linalg.norm(np.diff(positions, axis=0), axis=1).max() < 0.5
    period = 40 if repeat == "back" else 30
    assert positions[period] == pytest.approx(positions[0])


def test_ways_have_an_end():
    track = TrackRecord(every=300, positions=tuple((float(n), 0.0, 0.0) for n in range(100)))
    with pytest.raises(SceneError, match="too long"):
        lay_out(track, UPRIGHT)
    still = TrackRecord(positions=((1.0, 0.0, 1.0), (1.0, 0.0, 1.0)))
    assert lay_out(still, UPRIGHT)[1] == pytest.approx(np.array([UPRIGHT, UPRIGHT]))


def test_a_rotation_of_zeros_is_refused():
    with pytest.raises(SceneError, match="unit"):
        make_obstacle(record({"kind": "sphere", "radius": 1}, rotation=[0, 0, 0, 0]), "ball")


def test_a_wall_stands_on_the_ground():
    slope = HeightField(0.0, 0.0, 10.0, np.array([[0.0, 5.0], [0.0, 5.0]]))  # rises by 0.5 m per metre of x
    wall = make_obstacle(record({"kind": "wall", "points": [[1, 0], [5, 0]], "height": 2}), "wall", slope)
    assert isinstance(wall.shape, Polygon)
    assert wall.positions[0].tolist() == [1.0, 1.0, 2.0]
    assert wall.shape.height == pytest.approx(2.0 + 2.0)
