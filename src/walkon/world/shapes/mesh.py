"""A triangle mesh."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from walkon.basics import Array, frozen
from walkon.errors import SceneError
from walkon.formats import MESH_SUFFIXES, either
from walkon.rotations import rotate
from walkon.world.document_obstacles import ObstacleTable
from walkon.world.document_parts import FileName, Point
from walkon.world.mesh_files import load_mesh, ply_text
from walkon.world.parts import Part, all_pairs, hull_points
from walkon.world.regions import Region, regions_of_triangles
from walkon.world.shapes.shape import Shape, mujoco_mesh
from walkon.world.surfaces import ROUND_SIDES, Surface, creased

if TYPE_CHECKING:
    from walkon.world.scene import HeightField, Obstacle
    from walkon.world.sheets import Sheets


class MeshTable(ObstacleTable):
    """A triangle mesh from a file; its lowest point is put at `bottom`."""

    shape: Literal["mesh"]
    at: Point = Field((0.0, 0.0), description="[x, z] of the origin of the file [m]")
    file: FileName = Field(description=either(MESH_SUFFIXES))
    scale: float = Field(1.0, gt=0.0, le=1000.0, description="metres per unit of the file")
    up: Literal["y", "z"] = Field("y", description="axis that points up in the file")


@dataclass(frozen=True, eq=False)
class Mesh(Shape):
    """A triangle mesh: vertices (V, 3) [m], faces (T, 3) indices, counter-clockwise seen from outside."""

    vertices: Array
    faces: NDArray[np.int64]

    kind = "mesh"
    Table = MeshTable
    ARRAYS = MappingProxyType({"vertices": ("<f8", (None, 3)), "faces": ("<i8", (None, 3))})

    def __post_init__(self) -> None:
        vertices, faces = frozen(self.vertices), frozen(self.faces, np.int64)
        if vertices.ndim != 2 or vertices.shape[1] != 3 or not np.isfinite(vertices).all():
            raise SceneError(f"mesh vertices are finite points (V, 3), not an array {vertices.shape}")
        if faces.ndim != 2 or faces.shape[1] != 3 or not len(faces):
            raise SceneError(f"mesh faces are triangles (T, 3), at least one, not an array {faces.shape}")
        if faces.min() < 0 or faces.max() >= len(vertices):
            raise SceneError(f"mesh faces name vertices {faces.min()} to {faces.max()}; there are {len(vertices)}")
        object.__setattr__(self, "vertices", vertices)
        object.__setattr__(self, "faces", faces)

    @classmethod
    def from_table(cls, table: Any, folder: Path) -> Mesh:
        """The mesh in the file that the table names."""
        return cls(*load_mesh(folder, table.file, scale=table.scale, up=table.up))

    def to_table(self, name: str, sheets: Sheets) -> dict[str, Any]:
        """The name of a file beside the scene file, one for all obstacles that have this mesh."""
        return {"shape": self.kind, "file": sheets.add_once(self, f"{name}.ply", lambda: ply_text(self, name))}

    def as_read(self) -> tuple[Mesh, float]:
        """With its lowest point at height 0 of its frame, where readers put it."""
        low = float(self._used()[:, 1].min())
        return (self if low == 0.0 else Mesh(self.vertices - np.array([0.0, low, 0.0]), self.faces)), low

    def parts(self, rotations: Array) -> list[Part]:
        """Its convex hull, or a simpler body around that."""
        points = hull_points(self._used())
        return [Part(points, all_pairs(len(points)))]

    def surface(self, sides: int = ROUND_SIDES) -> Surface:
        """Its faces, smooth where they bend only a little."""
        return creased(self.vertices, self.faces)

    def span(self) -> Array:
        """All vertices."""
        return self.vertices

    def middle(self) -> tuple[float, float]:
        """The middle of the box around it."""
        used = self._used()
        return float(used[:, 0].min() + used[:, 0].max()) / 2.0, float(used[:, 2].min() + used[:, 2].max()) / 2.0

    def regions(self, obstacle: Obstacle, terrain: HeightField) -> list[Region]:
        """Every triangle where it is in the way, and what the mesh encloses."""
        vertices = rotate(obstacle.rotations[0], self.vertices) + obstacle.positions[0]
        return regions_of_triangles(vertices, self.faces, terrain)

    def mujoco(self, meshes: list[str], material: str) -> str:
        """Its convex hull."""
        return mujoco_mesh(self._used(), meshes, material)

    def _used(self) -> Array:
        """Those of its vertices (U, 3) that a face has."""
        return self.vertices[np.unique(self.faces)]
