"""A shape of obstacles is a file with its class, and its line in `walkon.world.shapes.SHAPES`.

The toy shape is a wedge: a ramp that rises along z. Everything that knows shapes must take it: scene files,
worlds, takes, logs, the audit, the studio, exports and pictures.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pytest
from pydantic import Field, TypeAdapter

from walkon.errors import SceneError
from walkon.export.scenery import build_props
from walkon.metrics.audit.things import _pieces
from walkon.records import JsonObject
from walkon.render.setting import build_setting
from walkon.studio.scene_view import show_shape
from walkon.world import Obstacle, Scene, build_world, flat_terrain
from walkon.world.document_obstacles import ObstacleTable
from walkon.world.document_parts import Length, Point, one_of
from walkon.world.parts import Part, all_pairs
from walkon.world.scene_data import INLINE, build_obstacle, describe_obstacle
from walkon.world.shapes import SHAPES, Shape
from walkon.world.sheets import Sheets
from walkon.world.surfaces import ROUND_SIDES, Surface, creased

FACES = [[0, 1, 2], [0, 2, 3], [3, 2, 4], [3, 4, 5], [0, 5, 4], [0, 4, 1], [0, 3, 5], [1, 4, 2]]


class WedgeTable(ObstacleTable):
    """A ramp."""

    shape: Literal["wedge"]
    at: Point = Field(description="[x, z] of the middle of its base [m]")
    size: Length = Field(description="its width, depth and height [m]")


@dataclass(frozen=True)
class Wedge(Shape):
    """A ramp as wide as it is deep and high: from the ground at z = -size/2 up to `size` at z = size/2 [m]."""

    size: float

    kind = "wedge"
    Table = WedgeTable

    def _points(self):
        half, top = 0.5 * self.size, self.size
        return np.array([(-half, 0, -half), (half, 0, -half), (half, 0, half),
                         (-half, 0, half), (half, top, half), (-half, top, half)])  # fmt: skip

    def parts(self, rotations) -> list[Part]:
        return [Part(self._points(), all_pairs(6))]

    def surface(self, sides: int = ROUND_SIDES) -> Surface:
        return creased(self._points(), np.array(FACES))


@pytest.fixture
def wedge(monkeypatch) -> Obstacle:
    monkeypatch.setitem(SHAPES, "wedge", Wedge)
    return Obstacle("ramp", Wedge(2.0), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))


@pytest.fixture
def scene(wedge) -> Scene:
    bounds = (-5.0, -5.0, 5.0, 5.0)
    return Scene("toy", bounds, flat_terrain(bounds), (wedge,))


def test_a_toy_shape_in_a_scene_file(wedge):
    read = TypeAdapter(one_of("shape", {kind: shape.Table for kind, shape in SHAPES.items()}))
    table = read.validate_python({"shape": "wedge", "at": (1.0, 2.0), "size": 2.0})
    assert SHAPES[table.shape].from_table(table, None) == wedge.shape
    assert wedge.shape.to_table("ramp", Sheets("files")) == {"shape": "wedge", "size": 2.0}


def test_a_toy_shape_comes_back_from_data(wedge):
    described = json.loads(json.dumps(describe_obstacle(wedge, INLINE)))
    assert described["shape"] == {"kind": "wedge", "size": 2.0}
    assert build_obstacle(JsonObject(described, "ramp", SceneError), INLINE).shape == wedge.shape


def test_planners_keep_away_from_a_toy_shape(scene):
    grid = build_world(scene).clearance
    rows, columns = np.indices(grid.values.shape)
    x, z = grid.origin_x + grid.cell * columns, grid.origin_z + grid.cell * rows
    apart = np.hypot(np.maximum(np.abs(x) - 1.0, 0.0), np.maximum(np.abs(z) - 1.0, 0.0))
    outside = (apart > 0.0) & (np.maximum(np.abs(x), np.abs(z)) < 3.0)
    np.testing.assert_allclose(grid.values[outside], np.minimum(apart, 5.0 - np.maximum(abs(x), abs(z)))[outside])
    assert (grid.values[apart == 0.0] <= 0.0).all()


def test_who_draws_and_who_audits_sees_a_toy_shape(scene, wedge):
    assert [prop.name for prop in build_props(scene, 1)] == ["ground", "ramp"]
    assert len(build_setting(scene).solids) == 1
    pieces = np.array([numbers for _, numbers in _pieces("ramp", wedge.shape)]).reshape(-1, 3, 3)
    inside = np.einsum("tk,tk->t", pieces[:, 0], np.cross(pieces[:, 1], pieces[:, 2])).sum() / 6.0
    assert inside == pytest.approx(4.0), "half a cube, closed and facing outwards"
    shown = show_shape(wedge.shape)
    assert shown["kind"] == "mesh"
    assert len(shown["faces"]) == len(FACES)
