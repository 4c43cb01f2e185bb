"""A behavior graph cut down and padded for one search: what the kernels read about clips.

Three things are decided here once, so that the search need not think of them again:

- No more than CLIPS_DRAWN clips of a behavior take part in a search, drawn by the problem's seed. A library may
  hold a hundred thousand; the search touches the same few kilobytes. There are DRAWS draws, which people share: to
  prepare one takes as long as to plan a person.
- What is seen of bodies: the level of the scene (`BODY_LEVELS`). Circles are there at every level, as the first
  look; outlines and covers only from the level of outlines on, capsules only at that of bodies.
- Looking at frames is enough. An outline holds all that a body does until the next frame, so those of all frames
  but the last hold a clip, and a chain of clips is as good as one long clip. Circles are enlarged by what they can
  lose between two frames (`sag`), and every clip begins and ends with the circle of its pose, which encloses all
  that meet there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices, once_per_object
from walkon.behaviors import BEHAVIOR_KINDS, BehaviorGraph, BehaviorKind
from walkon.behaviors.outlines import COVER, clip_figures
from walkon.motion.features.outlines import DIRECTIONS
from walkon.planning.kernels_capsules import NO_CAPSULES, BodyCapsules
from walkon.planning.kernels_moves import (
    PROBED,
    clip_bounds,
    clip_chunks,
    clip_speeds,
    enclosing_circles,
    least_depths,
    padded_circles,
    probe_discs,
    support_speeds,
)
from walkon.planning.sheets import moves_capsules
from walkon.rotations import carry_back
from walkon.world import PASSES
from walkon.world.bodies import OUTLINED, BodyLevel

CLIPS_DRAWN = 8
"""Clips of a behavior that take part in one search at most. With more, a person shows more variety, and the search
touches more memory; a crowd shows DRAWS times as many in any case."""


class Moves(NamedTuple):
    """What kernels know about a graph: P poses, B behaviors, C clips that take part, F frames, H chunks of frames.

    numbers: (C,) of the clips in the graph. special: (B,) index into PASSES, or -1. circles: (F, 3) around what a
    body does until the next frame, or padded. bounds: (C, 3) circle around a whole clip. chunk_starts, chunks:
    (H, 3) circles around CHUNK frames each. speeds: (C,) the most that circles and outlines move in a frame [m].
    inset: least depth [m] of the body's place inside what is seen of it. pose_circles, rest_circles: (P, 3) around
    everybody in the pose, and while resting in it.

    outlined: whether outlines are seen. supports: (F, 2, DIRECTIONS), covers: (F, COVER, 3), as in `Figures`;
    rest_supports, rest_covers: the same while resting in a pose (P). probes: (C, PROBED, 3) discs that a body
    covers for certain in some frames of a clip, for a first look. Without outlines they say nothing.
    body_capsules: (F + P) rows of the same bodies, only at the level of bodies.
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
    outlined: bool
    supports: NDArray[np.float32]
    covers: NDArray[np.float32]
    rest_supports: NDArray[np.float32]
    rest_covers: NDArray[np.float32]
    probes: Array
    body_capsules: BodyCapsules


DRAWS = 4
"""Different draws of clips from a library with many, which people share: to prepare one takes as long as to plan a
person."""


def compile_moves(graph: BehaviorGraph, seed: int, bodies: BodyLevel) -> Moves:
    """What a search with this seed may do, with bodies seen at a level. Small libraries are compiled once,
    whatever the seed."""
    return drawn_moves(graph, draw_of(graph, seed), bodies)


def draw_of(graph: BehaviorGraph, seed: int) -> int | None:
    """Which draw of clips a seed means; None for a graph so small that all clips take part."""
    return None if np.diff(graph.clip_starts).max() <= CLIPS_DRAWN else int(seed) % DRAWS


@once_per_object
def drawn_moves(graph: BehaviorGraph, draw: int | None, bodies: BodyLevel) -> Moves:
    """What a search with one of the draws of clips may do."""
    return _compile(graph, _drawn(graph, draw), bodies)


def drawn_clips(graph: BehaviorGraph, seed: int) -> Indices:
    """Numbers of the clips that take part in a search with this seed, in order, however bodies are seen."""
    return _drawn(graph, draw_of(graph, seed))


def moves_with(graph: BehaviorGraph, seed: int, clip: int, bodies: BodyLevel) -> tuple[Moves, int]:
    """What a search with this seed may do, and the number in it of a clip of the graph; if that was not drawn, it
    takes part besides."""
    moves = compile_moves(graph, seed, bodies)
    own = int(np.searchsorted(moves.numbers, clip))
    if own == len(moves.numbers) or moves.numbers[own] != clip:
        moves = _compile(graph, np.insert(moves.numbers, own, clip), bodies)
    return moves, own


def _drawn(graph: BehaviorGraph, draw: int | None) -> Indices:
    """The same for one of the draws."""
    if draw is None:
        return np.arange(len(graph.durations))
    random = np.random.default_rng(draw)
    drawn = [
        np.sort(random.integers(0, count, CLIPS_DRAWN)) if count > CLIPS_DRAWN else np.arange(count)
        for count in np.diff(graph.clip_starts).tolist()
    ]
    return np.concatenate([start + own for start, own in zip(graph.clip_starts.tolist(), drawn, strict=False)])


def _compile(graph: BehaviorGraph, numbers: Indices, bodies: BodyLevel) -> Moves:
    behaviors = np.searchsorted(graph.clip_starts, numbers, side="right") - 1
    paths, frame_starts = _gather(graph.paths, graph.frame_starts, numbers)
    capsules, capsule_starts = _gather(graph.capsules, graph.capsule_starts, numbers)
    displacements = np.array(graph.displacements[numbers])
    entry, leaving = graph.entry[behaviors], graph.exit[behaviors]
    raw, _ = _gather(graph.circles, graph.frame_starts, numbers)
    if bodies == "one-circle":
        raw[:, 2] = graph.circles[:, 2].max()
    poses = _pose_circles(len(graph.poses), raw, frame_starts, displacements, entry, leaving)
    if bodies not in OUTLINED:
        seen = _seen_circles(graph, raw, paths, frame_starts, displacements, entry, leaving, poses)
    else:
        seen = _seen_outlines(graph, numbers, paths, frame_starts, bodies)
    chunk_starts, chunks = clip_chunks(seen["circles"], frame_starts)
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
        paths=paths,
        bounds=clip_bounds(seen["circles"], frame_starts),
        chunk_starts=chunk_starts,
        chunks=chunks,
        capsule_starts=capsule_starts,
        capsules=capsules,
        pose_circles=poses,
        **seen,
    )


def _seen_circles(graph, raw, paths, frame_starts, displacements, entry, leaving, poses) -> dict[str, Any]:
    """The fields of Moves about what is seen of bodies, for circles (F, 3)."""
    circles = padded_circles(raw, frame_starts, displacements, entry, leaving, poses)
    inset = raw[:, 2] - np.hypot(raw[:, 0] - paths[:, 0], raw[:, 1] - paths[:, 1])
    return {
        "circles": circles,
        "speeds": clip_speeds(circles, frame_starts),
        "rest_circles": np.array(graph.rest_circles),
        "inset": float(inset.min()),
        "outlined": False,
        "supports": np.zeros((0, 2, DIRECTIONS), dtype=np.float32),
        "covers": np.zeros((0, COVER, 3), dtype=np.float32),
        "rest_supports": np.zeros((len(poses), 2, DIRECTIONS), dtype=np.float32),
        "rest_covers": np.zeros((len(poses), COVER, 3), dtype=np.float32),
        "probes": np.zeros((len(frame_starts) - 1, len(PROBED), 3)),
        "body_capsules": NO_CAPSULES,
    }


def _seen_outlines(
    graph: BehaviorGraph, numbers: Indices, paths: Array, starts: Indices, bodies: BodyLevel
) -> dict[str, Any]:
    """The same for outlines."""
    parts = [clip_figures(graph.clip(int(number))) for number in numbers]
    circles, supports = (
        np.concatenate([one.circles for one in parts]),
        np.concatenate([one.supports for one in parts]),
    )
    rests = graph.rest_figures
    return {
        "circles": circles,
        "speeds": support_speeds(circles, supports, starts),
        "rest_circles": np.array(rests.circles),
        "inset": float(least_depths(circles, supports, paths).min()),
        "outlined": True,
        "supports": supports,
        "covers": np.concatenate([one.covers for one in parts]),
        "rest_supports": rests.supports,
        "rest_covers": rests.covers,
        "probes": probe_discs(circles, supports, starts),
        "body_capsules": NO_CAPSULES if bodies != "body" else moves_capsules(graph, numbers.tolist()),
    }


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
