"""Which way to go next: straight to what can be seen of the way to the goal, around what stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.basics import Array
from walkon.world import Character, Goal, Gridmap, Scene, build_world, coarse_path, goal_field

PASSED_WITHIN = 0.3
"""Somebody this near [m] to a corner of the way has been there."""

ROUTE_PAUSE = 1.0
"""Time [s] after losing sight of the way before it is looked for again."""


class Routes:
    """Everybody's way through a scene, by number of the character."""

    def __init__(self, scene: Scene, radius: float) -> None:
        self._people, self._radius = scene.characters, radius
        # Who steps over nothing must go around; and where nothing stands, everything is in sight.
        self._obstructed = bool(scene.obstacles)
        if self._obstructed:
            self._world = build_world(
                replace(scene, obstacles=tuple(replace(one, passes=()) for one in scene.obstacles))
            )
        self._fields: dict[tuple[float, float, float], Gridmap] = {}
        self._legs = np.zeros(len(self._people), dtype=np.int64)
        self._ways: list[Array | None] = [None] * len(self._people)
        self._looked = np.full(len(self._people), -np.inf)

    def target(self, person: int, place: Array, seconds: float) -> tuple[float, float]:
        """x, z [m] of the next place on the way of somebody who is at place (2,) at a time [s]."""
        goals = _goals_of(self._people[person])
        while self._legs[person] < len(goals) - 1 and _is_at(place, goals[self._legs[person]]):
            self._legs[person] += 1
            self._ways[person] = None
        goal = goals[self._legs[person]]
        if not self._obstructed:
            return goal.x, goal.z
        way = self._ways[person]
        if way is None:
            way = self._find(place, goal)
            self._looked[person] = seconds
        while len(way) > 1 and (np.hypot(*(way[0] - place)) < PASSED_WITHIN or self._sees(place, way[1])):
            way = way[1:]
        if seconds >= self._looked[person] + ROUTE_PAUSE and not self._sees(place, way[0]):
            way = self._find(place, goal)
            self._looked[person] = seconds
        self._ways[person] = way
        return float(way[0, 0]), float(way[0, 1])

    def is_there(self, person: int, place: Array) -> bool:
        """Whether somebody has passed all way-points and is at the goal."""
        goals = _goals_of(self._people[person])
        return self._legs[person] == len(goals) - 1 and _is_at(place, goals[-1])

    def is_last(self, person: int, target: tuple[float, float]) -> bool:
        """Whether a place is the last of somebody's way."""
        goal = _goals_of(self._people[person])[-1]
        return target == (goal.x, goal.z)

    def _find(self, place: Array, goal: Goal) -> Array:
        """Corners (P, 2) of the way from a place to a goal; only the goal if it is in sight, or has no way."""
        end = np.array([goal.x, goal.z])
        if self._sees(place, end):
            return end[None]
        for radius in (self._radius, 0.5 * self._radius, 0.05):
            key = (goal.x, goal.z, radius)
            if key not in self._fields:
                self._fields[key] = goal_field(self._world, goal.x, goal.z, radius=radius)
            path = coarse_path(self._fields[key], float(place[0]), float(place[1]))
            if len(path) > 1:
                return np.concatenate([path[1:], end[None]])
        return end[None]

    def _sees(self, place: Array, end: Array) -> bool:
        from walkon.rivals._kernels_walls import least_clearance

        grid = self._world.clearance
        parts = (grid.origin_x, grid.origin_z, grid.cell, grid.values)
        ends = min(least_clearance(*parts, *place, *place), least_clearance(*parts, *end, *end))
        # Who stands or goes close to something need not keep further from it on the way.
        return least_clearance(*parts, *place, *end) >= min(self._radius, ends) - 1e-6


def _goals_of(character: Character) -> tuple[Goal, ...]:
    return character.goals or (Goal(character.start.x, character.start.z),)


def _is_at(place: Array, goal: Goal) -> bool:
    return float(np.hypot(place[0] - goal.x, place[1] - goal.z)) <= goal.tolerance
