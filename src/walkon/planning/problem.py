"""What a planner is asked, and what it answers. A search that finds nothing is an answer with a reason."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import add
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from walkon.basics import Array, Indices, Progress
from walkon.behaviors import BehaviorGraph
from walkon.rotations import Placement
from walkon.world import Goal, World

if TYPE_CHECKING:
    from walkon.planning.reservations import Reservations


Status = Literal["found", "partial", "none"]


@dataclass(frozen=True, eq=False)
class Problem:
    """One character's problem.

    graph: what it can do; what only live crowds do is left out. world: where. start, pose, start_frame: how, as
    which pose of the graph, and from when. goals: way-points in order, then the goal. horizon: frame of the world
    by which it must be there. stays: it must end in a pose it can rest in, at a place where nobody comes by until
    the horizon. reservations: the space and time that belong to others. climb: cost of a metre of height, up or
    down. quiet: it stands so close to others that it must not move much until it sets out.
    seed: picks among the clips of a behavior. expansions: nodes that may be expanded for it in all, by whichever
    searches. deadline: by the clock of `time.perf_counter` [s], when whoever searches stops.
    """

    graph: BehaviorGraph
    world: World
    start: Placement
    pose: int
    goals: tuple[Goal, ...]
    horizon: int
    start_frame: int = 0
    stays: bool = True
    reservations: Reservations | None = None
    climb: float = 1.0
    quiet: bool = False
    seed: int = 0
    expansions: int = 1 << 62
    deadline: float = math.inf

    def __post_init__(self) -> None:
        object.__setattr__(self, "graph", self.graph.planned)


@dataclass(frozen=True)
class SearchStatistics:
    """How hard it was: nodes expanded, generated and kept; edges refused by obstacles, by other people, or as
    already visited; seconds; bytes held.

    With precomputed trees: lookups, and clips checked by them; and what was tried where a tree had no answer:
    other sub-goals, waits, forward searches.
    """

    expanded: int = 0
    generated: int = 0
    nodes: int = 0
    blocked: int = 0
    occupied: int = 0
    visited: int = 0
    seconds: float = 0.0
    bytes: int = 0
    lookups: int = 0
    checked: int = 0
    subgoals: int = 0
    waits: int = 0
    searches: int = 0

    def __add__(self, other: SearchStatistics) -> SearchStatistics:
        """Both together; of nodes and memory, the larger."""
        joined = {field.name: max if field.name in ("nodes", "bytes") else add for field in fields(self)}
        return SearchStatistics(
            **{name: join(getattr(self, name), getattr(other, name)) for name, join in joined.items()}
        )


@dataclass(frozen=True, eq=False)
class SearchTree:
    """Every node kept by a search, in order of creation: placements (N, 3), parents (N,) with -1 for the root, the
    behaviors that led there (N,), frames (N,), costs so far (N,)."""

    placements: Array
    parents: Indices
    behaviors: Indices
    frames: Indices
    costs: Array


@dataclass(frozen=True, eq=False)
class Plan:
    """S steps, each a clip of a behavior.

    status: found; partial: the budget ran out, and this leads nearest to the goal; none: there is no way.
    reason: in words, when it is not found. behaviors, clips: (S,) as the graph numbers them.
    frames: (S + 1,) of the world, when each step begins, and the end. placements: (S + 1, 3) x, z, heading.
    cost: of the whole, in the graph's terms. tree: only if it was asked for.
    """

    status: Status
    reason: str
    behaviors: Indices
    clips: Indices
    frames: Indices
    placements: Array
    cost: float
    statistics: SearchStatistics
    tree: SearchTree | None = None

    def __len__(self) -> int:
        return len(self.clips)


class Planner(Protocol):
    """Anything that answers problems."""

    def plan(self, problem: Problem) -> Plan:
        """The best plan this planner finds."""
        ...

    def prepare(self, graphs: Iterable[BehaviorGraph], world: World, progress: Progress | None = None) -> None:
        """Make ready what plans for people with these graphs in a world will need. Most planners need nothing;
        what is not prepared is made when it is first asked for. progress: called with (parts so far, all)."""


def plan_circles(graph: BehaviorGraph, plan: Plan) -> Array:
    """Circles (F, 3) x, z, radius [m] around the body in the world, for every frame of a plan and its end."""
    pieces = []
    for step, clip in enumerate(plan.clips):
        frames = graph.circles[graph.frame_starts[clip] : graph.frame_starts[clip + 1]]
        x, z = Placement(*plan.placements[step]).point(frames[:, 0], frames[:, 1])
        circles = np.stack([x, z, frames[:, 2]], axis=1)
        # The exit frame of a step is the entry frame of the next one: the larger circle of the two counts.
        if pieces:
            circles[0, 2] = max(circles[0, 2], pieces[-1][-1, 2])
            pieces[-1] = pieces[-1][:-1]
        pieces.append(circles)
    return np.concatenate(pieces) if pieces else np.empty((0, 3))


def rest_circle(graph: BehaviorGraph, pose: int, placement: Placement | Array) -> Array:
    """Circle (3,) x, z, radius [m] in the world around a body that stays in a pose at a placement.

    For a pose that nobody can stay in, the largest circle in which a behavior begins from it.
    """
    where = placement if isinstance(placement, Placement) else Placement(*placement)
    circle = graph.rest_circles[pose]
    if not graph.rests[pose]:
        clips = [c for b in np.flatnonzero(graph.entry == pose) for c in range(*graph.clip_starts[b : b + 2])]
        entries = graph.circles[graph.frame_starts[clips]]
        circle = entries[entries[:, 2].argmax()]
    x, z = where.point(circle[0], circle[1])
    return np.array([float(x), float(z), circle[2]])
