"""A scene as MuJoCo reads it: XML of shapes, Y up. Nothing but numbers of ours goes into it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.rotations import from_axis_angle
from walkon.world.document_obstacles import Simulated
from walkon.world.scene import HeightField, Obstacle
from walkon.world.shapes import Shape

Bounds = tuple[float, float, float, float]

MOST_GROUND = 300_000
"""Vertices of the ground that the simulation sees."""

STIFFNESS = 100.0
"""[rad/s] How fast contacts swing back. Nearer to the simulation's rate, and bouncing bodies gain energy;
here a body at 2 m/s sinks in by some 20 mm."""


@dataclass(frozen=True, eq=False)
class FallingBody:
    """Something to let go: its shape, where its frame is, whether that is on the ground, and how."""

    name: str
    shape: Shape
    position: Array
    rotation: Array
    on_ground: bool
    how: Simulated


def build_xml(
    bodies: list[FallingBody], others: list[Obstacle], field: HeightField | None, bounds: Bounds, step: float
) -> str:
    """The scene as MuJoCo reads it, Y up; nothing but numbers of ours goes into it."""
    meshes: list[str] = []
    ground, floor = _ground(field)
    world = [floor, *_walls(bounds)]
    for body in bodies:
        geom = body.shape.mujoco(meshes, _material(body.how))
        world.append(f"<body {_pose(body.position, body.rotation)}><freejoint/>{geom}</body>")
    for other in others:
        geom = other.shape.mujoco(meshes, "")
        mocap = ' mocap="true"' if other.moves else ""
        world.append(f"<body{mocap} {_pose(other.positions[0], other.rotations[0])}>{geom}</body>")
    return (
        f'<mujoco><compiler angle="radian"/><option timestep="{step!r}" cone="elliptic" gravity="0 -9.81 0"/>'
        f'<default><geom condim="6"/></default><asset>{ground}{"".join(meshes)}</asset>'
        f"<worldbody>{''.join(world)}</worldbody></mujoco>"
    )


def _material(how: Simulated) -> str:
    """Mass, friction and bounce; the priority makes the body's own values count in its contacts."""
    logarithm = math.log(min(max(how.bounce, 0.01), 0.99))
    damping = -logarithm / math.hypot(math.pi, logarithm)
    return (
        f'mass="{how.mass!r}" priority="1" friction="{how.friction!r} 0.005 {how.rolling!r}" '
        f'solref="{1.0 / (STIFFNESS * damping)!r} {damping!r}"'
    )


def _pose(position: Array, rotation: Array) -> str:
    return f'pos="{" ".join(map(repr, map(float, position)))}" quat="{" ".join(map(repr, map(float, rotation)))}"'


def _walls(bounds: Bounds) -> list[str]:
    left, near, right, far = bounds
    sides = ((left, 0, "1 0 0"), (right, 0, "-1 0 0"), (0, near, "0 0 1"), (0, far, "0 0 -1"))
    return [f'<geom type="plane" size="0 0 1" pos="{x} 0 {z}" zaxis="{normal}"/>' for x, z, normal in sides]


def _ground(field: HeightField | None) -> tuple[str, str]:
    """The ground as an asset and as a geom of MuJoCo."""
    if field is None:
        return "", '<geom type="plane" size="0 0 1" zaxis="0 1 0"/>'
    rows, columns = field.heights.shape
    across, along = (columns - 1) * field.cell / 2, (rows - 1) * field.cell / 2
    sizes = f"{across} {along} {max(np.ptp(field.heights), 1e-3)} 1"
    # MuJoCo's height fields rise along their z: turned so that z points up, y points along -z.
    turn = " ".join(map(repr, map(float, from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2))))
    where = f"{field.origin_x + across} {float(field.heights.min())} {field.origin_z + along}"
    return (
        f'<hfield name="ground" nrow="{rows}" ncol="{columns}" size="{sizes}"/>',
        f'<geom type="hfield" hfield="ground" pos="{where}" quat="{turn}"/>',
    )


def simulated_ground(terrain: HeightField, bounds: Bounds) -> HeightField | None:
    """The ground over the bounds and a bit more, in cells that the simulation can take; None where level."""
    if terrain.is_flat:
        return None
    left, near, right, far = bounds
    left, near, right, far = left - 1.0, near - 1.0, right + 1.0, far + 1.0
    cell = max(terrain.cell, math.sqrt((right - left) * (far - near) / MOST_GROUND))
    x = left + cell * np.arange(math.ceil((right - left) / cell) + 1)
    z = near + cell * np.arange(math.ceil((far - near) / cell) + 1)
    return HeightField(left, near, cell, terrain.at(x[None, :], z[:, None]))


def unit_heights(heights: Array) -> Array:
    """Heights scaled to 0 to 1, as MuJoCo wants them."""
    return (heights - heights.min()) / max(np.ptp(heights), 1e-3)
