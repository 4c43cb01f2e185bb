"""The people of a live scene: who is there, who is yet to come and who has left, and what they want."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from walkon.crowd.casting import starting_pose
from walkon.crowd.live.engine import Engine
from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.world import Character, Goal

LARGEST_LIVE_CROWD = 50_000
"""People in one live crowd at most. About 30 kB are kept for each, so that this many take 1.5 GB."""


@dataclass(eq=False)
class LivePerson:
    """Somebody in a live scene.

    number: never used again. character: as it came. performer: which of `Live.performers`. joined: first frame,
    left: the last, or None. agenda: goals still to be reached, in order. row: in the engine's arrays.
    sets_off: the frame until which it stands and wants nothing. held: it stays at the first goal of its agenda
    until it is told to go on. paused: it stops for now, whatever it wants. reached: goals and when.
    """

    number: int
    character: Character
    performer: int
    joined: int
    row: int
    agenda: list[Goal]
    left: int | None = None
    sets_off: int = 0
    held: bool = False
    paused: bool = False
    reached: list[tuple[int, Goal]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """As in the scene."""
        return self.character.name

    @property
    def goal(self) -> Goal | None:
        """What it is going for, or has reached."""
        return next(iter(self.goals), None)

    @property
    def goals(self) -> tuple[Goal, ...]:
        """What it has still to reach, or has reached last."""
        return tuple(self.agenda) or tuple(goal for _, goal in self.reached[-1:])


class Roster:
    """Everybody of a live scene, with a row each in the engine that moves them."""

    def __init__(self, engine: Engine, fps: float) -> None:
        self._engine, self._fps = engine, fps
        self.here: dict[int, LivePerson] = {}
        self.gone: list[LivePerson] = []
        self._coming: list[tuple[int, Character, int]] = []
        self._rows: dict[int, LivePerson] = {}
        self._names: set[str] = set()
        self._standing: list[tuple[int, int]] = []
        self.newcomers: list[LivePerson] = []
        self.bound_for_places: list[LivePerson] = []
        self._next_number = 0

    @property
    def coming(self) -> tuple[Character, ...]:
        """Those who are yet to come."""
        return tuple(character for _, character, _ in self._coming)

    def has(self, name: str) -> bool:
        """Whether somebody is called so who is here or yet to come."""
        return name in self._names

    def find(self, who: int) -> LivePerson:
        """The person of a number. Raises SceneError if nobody here has it."""
        if who not in self.here:
            raise SceneError(f"nobody here has the number {who}")
        return self.here[who]

    def at(self, row: int) -> LivePerson:
        """Who has a row of the engine."""
        return self._rows[int(row)]

    def schedule(self, character: Character, performer: int) -> None:
        """Somebody comes when its time has come."""
        self._names.add(character.name)
        self._coming.append((round(character.start_time * self._fps), character, performer))

    def admit(self) -> None:
        """Those whose time has come appear, as soon as their places are free."""
        waiting = []
        for entry in self._coming:
            frame, character, performer = entry
            if frame > self._engine.frame + 1 or self.enter(character, performer) is None:
                waiting.append(entry)
        self._coming = waiting

    def enter(self, character: Character, performer: int) -> LivePerson | None:
        """Somebody appears in the next frame; None if its place is not free."""
        if len(self.here) >= LARGEST_LIVE_CROWD:
            raise SceneError(f"a live crowd has {LARGEST_LIVE_CROWD} people at most")
        whose = self._engine.repertoire.performers[performer]
        pose = whose.first_pose + starting_pose(character, whose.graph)
        start = np.array([character.start.x, character.start.z, character.start.heading])
        row = self._engine.enter(self._next_number, start, pose)
        if row < 0:
            return None
        joined = self._engine.frame + 1
        sets_off = joined + round(character.premovement * self._fps)
        person = LivePerson(
            self._next_number, character, performer, joined, row, list(character.goals), sets_off=sets_off
        )
        self._next_number += 1
        self.here[person.number] = self._rows[row] = person
        self._names.add(person.name)
        self._engine.crew.pace[row] = math.nan if character.speed is None else character.speed
        if sets_off > joined:
            heapq.heappush(self._standing, (sets_off, person.number))
        self.newcomers.append(person)
        self._make_for_next(person)
        return person

    def set_off(self) -> None:
        """Those whose premovement time is over go for their goals."""
        while self._standing and self._standing[0][0] <= self._engine.frame:
            frame, number = heapq.heappop(self._standing)
            person = self.here.get(number)
            if person is not None and person.sets_off == frame:  # it was sent nowhere else in the meantime
                self._make_for_next(person)

    def leave(self, person: LivePerson) -> None:
        """Somebody is gone at once."""
        person.left = self._engine.frame
        del self.here[person.number], self._rows[person.row]
        self._names.discard(person.name)
        self.gone.append(person)
        self._engine.leave(person.row)

    def send(self, person: LivePerson, goals: Sequence[Goal]) -> None:
        """Somebody wants to be at these places, one after the other; none: it stops and stays."""
        person.agenda, person.sets_off, person.held, person.paused = list(goals), 0, False, False
        if not goals:
            person.reached.clear()
        self._make_for_next(person)

    def release(self, person: LivePerson) -> None:
        """Somebody who is held where it is goes on with its agenda, if there is more."""
        person.held = False
        if len(person.agenda) > 1:
            person.reached.append((self._engine.frame, person.agenda.pop(0)))
            self._make_for_next(person)

    def _make_for_next(self, person: LivePerson) -> None:
        """On to the next goal; if that is a place in which something is done, those are told who know what."""
        standing = person.sets_off > self._engine.frame + 1
        if not standing and len(person.agenda) > 1 and person.agenda[0].place:
            self.bound_for_places.append(person)
        self.aim(person)

    def arrive(self, row: int) -> None:
        """Somebody is at its goal: on to the next, or stay, or leave."""
        crew, person = self._engine.crew, self.at(row)
        if person.held:
            crew.settled[row], crew.home[row] = self._engine.is_there(row), self._engine.frame
            return
        if self._engine.is_there(row):
            person.reached.append((self._engine.frame, person.agenda.pop(0)))
        if crew.ends[row] or crew.departs[row]:
            # Others may come here from now on, whatever it was told since it promised to be gone.
            self.leave(person)
        elif person.agenda:
            self._make_for_next(person)
        else:
            crew.settled[row], crew.home[row] = True, self._engine.frame

    def disturb(self, row: int) -> None:
        """Somebody cannot stay where it is: if that is where it has arrived, it goes there again once it can."""
        if self._engine.crew.settled[row]:
            person = self.at(row)
            if not person.held:
                person.agenda.insert(0, person.reached.pop()[1])
            self.aim(person)

    def aim(self, person: LivePerson) -> None:
        """Tell the engine what somebody wants."""
        crew, row = self._engine.crew, person.row
        crew.settled[row] = crew.departs[row] = False
        crew.tries[row] = crew.led[row] = 0
        crew.corner_count[row], crew.chain_count[row], crew.routed[row] = 0, 0, -(10**6)
        crew.since[row] = max(self._engine.frame, 0)
        if not person.agenda or person.paused or person.sets_off > self._engine.frame + 1:
            crew.goal[row] = math.nan
            return
        goal = person.agenda[0]
        heading = math.nan if goal.heading is None else goal.heading
        crew.goal[row] = goal.x, goal.z, goal.tolerance, heading
        crew.spread[row] = goal.heading_tolerance
        crew.departs[row] = len(person.agenda) == 1 and person.character.at_goal == "leave"
        crew.passing[row] = (len(person.agenda) > 1 or crew.departs[row]) and not person.held

    def as_character(self, person: LivePerson) -> Character:
        """Somebody as it is: where it is now, with the goals it has."""
        start = Placement(*self._engine.place_of(person.row))
        standing = max(person.sets_off - self._engine.frame, 0) / self._fps
        return replace(
            person.character, start=start, goals=person.goals, start_time=0.0, pose=None, premovement=standing
        )
