"""What stands and moves around the people, as named meshes for files that hold scenes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.export.cast import DISPLAY_GAMMA
from walkon.world import Scene
from walkon.world.surfaces import Surface, build_ground
from walkon.world.tints import Colour, obstacle_tint

GROUND: Colour = (198.0, 202.0, 204.0)


@dataclass(frozen=True, eq=False)
class Prop:
    """A named mesh, its linear colour 0..1, and by frame its positions (T, 3) [m] and rotations (T, 4)."""

    name: str
    surface: Surface
    colour: tuple[float, float, float]
    positions: Array
    rotations: Array


def build_props(scene: Scene, frames: int) -> list[Prop]:
    """The ground within the bounds, and every obstacle; motion is cut after that many frames."""
    ground = build_ground(scene.terrain, scene.bounds)
    props = [Prop("ground", ground, _linear(GROUND), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))]
    for index, obstacle in enumerate(scene.obstacles):
        props.append(
            Prop(
                obstacle.name,
                obstacle.shape.surface(),
                _linear(obstacle_tint(obstacle, index)),
                obstacle.positions[:frames],
                obstacle.rotations[:frames],
            )
        )
    return props


def _linear(colour: Colour) -> tuple[float, float, float]:
    red, green, blue = ((channel / 255.0) ** DISPLAY_GAMMA for channel in colour)
    return red, green, blue
