"""The same motions for somebody whom others wait for: time is dear, slow steps are a last resort, nobody runs."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from walkon.basics import Array, Flags, once_per_object
from walkon.behaviors import BehaviorGraph
from walkon.behaviors.graph import list_followers

TIME_IS_DEAR = 1.5
"""What a second costs at least, as a multiple of a second at the usual pace. With less, people creep through doors
that others wait for, because slow steps are as cheap by the metre; with more, nothing else counts."""

RUNS_FROM = 1.5
"""Whoever goes at least this many times as fast as usual runs, which looks wrong among people who wait. With more,
people run past a queue; with less, they may not even walk briskly."""

SHUFFLES_FROM = 0.1
"""[m] What begins and ends at rest and leads at least this far is a shuffle, not a turn. With less, turns count as
shuffles; with more, people step aside and back while they wait."""


class _Paces(NamedTuple):
    """seconds, metres: (B,) of behaviors in the mean. usual: the one that is cheapest by the metre, or -1."""

    seconds: Array
    metres: Array
    usual: int


def _paces(graph: BehaviorGraph) -> _Paces:
    starts, clips = graph.clip_starts[:-1], np.diff(graph.clip_starts)
    seconds: Array = np.add.reduceat(graph.durations, starts) / clips / graph.fps
    metres: Array = np.maximum.reduceat(np.hypot(graph.displacements[:, 0], graph.displacements[:, 1]), starts)
    goes = np.flatnonzero(graph.allowed & (graph.entry == graph.exit) & (metres > SHUFFLES_FROM)).tolist()
    usual = min(goes, key=lambda behavior: graph.costs[behavior] / metres[behavior], default=-1)
    return _Paces(seconds, metres, usual)


def _restricted(graph: BehaviorGraph, allowed: Flags) -> BehaviorGraph:
    """The graph without what is not allowed."""
    follower_starts, followers = list_followers(graph.entry, allowed, len(graph.poses))
    return replace(graph, allowed=allowed, follower_starts=follower_starts, followers=followers)


@once_per_object
def hurried(graph: BehaviorGraph) -> BehaviorGraph:
    """A graph in which no second costs less than TIME_IS_DEAR times one at the pace that is cheapest by the metre,
    and in which nobody runs. Behaviors and clips keep their numbers: its plans are plans for the graph itself."""
    seconds, metres, usual = _paces(graph)
    if usual < 0:
        return graph
    rate = TIME_IS_DEAR * graph.costs[usual] / seconds[usual]
    runs = graph.allowed & (graph.entry == graph.exit) & (metres > SHUFFLES_FROM)
    runs &= metres / seconds > RUNS_FROM * metres[usual] / seconds[usual]
    running = np.isin(np.arange(len(graph.poses)), graph.entry[runs])
    hasty = _restricted(graph, graph.allowed & ~running[graph.entry] & ~running[graph.exit])
    return replace(hasty, costs=np.maximum(graph.costs, rate * seconds))
