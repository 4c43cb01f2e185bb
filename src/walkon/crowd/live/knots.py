"""How a knot is undone: its head gets on by having those in its way step aside, all at once.

This is priority inheritance with backtracking (Okumura, Machida, Défago and Tamura 2022), for bodies instead of
cells. The head of a knot, who comes first (`heads.py`), looks for a way ahead among all who stand. Those whom that
way meets have to find a place out of it, and inherit its priority: they may push others in turn, but nobody for
whom they make way. Whoever finds no place is in the way after all, and whoever wanted to push it looks for another
way.

Nobody sets out before those have who make way for it. So the last in line goes first, and everybody waits where it
stands until its own way is free. What was found is a suggestion: each way is committed to by itself, checked as
any other commitment, with as short a wait before it as there may be.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkon.basics import Array, Indices
from walkon.crowd.live._kernels_knots import (
    lay_tube,
    look,
    make_knot_memory,
    next_stretch,
    read_way,
    stands_by,
)
from walkon.crowd.live._kernels_memory import Setting
from walkon.crowd.live._kernels_plots import (
    PLOT,
    PLOT_CELL,
    Bystanders,
    Plot,
    draw_toll,
    mark_aside,
    mark_place,
    spread,
)
from walkon.crowd.live.crew import BODY, SEGMENTS, TRACK_ROOM
from walkon.crowd.live.heads import STUCK, Heads

if TYPE_CHECKING:
    from walkon.crowd.live.engine import Engine

STRETCHES = (3.0, 1.2, 0.5)
"""[m] How far ahead the head of a knot looks for a way; if none is found, for a shorter one. With more, more
people have to step aside at once."""

IN_VAIN = 12
"""Frames before a head that found no way looks again, another stretch ahead. With more, knots last longer; with
fewer, frames take longer."""

MOST_LOOKED, MOST_IN_ALL, PER_FRAME = 1000, 8000, 1500
"""Clips that one person looks at for one way; that all do for one head; and for each frame, in the mean: after
more, nobody looks until it is made up for. With more, more knots come undone at once, and frames take longer: a
clip takes 10 µs."""

TRIES = 3
"""Ways that somebody looks at, each without whom it cannot push. With more, looks take longer."""

DEEPEST = 8
"""People in line of whom each steps aside for the one before."""

SEEN = 8.0
"""[m] How far around the head people belong to its knot."""

MOST_BITS = 62
"""People who may be asked to step aside, the nearest: one bit of a number for each."""

GAIN = 0.3
"""[m] Least that a head gets on. With less, it shuffles."""

LONGEST_WAIT = 360
"""Frames (12 s) that somebody waits at most for those who make way for it."""

ARRIVED = 0.4
"""[m] Left to go at the end of a stretch."""


class Move(NamedTuple):
    """What somebody does to let another one pass: clips (K,) from its boundary on, its bodies (F, BODY)."""

    row: int
    clips: Indices
    tube: Array


@dataclass
class Knot:
    """Those around a head: rows (N,), where each stands or will stand (N, BODY), and bits (N,) of those who may
    be moved.

    moves: found so far, in the order in which they begin. spent: clips that were looked at."""

    rows: Indices
    bodies: Array
    bits: Indices
    moves: list[Move] = field(default_factory=list)
    spent: int = 0

    def place_of(self, row: int) -> int:
        """Which one somebody is."""
        return int(np.flatnonzero(self.rows == row)[0])


class Knots:
    """Finds knots and undoes them."""

    def __init__(self) -> None:
        self._memory, self.heads = make_knot_memory(), Heads()
        self._tried, self._again = dict[int, int](), 0
        self._track = np.zeros((TRACK_ROOM + 1, BODY))
        self._plot = np.zeros((2, PLOT, PLOT))
        self.undone = 0

    def undo(self, due: Indices, engine: Engine) -> Indices:
        """Rows of those who have something to do now that undoes a knot."""
        moved, spent = list[int](), 0
        self.heads.release(engine)
        for row in self._first(due, engine) if engine.frame >= self._again else ():
            if spent > PER_FRAME:
                break
            if row in moved:
                continue
            knot = self._solve(row, engine)
            spent += knot.spent
            if len(knot.moves) == 1 and engine.frame - engine.crew.since[row] < STUCK * engine.fps:
                # Nobody is in its way any more: it finds that by itself.
                self._tried[row] = engine.frame
                continue
            done = self._commit(knot, row, engine)
            moved += done
            self._note(row, done, engine)
        self._again = max(self._again, engine.frame + spent // PER_FRAME)
        return np.array(moved, dtype=np.int64)

    def _note(self, row: int, done: list[int], engine: Engine) -> None:
        """Remember how it went for a head, and who made way for it."""
        self.heads.note(row, done, engine.frame)
        self.undone += row in done
        if row not in done:
            self._tried[row] = engine.frame

    def _first(self, due: Indices, engine: Engine) -> list[int]:
        """Those who are due and heads, or have become heads: the oldest first."""
        crew, now, found = engine.crew, engine.frame, list[tuple[int, int]]()
        table = engine.repertoire.table
        wants = ~crew.settled[due] & ~np.isnan(crew.goal[due, 0]) & table.poses["rests"][crew.pose[due]]
        for row in due[wants].tolist():
            if not stands_by(row, now, crew, table):
                continue
            if now - self._tried.get(row, -IN_VAIN) < IN_VAIN:
                continue
            rank = self.heads.rank(row, engine)
            if rank is not None:
                found.append((rank, row))
        return [row for _, row in sorted(found)]

    def _solve(self, row: int, engine: Engine) -> Knot:
        """The moves by which somebody gets on, its own last; none if it does not."""
        knot = self._around(row, engine)
        far = STRETCHES[self.heads.fails(row) % len(STRETCHES)]
        x, z, left = next_stretch(row, engine.frame, far, *engine.context(), engine.workspace)
        if self.heads.goes_on(row, left, engine):
            self._move(row, (x, z), (), np.zeros((0, BODY)), knot, engine)
        return knot

    def _around(self, row: int, engine: Engine) -> Knot:
        """Everybody around somebody who wants to get on."""
        crew, frame, table = engine.crew, engine.frame, engine.repertoire.table
        rows = np.flatnonzero(crew.here & ~crew.ends)
        bodies = engine.tracks[rows, crew.length[rows] - 1]
        away = np.hypot(*(bodies[:, :2] - crew.end[row, :2]).T)
        order = np.lexsort((rows, away))
        order = order[away[order] < SEEN]
        rows, bits = rows[order], np.zeros(len(order), dtype=np.int64)
        used = 0
        for place, other in enumerate(rows.tolist()):
            before = self.heads.comes_before(other, row)
            if stands_by(other, frame, crew, table) and not before and used < MOST_BITS:
                bits[place] = 1 << used
                used += 1
        return Knot(rows, bodies[order].copy(), bits)

    def _move(
        self,
        row: int,
        aim: tuple[float, float] | None,
        before: tuple[int, ...],
        tubes: Array,
        knot: Knot,
        engine: Engine,
    ) -> bool:
        """Find a way for somebody, to its aim or out of the tubes (T, BODY) of all `before` for whom it makes
        way, and for everybody whom that meets. Whether there is one; if not, nothing has changed."""
        if len(before) > DEEPEST:
            return False
        own, firm, kept = knot.place_of(row), set[int](), len(knot.moves)
        for _ in range(TRIES):
            if knot.spent > MOST_IN_ALL:
                return False
            settled = {one.row for one in knot.moves} | set(before) | firm | {row}
            found, bits = self._look(row, aim, tubes, settled, knot, engine)
            if found is None:
                return False
            wider = np.concatenate([tubes, knot.bodies[own : own + 1], found.tube])
            blocker = self._push(bits, (*before, row), wider, knot, engine)
            if blocker is None:
                knot.moves.append(found)
                knot.bodies[own] = found.tube[-1]
                return True
            self._take_back(kept, knot, engine)
            firm.add(blocker)
        return False

    def _push(self, bits: int, before: tuple[int, ...], tubes: Array, knot: Knot, engine: Engine) -> int | None:
        """Have those step aside whose bits these are. Who cannot; None if all can."""
        for place in np.flatnonzero(knot.bits & bits).tolist():
            other = int(knot.rows[place])
            moved = any(one.row == other for one in knot.moves)
            if not moved and not self._move(other, None, before, tubes, knot, engine):
                return other
        return None

    def _take_back(self, kept: int, knot: Knot, engine: Engine) -> None:
        """Forget all moves but the first ones."""
        for one in knot.moves[kept:]:
            last = int(engine.crew.length[one.row]) - 1
            knot.bodies[knot.place_of(one.row)] = engine.tracks[one.row, last]
        del knot.moves[kept:]

    def _look(
        self,
        row: int,
        aim: tuple[float, float] | None,
        tubes: Array,
        firm: set[int],
        knot: Knot,
        engine: Engine,
    ) -> tuple[Move | None, int]:
        """A way for somebody that meets nobody of `firm`, and the bits of all whom it meets."""
        crew, table, around = engine.crew, engine.repertoire.table, engine.surroundings
        start, pose = np.array(crew.end[row]), int(crew.pose[row])
        others = knot.rows != row
        bits = np.where(np.isin(knot.rows, list(firm)), 0, knot.bits)[others]
        people = Bystanders(knot.bodies[others], bits, tubes, engine.gap)
        half = 0.5 * PLOT * PLOT_CELL
        plot = Plot(float(start[0]) - half, float(start[1]) - half, self._plot[0], self._plot[1])
        draw_toll(plot, float(table.poses["slim"][pose]), people, around.around)
        if aim is None:
            mark_aside(plot, knot.bodies[knot.place_of(row)], people)
        else:
            mark_place(plot, *aim)
        spread(plot, self._memory)
        setting = Setting(table, around.around, around.land)
        near = np.inf if aim is None else ARRIVED
        what = start, pose, int(crew.boundary[row]), near, plot, people, setting, MOST_LOOKED
        node, looked = look(*what, self._memory)
        knot.spent += looked
        if node < 0:
            return None, 0
        nodes, clips = self._memory.nodes, np.empty(SEGMENTS, dtype=np.int64)
        if aim is not None and nodes["left"][node] > nodes["left"][0] - GAIN:
            return None, 0
        clips = clips[: read_way(node, self._memory, clips)].copy()
        length = lay_tube(start, clips, table, self._track)
        if length < 0:
            return None, 0
        return Move(row, clips, self._track[:length].copy()), int(nodes["pushes"][node])

    def _commit(self, knot: Knot, head: int, engine: Engine) -> list[int]:
        """Commit everybody to its move, each with as short a wait before it as there may be; those who did. Where
        one cannot, nobody does whose move comes after it."""
        done, chains = list[int](), dict[int, Indices]()
        for move in knot.moves:
            chain = self._promise(move, engine)
            if chain is None:
                break
            done.append(move.row)
            chains[move.row] = chain
        if head in chains:
            self._hold(chains, head, engine)
        return done

    def _promise(self, move: Move, engine: Engine) -> Indices | None:
        """Commit somebody to its move, after a wait if need be: what it does then, None if there is no time for
        it."""
        table, pose = engine.repertoire.table, int(engine.crew.pose[move.row])
        rest = int(table.poses["short_rests"][pose][0])
        most = min(LONGEST_WAIT // int(table.clips["duration"][rest]), SEGMENTS - 2 - len(move.clips))
        for waits in range(most + 1):
            chain = np.concatenate([np.full(waits, rest, dtype=np.int64), move.clips])
            if engine.promise(move.row, chain):
                return chain
        return None

    def _hold(self, chains: dict[int, Indices], head: int, engine: Engine) -> None:
        """Let those who stepped aside stand there until the head has passed: or they would be back at once."""
        crew, table = engine.crew, engine.repertoire.table
        for row, chain in chains.items():
            rest = int(table.poses["short_rests"][table.clips["exit"][chain[-1]]][0])
            missing = -(-(int(crew.led[head]) - int(crew.led[row])) // int(table.clips["duration"][rest]))
            missing = min(missing, SEGMENTS - 2 - len(chain))
            if row != head and missing > 0:
                engine.promise(row, np.concatenate([chain, np.full(missing, rest, dtype=np.int64)]))
