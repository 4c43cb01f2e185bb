"""A scene as the browser sees it: plain JSON. Metres, y up, quaternions w, x, y, z as in the package."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from walkon.world import Mesh
from walkon.world.scene_data import InlineArrays, describe_shape, describe_terrain

if TYPE_CHECKING:
    from walkon.world import Goal, HeightField, Obstacle, Scene, Shape

MOST_SAMPLES = 1200
"""Places of a moving obstacle that are sent; a longer way is sampled more coarsely."""

SAMPLING = 3
"""Frames between two places of a moving obstacle that are sent; more for a long way."""

MOST_HEIGHTS = 100_000

PAGE_SHAPES = ("box", "cylinder", "sphere", "capsule", "polygon", "mesh")
"""Kinds of shapes that `web/shapes.js` draws."""


def write_json(value: object) -> str:
    """One text message. NaN, which JSON lacks, is an error here and not in the browser."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"), ensure_ascii=False)


def show_ground(scene: Scene) -> dict[str, Any]:
    """What hardly changes: the name, the bounds, the level at which bodies are seen, and the ground."""
    return {
        "name": scene.name,
        "bounds": [float(value) for value in scene.bounds],
        "bodies": scene.bodies,
        "terrain": show_terrain(scene.terrain),
    }


def show_terrain(terrain: HeightField) -> dict[str, Any] | None:
    """The heights of the ground; None where it is level."""
    if terrain.is_flat:
        return None
    # A browser draws fewer vertices than planners look at; every n-th row and column is exact where it is.
    stride = max(1, math.ceil(math.sqrt(terrain.heights.size / MOST_HEIGHTS)))
    return describe_terrain(terrain, InlineArrays(digits=3), stride=stride)


def show_obstacle(obstacle: Obstacle, first_frame: int = 0) -> dict[str, Any]:
    """An obstacle: where its frame is at first, and its way if it moves."""
    track = None
    if obstacle.moves:
        every = max(SAMPLING, math.ceil(len(obstacle.positions) / MOST_SAMPLES))
        # The last place counts most: there it stays.
        rows = [*range(0, len(obstacle.positions) - 1, every)]
        last = len(obstacle.positions) - 1
        rows.append(min(rows[-1] + every, last) if rows else last)
        track = {
            "first": first_frame,
            "every": every,
            "positions": obstacle.positions[rows].round(4).tolist(),
            "rotations": obstacle.rotations[rows].round(5).tolist(),
        }
    return {
        "name": obstacle.name,
        "shape": show_shape(obstacle.shape),
        "position": obstacle.positions[0].round(4).tolist(),
        "rotation": obstacle.rotations[0].round(6).tolist(),
        "passes": list(obstacle.passes),
        "track": track,
    }


def show_shape(shape: Shape) -> dict[str, Any]:
    """A shape in its own frame; as a mesh if the page knows no such kind."""
    if shape.kind not in PAGE_SHAPES:
        surface = shape.surface()
        shape = Mesh(surface.points, surface.triangles)
    return describe_shape(shape, InlineArrays(digits=4))


def show_person(who: int, name: str, performer: int, goal: Goal | None) -> dict[str, Any]:
    """Someone. performer: number in the hello's list."""
    return {
        "who": who,
        "name": name,
        "performer": performer,
        "goal": None if goal is None else [round(goal.x, 3), round(goal.z, 3)],
        "tolerance": 0.5 if goal is None else goal.tolerance,
        "group": group_of(name),
    }


def group_of(name: str) -> str | None:
    """The crowd that someone is of, by the name; None if of none."""
    prefix, _, number = name.rpartition("_")
    return prefix if prefix and number.isdecimal() else None
