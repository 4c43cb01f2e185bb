"""A library as planners want it: flat arrays of what may follow what, what it costs and where it leads.

Nothing here depends on how many clips a behavior has, except the tables of the clips themselves: successors and
costs belong to behaviors, so a thousand more clips make no search slower.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Flags, Indices, once_per_object
from walkon.behaviors.kinds import BEHAVIOR_KINDS, BehaviorKind
from walkon.behaviors.library import Behavior, BehaviorClip, BehaviorLibrary
from walkon.behaviors.outlines import NO_FIGURE, Figures, rest_figure
from walkon.errors import LibraryError
from walkon.motion import bounding_circles, placement_at
from walkon.skeleton import build_body

RESTING = 0.02
"""[m] A wait that carries the body no further than this is a rest: chosen by eye. With more, people who stay would
creep visibly, clip by clip."""


@dataclass(frozen=True, eq=False)
class BehaviorGraph:
    """A behavior library compiled to arrays: P poses, B behaviors, C clips, F frames of all clips' cores together.

    library: what it was made from; clips are numbered behavior by behavior, in its order. What only live crowds do
        comes last in it.
    entry, exit: (B,) poses. kinds: (B,) numbers of the kinds, in the order of BEHAVIOR_KINDS.
    rests: (P,) whether one can stay in the pose. rest_circles: (P, 3) x, z, radius [m] of a circle around all that
        a body does while it rests, as it sees it; zeros where it cannot.
    allowed: (B,) whether planners may use the behavior.
    follower_starts: (P + 1,), followers: (E,) the allowed behaviors that begin in pose p are
        followers[follower_starts[p]:follower_starts[p + 1]].
    costs: (B,) mean length of the clips' paths on the ground [m], times the weight.
    clip_starts: (B + 1,) behavior b has the clips clip_starts[b] to clip_starts[b + 1].
    durations: (C,) frames from entry to exit. displacements: (C, 3) x, z, heading of the exit as the entry sees.
    action_frames: (C,) when the action happens, counted from the entry; the middle of the clip if it does not say.
    frame_starts: (C + 1,) clip c has the frames frame_starts[c] to frame_starts[c + 1], durations[c] + 1 of them.
    circles: (F, 3) x, z, radius of the smallest circle on the ground around the body, as the entry sees it [m].
    paths: (F, 2) x, z of where the body stands, as the entry sees it [m].
    speeds: (C,) the most a circle's rim moves from one frame to the next [m].
    capsule_starts: (C + 1,), capsules: (·, K, 7) both centres and radius of the body's capsules, as the entry sees
        them, for every frame of the clips of special behaviors; other clips have none.
    """

    library: BehaviorLibrary
    entry: Indices
    exit: Indices
    rests: NDArray[np.bool_]
    rest_circles: Array
    kinds: Indices
    allowed: NDArray[np.bool_]
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
    capsule_starts: Indices
    capsules: Array

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names (B) of the behaviors."""
        return tuple(behavior.name for behavior in self.library)

    @property
    def poses(self) -> tuple[str, ...]:
        """Names (P) of the poses."""
        return self.library.poses

    @property
    def fps(self) -> float:
        """Frames per second."""
        return self.library.fps

    @property
    def rest_figures(self) -> Figures:
        """What bodies cover (P) while they rest in each pose, as it sees them; points where they cannot."""
        return _rest_figures(self)

    @property
    def planned(self) -> BehaviorGraph:
        """The graph as planners may use it: without what only live crowds do. Poses, behaviors and clips have the
        same numbers in it; what planners do not know comes behind."""
        return _planned(self) if self.which(lambda kind: kind.live).any() else self

    def resting(self, pose: int) -> list[int]:
        """The clips that pass the time in a pose without leaving the spot."""
        waits = self.which(lambda kind: kind.waits) & (self.entry == pose) & (self.exit == pose)
        still = np.hypot(self.displacements[:, 0], self.displacements[:, 1]) <= RESTING
        return np.flatnonzero(np.repeat(waits, np.diff(self.clip_starts)) & still).tolist()

    def clip(self, index: int) -> BehaviorClip:
        """The clip with that number."""
        behavior = self.behavior_of(index)
        return self.library.behaviors[behavior].clips[index - int(self.clip_starts[behavior])]

    def behavior_of(self, clip: int) -> int:
        """The behavior that a clip shows."""
        return int(np.searchsorted(self.clip_starts, clip, side="right")) - 1

    def kind_of(self, behavior: int) -> BehaviorKind:
        """What a behavior is for."""
        return list(BEHAVIOR_KINDS.values())[self.kinds[behavior]]

    def which(self, asked: Callable[[BehaviorKind], bool]) -> Flags:
        """The behaviors (B,) of whose kind something is true."""
        answers = np.array([asked(kind) for kind in BEHAVIOR_KINDS.values()], dtype=np.bool_)
        return answers[self.kinds]

    def customized(self, weights: Mapping[str, float], without: Iterable[str] = ()) -> BehaviorGraph:
        """The same graph for someone with tastes of their own.

        weights: further factors on the costs. without: what is never done. Both by name, kind, or pattern such as
        `jog_*`; raises LibraryError for one that fits nothing (kinds may be absent).
        """
        factors = np.ones(len(self.library))
        allowed = np.ones(len(self.library), dtype=bool)
        for pattern, weight in weights.items():
            if not 0.0 < weight < float("inf"):
                raise LibraryError(f"weight of {pattern!r} must be positive, not {weight}; to forbid, use without")
            factors[self._matching(pattern)] *= weight
        for pattern in without:
            allowed[self._matching(pattern)] = False
        starts, followers = list_followers(self.entry, allowed, len(self.poses))
        return replace(
            self, costs=self.costs * factors, allowed=allowed, follower_starts=starts, followers=followers
        )

    def _matching(self, pattern: str) -> list[int]:
        found = [
            index
            for index, behavior in enumerate(self.library)
            if behavior.kind == pattern or fnmatchcase(behavior.name, pattern)
        ]
        if not found and pattern not in BEHAVIOR_KINDS:
            raise LibraryError(
                f"library {self.library.name!r} has no behavior {pattern!r}; there are: {', '.join(self.names)}"
            )
        return found


def build_graph(library: BehaviorLibrary, *, live: bool = False) -> BehaviorGraph:
    """The graph of a library, all behaviors allowed. live: with what only live crowds do; planners do without.

    Raises LibraryError if nothing is left for planners.
    """
    library = _sorted(library, live)
    shown = [(behavior, clip) for behavior in library for clip in behavior.clips]
    paths = [_path(clip) for _, clip in shown]
    capsules = [_capsules(behavior, clip) for behavior, clip in shown]
    circles = [_circles(clip) for _, clip in shown]
    pose_of = {pose: index for index, pose in enumerate(library.poses)}
    entry = np.array([pose_of[behavior.entry] for behavior in library])
    everything = np.ones(len(library), dtype=bool)
    starts, followers = list_followers(entry, everything, len(library.poses))
    return BehaviorGraph(
        library=library,
        entry=entry,
        exit=np.array([pose_of[behavior.exit] for behavior in library]),
        rests=np.array([bool(list(_rests(library, pose))) for pose in library.poses]),
        rest_circles=np.array([_rest_circle(library, pose) for pose in library.poses]),
        kinds=np.array([list(BEHAVIOR_KINDS).index(behavior.kind) for behavior in library]),
        allowed=everything,
        follower_starts=starts,
        followers=followers,
        costs=np.array([_cost(behavior) for behavior in library]),
        clip_starts=_starts(len(behavior.clips) for behavior in library),
        durations=np.array([clip.last - clip.first for _, clip in shown]),
        displacements=np.array([_displacement(clip) for _, clip in shown]),
        action_frames=np.array([_action_frame(clip) for _, clip in shown]),
        frame_starts=_starts(map(len, paths)),
        circles=np.concatenate(circles),
        paths=np.concatenate(paths),
        speeds=np.array([_speed(frames) for frames in circles]),
        capsule_starts=_starts(map(len, capsules)),
        capsules=np.concatenate(capsules),
    )


def _sorted(library: BehaviorLibrary, live: bool) -> BehaviorLibrary:
    """The library with what only live crowds do at its end, or without it."""
    only_live = [behavior for behavior in library if BEHAVIOR_KINDS[behavior.kind].live]
    if not only_live:
        return library
    others = [behavior for behavior in library if not BEHAVIOR_KINDS[behavior.kind].live]
    if not others:
        raise LibraryError(f"library {library.name!r} has nothing but behaviors that only live crowds use")
    return BehaviorLibrary(library.name, (*others, *(only_live if live else ())))


@once_per_object
def _planned(graph: BehaviorGraph) -> BehaviorGraph:
    behaviors = int(np.count_nonzero(graph.which(lambda kind: not kind.live)))
    library = BehaviorLibrary(graph.library.name, graph.library.behaviors[:behaviors])
    clips, poses = int(graph.clip_starts[behaviors]), len(library.poses)
    counts = {
        **dict.fromkeys(("entry", "exit", "kinds", "allowed", "costs"), behaviors),
        **dict.fromkeys(("rests", "rest_circles"), poses),
        **dict.fromkeys(("durations", "displacements", "action_frames", "speeds"), clips),
        **dict.fromkeys(("circles", "paths"), int(graph.frame_starts[clips])),
        **dict.fromkeys(("frame_starts", "capsule_starts"), clips + 1),
        "clip_starts": behaviors + 1,
        "capsules": int(graph.capsule_starts[clips]),
    }
    cut = {name: getattr(graph, name)[:count] for name, count in counts.items()}
    starts, followers = list_followers(cut["entry"], cut["allowed"], poses)
    return replace(graph, library=library, follower_starts=starts, followers=followers, **cut)


@once_per_object
def _rest_figures(graph: BehaviorGraph) -> Figures:
    found = []
    for pose in graph.poses:
        shown = list(_rests(graph.library, pose))
        found.append(rest_figure(shown, RESTING) if shown else NO_FIGURE)
    return Figures(*(np.concatenate(rows) for rows in zip(*found, strict=True)))


def _rests(library: BehaviorLibrary, pose: str) -> Iterator[BehaviorClip]:
    """The clips of the waits that begin and end in the pose without going anywhere."""
    for behavior in library:
        if BEHAVIOR_KINDS[behavior.kind].waits and behavior.entry == behavior.exit == pose:
            yield from (shown for shown in behavior.clips if np.hypot(*_displacement(shown)[:2]) <= RESTING)


def _rest_circle(library: BehaviorLibrary, pose: str) -> tuple[float, float, float]:
    """A circle around all bodies of all frames of the rests: the mean centre, and as far as it takes."""
    pieces = [_circles(shown) for shown in _rests(library, pose)]
    if not pieces:
        return 0.0, 0.0, 0.0
    circles = np.concatenate(pieces)
    x, z = circles[:, :2].mean(axis=0)
    reach = np.hypot(circles[:, 0] - x, circles[:, 1] - z) + circles[:, 2]
    return float(x), float(z), float(reach.max()) + RESTING


def list_followers(entry: Indices, allowed: NDArray[np.bool_], poses: int) -> tuple[Indices, Indices]:
    rows = [np.flatnonzero((entry == pose) & allowed) for pose in range(poses)]
    return _starts(map(len, rows)), np.concatenate(rows)


def _starts(lengths: Iterable[int]) -> Indices:
    return np.concatenate([[0], np.cumsum(list(lengths), dtype=np.int64)])


def _cost(behavior: Behavior) -> float:
    """Mean length of the ground paths [m] times the weight."""
    lengths = []
    for shown in behavior.clips:
        roots = shown.clip.root_positions[shown.first : shown.last + 1][:, [0, 2]]
        lengths.append(np.linalg.norm(np.diff(roots, axis=0), axis=1).sum())
    return float(np.mean(lengths)) * behavior.weight


def _displacement(shown: BehaviorClip) -> tuple[float, float, float]:
    moved = placement_at(shown.clip, shown.first).inverse() @ placement_at(shown.clip, shown.last)
    return moved.x, moved.z, moved.heading


def _action_frame(shown: BehaviorClip) -> int:
    if shown.action_time is None:
        return (shown.last - shown.first) // 2
    return round(shown.action_time * shown.clip.fps)


def _path(shown: BehaviorClip) -> Array:
    """Where the root is on the ground (F, 2), as the entry sees it."""
    roots = shown.clip.root_positions[shown.first : shown.last + 1]
    return placement_at(shown.clip, shown.first).inverse().points(roots)[:, [0, 2]]


def _circles(shown: BehaviorClip) -> Array:
    """Bounding circles (F, 3) of the core, as the entry sees them."""
    found = bounding_circles(shown.clip)
    core = slice(shown.first, shown.last + 1)
    seen = placement_at(shown.clip, shown.first).inverse()
    x, z = seen.point(*found.centers[core].T)
    return np.stack([x, z, found.radii[core]], axis=1)


def _speed(circles: Array) -> float:
    steps = np.diff(circles, axis=0)
    return float((np.hypot(steps[:, 0], steps[:, 1]) + np.abs(steps[:, 2])).max())


def _capsules(behavior: Behavior, shown: BehaviorClip) -> Array:
    """Capsules (F, K, 7) of the core of a special behavior, as the entry sees them; no frames for any other."""
    body = build_body(shown.clip.skeleton)
    if not BEHAVIOR_KINDS[behavior.kind].special:
        return np.empty((0, len(body), 7))
    centers = body.capsules(shown.clip.positions[shown.first : shown.last + 1])
    centers = placement_at(shown.clip, shown.first).inverse().points(centers)
    radii = np.broadcast_to(body.radii[:, None], (*centers.shape[:2], 1))
    return np.concatenate([centers.reshape(*centers.shape[:2], 6), radii], axis=2)
