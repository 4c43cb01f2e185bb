"""The books of a live crowd: what everybody has committed to, as planners read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkon.basics import Array
from walkon.behaviors.outlines import Figures
from walkon.crowd.live.crew import TRACK_ROOM
from walkon.crowd.live.repertoire import MoveTable
from walkon.planning import Reservations
from walkon.planning.body_tracks import BodyTrack
from walkon.planning.sheets import Sheet

if TYPE_CHECKING:
    from walkon.crowd.live.engine import Engine

KEPT = 3600
"""Frames (2 min) after which the books are begun anew. With more, they take more memory."""


class Books:
    """moving: the space and time of everybody. resting: where everybody who stays will come to a stand, from the
    beginning on, as if they stood there already."""

    def __init__(self) -> None:
        self.moving = self.resting = Reservations((0.0, 0.0, 1.0, 1.0), 0)
        self._ends, self._entered = -1, {}
        self._table: MoveTable | None = None
        self._sheet: Sheet | None = None

    def strike(self, row: int) -> None:
        """Take somebody out, until the books are kept again."""
        if self._entered.pop(row, None) is not None:
            for kept in (self.moving, self.resting):
                if row in kept:
                    kept.remove(row)

    def keep(self, engine: Engine) -> None:
        """Enter what everybody has committed to since the last time."""
        crew, table = engine.crew, engine.repertoire.table
        if engine.frame > self._ends or table is not self._table:
            bounds, self._ends = engine.surroundings.world.scene.bounds, engine.frame + KEPT
            self.moving, self.resting = (
                Reservations(bounds, self._ends + 2 * TRACK_ROOM, clearance=engine.gap) for _ in range(2)
            )
            self._entered, self._table, self._sheet = {}, table, _sheet_of(table)
        here = np.flatnonzero(crew.here).tolist()
        for row in set(self._entered) - set(here):
            self.strike(row)
        for row in here:
            if self._entered.get(row) != (int(crew.first[row]), int(crew.length[row])):
                self._enter(row, engine)

    def _enter(self, row: int, engine: Engine) -> None:
        """What somebody has committed to, instead of what it had."""
        self.strike(row)
        first, length = int(engine.crew.first[row]), int(engine.crew.length[row])
        track = self._track(engine.tracks[row, :length])
        ends = bool(engine.crew.ends[row])
        self.moving.add(row, first, track, stays=not ends)
        if not ends:
            self.resting.add(row, 0, track.ending(), stays=True)
        self._entered[row] = first, length

    def _track(self, track: Array) -> BodyTrack:
        """A track of a live crowd (F, BODY) as planners read it."""
        places = np.column_stack([track[:, :4], np.zeros(len(track))])
        if self._sheet is None:
            return BodyTrack(places, np.zeros((len(track), 2), dtype=np.int64))
        rows = np.column_stack([np.zeros(len(track), dtype=np.int64), track[:, 4].astype(np.int64)])
        return BodyTrack(places, rows, (self._sheet,))


def _sheet_of(table: MoveTable) -> Sheet | None:
    """All outlines of a table on one sheet; None where only circles are seen."""
    if not table.outlined:
        return None
    halves = table.supports.astype(np.float16)  # exactly as they were kept
    figures = Figures(np.zeros((len(halves), 3)), halves, np.zeros((len(halves), 0, 3), dtype=np.float16))
    return Sheet(figures, np.zeros((len(halves), 0, 7), dtype=np.float32))
