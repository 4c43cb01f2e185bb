"""Where the audit gets poses from: from synthesis, somebody after somebody and stretch after stretch, or as given.

The poses of everybody at all times would fill the memory, so they are not kept where there are many. What people
do alone is looked at one after another; whether they meet, in windows of time, for which poses are made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from walkon.basics import Array, Indices
from walkon.metrics.audit.bodies import Bodies, Each, Played, assemble, points_of
from walkon.motion import crop
from walkon.skeleton import Skeleton
from walkon.synthesis.perform import perform_between, perform_with
from walkon.synthesis.stitching import Stitcher
from walkon.take import Take

MOST_POINTS = 10_000_000
"""Joints of everybody in all frames of a window of time: 240 MB. With fewer, windows are shorter, and clips at
their edges are stitched more often."""

SHORTEST_WINDOW = 60
"""Least frames of a window, however many people there are: shorter ones would be little more than their edges."""


UNEVEN_POINTS = 60_000_000
"""The same where ground is not level, and poses of a whole role are made for every window: 1.4 GB. With fewer,
that is done more often."""


class PoseSource(Protocol):
    """Everybody who plays (N), by number: names, skeletons, and spans (N, 2), the first frame of the take in which
    each is there, and the frame after the last. most: joints that a window of time may hold."""

    names: tuple[str, ...]
    skeletons: tuple[Skeleton, ...]
    spans: Indices
    most: int

    def whole(self, number: int) -> Played:
        """All that somebody does."""
        ...

    def keep(self, number: int, points: Array) -> None:
        """Take note of the joints (F, J, 3) [m] of somebody, which were computed."""
        ...

    def part(self, number: int, first: int, stop: int) -> Array:
        """Their joints from frame first to stop - 1 of the take, in which they are there."""
        ...


class GivenPoses:
    """Poses that somebody made."""

    def __init__(self, performances: Sequence[Played]) -> None:
        self._performances, self.most = performances, MOST_POINTS
        self.names = tuple(one.character for one in performances)
        self.skeletons = tuple(one.clip.skeleton for one in performances)
        spans = [(one.start_frame, one.start_frame + len(one.clip)) for one in performances]
        self.spans = np.array(spans, dtype=np.int64).reshape(-1, 2)

    def whole(self, number: int) -> Played:
        return self._performances[number]

    def keep(self, number: int, points: Array) -> None:
        """The poses are here already."""

    def part(self, number: int, first: int, stop: int) -> Array:
        own = self._performances[number]
        return points_of(crop(own.clip, first - own.start_frame, stop - own.start_frame))


class MadePoses:
    """The poses that synthesis makes of a take. The joints of few people, or of a short take, are kept."""

    def __init__(self, take: Take) -> None:
        self._stitcher, self._roles = Stitcher(take), take.roles
        self.names = tuple(role.character for role in take.roles)
        self.skeletons = tuple(take.clips[int(role.clips[0])].clip.skeleton for role in take.roles)
        spans = [(role.start_frame, take.end_frame(role) + 1) for role in take.roles]
        self.spans = np.array(spans, dtype=np.int64).reshape(-1, 2)
        most = MOST_POINTS if take.scene.terrain.is_flat else UNEVEN_POINTS
        self._keeps = sum(map(len, self.skeletons)) * take.frames <= most
        self._kept: dict[int, Array] = {}
        self.most = MOST_POINTS if self._keeps else most

    def whole(self, number: int) -> Played:
        return perform_with(self._stitcher, self._roles[number])

    def keep(self, number: int, points: Array) -> None:
        if self._keeps:
            self._kept[number] = points

    def part(self, number: int, first: int, stop: int) -> Array:
        if number in self._kept:
            start = int(self.spans[number, 0])
            return self._kept[number][first - start : stop - start]
        return points_of(perform_between(self._stitcher, self._roles[number], first, stop))


def windows(shown: PoseSource) -> list[tuple[int, int]]:
    """Windows of time, first frame and the one after the last, that together hold everybody's."""
    begun, ended = (int(shown.spans[:, 0].min()), int(shown.spans[:, 1].max())) if len(shown.names) else (0, 0)
    length = max(shown.most // max(sum(map(len, shown.skeletons)), 1), SHORTEST_WINDOW)
    return [(first, min(first + length, ended)) for first in range(begun, ended, length)]


def window(shown: PoseSource, first: int, stop: int, each: Each = map) -> tuple[Bodies, Indices]:
    """Bodies of all who are there at a frame from first to stop - 1 of the take, and their numbers (M,)."""
    begun, ended = np.maximum(shown.spans[:, 0], first), np.minimum(shown.spans[:, 1], stop)
    numbers = np.flatnonzero(begun < ended)

    def points(person: int) -> Array:
        number = int(numbers[person])
        return shown.part(number, int(begun[number]), int(ended[number]))

    names = tuple(shown.names[number] for number in numbers)
    skeletons = tuple(shown.skeletons[number] for number in numbers)
    lengths = (ended - begun)[numbers]
    return assemble(names, skeletons, begun[numbers], lengths, points, each), numbers
