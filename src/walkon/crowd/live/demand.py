"""What happens over time in a live crowd because the scene says so: people set off, change their minds about
exits, keep together, are slower on stairs, queue and are served; doors open and shut.

All of it follows from the scene, the seed and the frame: none of it is in the log, and a replay does it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np

from walkon.basics import Array, Indices
from walkon.crowd.live.door_hours import DoorHours
from walkon.crowd.live.engine import Engine
from walkon.crowd.live.people import LivePerson, Roster
from walkon.crowd.live.services import Services
from walkon.world import UNREACHABLE, Obstacle, Scene
from walkon.world.exits import ExitChooser
from walkon.world.places import Choice

PACES = 6
"""Frames between two looks at who is on stairs or ahead of its group: a fifth of a second, less than a step."""

MINDS = 60
"""Frames (two seconds) between two looks at whether another exit would be better; each time a third of the people
look. With fewer, everybody runs to and fro; with more, queues grow long before anybody turns."""

BETTER, LEAST_GAIN = 0.8, 2.0
"""Somebody takes another exit if that costs less than this share of what the one it is going to costs, and this
many metres less. With a larger share people change their minds all the time."""

COMMITTED = 3.0
"""[m] Whoever is this near to its exit, on foot, takes it. With less, people turn on the threshold."""

USUAL = 1.2
"""[m/s] What slowing down is measured by for people who walk as their performers do."""

TOGETHER, TORN = 1.0, 2.5
"""[m] How far ahead of the middle of its group somebody may be before it slows down, and from where on it all but
waits. With less, groups dawdle in the open; with more, they come apart."""

DAWDLE = 0.25
"""Share of its pace at which somebody walks who waits for its group."""


CHOICES = get_args(Choice)
"""Ways to choose between exits, as they are numbered here."""


ROW = [("pace", "f8"), ("group", "i8"), ("exit", "i8"), ("exits", "i8"), ("choice", "i8")]
"""What is known about somebody in a row of the crew: the pace it likes [m/s], its group, the exit it makes for
(both -1 for none), a bit for each exit that it may take (0 unless there are several), and how it chooses."""


class Demand:
    """The part of a live crowd that looks at the clock. put, strike: add and take away an obstacle, unlogged."""

    def __init__(
        self,
        scene: Scene,
        engine: Engine,
        roster: Roster,
        seed: int,
        put: Callable[[Obstacle], None],
        strike: Callable[[str], None],
    ) -> None:
        self._scene, self._engine, self._roster = scene, engine, roster
        self._groups: dict[str, int] = {}
        self._group_exits: dict[int, int] = {}
        self._rows = np.zeros(0, dtype=ROW)
        self._chooser: ExitChooser | None = None
        self._paced = False
        self.doors = DoorHours(scene, engine, roster, put, strike)
        self.services = Services(scene, engine, roster, seed)

    def tick(self) -> None:
        """What is due in this frame."""
        self._roster.set_off()
        self._welcome()
        frame = self._engine.frame
        self.doors.tick()
        if frame % PACES == 0:
            self._set_paces()
        if frame % MINDS == 0:
            self._change_minds(frame // MINDS)
        self.services.tick()

    def forget_ways(self) -> None:
        """Obstacles have come or gone: ways to exits are others."""
        self._chooser = None

    # Who is there ---------------------------------------------------------------------------------------------

    def _welcome(self) -> None:
        """Write down what is special about those who have come since the last time."""
        room = len(self._engine.crew)
        if len(self._rows) < room:
            self._rows = np.concatenate([self._rows, np.zeros(room - len(self._rows), dtype=self._rows.dtype)])
        late = []
        for person in self._roster.newcomers:
            character = person.character
            group = self._groups.setdefault(character.group, len(self._groups)) if character.group else -1
            exits = self._mask(character.exits) if len(character.exits) > 1 else 0
            pace = np.nan if character.speed is None else character.speed
            self._rows[person.row] = pace, group, -1, exits, CHOICES.index(character.choose)
            if person.joined == 0 and exits:  # these have decided before it began
                chosen = self._exits.names.get(character.goals[-1].place, -1)
                self._rows["exit"][person.row] = chosen
                if group >= 0 and chosen >= 0:
                    self._group_exits.setdefault(group, chosen)
            elif exits:
                late.append(person.row)
            self._paced |= group >= 0 or len(self._scene.stairs) > 0
        self._roster.newcomers.clear()
        self._decide(np.array(late, dtype=np.int64))

    def _positions(self, rows: Indices) -> Array:
        """Where (N, 2) [m] the bodies of people are now."""
        crew = self._engine.crew
        inside = np.clip(self._engine.frame - crew.first[rows], 0, crew.length[rows] - 1)
        return self._engine.tracks[rows, inside, :2]

    # Paces ----------------------------------------------------------------------------------------------------

    def _set_paces(self) -> None:
        """How fast everybody is to walk now: as it likes to, as its group does, as the stairs allow."""
        if not self._paced:
            return
        crew = self._engine.crew
        rows = np.flatnonzero(crew.here)
        if not len(rows):
            return
        places, own = self._positions(rows), self._rows["pace"][rows]
        aim = crew.goal[rows, :2] - places
        pace = own.copy()
        share = self._shares(rows, np.hypot(aim[:, 0], aim[:, 1]))
        slowed = share < 1.0
        pace[slowed] = (np.where(np.isnan(own), USUAL, own) * share)[slowed]
        for stairs in self._scene.stairs:
            on = stairs.hold(places)
            if on.any():
                heading = self._directions(rows[on], aim[on])
                up = heading @ np.array([np.sin(stairs.heading), np.cos(stairs.heading)]) >= 0.0
                pace[on] = np.fmin(pace[on], np.where(up, stairs.speed_up, stairs.speed_down))
        crew.pace[rows] = pace

    def _directions(self, rows: Indices, aim: Array) -> Array:
        """Where (N, 2) people are going: as they move, or where their goals are if they stand."""
        moving = self._engine.crew.guess[rows, 2:4]
        return np.where(np.abs(moving).sum(axis=1, keepdims=True) > 1e-3, moving, np.nan_to_num(aim))

    def _shares(self, rows: Indices, left: Array) -> Array:
        """The share (N,) of its pace at which each is to walk so that groups keep together. left (N,) [m]: to the
        goal; those without one are not waited for."""
        group = self._rows["group"][rows]
        share = np.ones(len(rows))
        together = (group >= 0) & np.isfinite(left)
        if together.any():
            count = np.bincount(group[together])
            middle = np.bincount(group[together], left[together]) / np.maximum(count, 1)
            ahead = middle[group[together]] - left[together]
            share[together] = np.clip(1.0 - (1.0 - DAWDLE) * (ahead - TOGETHER) / (TORN - TOGETHER), DAWDLE, 1.0)
        return share

    # Exits ----------------------------------------------------------------------------------------------------

    @property
    def _exits(self) -> ExitChooser:
        if self._chooser is None:
            self._chooser = ExitChooser(self._engine.surroundings.world, self._scene.places)
        return self._chooser

    def _mask(self, names: tuple[str, ...]) -> int:
        return sum(1 << number for name, number in self._exits.names.items() if name in names)

    def _change_minds(self, turn: int) -> None:
        """A third of those who may leave by several exits look whether another is better now."""
        rows = self._choosers()
        self._decide(rows[rows % 3 == turn % 3])

    def _choosers(self) -> Indices:
        """Rows of those who may leave by several exits."""
        crew = self._engine.crew
        return np.flatnonzero(crew.here & (self._rows["exits"][: len(crew)] > 0))

    def _decide(self, rows: Indices) -> None:
        """Let people choose their exits. Groups stay with what the first of them has chosen while it can be
        reached: they would come apart."""
        if not len(rows):
            return
        costs = self._costs(rows)
        wanted, group = costs.argmin(axis=1), self._rows["group"][rows]
        for index in np.flatnonzero((wanted != self._rows["exit"][rows]) | (group >= 0)).tolist():
            person, cost, best = self._roster.at(rows[index]), costs[index], int(wanted[index])
            if len(person.agenda) != 1 or person.held:
                continue
            if group[index] >= 0:
                chosen = self._group_exits.get(int(group[index]), best)
                best = best if cost[chosen] >= UNREACHABLE else chosen
                self._group_exits[int(group[index])] = best
                self._rows["exit"][person.row] = -1  # whatever it costs, it is what the others do
            self._take(person, best, cost)

    def _take(self, person: LivePerson, best: int, cost: Array) -> None:
        """Have somebody make for an exit, if that is so much better than the one it makes for."""
        now = int(self._rows["exit"][person.row])
        self._rows["exit"][person.row] = self._exits.names.get(person.agenda[0].place, best)
        if best == self._exits.names.get(person.agenda[0].place) or cost[best] >= UNREACHABLE:
            return
        if now >= 0 and (cost[now] < COMMITTED or cost[best] > min(BETTER * cost[now], cost[now] - LEAST_GAIN)):
            return
        person.agenda[0] = self._exits.goal(best, person.number, person.agenda[0])
        self._rows["exit"][person.row] = best
        self._roster.aim(person)

    def _costs(self, rows: Indices) -> Array:
        """What each exit costs (N, E) [m] those in these rows; infinite where they may not leave by it."""
        chooser, everybody = self._exits, self._choosers()
        distances = chooser.distances(self._positions(everybody))
        own, choice = np.searchsorted(everybody, rows), self._rows["choice"][rows]
        allowed = (self._rows["exits"][rows, None] >> np.arange(len(chooser.exits))) & 1 > 0
        costs = np.where(allowed, distances[own], np.inf)
        crowded = choice == CHOICES.index("least_crowded")
        costs[crowded] += chooser.queues(distances, self._rows["exit"][everybody])[own[crowded]]
        for index in np.flatnonzero(choice == CHOICES.index("first")).tolist():
            costs[index] = chooser.in_order(costs[index], self._roster.at(rows[index]).character)
        return costs
