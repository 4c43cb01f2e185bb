"""Obstacles as tables of a scene file: how they stand in words, how they move as CSV files."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from typing import Any

import numpy as np

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.rotations import rotate
from walkon.world.motions import MOST_FRAMES, MOST_ROWS
from walkon.world.poses import make_poses
from walkon.world.scene import Obstacle, Scene
from walkon.world.sheets import Sheets

EXACT = 1e-9
"""[m], and parts of a quaternion: how near what is said must be to what is meant."""


def describe_obstacle(obstacle: Obstacle, scene: Scene, sheets: Sheets) -> tuple[dict[str, Any], dict[str, Any]]:
    """The table of an obstacle and that of its motion, which may be empty."""
    table = {"name": obstacle.name, **obstacle.shape.to_table(obstacle.name, sheets)}
    obstacle = _as_read(obstacle)
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


def _as_read(obstacle: Obstacle) -> Obstacle:
    """The obstacle with the shape that readers make of it, at the same place."""
    shape, raised = obstacle.shape.as_read()
    if raised == 0.0:
        return obstacle
    moved = obstacle.positions + rotate(obstacle.rotations, np.array([0.0, raised, 0.0]))
    return replace(obstacle, shape=shape, positions=moved)


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
