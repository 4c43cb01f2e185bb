"""How fast somebody likes to walk, as tastes: which behaviors are left out, and which are disliked for it.

Planners know behaviors as they were recorded; nobody walks a clip faster or slower. Of all speeds there are in a
library, people get the ones nearest to their own.
"""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags, once_per_object
from walkon.behaviors import BehaviorGraph

FASTER = 1.15
"""Factor on somebody's speed up to which it walks faster. With less, people at 1.1 m/s could not use a walk of
1.2 m/s and would stroll at 0.7; with more, speeds differ less from person to person."""

SLOWER = 1.5
"""Factor by which the walk that is cheapest may be slower than somebody's speed before it is disliked: who wants
2.4 m/s jogs. With less, everybody who is quick on foot jogs; with more, nobody does."""

DISLIKE = 4.0
"""Factor on the cost of a metre that is too fast or too slow where it cannot be left out. With less, somebody slow
gets along by starting and stopping; with more, it walks around others where it could give way for a moment."""


def tastes_for(graph: BehaviorGraph, speed: float) -> tuple[dict[str, float], tuple[str, ...]]:
    """Weights of behaviors and behaviors to do without, by name, for somebody who likes to walk at a speed [m/s].

    Walking that is too fast is left out as long as there is slower walking; changes between paces, side-steps and
    the like are only disliked, since one may need them. No tastes for who cannot walk.
    """
    speeds, walks = behavior_speeds(graph), _walks(graph)
    if not walks.any():
        return {}, ()
    limit = max(FASTER * speed, 1.02 * float(speeds[walks].min()))
    about = graph.which(lambda kind: kind.gets_about)
    fast = about & (speeds > limit)
    weights = dict.fromkeys(_names(graph, fast & ~walks), DISLIKE)
    metre = np.where(walks, graph.costs / np.maximum(speeds * _seconds(graph), 1e-6), np.inf)
    slow = walks & (speeds * SLOWER < speed)
    if slow[int(metre.argmin())] and (walks & ~slow & ~fast).any():
        # Whoever waits on the way gets along, too: without a weight, stopping for a while would be a cheap metre.
        waiting = graph.which(lambda kind: kind.waits) & ~graph.rests[graph.entry]
        weights |= dict.fromkeys(_names(graph, (about | waiting) & (speeds * SLOWER < speed)), DISLIKE)
    return weights, tuple(_names(graph, fast & walks))


@once_per_object
def behavior_speeds(graph: BehaviorGraph) -> Array:
    """How fast (B,) [m/s] each behavior gets along its path, in its first clip."""
    speeds = np.zeros(len(graph.library))
    for behavior, clip in enumerate(graph.clip_starts[:-1].tolist()):
        path = graph.paths[graph.frame_starts[clip] : graph.frame_starts[clip + 1]]
        speeds[behavior] = np.hypot(*np.diff(path, axis=0).T).sum() * graph.fps / graph.durations[clip]
    return speeds


def _seconds(graph: BehaviorGraph) -> Array:
    return graph.durations[graph.clip_starts[:-1]] / graph.fps


def _walks(graph: BehaviorGraph) -> Flags:
    """Which behaviors (B,) go on forward, from a pose in which one cannot stay to another: no side-steps."""
    aside, ahead, _ = graph.displacements[graph.clip_starts[:-1]].T
    going = ~graph.rests[graph.entry] & ~graph.rests[graph.exit]
    return graph.which(lambda kind: kind.name == "locomotion") & graph.allowed & going & (ahead > np.abs(aside))


def _names(graph: BehaviorGraph, which: Flags) -> list[str]:
    return [graph.names[behavior] for behavior in np.flatnonzero(which)]
