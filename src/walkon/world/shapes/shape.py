"""What a shape can do: be read and written, be avoided, be drawn, be let go. Each shape has a file of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.world.document_obstacles import ObstacleTable
from walkon.world.parts import Part
from walkon.world.regions import Region, regions_of_parts
from walkon.world.surfaces import ROUND_SIDES, Surface
from walkon.world.triangulation import hull_or_segment

if TYPE_CHECKING:
    from walkon.world.scene import HeightField, Obstacle
    from walkon.world.sheets import Sheets

TURNED = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
"""Two turns (2, 4), one of them upside down: whoever asks with these wants parts that may be tilted."""


class Shape(ABC):
    """Plain data in its own frame, Y up: a frozen dataclass of lengths [m] and arrays.

    Every shape has `kind`, `Table`, `parts` and `surface`. All else follows from these and from its fields, and is
    overridden where a shape knows better.

    kind: what scene files, takes and the studio call it. Table: what a scene file says of it. ARRAYS: its fields
    that are arrays, with the type and shape of each; None stands for any number. falls: whether it can be let go
    in a simulation.
    """

    kind: ClassVar[str]
    Table: ClassVar[type[ObstacleTable]]
    ARRAYS: ClassVar[Mapping[str, tuple[str, tuple[int | None, ...]]]] = MappingProxyType({})
    falls: ClassVar[bool] = False

    # What must be said of every shape.

    @abstractmethod
    def parts(self, rotations: Array) -> list[Part]:
        """Rounded convex parts that together hold the shape, given all the ways it will be turned (T, 4)."""

    @abstractmethod
    def surface(self, sides: int = ROUND_SIDES) -> Surface:
        """Its surface for pictures and files; `sides` facets around what is round."""

    # As data, and in a scene file.

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """Its fields, in the order in which takes hold them."""
        return tuple(field.name for field in fields(cls))  # pyright: ignore[reportArgumentType]

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Self:
        """The shape with these fields, arrays as lists; raises SceneError for what people must not ask for."""
        return cls(**{name: values[name] for name in cls.field_names()})

    @classmethod
    def from_table(cls, table: Any, folder: Path) -> Self:
        """The shape that a table of a scene file in `folder` describes."""
        return cls.from_values({name: getattr(table, name) for name in cls.field_names()})

    def to_table(self, name: str, sheets: Sheets) -> dict[str, Any]:
        """What a scene file says of it. name: of the obstacle; sheets: take what people do not type."""
        own = set(self.field_names())
        return {"shape": self.kind, **{key: getattr(self, key) for key in self.Table.model_fields if key in own}}

    def as_read(self) -> tuple[Shape, float]:
        """The shape as a scene file gives it back, and how far [m] its frame is moved up for that."""
        return self, 0.0

    # On the ground.

    @property
    def pole(self) -> tuple[float, float] | None:
        """Radius and length [m] of what is a segment from the origin upwards with rounding all around it."""
        return None

    @property
    def rounding(self) -> float:
        """[m] around the points of `span`."""
        return 0.0 if self.pole is None else self.pole[0]

    def span(self) -> Array:
        """Points (N, 3) that, with `rounding` around them, hold the shape however it is turned."""
        return np.concatenate([part.points for part in self.parts(TURNED)])

    def loop(self, points: Array, *, upright: bool) -> tuple[Array, float]:
        """The outline on the ground of its span, there at points (N, 2): corners (K, 2) and rounding [m]."""
        return (points if self.pole else hull_or_segment(points)), self.rounding

    def middle(self) -> tuple[float, float]:
        """x, z [m] in its own frame where the height of the ground counts: not all shapes hold their origin."""
        return 0.0, 0.0

    def regions(self, obstacle: Obstacle, terrain: HeightField) -> list[Region]:
        """The areas that `obstacle`, which has this shape, closes at its first frame to bodies of any height."""
        return regions_of_parts(self.parts(obstacle.rotations), obstacle, terrain)

    # Let go in a simulation.

    def mujoco(self, meshes: list[str], material: str) -> str:
        """Its geoms in MuJoCo's XML; meshes: those of the scene so far, to which it may add its own."""
        return mujoco_mesh(self.span(), meshes, material)

    def probes(self) -> Array:
        """Points (N, 3) all over it, which must not begin inside the ground."""
        return self.span()

    def centre(self) -> Array:
        """Its centre of mass (3,) [m]."""
        return self.span().mean(axis=0)


def check_positive(what: str, *values: float) -> None:
    """Raise SceneError unless all values are finite and above 0."""
    if not all(np.isfinite(value) and value > 0.0 for value in values):
        raise SceneError(f"{what} must be positive, not {', '.join(f'{value:g}' for value in values)}")


def mujoco_mesh(points: Array, meshes: list[str], material: str) -> str:
    """The convex hull of points (N, 3) as a geom of MuJoCo, which moves it to its centre of mass unseen."""
    vertices = " ".join(f"{value:.6g}" for value in points.ravel())
    meshes.append(f'<mesh name="mesh{len(meshes)}" vertex="{vertices}"/>')
    return f'<geom type="mesh" mesh="mesh{len(meshes) - 1}" {material}/>'


def cube_of_points() -> Array:
    """Points (729, 3) spread evenly over a cube from -1 to 1."""
    share = np.linspace(-1.0, 1.0, 9)
    return np.column_stack([grid.ravel() for grid in np.meshgrid(share, share, share)])
