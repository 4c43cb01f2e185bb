"""A scene as the renderer wants it: solids that stand, things that move, the ground, and marks on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from walkon.render.movers import Movers, MovingPole, MovingSolid, RigidMotion
from walkon.render.outfits import character_colour
from walkon.render.scenery import GroundPath
from walkon.render.solids import Solid, solid_of_surface
from walkon.rotations import rotate
from walkon.world import HeightField, Obstacle, Scene
from walkon.world.surfaces import Surface
from walkon.world.tints import Colour, obstacle_tint

MOVING_SIDES = 20
"""Facets around moving things that are round but no balls or poles."""

RING_CORNERS = 40
"""Corners of the ring around a goal: enough to look round."""

GOAL_WIDTH, GOAL_OPACITY = 0.05, 0.45
"""Width [m] of its line, and how much of the ground it hides, 0 to 1."""


@dataclass(frozen=True, eq=False)
class Setting:
    """What surrounds the people. ground: heights. solids: stand still. movers: do not. paths: lines on the ground.

    fps [Hz]: rate of the movers.
    """

    ground: HeightField
    solids: tuple[Solid, ...] = ()
    movers: Movers = field(default_factory=lambda: Movers((), ()))
    paths: tuple[GroundPath, ...] = ()
    fps: float = 30.0


def level_setting(obstacles: Sequence[Obstacle] = (), paths: Sequence[GroundPath] = ()) -> Setting:
    """Level ground, with obstacles such as a scene has and lines on it."""
    return Setting(HeightField(0.0, 0.0, 1e6, np.zeros((2, 2))), *_things(obstacles), tuple(paths))


def build_setting(scene: Scene, *, goals: bool = True, paths: Sequence[GroundPath] = ()) -> Setting:
    """The setting of a scene. goals: mark them by rings in the colours of who wants to get there."""
    marks = goal_rings(scene) if goals else ()
    return Setting(scene.terrain, *_things(scene.obstacles), (*marks, *paths), scene.fps)


def _things(obstacles: Sequence[Obstacle]) -> tuple[tuple[Solid, ...], Movers]:
    """What stands, and what moves."""
    solids, poles, moving = [], [], []
    for index, obstacle in enumerate(obstacles):
        colour = obstacle_tint(obstacle, index)
        if not obstacle.moves:
            solids.append(solid_of_surface(_placed(obstacle), colour))
            continue
        motion = RigidMotion(obstacle.positions, obstacle.rotations)
        if obstacle.shape.pole is not None:
            poles.append(_pole(obstacle.shape.pole, colour, motion))
        else:
            surface = obstacle.shape.surface(MOVING_SIDES)
            moving.append(MovingSolid(solid_of_surface(surface, colour), motion))
    return tuple(solids), Movers(poles, moving)


def goal_rings(scene: Scene) -> tuple[GroundPath, ...]:
    """A ring around every character's last goal."""
    angle = np.linspace(0.0, 2.0 * np.pi, RING_CORNERS + 1)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    rings = []
    for index, character in enumerate(scene.characters):
        for goal in character.goals[-1:]:
            points = goal.tolerance * circle + (goal.x, goal.z)
            rings.append(
                GroundPath(points, width=GOAL_WIDTH, colour=character_colour(index), opacity=GOAL_OPACITY)
            )
    return tuple(rings)


def _placed(obstacle: Obstacle) -> Surface:
    surface = obstacle.shape.surface()
    turn, place = obstacle.rotations[0], obstacle.positions[0]
    return Surface(rotate(turn, surface.points) + place, rotate(turn, surface.normals), surface.triangles)


def _pole(pole: tuple[float, float], colour: Colour, motion: RigidMotion) -> MovingPole:
    radius, length = pole
    segment = np.array([[0.0, 0.0, 0.0], [0.0, length, 0.0]])
    return MovingPole(segment, radius, np.array(colour), motion)
