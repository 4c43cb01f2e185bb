"""When is a path over? Who has arrived and stays travels no more: waiting at the goal is no part of the way."""

from __future__ import annotations

import numpy as np

from walkon.basics import Indices
from walkon.metrics.trajectories.model import Trajectories

WAITING_SWAY = 0.15
"""How far [m] outside the tolerance of its goal somebody who waits there may sway; the audit allows the same."""

SETTLED_WITHIN = 0.05
"""Somebody has arrived who is, from then on, as near to the goal as ever, give or take this [m]."""


def arrivals(trajectories: Trajectories) -> Indices:
    """The frame (N,) in which everybody has arrived, -1 for those who do not, or have no goal.

    From some frame on a person is within the tolerance of its goal, give or take WAITING_SWAY, to the end; it has
    arrived when it is, from then on, as near as it will be, give or take SETTLED_WITHIN.
    """
    found = np.full(len(trajectories), -1, dtype=np.int64)
    for person in np.flatnonzero(np.isfinite(trajectories.goals).all(axis=1)).tolist():
        apart = np.hypot(*(trajectories.path(person) - trajectories.goals[person]).T)
        away = np.flatnonzero(apart > trajectories.tolerances[person] + WAITING_SWAY)
        there = int(away[-1]) + 1 if len(away) else 0
        if there < len(apart):
            near = np.flatnonzero(apart[there:] <= apart[there:].min() + SETTLED_WITHIN)
            found[person] = trajectories.starts[person] + there + int(near[0])
    return found


def until_arrival(trajectories: Trajectories) -> Trajectories:
    """The paths as far as people travel: until they have arrived, or as long as they are there."""
    frames = arrivals(trajectories)
    counts = np.where(frames >= 0, frames - trajectories.starts + 1, trajectories.counts)
    paths = [trajectories.path(person)[:count] for person, count in enumerate(counts)]
    return trajectories.with_paths(paths, starts=trajectories.starts)
