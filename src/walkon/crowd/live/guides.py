"""Precomputed trees for a live crowd: whose forest is asked, and by which thread.

A guide only suggests: what it says is checked like everything else (see `_kernels_guided`), and who gets no answer
searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walkon.crowd.live._kernels_advice import advise
from walkon.crowd.live._kernels_lookup import Whose
from walkon.crowd.live.repertoire import LivePerformer, MoveTable, Repertoire
from walkon.errors import PlanError, TreeError
from walkon.planning.moves import drawn_clips
from walkon.trees import Forest, Lookup, fetch_forest
from walkon.trees.digest import graph_digest
from walkon.world.bodies import BodyLevel, seen_live


class Guides:
    """For every performer a forest, and for every thread the memory to look ways up in it.

    forests: to be used by those from whose graphs they were grown. Everybody else's come from the shelf; one that
    is not there yet is grown by `learn`, which takes seconds. Who can go nowhere has none, and searches.
    """

    def __init__(self, forests: Sequence[Forest], workers: int) -> None:
        self._forests = tuple(forests)
        self._workers = max(int(workers), 1)
        self._known: list[tuple[list[Whose], list[Lookup]]] = []
        self._bodies: BodyLevel | None = None

    def check(self, performers: Sequence[LivePerformer]) -> None:
        """Raise TreeError if a forest was grown from the graph of none of these."""
        digests = {graph_digest(performer.planned) for performer in performers}
        for number, forest in enumerate(self._forests):
            if forest.digest not in digests:
                raise TreeError(
                    f"forest {number}: it was grown from another library, performer or choice of behaviors than "
                    "anybody's in this crowd"
                )

    def learn(self, repertoire: Repertoire) -> None:
        """Have a forest for each performer; those known before come first among them, unless bodies were seen at
        another level then."""
        if repertoire.bodies != self._bodies:
            self._known, self._bodies = [], repertoire.bodies
        for performer in repertoire.performers[len(self._known) :]:
            forest = self._forest_of(performer)
            if forest is None:
                self._known.append(([], []))
                continue
            # Every thread has its own memory; the forest itself is there once.
            lookups = [Lookup(forest, performer.planned) for _ in range(self._workers)]
            for lookup in lookups:
                lookup.see(seen_live(repertoire.bodies))
            poses = performer.first_pose, performer.first_pose + len(performer.planned.poses)
            whose = *poses, performer.first_clip, _usual(forest, performer, repertoire.table)
            self._known.append(([Whose(*whose, np.zeros(len(forest))) for _ in lookups], lookups))

    def _forest_of(self, performer: LivePerformer) -> Forest | None:
        graph = performer.planned
        for forest in self._forests:
            if forest.digest == graph_digest(graph):
                # Kernels take a forest's numbers of clips for the crowd's.
                if not np.array_equal(forest.numbers, drawn_clips(graph, 0)):
                    raise TreeError(f"the forest has other clips of {performer.library!r} than the crowd plays")
                return forest
        try:
            return fetch_forest(graph)
        except PlanError:
            return None

    def advise(self, worker: int, span: tuple[int, int], now: int, *context: Any) -> None:
        """Write ways to the proposals span[0] to span[1] - 1 of a batch. context: as `propose_some` reads it."""
        crowd, proposals = context[0], context[-1]
        poses = crowd.crew.pose[proposals.row[slice(*span)]]
        for askers, lookups in self._known:
            # Handing everything to a kernel takes longer than a lookup: only to those of somebody who is there.
            if lookups and askers[worker].has(poses).any():
                advise(askers[worker], lookups[worker].bundle, span, now, *context)


def _usual(forest: Forest, performer: LivePerformer, table: MoveTable) -> NDArray[np.bool_]:
    """Which nodes (N,) can be got to without anything that people only do in need."""
    natural = table.behaviors["natural"][table.clips["behavior"][performer.first_clip :]]
    parents = np.maximum(forest.parents, 0)
    usual = (forest.parents < 0) | natural[forest.clips]
    for _ in range(forest.depth):
        usual &= (forest.parents < 0) | usual[parents]
    return usual
