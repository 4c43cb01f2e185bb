"""The obstacles of a live scene: what stands and moves there now, and what ever did.

Who asks what there is asks here; nobody else keeps a list of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace

import numpy as np

from walkon.crowd.live.obstacle_tracks import Story, tell_story
from walkon.errors import SceneError
from walkon.rotations import heading_of, multiply, rotation_about_y
from walkon.world import HeightField, Obstacle

LEAN = 1e-4
"""The most that the x and z of the quaternion of something upright may be: less is rounding, more is a lean."""


class LiveObstacles(Mapping[str, Obstacle]):
    """What is there now, by name, in the order in which it came."""

    def __init__(self, obstacles: Iterable[Obstacle] = ()) -> None:
        self._now: dict[str, Obstacle] = {}
        self._stories: dict[str, Story] = {}
        for obstacle in obstacles:
            self.put(0, obstacle)

    def __getitem__(self, name: str) -> Obstacle:
        return self._now[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now)

    def __len__(self) -> int:
        return len(self._now)

    def find(self, name: str) -> Obstacle:
        """The obstacle of this name. Raises SceneError if there is none."""
        if name not in self._now:
            raise SceneError(f"there is nothing called {name!r}")
        return self._now[name]

    def since(self, name: str) -> int:
        """The frame from which on it is as it is now; what moves began to move then."""
        return self._stories[name][-1][0]

    def put(self, frame: int, obstacle: Obstacle) -> None:
        """From this frame on an obstacle is there, or elsewhere than before."""
        self._forget(obstacle.name)
        self._now[obstacle.name] = obstacle
        self._stories.setdefault(obstacle.name, []).append((frame, obstacle))

    def strike(self, frame: int, name: str) -> None:
        """From this frame on it is gone."""
        self._forget(name)
        del self._now[name]
        self._stories[name].append((frame, None))

    def _forget(self, name: str) -> None:
        """Tell of what is there only as long as it is: what was found out about it goes with the obstacle itself,
        and its story needs none of that (see `once_per_object`)."""
        if name in self._now:
            self._stories[name][-1] = (self.since(name), copy(self._now[name]))

    def moved(
        self, name: str, x: float, z: float, heading: float | None, *, frame: int, terrain: HeightField
    ) -> Obstacle:
        """Something put elsewhere at a frame: what stands gets a heading [rad] if one is given, keeps its lean and
        its height above the ground; what moves goes on from there."""
        obstacle = self.find(name)
        begun = min(max(frame - self.since(name), 0), len(obstacle.positions) - 1)
        old_x, _, old_z = (float(value) for value in obstacle.positions[begun])
        rise = 0.0 if obstacle.moves or terrain.is_flat else float(terrain.at(x, z) - terrain.at(old_x, old_z))
        positions = obstacle.positions[begun:] + np.array([x - old_x, rise, z - old_z])
        rotations = obstacle.rotations[begun:]
        if heading is not None and not obstacle.moves:
            rotations = _turned_to(rotations[0], heading)
        return replace(obstacle, positions=positions, rotations=rotations)

    def from_the_start(self) -> tuple[Obstacle, ...]:
        """All there is now, with motions that are counted from frame 0, as planners count."""
        return tuple(_begun_earlier(obstacle, self.since(name)) for name, obstacle in self._now.items())

    def ever(self, frames: int) -> tuple[Obstacle, ...]:
        """All that was ever there, as obstacles of a take with this many frames: they come, go and move."""
        return tuple(told for name, story in self._stories.items() for told in tell_story(name, story, frames))


def _turned_to(rotation: np.ndarray, heading: float) -> np.ndarray:
    """Rotations (1, 4) of something that is turned about the vertical only, from a rotation (4,)."""
    if np.abs(rotation[[1, 3]]).max() <= LEAN:
        return rotation_about_y(np.array([heading]))
    return np.atleast_2d(multiply(rotation_about_y(heading - float(heading_of(rotation))), rotation))


def _begun_earlier(obstacle: Obstacle, since: int) -> Obstacle:
    """What moves from a later frame on, as if it had stood there before."""
    if since == 0 or not obstacle.moves:
        return obstacle
    positions = np.concatenate([np.repeat(obstacle.positions[:1], since, axis=0), obstacle.positions])
    rotations = np.concatenate([np.repeat(obstacle.rotations[:1], since, axis=0), obstacle.rotations])
    return replace(obstacle, positions=positions, rotations=rotations)
