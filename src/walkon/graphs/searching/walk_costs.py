"""What a walk costs: how far from its goal it ends, what it misses or runs into on the way, how long it takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Indices
from walkon.errors import GraphError
from walkon.graphs.corpus import Corpus
from walkon.graphs.searching._kernels_pricing import Terms
from walkon.rotations import Placement

Measure = Callable[[Array, Indices], float]
"""A cost, 0 or more, of a track (F, 3) of x, z [m] and heading [rad], and the label set (F,) of every frame."""

SCALE = 0.2
"""Metres (Δ) that cost as much as one collision, or as going twice as far as need be."""

TURN_SCALE = np.radians(20.0)
"""Radians that cost as much."""


@dataclass(frozen=True)
class WalkCost:
    """The sum of equation 3.4, with the way-points of equation 3.1.

    goal: x, z [m] where the walk should end. facing: [rad] where its track should head there.
    waypoints: x, z [m] that it should pass, in this order. scale: Δ [m].
    distance, duration: whether going farther and longer than along straight lines at the highest speed costs.
    collisions: counts (ψ) what a track (F, 3) runs into. measure: anything else.
    """

    goal: tuple[float, float] | None = None
    facing: float | None = None
    waypoints: Sequence[tuple[float, float]] = ()
    scale: float = SCALE
    turn_scale: float = TURN_SCALE
    distance: bool = True
    duration: bool = True
    collisions: Callable[[Array], float] | None = None
    measure: Measure | None = None

    def __post_init__(self) -> None:
        numbers = [*(self.goal or ()), *np.ravel(np.array(self.waypoints, dtype=np.float64)), self.facing or 0.0]
        if not np.isfinite(numbers).all() or not (self.scale > 0.0 and self.turn_scale > 0.0):
            raise GraphError("places and headings must be finite, and scales positive")

    def terms(self, begin: Placement, corpus: Corpus) -> Terms:
        """What the kernels need to know."""
        points = np.array(self.waypoints, dtype=np.float64).reshape(-1, 2)
        ends = [] if self.goal is None else [self.goal]
        corners = np.concatenate([[(begin.x, begin.z)], points, np.reshape(ends, (-1, 2))])
        least = max(float(np.hypot(*np.diff(corners, axis=0).T).sum()), self.scale)
        far = len(corners) > 1
        return Terms(
            goal=np.array(self.goal or (0.0, 0.0), dtype=np.float64),
            scale=np.inf if self.goal is None else self.scale,
            facing=self.facing or 0.0,
            turn_scale=np.inf if self.facing is None else self.turn_scale,
            waypoints=points,
            waypoint_scale=self.scale,
            least_distance=least if far and self.distance else np.inf,
            least_frames=least / fastest(corpus) * corpus.fps if far and self.duration else np.inf,
        )

    def rest(self, track: Array, labels: Indices) -> float:
        """What the kernels cannot tell."""
        cost = 0.0 if self.collisions is None else float(self.collisions(track))
        return cost + (0.0 if self.measure is None else float(self.measure(track, labels)))

    @property
    def has_rest(self) -> bool:
        """Whether there is anything that the kernels cannot tell."""
        return self.collisions is not None or self.measure is not None


def as_cost(cost: WalkCost | Measure) -> WalkCost:
    """A function of a track and its labels as a cost."""
    return cost if isinstance(cost, WalkCost) else WalkCost(measure=cost)


def fastest(corpus: Corpus) -> float:
    """The highest speed [m/s] in the recordings."""
    steps = np.hypot(*np.diff(corpus.tracks[:, :2], axis=0).T)
    within = np.diff(corpus.library.clip_of_frame) == 0
    return max(float(steps[within].max(initial=0.0)) * corpus.fps, 1e-3)
