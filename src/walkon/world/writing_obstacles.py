"""Obstacles as tables of a scene file: how they stand in words, how they move as CSV files."""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.rotations import rotate
from walkon.world.meshes import MOST_FACES
from walkon.world.motions import MOST_FRAMES, MOST_ROWS
from walkon.world.poses import check_simple, make_poses
from walkon.world.scene import Obstacle, Scene
from walkon.world.shapes import Box, Capsule, Cylinder, Mesh, Polygon, Shape, Sphere

EXACT = 1e-9
"""[m], and parts of a quaternion: how near what is said must be to what is meant."""


class Sheets:
    """Files that lie beside a scene file, in a folder of theirs. frames: of all that moves, so far."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.files: dict[str, bytes] = {}
        self.frames = 0
        self._taken: set[str] = set()
        self._meshes: dict[Mesh, tuple[str, float]] = {}

    def add(self, name: str, data: bytes) -> str:
        """Keep a file under a name of plain letters, with a number if there is one like it; that name."""
        stem, _, suffix = name.rpartition(".")
        stem = re.sub(r"[^A-Za-z0-9_-]+", "_", stem) or "_"
        path, number = f"{self.folder}/{stem}.{suffix}", 2
        while path.lower() in self._taken:
            path, number = f"{self.folder}/{stem}_{number}.{suffix}", number + 1
        self._taken.add(path.lower())
        self.files[path] = data
        return path

    def add_mesh(self, name: str, mesh: Mesh) -> tuple[str, float]:
        """Keep a mesh, once however many obstacles have it.

        Returns its name and its lowest point [m], which readers put at height 0.
        """
        if mesh not in self._meshes:
            if len(mesh.faces) > MOST_FACES:
                raise SceneError(f"obstacle {name!r}: more than {MOST_FACES} triangles")
            low = float(mesh.vertices[np.unique(mesh.faces), 1].min())
            self._meshes[mesh] = self.add(f"{name}.ply", _mesh_text(mesh).encode()), low
        return self._meshes[mesh]


def describe_obstacle(obstacle: Obstacle, scene: Scene, sheets: Sheets) -> tuple[dict[str, Any], dict[str, Any]]:
    """The table of an obstacle and that of its motion, which may be empty."""
    table = {"name": obstacle.name, **_describe_shape(obstacle, sheets)}
    obstacle = _as_read(obstacle, sheets)
    shape, terrain = obstacle.shape, scene.terrain
    x, y, z = obstacle.positions[0].tolist()
    table["at"] = (x, z)
    heading, tilt = _angles(obstacle.rotations[0])
    turned, tilted = math.radians(heading), math.radians(tilt)
    ground = float(make_poses(shape, terrain, x, z, 0.0, turned, tilted)[0][0, 1])
    bottom = _short(y - ground, 1e-13)
    positions, rotations = make_poses(shape, terrain, x, z, bottom, turned, tilted)
    still = _same_turns(obstacle.rotations, rotations)
    stands = not obstacle.moves and still and abs(positions[0, 1] - y) <= EXACT and abs(bottom) <= 1000.0
    said = {"heading": heading, "tilt": tilt} if still else {}
    said |= {"bottom": bottom} if stands else {}
    table |= {key: value for key, value in said.items() if value != 0.0}
    if obstacle.passes:
        table["passes"] = obstacle.passes
    motion: dict[str, Any] = {}
    if not stands:
        motion["csv"] = sheets.add(f"{obstacle.name}.csv", _track_text(obstacle, scene, sheets, turning=not still))
    elif not obstacle.known:
        motion["keyframes"] = [{"t": 0}]
    if not obstacle.known:
        motion["known"] = False
    return table, motion


def in_degrees(angle: float) -> float:
    """[rad] to [degrees]: the shortest number that readers turn into this angle, or the nearest they can."""
    if abs(angle) > 10.0 * math.pi:
        angle = math.remainder(angle, 2.0 * math.pi)  # a scene file has no angles of more than ten turns
    degrees = math.degrees(angle)
    near = (degrees + step * math.ulp(degrees) for step in range(-2, 3))
    best = min(near, key=lambda number: abs(math.radians(number) - angle))
    shorter = (round(best, digits) for digits in range(16))
    return next((number for number in shorter if math.radians(number) == math.radians(best)), best)


def _short(value: float, slack: float) -> float:
    """The number with the fewest decimals that is no further from the value than `slack`."""
    return next((short for digits in range(16) if abs((short := round(value, digits)) - value) <= slack), value)


def _as_read(obstacle: Obstacle, sheets: Sheets) -> Obstacle:
    """A mesh with its lowest point at height 0 of its frame, where readers put it; all else as it is."""
    shape = obstacle.shape
    low = sheets.add_mesh(obstacle.name, shape)[1] if isinstance(shape, Mesh) else 0.0
    if not isinstance(shape, Mesh) or low == 0.0:
        return obstacle
    up = np.array([0.0, low, 0.0])
    moved = obstacle.positions + rotate(obstacle.rotations, up)
    return replace(obstacle, shape=Mesh(shape.vertices - up, shape.faces), positions=moved)


def _describe_shape(obstacle: Obstacle, sheets: Sheets) -> dict[str, Any]:
    shape: Shape = obstacle.shape
    match shape:
        case Box(width, height, depth):
            return {"shape": "box", "width": width, "depth": depth, "height": height}
        case Cylinder(radius, height):
            return {"shape": "cylinder", "radius": radius, "height": height}
        case Sphere(radius):
            return {"shape": "sphere", "radius": radius}
        case Capsule(radius, length):
            return {"shape": "capsule", "radius": radius, "length": length}
        case Polygon(corners, height):
            try:
                check_simple(corners)
            except SceneError as error:
                raise SceneError(f"obstacle {obstacle.name!r}: {error}") from None
            return {"shape": "polygon", "corners": corners.tolist(), "height": height}
        case Mesh():
            return {"shape": "mesh", "file": sheets.add_mesh(obstacle.name, shape)[0]}


def _angles(rotation: Array) -> tuple[float, float]:
    """Heading and tilt [degrees] of a turn; of one that also rolls, something near."""
    aside, upward, ahead = rotate(rotation, np.eye(3))
    heading = math.atan2(-aside[2], aside[0])
    return in_degrees(heading), in_degrees(math.atan2(-ahead[1], upward[1]))


def _same_turns(rotations: Array, said: Array) -> bool:
    """Whether all rotations (T, 4) are the one that was said (1, 4)."""
    signs = np.where(rotations @ said[0] < 0.0, -1.0, 1.0)[:, None]
    return bool(np.abs(rotations * signs - said).max() <= EXACT)


def _track_text(obstacle: Obstacle, scene: Scene, sheets: Sheets, *, turning: bool) -> bytes:
    """Where an obstacle is at the frames of the scene, as the CSV file of a motion."""
    rows = min(len(obstacle.positions), math.ceil(scene.duration * scene.fps - 1e-9) + 1)
    sheets.frames += rows
    if rows > MOST_ROWS or sheets.frames > MOST_FRAMES:
        raise SceneError(
            f"obstacle {obstacle.name!r}: a scene file holds {MOST_ROWS} frames of one obstacle and "
            f"{MOST_FRAMES} of all"
        )
    columns, header = [np.arange(rows) / scene.fps, *obstacle.positions[:rows].T], "t,x,y,z"
    if turning:
        columns, header = [*columns, *obstacle.rotations[:rows].T], f"{header},qw,qx,qy,qz"
    values = np.column_stack(columns)
    if np.abs(values).max() > 1e6:
        raise SceneError(f"obstacle {obstacle.name!r}: is further away than a scene file can say")
    text = io.StringIO()
    text.write(f"{header}\n")
    text.writelines(",".join(map(repr, row)) + "\n" for row in values.tolist())
    return text.getvalue().encode()


def _mesh_text(mesh: Mesh) -> str:
    """The mesh as a PLY file, which keeps all vertices and their order."""
    lines = [
        "ply",
        "format ascii 1.0",
        f"element vertex {len(mesh.vertices)}",
        *(f"property double {axis}" for axis in "xyz"),
        f"element face {len(mesh.faces)}",
        "property list uchar int vertex_indices",
        "end_header",
        *(f"{x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()),
        *(f"3 {a} {b} {c}" for a, b, c in mesh.faces.tolist()),
    ]
    return "\n".join(lines) + "\n"
