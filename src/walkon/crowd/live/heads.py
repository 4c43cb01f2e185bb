"""Who comes first in a knot: whoever has waited longest is its head, until it is free or has to give up.

A head is somebody who has stood for some seconds, or has not come nearer to its goal for longer. It comes before
all who became heads later. Two things keep others from coming first at once: who stepped aside for a head lets it
go first, and who has looked in vain too often resigns for a while.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkon.crowd.live._kernels_knots import way_ahead
from walkon.crowd.live._kernels_queues import LONGEST_QUEUE, SAME_WAY, queues
from walkon.planning.kernels_collision import room_at

if TYPE_CHECKING:
    from walkon.crowd.live.engine import Engine

STUCK, IN_LINE = 6.0, 15.0
"""[s] For how long somebody has stood who becomes the head of a knot; and who has others in front that go the same
way. Who waits at a door for its turn, with nobody near who comes the other way, is as patient as queues are. With
less, people push who had only to wait; with more, knots last longer."""

ONE_WAY = 60.0
"""[s] The same where all who are near want to go much the same way: what they wait for before a passage that many
come to is no knot. With heads after 6 s, a fifth fewer people get through openings of 2 to 2.4 m."""

FACED = 4.0
"""[m] How near that is. With more, people push before doors that only some want through the other way."""

ASTRAY, NEARER = 12.0, 0.5
"""[s] For how long somebody who shuffles about has not come nearer to its goal by the second [m] who becomes the
head of a knot. With less, people push who go around somebody; with more, they shuffle for longer."""

OPEN = 1.5
"""[m] Who has no wall so near becomes no head: there people find ways around each other by themselves, and whoever
is pushed is in others' way. With heads after 12 s, 200 people who change places across a circle take 200 s,
without any 150 s, and a plaza of 1000 half the processor time. With less, nobody pushes in wide corridors."""

FREED = 2.5
"""[m] Who has got on by this much without having pushed anybody is no head any more. With less, others turn back
who stepped aside for it; with more, one comes first for longer than it needs."""

LONGEST_HEAD = 60.0
"""[s] Who was head for so long without being freed is it no more."""

MOST_FAILS, RESIGNED = 6, 300
"""Looks in vain after which a head is none any more, and frames (10 s) for which it stays so: perhaps it is the
one who can make way. With fewer, heads change who would have found a way; with more, knots last longer."""

PUSHED_BY = 300
"""Frames (10 s) for which somebody who stepped aside does not become a head while the one that it did it for is
one: or two who meet in a corridor push each other to and fro."""


class Head(NamedTuple):
    """Somebody who comes first: since which frame, its number, what it had left to go [m] after it pushed
    somebody last (nan: it is still on the way), and how often it has looked in vain since it got on. Or since
    when somebody has not come nearer than that."""

    since: int
    number: int
    left: float
    fails: int = 0


class Heads:
    """Knows who is the head of a knot, who has resigned, who stepped aside for whom, and since when somebody has
    not come nearer."""

    def __init__(self) -> None:
        self._heads, self._nearest = dict[int, Head](), dict[int, Head]()
        self._resigned, self._pushed = dict[int, int](), dict[int, tuple[int, int]]()

    def release(self, engine: Engine) -> None:
        """Forget heads who have arrived or are gone, or have been it for too long."""
        crew = engine.crew
        for row, head in list(self._heads.items()):
            late = (engine.frame - head.since) / engine.fps > LONGEST_HEAD
            if late or not crew.here[row] or crew.settled[row] or engine.numbers[row] != head.number:
                del self._heads[row]

    def rank(self, row: int, engine: Engine) -> int | None:
        """How soon somebody comes first, before all with more: heads by their age, then those who have become one
        by how long they have been stuck. None for everybody else."""
        now = engine.frame
        if row in self._heads:
            return self._heads[row].since
        since = self._stuck_since(row, engine)
        return now + since if since < now and not self._stands_back(row, now) else None

    def comes_before(self, other: int, row: int) -> bool:
        """Whether another one is a head, and an older one than somebody if that is one too."""
        rival, mine = self._heads.get(other), self._heads.get(row)
        return rival is not None and (mine is None or (rival.since, other) < (mine.since, row))

    def fails(self, row: int) -> int:
        """How often somebody has looked in vain as a head since it got on."""
        head = self._heads.get(row)
        return head.fails if head else 0

    def goes_on(self, row: int, left: float, engine: Engine) -> bool:
        """Make somebody a head that has so much left to go [m]. Whether it is still one: not if it has got on by
        enough."""
        head = self._heads.get(row)
        if head is None:
            self._heads[row] = Head(engine.frame, int(engine.numbers[row]), left)
        elif np.isnan(head.left):
            self._heads[row] = head._replace(left=left)
        elif left < head.left - FREED:
            del self._heads[row]
            return False
        return True

    def note(self, row: int, done: list[int], now: int) -> None:
        """Remember how it went for a head, and who made way for it: those who have done their move."""
        for other in done:
            if other != row:
                self._pushed[other] = row, now
        head = self._heads.get(row)
        if head is None:
            return
        if row in done:
            # What is left counts from where it has got to after a push.
            left = np.nan if len(done) > 1 else head.left
            self._heads[row] = head._replace(left=left, fails=0)
        elif head.fails + 1 < MOST_FAILS:
            self._heads[row] = head._replace(fails=head.fails + 1)
        else:
            del self._heads[row]
            self._resigned[row] = now

    def _stands_back(self, row: int, now: int) -> bool:
        """Whether somebody lets others come first: it stepped aside for one of them, or could not get on as a
        head."""
        for_whom, when = self._pushed.get(row, (-1, -PUSHED_BY))
        makes_way = for_whom in self._heads and now - when < PUSHED_BY
        return makes_way or now - self._resigned.get(row, -RESIGNED) < RESIGNED

    def _stuck_since(self, row: int, engine: Engine) -> int:
        """Since which frame somebody has got no further, if that is long enough for a knot; else now."""
        me, now, fps = engine.crew[row], engine.frame, engine.fps
        left, number = way_ahead(row, engine.crew), int(engine.numbers[row])
        known = self._nearest.get(row)
        if known is None or known.number != number or left < known.left - NEARER:
            self._nearest[row] = known = Head(now, number, left)
        since, patience = int(me.since), STUCK
        if now - since < STUCK * fps:
            since, patience = known.since, ASTRAY
        around = engine.surroundings.around
        if now - since <= patience * fps or room_at(me.end[0], me.end[1], around.raster, around.values) > OPEN:
            return now
        in_line = queues(row, engine.crowd, engine.workspace.memory.near)
        stays, along = self._near(row, engine)
        if me.queues and not me.turn and (in_line or not stays):
            patience = LONGEST_QUEUE
        elif along and not stays:
            patience = ONE_WAY
        elif in_line:
            patience = max(patience, IN_LINE)
        return since if now - since > patience * fps else now

    @staticmethod
    def _near(row: int, engine: Engine) -> tuple[bool, bool]:
        """Whether anybody near will not go out of the way by itself, because it has arrived or wants the opposite
        way; and whether anybody near wants the same way."""
        crew = engine.crew
        near = crew.here & (np.hypot(*(crew.end[:, :2] - crew.end[row, :2]).T) < FACED)
        near[row] = False
        # By their goals: on both sides of an opening people face each other on the first metres of one way.
        ways = crew.goal[:, :2] - crew.end[:, :2]
        ways /= np.maximum(np.hypot(*ways.T), 1e-6)[:, None]
        alike = ways[near] @ ways[row]
        stays = crew.settled[near] | np.isnan(crew.goal[near, 0]) | (alike < -SAME_WAY)
        return bool(stays.any()), bool((alike > SAME_WAY).any())
