"""Somebody who acts on a motion graph: where they are, what they did, and things they can do there."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from walkon.directing.actions import Action
from walkon.directing.legs import ScriptDeed
from walkon.directing.reports import STAND, Span
from walkon.directing.stage import ActingStage
from walkon.directing.ways import frames_to, way_down
from walkon.graphs.performing.walks import Walk
from walkon.rotations import Placement
from walkon.world import Do, Wait

SOON = 4.0
"""[s] Who cannot stand within this time at the end of a script does not."""


class Actor:
    """node, place: where somebody is. edges: taken so far. frame: of the walk. style: how they get about.
    spot: x, z and how near [m] they are to stay for now, if anywhere. spans: what became of steps, by numbers."""

    def __init__(self, stage: ActingStage, start: int, place: Placement, rng: np.random.Generator) -> None:
        self.stage, self.graph, self.rng = stage, stage.graph, rng
        self.start, self.origin = start, place
        self.node, self.place, self.frame = start, place, 0
        self.edges: list[int] = []
        self.style = stage.usual
        self.spot: tuple[float, float, float] | None = None
        self.spans: dict[int, Span] = {}

    def copy(self) -> Actor:
        """Somebody in the same place, to try something with."""
        other = Actor(self.stage, self.start, self.origin, self.rng)
        other.adopt(self)
        return other

    def adopt(self, other: Actor) -> None:
        """Be where another is, having done the same."""
        self.node, self.place, self.frame = other.node, other.place, other.frame
        self.edges, self.spans = list(other.edges), dict(other.spans)
        self.style, self.spot = other.style, other.spot

    @property
    def walk(self) -> Walk:
        """All of it."""
        return Walk(self.graph, self.start, np.array(self.edges, dtype=np.int64), self.origin)

    def take(self, edges: Sequence[int]) -> None:
        """Go along edges."""
        for edge in edges:
            self.place = self.place @ Placement(*self.graph.moves[edge])
            self.frame += int(self.graph.frames[edge])
            self.node = int(self.graph.heads[edge])
            self.edges.append(int(edge))

    def do(self, deed: ScriptDeed) -> None:
        """Something that the graph has, as often or for as long as it is wanted."""
        self.spot = self.spot if isinstance(deed.step, Wait) else None
        step, began, done = deed.step, self.frame, 0
        label = step.label if isinstance(step, Do) else STAND
        action = self.stage.action(step)
        if action is None:
            self.spans[deed.number] = Span(began, began, 0, self.stage.lacks(label))
            return
        counted = isinstance(step, Do) and step.seconds is None
        for time in range(step.times if isinstance(step, Do) and counted else 1):
            if not self._get_to(action):
                break
            before = self.frame
            began = before if time == 0 else began
            self.take(action.perform(self.node, self.place, self.rng))
            done += 1 if counted else self.frame - before
        note = "" if done else f"no way leads from here to {label!r}"
        self.spans[deed.number] = Span(began, self.frame, done, note)

    def settle(self, action: Action) -> None:
        """Do something more at the end, if it can be begun soon."""
        far = frames_to(self.graph, action.entries, self.stage.prices(None))[self.node]
        if far <= SOON * self.graph.fps and self._get_to(action):
            self.take(action.perform(self.node, self.place, self.rng))

    def _get_to(self, action: Action) -> bool:
        """Take the shortest way in time to where something can begin; whether there is one."""
        prices = self.stage.prices(None)
        far = frames_to(self.graph, action.entries, prices)
        if not math.isfinite(far[self.node]):
            return False
        self.take(way_down(self.graph, self.node, far, prices))
        return True
