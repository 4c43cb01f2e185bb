"""The obstacles of a live crowd, by name: the engine's own, without the people, who take long to list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from walkon.errors import SceneError
from walkon.rotations import heading_of, multiply, rotation_about_y
from walkon.studio.scene_view import show_obstacle
from walkon.world import Obstacle

if TYPE_CHECKING:
    from walkon.crowd.live import Live
    from walkon.world import HeightField

UPRIGHT = 1e-4
"""Share of a quaternion that tilts; less is rounding."""


class Props:
    """What stands and moves in a live crowd. All changes of obstacles go through here."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self.terrain = live.world.scene.terrain
        self._things = {obstacle.name: obstacle for obstacle in live.scene.obstacles}
        self._begun: dict[str, int] = {}
        self._views: dict[str, tuple[Obstacle, dict[str, Any]]] = {}

    def __len__(self) -> int:
        return len(self._things)

    def __contains__(self, name: str) -> bool:
        return name in self._things

    def __iter__(self) -> Iterator[Obstacle]:
        return iter(self._things.values())

    def __getitem__(self, name: str) -> Obstacle:
        if name not in self._things:
            raise SceneError(f"there is nothing called {name!r}")
        return self._things[name]

    def add(self, obstacle: Obstacle) -> None:
        """Something comes; if it moves, it begins to now."""
        if obstacle.name in self._things:
            raise SceneError(f"something is called {obstacle.name!r} already")
        self._live.add_obstacle(obstacle)
        self._note(obstacle)

    def move(self, name: str, x: float, z: float, heading: float) -> Obstacle:
        """Something is put elsewhere, as high above the ground as before; what it is now."""
        before = self[name]
        moves = before.moves
        if not moves and (leans(before) or not (self.terrain is None or self.terrain.is_flat)):
            self._live.remove_obstacle(name)
            after = carried(before, x, z, heading, self.terrain)
            self._live.add_obstacle(after)
            self._note(after)
            return after
        self._live.move_obstacle(name, x, z, heading)
        # The world's scene has no people in it, but tells of motion as if it had always been there.
        scene = self._live.scene if moves else self._live.world.scene
        self._note(next(obstacle for obstacle in scene.obstacles if obstacle.name == name))
        return self._things[name]

    def remove(self, name: str) -> None:
        """Something goes."""
        self._live.remove_obstacle(name)
        del self._things[name]
        self._views.pop(name, None)

    def restore(self, name: str, wanted: Obstacle | None) -> None:
        """Make something as it was; None: not there."""
        if self._things.get(name) is wanted:
            return
        if name in self._things:
            self.remove(name)
        if wanted is not None:
            self.add(wanted)

    def show(self) -> list[dict[str, Any]]:
        """All of them for the browser."""
        return [self._view(obstacle) for obstacle in self]

    def _note(self, obstacle: Obstacle) -> None:
        self._things[obstacle.name] = obstacle
        self._begun[obstacle.name] = self._live.frame + 1

    def _view(self, obstacle: Obstacle) -> dict[str, Any]:
        known = self._views.get(obstacle.name)
        if known is None or known[0] is not obstacle:
            known = (obstacle, show_obstacle(obstacle, self._begun.get(obstacle.name, 0)))
            self._views[obstacle.name] = known
        return known[1]


def leans(obstacle: Obstacle) -> bool:
    """Whether it lies or leans: the engine's own way of moving things would set it upright."""
    return bool(np.abs(obstacle.rotations[0, [1, 3]]).max() > UPRIGHT)


def carried(obstacle: Obstacle, x: float, z: float, heading: float, terrain: HeightField | None) -> Obstacle:
    """What stands still, put elsewhere: turned about the vertical only, and as high above the ground as before."""
    old_x, y, old_z = (float(value) for value in obstacle.positions[0])
    rise = 0.0 if terrain is None else float(terrain.at(x, z) - terrain.at(old_x, old_z))
    rotation = obstacle.rotations[0]
    turn = heading - float(heading_of(rotation))
    turned = multiply(rotation_about_y(turn), rotation)
    return replace(obstacle, positions=np.array([[x, y + rise, z]]), rotations=np.atleast_2d(turned))
