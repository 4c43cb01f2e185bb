"""Doors with hours as obstacles: there while they are shut, below the ground while they are open."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from walkon.errors import SceneError
from walkon.rotations import rotation_about_y
from walkon.world.motions import MOST_FRAMES
from walkon.world.places import TimedDoor
from walkon.world.scene import HeightField, Obstacle, Scene
from walkon.world.shapes import Box

THICKNESS, HEIGHT = 0.08, 2.1
"""[m] Of a door leaf: as they are in houses. With a thicker one people stop farther off."""

BELOW = -1000.0
"""[m] The height at which an open door lies: deeper than any ground."""


def door_obstacle(door: TimedDoor, terrain: HeightField) -> Obstacle:
    """A shut door, standing on the ground."""
    (x0, z0), (x1, z1) = door.start, door.end
    x, z = 0.5 * (x0 + x1), 0.5 * (z0 + z1)
    turn = math.atan2(z0 - z1, x1 - x0)  # the width of a box at heading 0 lies along x
    shape = Box(math.dist(door.start, door.end), HEIGHT, THICKNESS)
    position = np.array([[x, float(terrain.at(x, z)), z]])
    return Obstacle(door.name, shape, position, rotation_about_y(np.array([turn])))


def with_doors(scene: Scene) -> Scene:
    """The scene with its doors as obstacles that are known to come and go, and no doors any more."""
    if not scene.doors:
        return scene
    obstacles, frames = [], 0
    for door in scene.doors:
        shut = door_obstacle(door, scene.terrain)
        last = min(max((end for _, end in door.hours), default=0.0), scene.duration)
        count = math.ceil(last * scene.fps) + 2 if door.hours else 1
        frames += count
        if frames > MOST_FRAMES:
            raise SceneError(f"the doors have more than {MOST_FRAMES} frames together until they stay as they are")
        positions = np.repeat(shut.positions, count, axis=0)
        positions[[door.is_open(frame / scene.fps) for frame in range(count)], 1] += BELOW
        obstacles.append(replace(shut, positions=positions, rotations=np.repeat(shut.rotations, count, axis=0)))
    return replace(scene, obstacles=(*scene.obstacles, *obstacles), doors=())
