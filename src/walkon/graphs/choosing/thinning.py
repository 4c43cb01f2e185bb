"""Of transitions that do nearly the same, only the best."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags
from walkon.graphs.corpus import Corpus
from walkon.graphs.transitions import Transitions

SAME_WITHIN = 3
"""Frames: transitions whose ends both lie this near to each other do nearly the same. More would thin out
more."""


def thin_out(
    corpus: Corpus, transitions: Transitions, wanted: Flags, costs: Array, near: int = SAME_WITHIN
) -> Flags:
    """Of those `wanted` (T,), the cheapest (T,) such that no two join the same clips within `near` frames."""
    kept = np.zeros(len(transitions), dtype=np.bool_)
    seen = Neighbourhood(corpus, near)
    for number in np.flatnonzero(wanted)[np.argsort(costs[wanted], kind="stable")]:
        source, target = int(transitions.sources[number]), int(transitions.targets[number])
        if not seen.holds(source, target):
            seen.add(source, target)
            kept[number] = True
    return kept


class Neighbourhood:
    """Pairs of rows, of which one can ask whether any is near another pair, in the same two clips."""

    def __init__(self, corpus: Corpus, near: int = SAME_WITHIN) -> None:
        self._clips, self._near = corpus.library.clip_of_frame, near
        self._cells: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def _cell(self, row: int) -> int:
        return row // (self._near + 1)

    def add(self, source: int, target: int) -> None:
        """Put a pair in."""
        self._cells.setdefault((self._cell(source), self._cell(target)), []).append((source, target))

    def holds(self, source: int, target: int) -> bool:
        """Whether a pair was put in of which both rows are near these and in the same clips."""
        x, y = self._cell(source), self._cell(target)
        return any(
            abs(a - source) <= self._near
            and abs(b - target) <= self._near
            and self._clips[a] == self._clips[source]
            and self._clips[b] == self._clips[target]
            for i in (x - 1, x, x + 1)
            for j in (y - 1, y, y + 1)
            for a, b in self._cells.get((i, j), ())
        )
