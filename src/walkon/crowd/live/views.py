"""What can be seen of a live crowd: everybody at a frame, what was decided, figures, routes and reserved space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.crowd.live.commits import Commits, join_commits
from walkon.crowd.live.engine import Engine
from walkon.crowd.live.outlining import outlines_ahead, outlines_now
from walkon.crowd.live.people import LivePerson, Roster
from walkon.world import Character, Gridmap

LONG_WAIT = 2.0
"""[s] Somebody who has not got on for longer than this counts as waiting."""


@dataclass(frozen=True, eq=False)
class State:
    """Everybody at a frame: numbers (N,), places (N, 3) x, z, heading where their clips began, circles (N, 3)
    around them now, goals (N, 2) or nan, seconds they have been waiting (N,), whether they have arrived (N,), and
    whether they are there in this frame (N,). Whoever is not appears in the next one, and has its circle of then:
    it may be where somebody else still is now."""

    frame: int
    who: Indices
    places: Array
    circles: Array
    goals: Array
    waiting: Array
    arrived: Flags
    there: Flags


@dataclass(frozen=True, eq=False)
class LiveFigures:
    """How it goes. waiting: people who have not got on for two seconds. longest_wait [s]: of anybody so far.
    replans: decisions so far; replan_seconds: of the latest. dropped: people onto whom an obstacle was put.
    stops: how often nothing better was found than to come to a stand. led: decisions that followed a precomputed
    tree."""

    people: int
    waiting: int
    longest_wait: float
    replans: int
    replan_seconds: Array
    dropped: int
    stops: int
    led: int


class LiveViews:
    """The part of `Live` that only looks. It is of its own so that each file has one idea."""

    fps: float
    _engine: Engine
    _roster: Roster
    _longest_wait: float
    _dropped: dict[int, list[int]]

    @property
    def frame(self) -> int:
        """The latest frame that was played; -1 before the first step."""
        return self._engine.frame

    @property
    def time(self) -> float:
        """[s] played so far."""
        return (self.frame + 1) / self.fps

    @property
    def people(self) -> Mapping[int, LivePerson]:
        """Those who are here, by number."""
        return self._roster.here

    @property
    def coming(self) -> tuple[Character, ...]:
        """Those whose time has not come yet, or whose place is taken."""
        return self._roster.coming

    @property
    def dropped(self) -> Mapping[int, list[int]]:
        """People onto whom an obstacle was put, or who could not stop before it, and the frames when that was
        so."""
        return self._dropped

    def character(self, who: int) -> Character:
        """Somebody as it is now: where it is, with the goals it has. Enough to have it come again as it is."""
        return self._roster.as_character(self._roster.find(who))

    def drain(self) -> Commits:
        """All that was decided since the last time."""
        return self._engine.commits.take()

    def history(self) -> Commits:
        """All that was played and is decided, one entry per person."""
        crew = self._engine.crew
        who, clips, frames, places = self._engine.diary.read()
        order = np.argsort(who, kind="stable")
        who, clips, frames, places = who[order], clips[order], frames[order], places[order]
        parts = []
        for person in self.people.values():
            first, stop = np.searchsorted(who, [person.number, person.number + 1])
            row, ahead = person.row, slice(1, int(crew.count[person.row]))
            parts.append(
                Commits(
                    np.array([person.number]),
                    np.array([0, stop - first + max(int(crew.count[row]) - 1, 0)]),
                    np.concatenate([clips[first:stop], crew.clips[row, ahead]]),
                    np.concatenate([frames[first:stop], crew.frames[row, ahead]]),
                    np.concatenate([places[first:stop], crew.places[row, ahead]]),
                )
            )
        return join_commits([part for part in parts if len(part.clips)])

    def state(self) -> State:
        """Everybody now, and those who appear in the next frame, in order of numbers."""
        crew, people = self._engine.crew, list(self.people.values())
        rows = np.array([person.row for person in people], dtype=np.int64)
        inside = np.clip(self.frame - crew.first[rows], 0, crew.length[rows] - 1)
        aimless = crew.settled[rows] | np.isnan(crew.goal[rows, 0])
        return State(
            self.frame,
            np.array([person.number for person in people], dtype=np.int64),
            np.where((crew.count[rows] > 0)[:, None], crew.places[rows, 0], crew.end[rows]),
            self._engine.tracks[rows, inside, :3],
            crew.goal[rows, :2],
            np.where(aimless, 0.0, (self.frame - crew.since[rows]) / self.fps),
            crew.settled[rows],
            np.array([person.joined <= self.frame for person in people], dtype=np.bool_),
        )

    def figures(self) -> LiveFigures:
        """How it goes."""
        waiting, engine = self.state().waiting, self._engine
        return LiveFigures(
            len(self.people),
            int((waiting > LONG_WAIT).sum()),
            max(self._longest_wait, float(waiting.max(initial=0.0))),
            engine.replans,
            engine.replan_seconds(),
            len(self._dropped),
            engine.stops,
            engine.led,
        )

    def route(self, who: int) -> Array:
        """Corners (P, 2) of somebody's way to its goal, from where it is."""
        crew, row = self._engine.crew, self._roster.find(who).row
        corners = crew.corners[row, crew.aim[row] : crew.corner_count[row]]
        if np.isnan(crew.goal[row, 0]):
            corners = corners[:0]
        return np.concatenate([[self._engine.place_of(row)[:2]], corners])

    def reserved(self, who: int) -> tuple[int, Array]:
        """The frame of the first and the outlines (F, K, 2) x, z [m], by their corners, that belong to somebody,
        as planners see them; the last one for good."""
        engine = self._engine
        member = engine.crew[self._roster.find(who).row]
        first = max(self.frame, int(member["first"]))
        return first, outlines_ahead(engine.repertoire, member, first, engine.surroundings.world.scene.bodies)

    def outlines(self, who: Indices) -> Array:
        """Outlines (N, 2, K, 2) x, z [m], by their corners, of what people cover now: of what is below, and of
        what is above the height at which bodies are split. nan where there is nothing of them."""
        members = [self._engine.crew[self._roster.find(int(one)).row] for one in who]
        return outlines_now(self._engine.repertoire, members, self.frame)

    def density(self) -> Gridmap:
        """People per square metre who stand or are slow, in cells."""
        land = self._engine.surroundings.land
        middle = 0.5 * land.cell
        return Gridmap(land.origin_x + middle, land.origin_z + middle, land.cell, land.density.copy())

    def explored(self, who: int) -> Array:
        """Segments (K, 4) x0, z0, x1, z1 of a search that somebody would do now."""
        return self._engine.explore(self._roster.find(who).row)
