"""A behavior graph cut down and padded for one search: what the kernels read about clips.

Three things are decided here once, so that the search need not think of them again:

- No more than CLIPS_DRAWN clips of a behavior take part in a search, drawn by the problem's seed. A library may
  hold a hundred thousand; the search touches the same few kilobytes. There are DRAWS draws, which people share: to
  prepare one takes as long as to plan a person.
- Circles of consecutive clips need not agree exactly where they meet. Every clip begins and ends with the circle
  of its pose, which encloses all of them; so a chain of clips is as good as one long clip.
- Between two frames a circle may come closer to something than at either. Radii are enlarged by what can be lost
  that way (`sag`), after which looking at frames is enough.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices, once_per_object
from walkon.behaviors import BEHAVIOR_KINDS, BehaviorGraph, BehaviorKind
from walkon.planning.kernels_moves import (
    clip_bounds,
    clip_chunks,
    clip_speeds,
    enclosing_circles,
    padded_circles,
)
from walkon.rotations import carry_back
from walkon.world import PASSES

CLIPS_DRAWN = 8
"""Clips of a behavior that take part in one search at most. With more, a person shows more variety, and the search
touches more memory; a crowd shows DRAWS times as many in any case."""


class Moves(NamedTuple):
    """What kernels know about a graph: P poses, B behaviors, C clips that take part, F frames, H chunks of frames.

    numbers: (C,) of the clips in the graph. special: (B,) index into PASSES, or -1. circles: (F, 3) padded.
    bounds: (C, 3) circle around a whole clip. chunk_starts, chunks: (H, 3) circles around CHUNK frames each.
    steps: (F,) the most a circle's centre moves to or from a frame [m]. inset: (1,) least depth [m] of the body's
    place inside its circle. pose_circles, rest_circles: (P, 3) around everybody in the pose, and while resting in
    it.
    """

    numbers: Indices
    exit: Indices
    rests: NDArray[np.bool_]
    special: Indices
    follower_starts: Indices
    followers: Indices
    costs: Array
    clip_starts: Indices
    durations: Indices
    displacements: Array
    action_frames: Indices
    frame_starts: Indices
    circles: Array
    steps: Array
    paths: Array
    speeds: Array
    bounds: Array
    chunk_starts: Indices
    chunks: Array
    capsule_starts: Indices
    capsules: Array
    pose_circles: Array
    rest_circles: Array
    inset: float


DRAWS = 4
"""Different draws of clips from a library with many, which people share: to prepare one takes as long as to plan a
person."""


def compile_moves(graph: BehaviorGraph, seed: int = 0) -> Moves:
    """What a search with this seed may do. Small libraries are compiled once, whatever the seed."""
    return drawn_moves(graph, draw_of(graph, seed))


def draw_of(graph: BehaviorGraph, seed: int) -> int | None:
    """Which draw of clips a seed means; None for a graph so small that all clips take part."""
    return None if np.diff(graph.clip_starts).max() <= CLIPS_DRAWN else int(seed) % DRAWS


@once_per_object
def drawn_moves(graph: BehaviorGraph, draw: int | None) -> Moves:
    """What a search with one of the draws of clips may do."""
    return _compile(graph, np.arange(len(graph.durations)) if draw is None else _draw(graph, draw))


def moves_with(graph: BehaviorGraph, seed: int, clip: int) -> tuple[Moves, int]:
    """What a search with this seed may do, and the number in it of a clip of the graph; if that was not drawn, it
    takes part besides."""
    moves = compile_moves(graph, seed)
    own = int(np.searchsorted(moves.numbers, clip))
    if own == len(moves.numbers) or moves.numbers[own] != clip:
        moves = _compile(graph, np.insert(moves.numbers, own, clip))
    return moves, own


def _draw(graph: BehaviorGraph, seed: int) -> Indices:
    """Numbers of the clips that take part, in order."""
    random = np.random.default_rng(seed)
    drawn = [
        np.sort(random.integers(0, count, CLIPS_DRAWN)) if count > CLIPS_DRAWN else np.arange(count)
        for count in np.diff(graph.clip_starts).tolist()
    ]
    return np.concatenate([start + own for start, own in zip(graph.clip_starts.tolist(), drawn, strict=False)])


def _compile(graph: BehaviorGraph, numbers: Indices) -> Moves:
    behaviors = np.searchsorted(graph.clip_starts, numbers, side="right") - 1
    raw, frame_starts = _gather(graph.circles, graph.frame_starts, numbers)
    paths, _ = _gather(graph.paths, graph.frame_starts, numbers)
    capsules, capsule_starts = _gather(graph.capsules, graph.capsule_starts, numbers)
    displacements = np.array(graph.displacements[numbers])
    entry, leaving = graph.entry[behaviors], graph.exit[behaviors]
    poses = _pose_circles(len(graph.poses), raw, frame_starts, displacements, entry, leaving)
    circles, steps = padded_circles(raw, frame_starts, displacements, entry, leaving, poses)
    chunk_starts, chunks = clip_chunks(circles, frame_starts)
    inset = raw[:, 2] - np.hypot(raw[:, 0] - paths[:, 0], raw[:, 1] - paths[:, 1])
    return Moves(
        numbers=numbers,
        exit=np.array(graph.exit),
        rests=np.array(graph.rests),
        special=np.array([_pass_of(kind) for kind in BEHAVIOR_KINDS.values()])[graph.kinds],
        follower_starts=np.array(graph.follower_starts),
        followers=np.array(graph.followers),
        costs=np.array(graph.costs),
        clip_starts=np.searchsorted(behaviors, np.arange(len(graph.costs) + 1)),
        durations=np.array(graph.durations[numbers]),
        displacements=displacements,
        action_frames=np.array(graph.action_frames[numbers]),
        frame_starts=frame_starts,
        circles=circles,
        steps=steps,
        paths=paths,
        speeds=clip_speeds(circles, frame_starts),
        bounds=clip_bounds(circles, frame_starts),
        chunk_starts=chunk_starts,
        chunks=chunks,
        capsule_starts=capsule_starts,
        capsules=capsules,
        pose_circles=poses,
        rest_circles=np.array(graph.rest_circles),
        inset=float(inset.min()),
    )


def passes_of(graph: BehaviorGraph) -> set[str]:
    """By which names obstacles allow what a graph can do on them; some of PASSES."""
    return {graph.kind_of(behavior).passes for behavior in np.flatnonzero(graph.allowed).tolist()} - {""}


def _pass_of(kind: BehaviorKind) -> int:
    """The number by which kernels know what an obstacle must allow; -1 if it need not be asked."""
    return PASSES.index(kind.passes) if kind.special else -1


def _gather(rows: NDArray, starts: Indices, numbers: Indices) -> tuple[NDArray, Indices]:
    """The rows of some clips, one clip after another, and where each begins."""
    lengths = starts[numbers + 1] - starts[numbers]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    if len(numbers) == len(starts) - 1 and np.array_equal(numbers, np.arange(len(numbers))):
        return np.array(rows), begins
    index = np.repeat(starts[numbers] - begins[:-1], lengths) + np.arange(begins[-1])
    return np.ascontiguousarray(rows[index]), begins


def _pose_circles(
    poses: int, circles: Array, starts: Indices, displacements: Array, entry: Indices, leaving: Indices
) -> Array:
    """For every pose a circle (P, 3) around all bodies in it, as the pose sees them.

    Where two clips meet, a track takes the first circle of the second with the larger radius of both: that is
    enclosed too.
    """
    first, last = circles[starts[:-1]], circles[starts[1:] - 1]
    last = np.concatenate([carry_back(displacements, last[:, :2]), last[:, 2:]], axis=1)
    found = np.zeros((poses, 3))
    for pose in range(poses):
        entering, exiting = np.array(first[entry == pose]), last[leaving == pose]
        if len(exiting) and len(entering):
            entering[:, 2] = np.maximum(entering[:, 2], exiting[:, 2].max())
        both = np.concatenate([entering, exiting])
        if len(both):
            found[pose] = _enclosing(both)
    return found


def _enclosing(circles: Array) -> Array:
    return enclosing_circles(np.ascontiguousarray(circles), np.array([0, len(circles)]))[0]
