"""Those who are due decide together: several threads propose, and what they propose is committed in a fixed order.

So the same people, goals and obstacles give the same run, however many threads there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from walkon.crowd.live._kernels_checks import Around
from walkon.crowd.live._kernels_commit import settle_batch
from walkon.crowd.live._kernels_land import Land
from walkon.crowd.live._kernels_memory import CommonArrays, Rules, Workspace, make_memory
from walkon.crowd.live._kernels_people import Crowd
from walkon.crowd.live._kernels_propose import propose_some
from walkon.crowd.live.crew import PROPOSAL
from walkon.crowd.live.guides import Guides
from walkon.crowd.live.surroundings import make_scouting

Context = tuple[Crowd, CommonArrays, Around, Rules]
"""What kernels read of a crowd and its setting."""

DECIDING_BATCH = 128
"""People who propose at the same time, each without knowing what the others propose. With more, more of them get
into each other's way and look again; with fewer, threads wait for each other more often."""

PORTION = 8
"""People of a batch whom one thread takes at a time. With more, one thread may be left with all that are slow."""


class Deciders:
    """The threads that look for what people do next, with memory for each, and the proposals of one batch.

    workers: how many, one of them the caller's own. land: over which routes are looked for.
    """

    def __init__(self, workers: int, land: Land) -> None:
        count = max(int(workers), 1)
        self._pool = ThreadPoolExecutor(count - 1) if count > 1 else None
        self.workspaces = [Workspace(make_memory(), make_scouting(land)) for _ in range(count)]
        self.proposals = np.zeros(DECIDING_BATCH, dtype=PROPOSAL).view(np.recarray)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def survey(self, land: Land) -> None:
        """Routes are looked for over other land from now on."""
        if land.room.size != len(self.workspaces[0].scouting.marks):
            self.workspaces = [Workspace(own.memory, make_scouting(land)) for own in self.workspaces]

    def propose(self, count: int, now: int, context: Context, guides: Guides | None) -> None:
        """Write what the people of the first `count` proposals would do next."""

        def take_portions(worker: int, portions: Iterator[int]) -> None:
            for first in portions:
                span = (first, min(first + portion, count))
                about = (span, now, *context, self.workspaces[worker], self.proposals)
                if guides is not None:
                    guides.advise(worker, *about)
                propose_some(*about)

        pool = self._pool if count >= PORTION else None
        portion = count if pool is None else PORTION
        # Small portions, to whoever is free: some people take ten times as long to think as others.
        portions = iter(range(0, count, max(portion, 1)))
        others = [] if pool is None else range(1, len(self.workspaces))
        waiting = [pool.submit(take_portions, worker, portions) for worker in others if pool is not None]
        take_portions(0, portions)
        for task in waiting:
            task.result()

    def settle(self, count: int, now: int, last_call: int, context: Context) -> int:
        """Commit the first `count` proposals one after another; how many looked again. last_call: boundaries up to
        this frame are decided now."""
        return settle_batch(count, now, last_call, *context, self.workspaces[0], self.proposals)
