"""What happened to an obstacle of a live scene, as obstacles that a take can show.

A take has obstacles that move. One that was put elsewhere sinks into the ground and rises again a frame later at
its new place: between frames it is nowhere else, so the audit never sees it sweep across the ground.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.basics import Array
from walkon.world import Obstacle

BELOW = -1000.0
"""[m] The height at which an obstacle lies while it is not there: deeper than any ground."""

Story = list[tuple[int, Obstacle | None]]
"""What had a name, each from a frame on, in order; None: nothing had it."""


def tell_story(name: str, story: Story, frames: int) -> list[Obstacle]:
    """One obstacle for each shape and each way to pass that a name had in the first `frames` frames."""
    story = [(max(frame, 0), version) for frame, version in story if frame < frames]
    if len(story) == 1 and story[0][1] is not None and story[0][0] == 0:
        return [story[0][1]]
    kinds: list[Obstacle] = []
    for _, version in story:
        if version is not None and not any(_same_thing(version, kind) for kind in kinds):
            kinds.append(version)
    return [
        _track(kind, name if number == 0 else f"{name}~{number}", story, frames)
        for number, kind in enumerate(kinds)
    ]


def _same_thing(one: Obstacle, other: Obstacle) -> bool:
    return one.shape is other.shape and one.passes == other.passes


def _track(kind: Obstacle, name: str, story: Story, frames: int) -> Obstacle:
    """The part of a story in which a thing is there, frame by frame; otherwise it lies below the ground."""
    ends = [frame for frame, _ in story[1:]] + [frames]
    last = max(
        (end if end < frames else frame + len(version.positions))
        for (frame, version), end in zip(story, ends, strict=True)
        if version is not None and _same_thing(version, kind)
    )
    length = min(last + 2, frames)
    positions, rotations = np.zeros((length, 3)), np.zeros((length, 4))
    positions[:, 1], rotations[:] = BELOW, kind.rotations[0]
    gone = -1
    for (frame, version), end in zip(story, ends, strict=True):
        if version is not None and end > frame and _same_thing(version, kind):
            # What was there a moment ago has to be gone first.
            first = frame + 1 if frame == gone else frame
            _fill(positions, rotations, version, frame, first, min(end, length))
            if 0 < first <= length:
                # It rises where it will stand, not across the ground from where it was.
                positions[first - 1] = version.positions[0] + [0.0, BELOW, 0.0]
            gone = end
    return replace(kind, name=name, positions=positions, rotations=rotations)


def _fill(positions: Array, rotations: Array, version: Obstacle, begun: int, first: int, end: int) -> None:
    rows = np.arange(first, end)
    if len(rows):
        own = np.minimum(rows - begun, len(version.positions) - 1)
        positions[first:end], rotations[first:end] = version.positions[own], version.rotations[own]
