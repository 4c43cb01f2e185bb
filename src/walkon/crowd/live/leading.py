"""Leading people through narrow places: whole ways to their goals, found by the planner among all that others have
committed to.

Who decides step by step keeps a place to stop behind whoever goes before it, and so a door stands empty most of
the time; and two who meet in a corridor may both have nowhere to go. Whoever waits before a door is therefore led:
it sets out when a way to its goal is free, from the first step to the last, and commits to all of it. Others see
where it will be at any time, and follow on its heels. This is how robots are led one after another in buildings
(Čáp, Vokřínek and Kleiner 2015): where everybody can wait without being in somebody's way, nobody waits for ever.

A way that is found is a suggestion, and checked as any other before it is committed to.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.crowd.live.booking import Books
from walkon.crowd.live.crew import TRACK_ROOM
from walkon.crowd.live.repertoire import PACE
from walkon.crowd.live.surroundings import Surroundings
from walkon.planning import Problem, Reservations, goals_on_slopes
from walkon.planning.astar import AStar
from walkon.planning.delaying import Waits
from walkon.planning.hurrying import brisk, hurried
from walkon.rotations import Placement
from walkon.world import Goal
from walkon.world.kernels import bilinear

if TYPE_CHECKING:
    from walkon.crowd.live.engine import Engine

ALONE, IN_LINE = (AStar(inflation=inflation, cell=0.5, headings=24) for inflation in (1.5, 1.2))
"""Look for the way of somebody around all who stand; the second one where many wait for it, who lose by every
detour. With a larger inflation, ways are found sooner and are worse."""

AMONG = AStar(inflation=2.0, cell=0.5, headings=24, time_bin=0.25)
"""Looks for a way among all who move, which arrives earlier: greedily; fine in time, because it is about following
closely."""

ALONE_TRY, AMONG_TRY, IN_A_FRAME = 16_000, 1500, 10_000
"""Expansions for one look around those who stand and for one among those who move, and from which on nobody else
looks in this frame. With more, more ways are found, and frames take longer: an expansion takes about 4 µs alone,
and 20 µs among sixty people."""

AGAIN, LOOK_AGAIN, GROWS_OLD = 6, 45, 180
"""Frames between two looks at whose way is free; before somebody who has no way at all looks again; and after
which another way is looked for than one that never was free: people may have come to stand there. With more, doors
stand empty for longer; with fewer, frames take longer."""

SAME_PLACE, SAME_HEADING = 0.06, 0.06
"""[m, rad] A way that was found holds as long as somebody stands no further from where it begins, and no more
turned: waiting turns people a little. With more, ways are tried that begin elsewhere and end in walls."""

LONGEST = TRACK_ROOM - 90
"""Frames that a way may take: what fits into a commitment."""

LONGEST_REST, STRIDE = 75, 4
"""Frames that somebody waits at most before it sets out on its way; of the times to do so one in STRIDE is looked
at first. With more of the first, doors are promised to people who are slow to get there."""

SOON, FAIR = 120, 8
"""Whoever passes the door within SOON frames (4 s) may be led, and later by one frame for each FAIR it has waited:
those in front of a door pass it before those beside it, who have to turn first. With more, doors stand empty for
people who are on the way."""

SLOWER, DETOUR, PATIENCE = 1.15, 2.5, 0.3
"""A way may take SLOWER times as long as straight on at an ordinary pace, and DETOUR seconds more, and PATIENCE
seconds more for each second of waiting. With more, people are sent around others who are about to go."""

SOONER, LEAST_SOONER, LOOKS = 24, 5, 4
"""Frames by which the first look wants to arrive earlier than the way that is free: the next one twice as many if
that succeeds, else half as many, down to the second, LOOKS times at most. With more looks, frames take longer."""

HEADS = 16
"""People before a door who look for a way, the nearest ones. With more, time is spent on those who stand behind
others; with fewer, only those who stand beside the door look."""

STUCK, NARROW = 90, 1.0
"""Frames (3 s) after which somebody is led who has not got on where there is no more room than this [m] to the
next wall. With more room, people in the open are led, who find their ways by themselves and are many."""

LARGEST_LED = 400
"""People in a crowd at most in which anybody is led. With more, frames of large crowds take too long: the books
alone take some 0.2 ms for each who decides."""


@dataclass(frozen=True, eq=False)
class FoundWay:
    """The clips of a way from a place (3,) and pose to a goal (4,), or none. briskly: made of brisk clips only.
    frame: when it was looked for. expanded: nodes that were expanded for it. around: the surroundings then."""

    place: Array
    pose: int
    goal: Array
    clips: Indices
    briskly: bool
    frame: int
    expanded: int
    around: Surroundings

    def holds(self, me: Any, now: int, around: Surroundings) -> bool:
        """Whether it is still a way for somebody where it is: nothing but people has moved."""
        away = np.abs(me.end - self.place)
        away[2] = abs(math.remainder(away[2], 2.0 * math.pi))
        near = away[0] < SAME_PLACE and away[1] < SAME_PLACE and away[2] < SAME_HEADING and me.pose == self.pose
        wanted = np.array_equal(me.goal, self.goal, equal_nan=True)
        lasts = GROWS_OLD if len(self.clips) else LOOK_AGAIN
        return bool(near and wanted and now - self.frame < lasts and around is self.around)


class Leader:
    """Looks for whole ways for those who wait before doors."""

    def __init__(self) -> None:
        self._books, self._ways = Books(), dict[int, FoundWay]()

    @staticmethod
    def is_needed(crew: Any) -> bool:
        """Whether anybody is led: several people are on the way, and not too many."""
        return int((crew.here & ~crew.settled).sum()) > 1 and int(crew.here.sum()) <= LARGEST_LED

    def lead(self, due: Indices, engine: Engine) -> Indices:
        """Those of the rows who were led."""
        known = self._know_ways(self._first(due, engine), engine)
        if engine.frame % AGAIN:
            return np.zeros(0, dtype=np.int64)
        offers: dict[int, list[tuple[int, int, Indices]]] = {}
        for row in known:
            chain = self._when_free(row, self._ways[row], engine)
            if len(chain):
                passes = engine.passes_door(row)
                soon = SOON + (engine.frame - engine.crew.since[row]) // FAIR
                if not _queues(row, engine) or passes - engine.frame < soon:
                    offers.setdefault(int(engine.crew.door[row]), []).append((passes, row, chain))
        led = []
        for offered in offers.values():
            _, row, chain = min(offered, key=lambda offer: offer[:2])
            chain = self._sooner(row, self._ways[row], chain, engine)
            if engine.is_free(row, chain, takes=True):
                led.append(row)
        return np.array(led, dtype=np.int64)

    def _know_ways(self, rows: list[int], engine: Engine) -> list[int]:
        """Those of the rows who have a way, if it were not for those who move."""
        spent = 0
        for row in rows:
            way = self._ways.get(row)
            if way is not None and way.holds(engine.crew[row], engine.frame, engine.surroundings):
                continue
            self._ways.pop(row, None)
            if spent < IN_A_FRAME:
                self._ways[row] = self._look_alone(row, engine)
                spent += self._ways[row].expanded
        return [row for row in rows if row in self._ways and len(self._ways[row].clips)]

    def _when_free(self, row: int, way: FoundWay, engine: Engine) -> Indices:
        """The clips of a way after as long a rest as it takes until it is free; none if that is too long."""
        rests = bool(engine.repertoire.table.poses["rests"][engine.crew.pose[row]])
        waits = Waits(self._problem(row, engine, None, LONGEST, True), LONGEST_REST if rests else 0, quietly=False)
        number = 0
        while number < len(waits.times):
            chain = self._after(row, waits, waits.times[number], way, engine)
            if engine.is_free(row, chain):
                for earlier in range(max(number - STRIDE + 1, 0), number):
                    sooner = self._after(row, waits, waits.times[earlier], way, engine)
                    if engine.is_free(row, sooner):
                        return sooner
                return chain
            number += STRIDE
        return way.clips[:0]

    def _after(self, row: int, waits: Waits, frames: int, way: FoundWay, engine: Engine) -> Indices:
        """A way after some frames of rest."""
        rests = np.array([clip for _, clip in waits.chain(frames)], dtype=np.int64)
        return np.concatenate([engine.numbered(row, rests), way.clips])

    def _look_alone(self, row: int, engine: Engine) -> FoundWay:
        """The way somebody would take around all others where they come to a stand."""
        me = engine.crew[row]
        self._books.keep(engine)
        self._books.strike(row)
        most, clips, looked, briskly = self._allowed(row, engine), me.clips[:0], 0, True
        for briskly in (True, False):
            problem = self._problem(row, engine, self._books.resting, most, briskly)
            found, expanded = (IN_LINE if _queues(row, engine) else ALONE).look(problem, ALONE_TRY)
            clips, looked = engine.numbered(row, found), looked + expanded
            if len(clips):
                break
        here = me.end.copy(), int(me.pose), me.goal.copy()
        return FoundWay(*here, clips, briskly, engine.frame, looked, engine.surroundings)

    def _allowed(self, row: int, engine: Engine) -> int:
        """Frames that a way may take: where many want through a door, not much longer than straight on, but more
        for who has waited for long."""
        if not _queues(row, engine):
            return LONGEST
        me = engine.crew[row]
        door = engine.surroundings.land.doors[me.door, :2]
        far = float(np.hypot(*(me.end[:2] - door)) + np.hypot(*(me.goal[:2] - door)))
        waited = (engine.frame - me.since) / engine.fps
        return min(round(engine.fps * (SLOWER * far / PACE + DETOUR + PATIENCE * waited)), LONGEST)

    def _sooner(self, row: int, way: FoundWay, chain: Indices, engine: Engine) -> Indices:
        """Clips that bring somebody to its goal sooner than a chain that is free, if a few looks find them; else
        the chain."""
        self._books.keep(engine)
        self._books.strike(row)
        durations = engine.repertoire.table.clips["duration"]
        sooner, frames = SOONER, int(durations[chain].sum()) - SOONER
        for _ in range(LOOKS):
            problem = self._problem(row, engine, self._books.moving, frames, way.briskly)
            found = AMONG.look(problem, AMONG_TRY)[0]
            if len(found):
                chain, sooner = engine.numbered(row, found), 2 * sooner
            else:
                sooner //= 2
            if sooner < LEAST_SOONER:
                break
            frames = int(durations[chain].sum()) - sooner
        return chain

    def _first(self, due: Indices, engine: Engine) -> list[int]:
        """Those who are due and among the first before their doors, the nearest first; and who is stuck."""
        crew, doors = engine.crew, engine.surroundings.land.doors
        asks = (
            ((crew.door >= 0) | _stuck(engine))
            & crew.here
            & ~crew.settled
            & (crew.led <= engine.frame)
            & ~crew.hurry
        )
        asks &= ~np.isnan(crew.goal[:, 0])
        rows = np.flatnonzero(asks)
        away = np.where(
            crew.door[rows] < 0,
            crew.still_left[rows],
            np.hypot(*(crew.end[rows, :2] - doors[crew.door[rows], :2]).T) if len(doors) else 0.0,
        )
        found, before = [], {}
        for k in np.lexsort((rows, away)).tolist():
            row, door = int(rows[k]), int(crew.door[rows[k]])
            ahead = before[door] = before.get(door, 0) + 1
            if ahead <= HEADS:
                found.append(row)
        ready = {int(row) for row in due[(crew.count[due] > 0) & (crew.deep[due] == 0.0)]}
        return [row for row in found if row in ready]

    def _problem(
        self, row: int, engine: Engine, others: Reservations | None, frames: int, briskly: bool
    ) -> Problem:
        """What the planner is asked for somebody: from its boundary to its goal within this many frames, to stay
        there, apart from these others."""
        crew, world = engine.crew[row], engine.surroundings.world
        whose = engine.performer_at(row)
        x, z, tolerance, heading = crew.goal.tolist()
        goal = Goal(x, z, tolerance, None if np.isnan(heading) else heading, float(crew.spread))
        return Problem(
            graph=brisk(whose.graph) if briskly else hurried(whose.graph),
            world=world,
            start=Placement(*crew.end.tolist()),
            pose=int(crew.pose) - whose.first_pose,
            goals=goals_on_slopes(world, (goal,)),
            horizon=int(crew.boundary) + frames,
            start_frame=int(crew.boundary),
            stays=True,
            reservations=others,
            seed=row,
        )


def _stuck(engine: Engine) -> Flags:
    """Who (N,) has not got on for some time where it is narrow."""
    crew, field = engine.crew, engine.surroundings.world.clearance
    stuck = crew.here & ~crew.settled & (engine.frame - crew.since > STUCK)
    for row in np.flatnonzero(stuck):
        x, z = crew.end[row, :2].tolist()
        stuck[row] = bilinear(field.origin_x, field.origin_z, field.cell, field.values, x, z) < NARROW
    return stuck


def _queues(row: int, engine: Engine) -> bool:
    """Whether somebody waits before a door that many want through."""
    door = int(engine.crew.door[row])
    return door >= 0 and bool(engine.surroundings.land.busy[door])
