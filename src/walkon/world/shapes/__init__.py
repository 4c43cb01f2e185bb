"""The shapes of obstacles, one file each, and the one table of them.

A new shape is a file here, with a class that has what `Shape` asks for, and its line in `SHAPES`. Scene files,
planners, takes, logs, pictures and exports ask the table, and learn of it there.
"""

from __future__ import annotations

from walkon.world.shapes.box import Box
from walkon.world.shapes.capsule import Capsule
from walkon.world.shapes.cylinder import Cylinder
from walkon.world.shapes.mesh import Mesh
from walkon.world.shapes.polygon import Polygon
from walkon.world.shapes.shape import Shape
from walkon.world.shapes.sphere import Sphere

SHAPES: dict[str, type[Shape]] = {
    shape.kind: shape
    for shape in (
        Box,
        Cylinder,
        Sphere,
        Capsule,
        Polygon,
        Mesh,
    )
}
"""All shapes by what scene files and takes call them."""

__all__ = ["SHAPES", "Box", "Capsule", "Cylinder", "Mesh", "Polygon", "Shape", "Sphere"]
