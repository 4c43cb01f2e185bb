"""Which exit somebody takes: the nearest on foot, where it is out soonest, or the first that can be reached.

What an exit costs is a length [m]: the way to it, and for those who mind crowds the time that the people before it
will take to get out, as the way that one could walk in that time.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.world.places import NamedPlace
from walkon.world.placing import ClearGround
from walkon.world.routes import UNREACHABLE, goal_field
from walkon.world.scene import Character, Goal, Scene
from walkon.world.world import Gridmap, World

SLIM = 0.25
"""[m] Half of how wide a way must be: people turn aside where it is narrow. With more, narrow doors seem shut."""

SOURCES_APART, MOST_SOURCES = 2.0, 7
"""[m] Between the points of an exit to which ways are measured, and how many there are at most. With fewer, wide
exits seem farther than they are; each takes some milliseconds."""

FLOW = 1.2
"""People a second who get out by a metre of an exit, when there is a crowd: between Kretz's (2006) 1.8 for a metre
of door and what live crowds do. With less, people avoid crowds from farther off."""

WALK = 1.3
"""[m/s] What a second in a queue is worth in metres."""

SPOTS_APART, ROOM = 0.5, 0.35
"""[m] Between the points of an exit that people are given as goals, and from these to what stands there."""


class ExitChooser:
    """The exits of a world, how far they are from everywhere, and points in them."""

    def __init__(self, world: World, places: tuple[NamedPlace, ...]) -> None:
        self.exits = tuple(place for place in places if place.kind == "exit")
        self.names = {place.name: number for number, place in enumerate(self.exits)}
        self._fields = [_field(world, place) for place in self.exits]
        self._spots = [_spots(world, place) for place in self.exits]
        self.rates = np.array([FLOW * place.width for place in self.exits])

    def allowed(self, characters: list[Character]) -> Flags:
        """Which exits (N, E) people may take."""
        table = np.zeros((len(characters), len(self.exits)), dtype=bool)
        for row, character in enumerate(characters):
            table[row, [self.names[name] for name in character.exits if name in self.names]] = True
        return table

    def distances(self, places: Array) -> Array:
        """How far (N, E) [m] it is from places (N, 2) to the exits on foot; UNREACHABLE where there is no way."""
        if not self.exits:
            return np.zeros((len(places), 0))
        return np.column_stack([_looked_up(field, places) for field in self._fields])

    def queues(self, distances: Array, taken: Indices) -> Array:
        """How much (N, E) [m] longer the way to each exit seems because of those who take it and are nearer to it.
        distances (N, E) [m]; taken (N,): the exit that each takes, -1 for none."""
        longer = np.zeros(distances.shape)
        for number, rate in enumerate(self.rates):
            near = np.sort(distances[taken == number, number])
            ahead = np.searchsorted(near, distances[:, number], side="left")
            longer[:, number] = np.maximum(WALK * ahead / rate - distances[:, number], 0.0)
        return longer

    def in_order(self, costs: Array, character: Character) -> Array:
        """Costs (E,) [m] for somebody who takes the first exit that it names and can reach."""
        order = [self.names[name] for name in character.exits if name in self.names]
        first = next((number for number in order if costs[number] < UNREACHABLE), None)
        return costs if first is None else np.where(np.arange(len(costs)) == first, costs, np.inf)

    def goal(self, number: int, who: int, goal: Goal) -> Goal:
        """The goal of somebody in an exit: the one it has if that is there, or one of the points of it."""
        exit_place, spots = self.exits[number], self._spots[number]
        if exit_place.holds(goal.x, goal.z):
            return replace(goal, place=exit_place.name)
        x, z = spots[(who * 7919) % len(spots)].tolist()
        return replace(goal, x=x, z=z, heading=None, place=exit_place.name)


def choose_exits(scene: Scene, world: World) -> Scene:
    """The scene in which everybody who may leave by several exits has decided: in the order in which they could be
    there, so that whoever minds crowds knows when those before it will be out. Groups decide as their first."""
    rows = [row for row, character in enumerate(scene.characters) if character.exits]
    if not any(len(scene.characters[row].exits) > 1 for row in rows):
        return scene
    chooser, people = ExitChooser(world, scene.places), [scene.characters[row] for row in rows]
    far = chooser.distances(np.array([_last_stop(character) for character in people]))
    far[~chooser.allowed(people)] = np.inf
    begin = np.array([character.start_time + character.premovement for character in people])
    empty = np.zeros(len(chooser.exits))  # [s] when all who have taken an exit so far will be out
    characters, groups = list(scene.characters), {}
    for index in np.argsort(begin + far.min(axis=1) / WALK, kind="stable").tolist():
        character, there = people[index], begin[index] + far[index] / WALK
        costs = far[index]
        if character.choose == "least_crowded":
            costs = costs + WALK * np.maximum(empty - there, 0.0)
        elif character.choose == "first":
            costs = chooser.in_order(costs, character)
        best = int(np.argmin(costs))
        if character.group:
            best = groups.setdefault((character.group, character.exits), best)
        empty[best] = max(empty[best], there[best]) + 1.0 / chooser.rates[best]
        goal = chooser.goal(best, rows[index], character.goals[-1])
        characters[rows[index]] = replace(character, goals=(*character.goals[:-1], goal))
    return replace(scene, characters=tuple(characters))


def _last_stop(character: Character) -> tuple[float, float]:
    """Where somebody is before it makes for the exit."""
    if len(character.goals) > 1:
        return character.goals[-2].x, character.goals[-2].z
    return character.start.x, character.start.z


def _field(world: World, place: NamedPlace) -> Gridmap:
    """How far it is to a place from everywhere."""
    fields = [
        goal_field(world, x, z, radius=SLIM, tolerance=0.5 * min(SOURCES_APART, x1 - x0, z1 - z0))
        for x0, z0, x1, z1 in place.regions
        for x, z in _sources(x0, z0, x1, z1)
    ]
    values = np.minimum.reduce([field.values for field in fields])
    return Gridmap(fields[0].origin_x, fields[0].origin_z, fields[0].cell, values)


def _sources(x0: float, z0: float, x1: float, z1: float) -> list[tuple[float, float]]:
    """Points along the middle of a rectangle."""
    longest, across = max(x1 - x0, z1 - z0), min(x1 - x0, z1 - z0)
    count = int(min(max(np.ceil((longest - across) / SOURCES_APART), 1), MOST_SOURCES))
    shares = (np.arange(count) + 0.5) / count
    if x1 - x0 >= z1 - z0:
        return [(x0 + share * (x1 - x0), 0.5 * (z0 + z1)) for share in shares.tolist()]
    return [(0.5 * (x0 + x1), z0 + share * (z1 - z0)) for share in shares.tolist()]


def _spots(world: World, place: NamedPlace) -> Array:
    """Points (K, 2) of a place where one can stand; its middle if there is none."""
    points = []
    for x0, z0, x1, z1 in place.regions:
        inset = [min(ROOM, 0.5 * (x1 - x0)), min(ROOM, 0.5 * (z1 - z0))]
        x, z = (np.arange(low + edge, high - edge + 1e-9, SPOTS_APART) for low, high, edge in
                ((x0, x1, inset[0]), (z0, z1, inset[1])))  # fmt: skip
        points.append(np.stack(np.meshgrid(x, z), axis=-1).reshape(-1, 2))
    spots = np.concatenate(points)
    free = spots[ClearGround(world.clearance).is_free(spots, ROOM)]
    x0, z0, x1, z1 = place.regions[0]
    return free if len(free) else np.array([[0.5 * (x0 + x1), 0.5 * (z0 + z1)]])


def _looked_up(field: Gridmap, places: Array) -> Array:
    """A field (N,) at the nearest corners to places (N, 2)."""
    rows, columns = field.values.shape
    i = np.clip(np.rint((places[:, 0] - field.origin_x) / field.cell).astype(int), 0, columns - 1)
    j = np.clip(np.rint((places[:, 1] - field.origin_z) / field.cell).astype(int), 0, rows - 1)
    return np.maximum(field.values[j, i], 0.0)
