"""What everybody in a crowd can do, as one table: the graphs of all performers, one after another.

Poses, behaviors and clips get numbers of their own; as nothing leads from one performer's poses to another's, all
kernels that read `Moves` read the whole crowd's. Beside it lies what only a live crowd asks: how to come to a
stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices
from walkon.behaviors import BehaviorGraph
from walkon.behaviors.outlines import NO_FIGURE, Figures, rest_figure
from walkon.errors import PlanError
from walkon.motion.features.outlines import COMPASS, DIRECTIONS
from walkon.planning.kernels_capsules import NO_CAPSULES
from walkon.planning.kernels_moves import enclosing_circles
from walkon.planning.moves import Moves, compile_moves
from walkon.world.bodies import BodyLevel, seen_live

STOP_CLIPS = 3
"""Clips of a stop at most: from a run to a walk, to a slow step, to a stand."""

PACE, EFFORT = 1.2, 0.35
"""How many metres still to go a second costs, about what people walk in one, and the factor on the cost of a
behavior: who walks straight on loses nothing, who waits loses a pace. Found by trying."""

NATURAL, SQUEEZED = 1.25, 1.8
"""Ways of going that cost more than this, as a multiple of the cheapest per metre, are left to those who need
them; slow ones only if they cost more than the second. With more, people creep and sidle for no reason."""

STRIDE, STEP = 0.8, 0.2
"""[m] What leads further than the first is walking, and what leads further than the second gets somebody on."""

STRAIGHT = 0.1
"""[rad] What turns by less leads straight on: steps sway by 2 degrees."""

CLIP = np.dtype(
    [
        ("first", np.int64),  # row of its first circle and outline
        ("duration", np.int64),  # frames
        ("behavior", np.int64),
        ("exit", np.int64),  # pose
        ("special", np.int64),  # which of PASSES, or -1
        ("cost", np.float64),  # of its path and of the time it takes, in metres
        ("speed", np.float64),  # the most that what is seen of a body moves in a frame [m]
        ("bound", np.float64, (3,)),  # a circle around all of it
        ("displacement", np.float64, (3,)),
    ],
    align=True,
)
BEHAVIOR = np.dtype(
    [
        ("clip_start", np.int64),
        ("clip_stop", np.int64),
        ("exit", np.int64),
        ("special", np.int64),
        ("cost", np.float64),
        ("waits", np.bool_),  # it only passes the time
        ("natural", np.bool_),  # nobody needs a reason to do it
    ],
    align=True,
)
POSE = np.dtype(
    [
        ("rests", np.bool_),
        ("stop", np.int64),  # the behavior that leads towards a stand; -1 if one stands, or if there is none
        ("follower_start", np.int64),
        ("follower_stop", np.int64),
        ("step_stop", np.int64),  # from follower_stop to here: the followers that only live crowds use
        ("short_rests", np.int64, (2,)),  # first clip and last + 1 of those that pass a short time
        ("long_rests", np.int64, (2,)),
        ("rest_circle", np.float64, (3,)),  # around all short rests: whoever is ready to go stands still
        ("broad", np.float64),  # room [m] that its performer needs on both sides to walk
        ("slim", np.float64),  # the same where it makes itself as slim as it can
        ("gait", np.float64),  # how fast one goes in it [m per frame]; 0 if one rests
        ("usual", np.float64),  # how fast its performer walks if nothing is in the way
    ],
    align=True,
)


class MoveTable(NamedTuple):
    """What kernels read about everything that can be done, as records: clips (C,) of CLIP, behaviors (B,) of
    BEHAVIOR, poses (P,) of POSE; followers (E,) behaviors; circles (F, 3) as in Moves.

    outlined: whether outlines are seen. supports: (F + P, 2, DIRECTIONS) of all frames, as in Moves, and then of
    those who rest in each pose; from row `resting` on."""

    clips: NDArray[Any]
    behaviors: NDArray[Any]
    poses: NDArray[Any]
    followers: Indices
    circles: Array
    outlined: bool
    supports: NDArray[np.float32]
    resting: int


class StandTraits(NamedTuple):
    """What a live crowd asks of one graph beside its Moves: P poses, B behaviors.

    waits, natural, live: (B,). stops: (P,). rest_clips, idle_clips: (P, 2) first and last + 1. rests: what is seen
    of somebody in all short rests (P). broad, slim: (P,) [m]."""

    waits: NDArray[np.bool_]
    natural: NDArray[np.bool_]
    live: NDArray[np.bool_]
    stops: Indices
    rest_clips: Indices
    idle_clips: Indices
    rests: Figures
    broad: Array
    slim: Array
    gait: Array
    usual: Array


@dataclass(frozen=True, eq=False)
class LivePerformer:
    """Somebody's graph in the table: its clip c has the number first_clip + c, its pose p first_pose + p."""

    graph: BehaviorGraph
    library: str
    performer: int
    first_clip: int
    first_pose: int

    @property
    def planned(self) -> BehaviorGraph:
        """The graph without what only live crowds do, for planners and trees; numbers in it are the same."""
        return self.graph.planned


@dataclass(frozen=True, eq=False)
class Repertoire:
    """The table, who is in it, and the level at which bodies are seen."""

    moves: Moves
    table: MoveTable
    performers: tuple[LivePerformer, ...]
    bodies: BodyLevel

    def performer_of(self, clip: int) -> LivePerformer:
        """Whose clip it is."""
        firsts = [performer.first_clip for performer in self.performers]
        return self.performers[int(np.searchsorted(firsts, clip, side="right")) - 1]

    def performer_in(self, pose: int) -> LivePerformer:
        """Whose pose it is."""
        firsts = [performer.first_pose for performer in self.performers]
        return self.performers[int(np.searchsorted(firsts, pose, side="right")) - 1]


def stack_repertoire(entries: Sequence[tuple[str, int, BehaviorGraph]], bodies: BodyLevel) -> Repertoire:
    """One table of the graphs of (library, performer, graph), for bodies seen at a level. Raises PlanError where
    somebody can never stand."""
    performers, pieces, clips, poses = [], [], 0, 0
    for library, performer, graph in entries:
        moves = compile_moves(graph, 0, seen_live(bodies))
        if not moves.rests.any():
            raise PlanError(
                f"library {library!r} has no pose to rest in: nobody of it can take part in a live crowd"
            )
        performers.append(LivePerformer(graph, library, performer, clips, poses))
        traits = _traits(graph, moves)
        pieces.append((_resting_shortly(moves, traits.rests), traits))
        clips, poses = clips + len(moves.durations), poses + len(graph.poses)
    stacked = _stack_moves([moves for moves, _ in pieces])
    table = _table(stacked, _stack_traits(pieces), performers[0].graph.fps)
    return Repertoire(stacked, table, tuple(performers), bodies)


def _stack_moves(parts: list[Moves]) -> Moves:
    """All parts as one: starts are counted on, what names a pose or a behavior is moved up, all else is joined."""
    offset = _Offsets(parts)
    stacked: dict[str, Any] = {
        name: offset.join_starts(name) if name.endswith("_starts") else _join(parts, name)
        for name in Moves._fields
        if name not in ("capsules", "inset", "outlined", "body_capsules")
    }
    return Moves(
        **stacked
        | {
            "numbers": np.arange(offset.clips[-1]),
            "exit": offset.join("exit", offset.poses),
            "followers": offset.join("followers", offset.behaviors),
            "capsules": _stack_capsules([part.capsules for part in parts]),
            "inset": min(part.inset for part in parts),
            "outlined": parts[0].outlined,
            "body_capsules": NO_CAPSULES,
        }
    )


class _Offsets:
    """How far the numbers of poses, behaviors and clips of each part are moved up."""

    def __init__(self, parts: list[Moves]) -> None:
        self.parts = parts
        self.poses = np.cumsum([0, *(len(part.rests) for part in parts)])
        self.behaviors = np.cumsum([0, *(len(part.costs) for part in parts)])
        self.clips = np.cumsum([0, *(len(part.durations) for part in parts)])

    def join(self, name: str, offsets: Indices) -> Indices:
        values = [getattr(part, name) + offset for part, offset in zip(self.parts, offsets, strict=False)]
        return np.concatenate(values).astype(np.int64)

    def join_starts(self, name: str) -> Indices:
        """Starts (N + 1,) of all parts as one."""
        lengths = [np.diff(getattr(part, name)) for part in self.parts]
        return np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)


def _join(parts: Sequence[NamedTuple], name: str) -> NDArray:
    return np.ascontiguousarray(np.concatenate([getattr(part, name) for part in parts]))


def _stack_capsules(parts: list[Array]) -> Array:
    """Capsules of bodies with different numbers of bones: the last one of the smaller is there several times."""
    bones = max(part.shape[1] for part in parts)
    padded = [
        np.concatenate([part, np.repeat(part[:, -1:], bones - part.shape[1], axis=1)], axis=1) for part in parts
    ]
    return np.ascontiguousarray(np.concatenate(padded))


def _traits(graph: BehaviorGraph, moves: Moves) -> StandTraits:
    waits = graph.which(lambda kind: kind.waits)
    rests, idles = _rest_clips(graph, moves, waits)
    broad, slim = (np.full(len(graph.poses), _narrowest(graph, moves, far)) for far in (STRIDE, STEP))
    seen = _short_rests(graph, moves, rests)
    live = graph.which(lambda kind: kind.live)
    natural, usual = _natural(graph, moves)
    gait = _gaits(graph, moves)
    usuals = np.full(len(graph.poses), gait[usual])
    return StandTraits(waits, natural, live, _stops(graph, moves), rests, idles, seen, broad, slim, gait, usuals)


def _narrowest(graph: BehaviorGraph, moves: Moves, far: float) -> float:
    """Half [m] of the narrowest passage that somebody gets through by a clip that leads so far [m]."""
    owners = np.repeat(np.arange(len(moves.costs)), np.diff(moves.clip_starts))
    away = np.hypot(moves.displacements[:, 0], moves.displacements[:, 1])
    planned = graph.which(lambda kind: not kind.live)
    usable = np.flatnonzero((away > far) & (graph.allowed & planned)[owners] & (moves.special[owners] < 0))
    return min((_half_width(moves, int(clip)) for clip in usable), default=float(moves.circles[:, 2].max()))


def _half_width(moves: Moves, clip: int) -> float:
    """Half [m] of the breadth that a clip takes across the way it leads."""
    rows, (x, z, _) = slice(*moves.frame_starts[clip : clip + 2]), moves.displacements[clip]
    middles, reach = moves.circles[rows, :2], np.repeat(moves.circles[rows, 2:], DIRECTIONS, axis=1)
    if moves.outlined:
        reach = moves.supports[rows].max(axis=1)
    aside = int(np.argmin(np.abs(COMPASS @ (x, z))))
    far = (middles @ COMPASS.T + reach).max(axis=0)
    return 0.5 * float(far[aside] + far[aside - DIRECTIONS // 2])


def _short_rests(graph: BehaviorGraph, moves: Moves, rests: Indices) -> Figures:
    """What is seen of somebody while it passes a short time in each pose: whoever is ready to go stands still."""
    found = []
    for first, stop in rests:
        rows = slice(moves.frame_starts[first], moves.frame_starts[stop])
        if first == stop:
            found.append(NO_FIGURE)
        elif moves.outlined:
            found.append(rest_figure([graph.clip(int(clip)) for clip in moves.numbers[first:stop]], 0.0))
        else:
            circle = enclosing_circles(moves.circles[rows], np.array([0, rows.stop - rows.start]))
            found.append(NO_FIGURE._replace(circles=circle))
    return Figures(*(np.concatenate(rows) for rows in zip(*found, strict=True)))


def _resting_shortly(moves: Moves, rests: Figures) -> Moves:
    """Moves whose rests are short ones."""
    return moves._replace(rest_circles=rests.circles, rest_supports=rests.supports, rest_covers=rests.covers)


def _rest_clips(graph: BehaviorGraph, moves: Moves, waits: NDArray[np.bool_]) -> tuple[Indices, Indices]:
    """For every pose the clips of the shortest and of the longest wait that stays where it is."""
    found = np.zeros((2, len(graph.poses), 2), dtype=np.int64)
    for pose in np.flatnonzero(graph.rests):
        own = np.flatnonzero(waits & (graph.entry == pose) & (graph.exit == pose) & graph.allowed)
        lengths = [moves.durations[moves.clip_starts[b] : moves.clip_starts[b + 1]].mean() for b in own]
        for kind, behavior in enumerate((own[np.argmin(lengths)], own[np.argmax(lengths)])):
            found[kind, pose] = moves.clip_starts[behavior], moves.clip_starts[behavior + 1]
    return found[0], found[1]


def _stops(graph: BehaviorGraph, moves: Moves) -> Indices:
    """The first behavior of the quickest way to rest, for every pose."""
    longest = np.array(
        [moves.durations[a:b].max() for a, b in zip(moves.clip_starts[:-1], moves.clip_starts[1:], strict=True)],
        dtype=np.float64,
    )
    usable = graph.allowed & (moves.special < 0)
    left = np.where(graph.rests, 0.0, np.inf)
    stops = np.full(len(graph.poses), -1, dtype=np.int64)
    for _ in range(STOP_CLIPS):
        known = left.copy()
        for behavior in np.flatnonzero(usable):
            entry, takes = graph.entry[behavior], longest[behavior] + known[graph.exit[behavior]]
            if takes < left[entry]:
                left[entry], stops[entry] = takes, behavior
    return stops


def _gaits(graph: BehaviorGraph, moves: Moves) -> Array:
    """How fast [m per frame] one goes on in each pose (P,): by what leads there and back as fast; 0 at rest."""
    gait, least = np.zeros(len(graph.poses)), np.full(len(graph.poses), np.inf)
    firsts = moves.clip_starts[:-1]
    far, turn = np.hypot(*moves.displacements[firsts, :2].T), np.abs(moves.displacements[firsts, 2])
    speeds = far / moves.durations[firsts]
    usable = graph.allowed & (moves.special < 0) & (turn < STRAIGHT) & (far > STEP)
    usable &= ~graph.rests[graph.entry] & ~graph.rests[graph.exit]
    for there in np.flatnonzero(usable):
        here, after = graph.entry[there], graph.exit[there]
        for back in np.flatnonzero(usable & (graph.entry == after) & (graph.exit == here)):
            change = abs(speeds[there] - speeds[back])
            if change < least[here] - 1e-4:
                gait[here], least[here] = speeds[there], change
    return gait


def _natural(graph: BehaviorGraph, moves: Moves) -> tuple[NDArray[np.bool_], int]:
    """Behaviors that end in a pose to rest in, or in one in which going costs little or is slow; special ones, and
    what only live crowds do, always."""
    live = graph.which(lambda kind: kind.live)
    rates, speeds = np.full(len(graph.poses), np.inf), np.zeros(len(graph.poses))
    for behavior in np.flatnonzero(graph.allowed & ~live & ~graph.rests[graph.exit] & (moves.special < 0)):
        clips = slice(moves.clip_starts[behavior], moves.clip_starts[behavior + 1])
        far = float(np.hypot(moves.displacements[clips, 0], moves.displacements[clips, 1]).mean())
        # What leads to a pose from one of as quick a gait tells what going in it is like.
        if far > STEP and not graph.rests[graph.entry[behavior]]:
            pose, speed = graph.exit[behavior], far / float(moves.durations[clips].mean())
            rates[pose] = min(rates[pose], moves.costs[behavior] / far)
            speeds[pose] = max(speeds[pose], speed)
    usual = int(np.argmin(rates))
    slow = (speeds > 0.0) & (speeds < speeds[usual]) & (rates <= SQUEEZED * rates[usual])
    good = graph.rests | (rates <= NATURAL * rates[usual]) | slow
    return good[graph.exit] | (moves.special >= 0) | live, usual


def _stack_traits(pieces: list[tuple[Moves, StandTraits]]) -> StandTraits:
    traits = [part for _, part in pieces]
    offset = _Offsets([part for part, _ in pieces])

    def moved(name: str, offsets: Indices) -> Indices:
        rows = [getattr(part, name) for part in traits]
        return np.concatenate([np.where(row >= 0, row + o, -1) for row, o in zip(rows, offsets, strict=False)])

    return StandTraits(
        waits=_join(traits, "waits"),
        natural=_join(traits, "natural"),
        live=_join(traits, "live"),
        stops=moved("stops", offset.behaviors),
        rest_clips=moved("rest_clips", offset.clips),
        idle_clips=moved("idle_clips", offset.clips),
        rests=Figures(*(np.concatenate(rows) for rows in zip(*(part.rests for part in traits), strict=True))),
        broad=_join(traits, "broad"),
        slim=_join(traits, "slim"),
        gait=_join(traits, "gait"),
        usual=_join(traits, "usual"),
    )


def _table(moves: Moves, traits: StandTraits, fps: float) -> MoveTable:
    clips, behaviors, poses = (
        np.zeros(len(rows), dtype=kind)
        for rows, kind in ((moves.durations, CLIP), (moves.costs, BEHAVIOR), (moves.rests, POSE))
    )
    own = np.repeat(np.arange(len(behaviors)), np.diff(moves.clip_starts))
    clips["first"], clips["duration"], clips["behavior"] = moves.frame_starts[:-1], moves.durations, own
    clips["exit"], clips["special"], clips["speed"] = moves.exit[own], moves.special[own], moves.speeds
    seconds = moves.durations / fps
    clips["cost"] = EFFORT * moves.costs[own] + PACE * seconds
    clips["bound"], clips["displacement"] = moves.bounds, moves.displacements
    behaviors["clip_start"], behaviors["clip_stop"] = moves.clip_starts[:-1], moves.clip_starts[1:]
    behaviors["exit"], behaviors["special"], behaviors["cost"] = moves.exit, moves.special, moves.costs
    behaviors["waits"], behaviors["natural"] = traits.waits, traits.natural
    poses["rests"], poses["stop"] = moves.rests, traits.stops
    # What only live crowds do comes last in every graph, and so among the followers of a pose.
    steps = np.add.reduceat(np.append(traits.live[moves.followers], 0), moves.follower_starts[:-1])
    poses["follower_start"], poses["step_stop"] = moves.follower_starts[:-1], moves.follower_starts[1:]
    poses["follower_stop"] = moves.follower_starts[1:] - np.where(np.diff(moves.follower_starts), steps, 0)
    poses["short_rests"], poses["long_rests"] = traits.rest_clips, traits.idle_clips
    poses["rest_circle"], poses["broad"], poses["slim"] = traits.rests.circles, traits.broad, traits.slim
    poses["gait"], poses["usual"] = traits.gait, traits.usual
    return MoveTable(
        clips, behaviors, poses, moves.followers, moves.circles, moves.outlined,
        np.concatenate([moves.supports, moves.rest_supports]), len(moves.supports),
    )  # fmt: skip
