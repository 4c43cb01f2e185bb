"""Do people touch each other?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from walkon.basics import Array, Indices
from walkon.metrics.audit import _kernels_people
from walkon.metrics.audit.bodies import Bodies, Each, bone_name, circles_of
from walkon.metrics.audit.events import Event, group, violation
from walkon.metrics.audit.report import Least, Violation
from walkon.skeleton import Body

MEASURED_GAP = 0.25
"""Gaps between bodies are measured for people whose circles come this near [m]; beyond, nobody asks."""

BLOCK_FRAMES = 120
"""Frames that are looked at by one thread. Each looks for the least gap by itself: with fewer, more gaps are
measured that are not the least."""


class PeopleFindings(NamedTuple):
    """Bodies that touch, and figures.

    people_gap, body_gap: the least gaps between circles on the ground and between bodies. pairs: how many pairs
    were compared capsule by capsule. overlap_pairs: pairs of people whose circles overlapped. overlap_seconds: [s]
    for how long somebody's circle overlapped another's, all people together.
    """

    violations: list[Violation]
    people_gap: Least | None
    body_gap: Least | None
    pairs: int
    overlap_pairs: int
    overlap_seconds: float


class Encounters:
    """What is seen of people who meet, window of time by window; everybody (N) has a number."""

    def __init__(self, names: Sequence[str], fps: float) -> None:
        self.names, self.fps = names, fps
        self._bodies: dict[int, Body] = {}
        self._rows = [np.empty((0, _kernels_people.FINDING_COLUMNS))]
        self._best = np.full((2, 5), np.inf)
        self._pairs, self._overlaps, self._overlapped = 0, np.empty(0, dtype=np.int64), 0

    def look(self, bodies: Bodies, numbers: Indices, first: int, stop: int, each: Each = map) -> None:
        """See who meets from frame first of the take on, up to the way from stop - 1 to stop.

        numbers: (M,) of the people whose bodies these are, rising.
        """
        if not len(bodies):
            return
        circles = circles_of(bodies, each)
        overlapped = np.zeros(len(circles), dtype=np.bool_)

        def meet(begun: int) -> tuple[Array, int, Indices, Array]:
            best, until = np.full((2, 5), np.inf), min(begun + BLOCK_FRAMES, stop)
            return (
                *_kernels_people.meet(bodies.arrays, circles, begun, until, MEASURED_GAP, best, overlapped),
                best,
            )

        for rows, pairs, keys, best in each(meet, range(first, stop, BLOCK_FRAMES)):
            rows[:, 1:3] = numbers[rows[:, 1:3].astype(np.int64)]
            self._rows.append(rows)
            self._pairs += pairs
            pair = numbers[keys // len(bodies)] * len(self.names) + numbers[keys % len(bodies)]
            self._overlaps = np.union1d(self._overlaps, pair)
            for kept, own in zip(self._best, best, strict=True):
                if own[0] < kept[0]:
                    kept[:] = own
                    kept[2:4] = numbers[own[2:4].astype(np.int64)]
            touching = np.unique(rows[:, 1:3].astype(np.int64))
            self._bodies.update(
                (number, bodies.bodies[int(np.searchsorted(numbers, number))]) for number in touching
            )
        self._overlapped += int(overlapped.sum())

    def findings(self) -> PeopleFindings:
        """What was seen in all windows."""
        return PeopleFindings(
            [self._touch(event) for event in group(np.concatenate(self._rows))],
            self._least(self._best[0]),
            self._least(self._best[1]),
            self._pairs,
            len(self._overlaps),
            self._overlapped / self.fps,
        )

    def _least(self, row: Array) -> Least | None:
        if not np.isfinite(row[0]):
            return None
        return Least(
            float(row[0]), self.names[int(row[2])], self.names[int(row[3])], float(row[1] + row[4]) / self.fps
        )

    def _touch(self, event: Event) -> Violation:
        frame, i, j, gap, share, ours, theirs = event.worst[:7]
        bones = bone_name(self._bodies[int(i)], int(ours)), bone_name(self._bodies[int(j)], int(theirs))
        return violation(
            "bodies",
            self.names[int(i)],
            f"{bones[0]} and {bones[1]} overlap by {-gap * 1e3:.1f} mm",
            fps=self.fps,
            frames=(event.first, event.last),
            worst=frame + share,
            other=self.names[int(j)],
            place=event.worst[7:],
            amount=-gap,
        )


def check_people(bodies: Bodies, fps: float) -> PeopleFindings:
    """Do bodies touch at a frame or between two, how near do they come, and how much do their circles overlap?"""
    seen, a = Encounters(bodies.names, fps), bodies.arrays
    if len(bodies):
        seen.look(bodies, np.arange(len(bodies)), int(a.first.min()), int((a.first + a.frames).max()))
    return seen.findings()
