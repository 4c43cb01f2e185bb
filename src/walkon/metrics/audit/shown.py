"""Where the audit gets poses from: from synthesis, somebody after somebody and stretch after stretch, or as given.

The poses of everybody at all times would fill the memory, so nobody keeps them. What people do alone is looked at
one after another; whether they meet, in windows of time, for which poses are made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from walkon.basics import Indices
from walkon.metrics.audit.bodies import Bodies, Each, Played, assemble
from walkon.motion import Clip, crop
from walkon.skeleton import Skeleton
from walkon.synthesis.perform import perform_between, perform_with
from walkon.synthesis.stitching import Stitcher
from walkon.take import Take

MOST_POINTS = 10_000_000
"""Joints of everybody in all frames of a window of time: 240 MB. With fewer, windows are shorter, and clips at
their edges are stitched more often."""

SHORTEST_WINDOW = 60
"""Least frames of a window, however many people there are: shorter ones would be little more than their edges."""


class Shown(Protocol):
    """Everybody who plays (N), by number: names, skeletons, and spans (N, 2), the first frame of the take in which
    each is there, and the frame after the last."""

    names: tuple[str, ...]
    skeletons: tuple[Skeleton, ...]
    spans: Indices

    def whole(self, number: int) -> Played:
        """All that somebody does."""
        ...

    def part(self, number: int, first: int, stop: int) -> Clip:
        """What they do from frame first to stop - 1 of the take, in which they are there."""
        ...


class Given:
    """Poses that somebody made."""

    def __init__(self, performances: Sequence[Played]) -> None:
        self._performances = performances
        self.names = tuple(one.character for one in performances)
        self.skeletons = tuple(one.clip.skeleton for one in performances)
        spans = [(one.start_frame, one.start_frame + len(one.clip)) for one in performances]
        self.spans = np.array(spans, dtype=np.int64).reshape(-1, 2)

    def whole(self, number: int) -> Played:
        return self._performances[number]

    def part(self, number: int, first: int, stop: int) -> Clip:
        own = self._performances[number]
        return crop(own.clip, first - own.start_frame, stop - own.start_frame)


class Performed:
    """The poses that synthesis makes of a take. Those of few people, or of a short take, are kept."""

    def __init__(self, take: Take) -> None:
        self._stitcher, self._roles = Stitcher(take), take.roles
        self.names = tuple(role.character for role in take.roles)
        self.skeletons = tuple(take.clips[int(role.clips[0])].clip.skeleton for role in take.roles)
        spans = [(role.start_frame, take.end_frame(role) + 1) for role in take.roles]
        self.spans = np.array(spans, dtype=np.int64).reshape(-1, 2)
        self._keeps = sum(map(len, self.skeletons)) * take.frames <= MOST_POINTS
        self._kept: dict[int, Clip] = {}

    def whole(self, number: int) -> Played:
        found = perform_with(self._stitcher, self._roles[number])
        if self._keeps:
            self._kept[number] = found.clip
        return found

    def part(self, number: int, first: int, stop: int) -> Clip:
        if number in self._kept:
            return crop(self._kept[number], *(np.array([first, stop]) - self.spans[number, 0]).tolist())
        return perform_between(self._stitcher, self._roles[number], first, stop)


def windows(shown: Shown) -> list[tuple[int, int]]:
    """Windows of time, first frame and the one after the last, that together hold everybody's."""
    begun, ended = (int(shown.spans[:, 0].min()), int(shown.spans[:, 1].max())) if len(shown.names) else (0, 0)
    length = max(MOST_POINTS // max(sum(map(len, shown.skeletons)), 1), SHORTEST_WINDOW)
    return [(first, min(first + length, ended)) for first in range(begun, ended, length)]


def window(shown: Shown, first: int, stop: int, each: Each = map) -> tuple[Bodies, Indices]:
    """Bodies of all who are there at a frame from first to stop - 1 of the take, and their numbers (M,)."""
    begun, ended = np.maximum(shown.spans[:, 0], first), np.minimum(shown.spans[:, 1], stop)
    numbers = np.flatnonzero(begun < ended)

    def clip_of(person: int) -> Clip:
        number = int(numbers[person])
        return shown.part(number, int(begun[number]), int(ended[number]))

    names = tuple(shown.names[number] for number in numbers)
    skeletons = tuple(shown.skeletons[number] for number in numbers)
    lengths = (ended - begun)[numbers]
    return assemble(names, skeletons, begun[numbers], lengths, clip_of, each), numbers
