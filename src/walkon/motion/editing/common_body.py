"""Recordings of several bodies brought onto one, on one level floor at height 0."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass

import numpy as np

from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.editing.leveling import floor_height, floor_turn, lowered, turned
from walkon.motion.editing.retarget import retarget
from walkon.motion.editing.scale import scale
from walkon.skeleton import Skeleton

REFIT_SHARE = 2.0
"""A floor is fitted anew when there is more than this many times the motion that it was fitted to. With a smaller
number, clips that were ready before would change whenever a few are added."""


@dataclass(frozen=True)
class RecordedFloor:
    """The floor that one body was recorded on.

    turn: quaternion that makes it level. height: [m] it then has. frames: how many it was fitted to.
    """

    turn: tuple[float, float, float, float]
    height: float
    frames: int


def share_body(
    clips: Sequence[Clip],
    skeleton: Skeleton | None = None,
    grounds: MutableMapping[str, RecordedFloor] | None = None,
) -> tuple[list[Clip], dict[str, str]]:
    """The clips on one skeleton, by default the one most of them have, and by name why some could not be.

    The recordings of one body were made on one floor: it is fitted to all of them at once.
    grounds: floors that are known already, by what bodies they are of; clips that come later are put on the floor
    of those before, which so stay as they were. Floors that are fitted are added.
    """
    target = skeleton or _common_skeleton(clips)
    known = {} if grounds is None else grounds
    ready: list[Clip] = []
    failed: dict[str, str] = {}
    for body in _bodies(clips):
        own = [clip for clip in clips if clip.skeleton.matches(body)]
        frames, name = sum(len(clip) for clip in own), _body_name(body, target)
        ground = known.get(name)
        if ground is not None and frames > REFIT_SHARE * ground.frames:
            ground = None
        turn = floor_turn(own) if ground is None else np.array(ground.turn)
        moved = []
        for clip in own:
            try:
                moved.append(_on_body(turned(clip, turn), target))
            except ClipError as error:
                failed[clip.name] = str(error)
        if not moved:
            continue
        if ground is None:
            w, x, y, z = turn.tolist()
            ground = known[name] = RecordedFloor((w, x, y, z), floor_height(moved), frames)
        ready += [lowered(clip, ground.height) for clip in moved]
    order = {clip.name: index for index, clip in enumerate(clips)}
    return sorted(ready, key=lambda clip: order[clip.name]), failed


def _body_name(body: Skeleton, target: Skeleton | None) -> str:
    """Letters that tell which body plays on which: they change with names, parents and tenths of millimetres."""
    seen = hashlib.sha256()
    for skeleton in (body, target or body):
        seen.update(repr((skeleton.names, skeleton.parents.tolist())).encode())
        seen.update((np.round(skeleton.offsets, 4) + 0.0).tobytes())
    return seen.hexdigest()[:24]


def _bodies(clips: Sequence[Clip]) -> list[Skeleton]:
    """The different skeletons, in order of appearance."""
    bodies: list[Skeleton] = []
    for clip in clips:
        if not any(clip.skeleton.matches(body) for body in bodies):
            bodies.append(clip.skeleton)
    return bodies


def _common_skeleton(clips: Sequence[Clip]) -> Skeleton | None:
    """The skeleton that most clips have."""
    bodies = _bodies(clips)
    votes = Counter(next(i for i, body in enumerate(bodies) if clip.skeleton.matches(body)) for clip in clips)
    return bodies[votes.most_common(1)[0][0]] if votes else None


def _on_body(clip: Clip, skeleton: Skeleton | None) -> Clip:
    if skeleton is None or clip.skeleton.matches(skeleton):
        return clip
    return scale(clip, skeleton) if clip.skeleton.same_topology(skeleton) else retarget(clip, skeleton)
