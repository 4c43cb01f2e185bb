"""Doors that open and shut by the clock while a live crowd goes through them.

A door in which somebody is cannot shut. When its time has come, those who would go through and can still stop do
so; it shuts as soon as those who cannot are through.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from walkon.basics import Array
from walkon.crowd.live.engine import Engine
from walkon.crowd.live.people import Roster
from walkon.world import Obstacle, Scene, TimedDoor
from walkon.world.timed_doors import THICKNESS, door_obstacle

AGAIN = 15
"""Frames (half a second) between two tries to shut a door. With fewer, people are disturbed for nothing: each try
has everybody look for its way again."""

STOPPING = 70
"""Frames after the clip that somebody plays in which it may still come to where a door shuts: as long as it takes
to stop. With more, a door through which people stream shuts later; with less, people are caught in it."""


STOPS = 5.0
"""[m] Who is nearer than this to a door that is about to shut, and wants to go through, stops. With less, people
arrive who can no longer stop; with more, people stop who would have come when it is shut, and gone elsewhere."""


class DoorHours:
    """The doors of a scene. put, strike: add and take away an obstacle."""

    def __init__(
        self,
        scene: Scene,
        engine: Engine,
        roster: Roster,
        put: Callable[[Obstacle], None],
        strike: Callable[[str], None],
    ) -> None:
        self._doors, self._engine, self._put, self._strike = scene.doors, engine, put, strike
        self._roster = roster
        self._stopped: dict[str, set[int]] = {door.name: set() for door in scene.doors}
        self._leaves = {door.name: door_obstacle(door, scene.terrain) for door in scene.doors}
        self._shut = {door.name for door in shut_at_first(scene)}
        self._fps = scene.fps

    @property
    def names(self) -> frozenset[str]:
        """What the doors are called: obstacles of these names are not the user's."""
        return frozenset(self._leaves)

    def tick(self) -> None:
        """Open and shut what is due."""
        frame = self._engine.frame
        for door in self._doors:
            is_open, shut = door.is_open((frame + 1) / self._fps), door.name in self._shut
            if is_open and shut:
                self._strike(door.name)
                self._shut.discard(door.name)
            elif not is_open and not shut and frame % AGAIN == 0:
                inside = self._inside(door)
                if inside or not self._try_to_shut(door):
                    self._stop(door, inside)
            if self._stopped[door.name] and (is_open or door.name in self._shut):
                self._resume(door)

    def _stop(self, door: TimedDoor, inside: set[int]) -> None:
        """Have those stop who would go through a door soon, but those who cannot help it."""
        crew = self._engine.crew
        start, end = np.array(door.start), np.array(door.end)
        rows = np.flatnonzero(crew.here & np.isfinite(crew.goal[:, 0]))
        places = self._engine.tracks[
            rows, np.clip(self._engine.frame - crew.first[rows], 0, crew.length[rows] - 1), :2
        ]
        other_side = _side(places, start, end) * _side(crew.goal[rows, :2], start, end) < 0.0
        for row in rows[other_side & (_from_line(places, start, end) < STOPS)].tolist():
            if row not in inside:
                person = self._roster.at(row)
                person.paused = True
                self._roster.aim(person)
                self._stopped[door.name].add(person.number)

    def _resume(self, door: TimedDoor) -> None:
        """Let those go on who stopped before a door."""
        for number in sorted(self._stopped[door.name]):
            person = self._roster.here.get(number)
            if person is not None and person.paused:
                person.paused = False
                self._roster.aim(person)
        self._stopped[door.name].clear()

    def _try_to_shut(self, door: TimedDoor) -> bool:
        """Shut a door, unless somebody could not help being caught in it."""
        caught = set(self._engine.caught().tolist())
        self._put(self._leaves[door.name])
        if set(self._engine.caught().tolist()) - caught:
            self._strike(door.name)
            return False
        self._shut.add(door.name)
        return True

    def _inside(self, door: TimedDoor) -> set[int]:
        """Rows of those who are where a door would be, or will be before they can stop."""
        engine, crew = self._engine, self._engine.crew
        start, end = np.array(door.start), np.array(door.end)
        rows = np.flatnonzero(crew.here)
        near = _from_line(crew.bound[rows, :2], start, end) < crew.bound[rows, 2] + THICKNESS + engine.gap
        inside = set()
        for row in rows[near].tolist():
            first = int(np.clip(engine.frame - crew.first[row], 0, crew.length[row] - 1))
            ahead = engine.tracks[row, first : min(first + self._bound(row), int(crew.length[row])), :3]
            if (_from_line(ahead[:, :2], start, end) < ahead[:, 2] + 0.5 * THICKNESS + engine.gap).any():
                inside.add(row)
        return inside

    def _bound(self, row: int) -> int:
        """For how many frames somebody cannot help going on: its clip to the end, and a stop."""
        crew, clips = self._engine.crew, self._engine.repertoire.table.clips
        if crew.count[row] == 0:
            return 1
        return STOPPING + max(
            int(crew.frames[row, 0] + clips["duration"][crew.clips[row, 0]]) - self._engine.frame, 0
        )


def shut_at_first(scene: Scene) -> list[TimedDoor]:
    """The doors of a scene that are shut in the beginning."""
    return [door for door in scene.doors if not door.is_open(0.0)]


def _side(points: Array, start: Array, end: Array) -> Array:
    """On which side (N,) of a line points (N, 2) are: the sign tells."""
    along, away = end - start, points - start
    return along[0] * away[:, 1] - along[1] * away[:, 0]


def _from_line(points: Array, start: Array, end: Array) -> Array:
    """How far (N,) [m] points (N, 2) are from the line from start (2,) to end (2,)."""
    along = end - start
    share = np.clip((points - start) @ along / (along @ along), 0.0, 1.0)
    away = points - start - share[:, None] * along
    return np.hypot(away[:, 0], away[:, 1])
