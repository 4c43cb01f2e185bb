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

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from walkon.basics import Flags, Indices
from walkon.crowd.lanes import keep_right
from walkon.crowd.live._kernels_doors import LANE
from walkon.crowd.live._kernels_land import cell_at
from walkon.crowd.live.booking import Books
from walkon.crowd.live.crew import TRACK_ROOM
from walkon.planning import Plan, Problem, goals_on_slopes
from walkon.planning.delaying import GLANCE, hurried_way, wait_and_go
from walkon.rotations import Placement
from walkon.world import Goal

if TYPE_CHECKING:
    from walkon.crowd.live.engine import Engine

SHORT_GLANCE = replace(GLANCE, max_expansions=3000)
"""Looks for something that arrives earlier, as planned crowds do, but for less long. With more expansions,
people follow more closely, and frames take longer."""

PER_FRAME = 2000
"""Expansions for each frame, in the mean: after a look that took more, nobody looks until it is made up for. With
more, people set out sooner, and crowds that are stuck are slower than real time: an expansion takes 4 µs alone,
and 20 µs among sixty people."""

MOST_AROUND = 16_000
"""Expansions for one way around all who stand. With more, people are led who find none now, and frames take
longer."""

IN_VAIN = 45
"""Frames before somebody who found no way looks again. With more, doors stand empty for longer; with fewer, frames
take longer."""

LONGEST = TRACK_ROOM - 90
"""Frames that a way may take, with the wait before it: what fits into a commitment."""

NEXT_AT_DOOR = 2
"""People before a door who look for a way, the nearest ones. With more, who stands behind others looks in vain, or
before them; with fewer, the door stands empty while the first look."""

ABREAST, IN_LANE = 0.6, 0.15
"""[m] Width of a lane, of which wide doors have several: two who go abreast need 0.57 m. And how far from its
middle somebody goes at most who keeps to it. With more, fewer go abreast; with less, ways are harder to find."""

STUCK, NARROW = 90, 1.0
"""Frames (3 s) after which somebody is led who has not got on where there is, within this distance [m], no place
with more room than this to the next wall. With more room, people in the open are led, who find their ways by
themselves and are many."""

LARGEST_LED = 1500
"""People in a crowd at most in which anybody is led. With more, frames of large crowds take too long; with less,
halls full of people empty slowly: of 1000 before four doors of 1 m twice as many get out in the same time."""


class Leader:
    """Looks for whole ways for those who wait before doors."""

    def __init__(self) -> None:
        self._books, self._tried, self._again = Books(), dict[int, int](), 0

    @staticmethod
    def is_needed(crew: Any) -> bool:
        """Whether anybody is led: several people are on the way, and not too many."""
        return int((crew.here & ~crew.settled).sum()) > 1 and int(crew.here.sum()) <= LARGEST_LED

    def lead(self, due: Indices, engine: Engine) -> Indices:
        """Those of the rows who were led."""
        led, spent = [], 0
        for row in self._first(due, engine) if engine.frame >= self._again else ():
            if spent > PER_FRAME:
                break
            plans, expanded = self._ways(row, engine)
            spent += expanded
            if any(engine.promise(row, engine.numbered(row, plan.clips)) for plan in plans):
                led.append(row)
            else:
                self._tried[row] = engine.frame
        self._again = max(self._again, engine.frame + spent // PER_FRAME)
        return np.array(led, dtype=np.int64)

    def _ways(self, row: int, engine: Engine) -> tuple[list[Plan], int]:
        """Plans that bring somebody to its goal, the best first: around all who stand, and if it stands itself, a
        plan that waits until it is free. And how many nodes were expanded for them."""
        self._books.keep(engine)
        self._books.strike(row)
        alone = self._problem(row, engine)
        way = hurried_way(alone)
        if not way.statistics.expanded:
            alone = replace(alone, quiet=True)
            way = hurried_way(alone)
        ways = [way]
        if way.status == "found":
            ways += [hurried_way(replace(alone, goals=(lane, *alone.goals))) for lane in _lanes(row, engine)]
        aside = keep_right(alone, way)
        first = [] if aside is None else [aside]
        expanded = sum(way.statistics.expanded for way in first + ways)
        ways = [way for way in ways if way.status == "found"]
        if alone.world.moves or not alone.graph.rests[alone.pose]:
            return first + ways, expanded
        among = replace(alone, reservations=self._books.moving)
        plan = (
            wait_and_go(among, first, looks=False)
            or wait_and_go(among, ways, glance=SHORT_GLANCE)
            or wait_and_go(replace(among, quiet=True), ways, glance=SHORT_GLANCE)
        )
        return ([], expanded) if plan is None else ([plan], expanded + plan.statistics.expanded)

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
        ready = set(due[(crew.count[due] > 0) & (crew.deep[due] == 0.0)].tolist())
        found, ahead = [], Counter[int]()
        for row in rows[np.lexsort((rows, away))].tolist():
            if engine.frame - self._tried.get(row, -IN_VAIN) < IN_VAIN:
                continue
            ahead[int(crew.door[row])] += 1
            if ahead[int(crew.door[row])] <= NEXT_AT_DOOR and row in ready and _is_planned(row, engine):
                found.append(row)
        return found

    def _problem(self, row: int, engine: Engine) -> Problem:
        """What the planner is asked for somebody: from its boundary to its goal, around all who stand."""
        crew, world = engine.crew[row], engine.surroundings.world
        whose = engine.performer_at(row)
        x, z, tolerance, heading = crew.goal.tolist()
        goal = Goal(x, z, tolerance, None if np.isnan(heading) else heading, float(crew.spread))
        return Problem(
            graph=whose.planned,
            world=world,
            start=Placement(*crew.end.tolist()),
            pose=int(crew.pose) - whose.first_pose,
            goals=goals_on_slopes(world, (goal,)),
            horizon=int(crew.boundary) + LONGEST,
            start_frame=int(crew.boundary),
            stays=not crew.departs,
            expansions=MOST_AROUND,
            reservations=self._books.resting,
            seed=row,
        )


def _is_planned(row: int, engine: Engine) -> bool:
    """Whether somebody comes to a pose that planners know: from others only live steps lead on."""
    whose = engine.performer_at(row)
    return int(engine.crew.pose[row]) - whose.first_pose < len(whose.planned.poses)


def _stuck(engine: Engine) -> Flags:
    """Who (N,) has not got on for some time where it is narrow all around."""
    crew, land = engine.crew, engine.surroundings.land
    stuck = crew.here & ~crew.settled & (engine.frame - crew.since > STUCK)
    columns, near = land.room.shape[1], round(NARROW / land.cell)
    for row in np.flatnonzero(stuck):
        a, b = divmod(cell_at(land, *crew.end[row, :2].tolist()), columns)
        around = land.room[max(a - near, 0) : a + near + 1, max(b - near, 0) : b + near + 1]
        stuck[row] = around.max() < NARROW
    return stuck


def _lanes(row: int, engine: Engine) -> list[Goal]:
    """Places in the next door of somebody in the middle of its lanes, if it has several."""
    door = int(engine.crew.door[row])
    if door < 0:
        return []
    x, z, along_x, along_z, room = engine.surroundings.land.doors[door].tolist()
    lanes = int(2.0 * room / ABREAST)
    sides = np.linspace(LANE - room, room - LANE, lanes).tolist() if lanes > 1 else []
    return [Goal(x + side * along_z, z - side * along_x, IN_LANE) for side in sides]
