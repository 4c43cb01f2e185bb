"""Recordings of several bodies brought onto one, on one level floor at height 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.editing.leveling import level_ground, stand_on_ground
from walkon.motion.editing.retarget import retarget
from walkon.motion.editing.scale import scale
from walkon.skeleton import Skeleton


def share_body(clips: Sequence[Clip], skeleton: Skeleton | None = None) -> tuple[list[Clip], dict[str, str]]:
    """The clips on one skeleton, by default the one most of them have, and by name why some could not be.

    The recordings of one body were made on one floor: it is fitted to all of them at once.
    """
    target = skeleton or _common_skeleton(clips)
    ready: list[Clip] = []
    failed: dict[str, str] = {}
    for body in _bodies(clips):
        moved = []
        for clip in level_ground([clip for clip in clips if clip.skeleton.matches(body)]):
            try:
                moved.append(_on_body(clip, target))
            except ClipError as error:
                failed[clip.name] = str(error)
        if moved:
            ready += stand_on_ground(moved)
    order = {clip.name: index for index, clip in enumerate(clips)}
    return sorted(ready, key=lambda clip: order[clip.name]), failed


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
