"""Do people touch each other?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.basics import Array, Progress
from walkon.metrics.audit import _kernels_people
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import Event, group, violation
from walkon.metrics.audit.report import Least, Violation

MEASURED_GAP = 0.25
"""Gaps between bodies are measured for people whose circles come this near [m]; beyond, nobody asks."""

PROGRESS_FRAMES = 120
"""Frames between two reports of progress."""


class PeopleFindings(NamedTuple):
    """Bodies that touch, and figures.

    people_gap, body_gap: the least gaps between circles on the ground and between bodies. pairs: how many pairs
    were compared capsule by capsule. overlap_pairs: pairs of people whose circles overlapped. overlap_seconds: [s]
    for how long somebody's circle overlapped another's, all people together.
    """

    violations: list[Violation]
    people_gap: Least | None = None
    body_gap: Least | None = None
    pairs: int = 0
    overlap_pairs: int = 0
    overlap_seconds: float = 0.0


def check_people(bodies: Bodies, fps: float, progress: Progress | None = None) -> PeopleFindings:
    """Do bodies touch at a frame or between two, how near do they come, and how much do their circles overlap?"""
    if not len(bodies):
        return PeopleFindings([])
    a = bodies.arrays
    best = np.full((2, 5), np.inf)
    overlapped, overlaps = np.zeros(len(a.circles), dtype=np.bool_), np.empty(0, dtype=np.int64)
    first, last = int(a.first.min()), int((a.first + a.frames).max())
    found, pairs = [np.empty((0, _kernels_people.FINDING_COLUMNS))], 0
    for frame in range(first, last, PROGRESS_FRAMES):
        until = min(frame + PROGRESS_FRAMES, last)
        rows, near, keys = _kernels_people.meet(a, frame, until, MEASURED_GAP, best, overlapped)
        found.append(rows)
        pairs += near
        overlaps = np.union1d(overlaps, keys)
        if progress is not None:
            progress(until - first, last - first)
    return PeopleFindings(
        [_bodies(bodies, event, fps) for event in group(np.concatenate(found))],
        _least(bodies, best[0], fps),
        _least(bodies, best[1], fps),
        pairs,
        len(overlaps),
        float(overlapped.sum()) / fps,
    )


def _least(bodies: Bodies, row: Array, fps: float) -> Least | None:
    if not np.isfinite(row[0]):
        return None
    names = bodies.names
    return Least(float(row[0]), names[int(row[2])], names[int(row[3])], float(row[1] + row[4]) / fps)


def _bodies(bodies: Bodies, event: Event, fps: float) -> Violation:
    frame, i, j, gap, share, ours, theirs = event.worst
    return violation(
        "bodies",
        bodies.names[int(i)],
        f"{bodies.bone(int(i), int(ours))} and {bodies.bone(int(j), int(theirs))} overlap by {-gap * 1e3:.1f} mm",
        fps=fps,
        frames=(event.first, event.last),
        worst=frame + share,
        other=bodies.names[int(j)],
        place=bodies.middle(int(i), int(frame), int(ours)),
        amount=-gap,
    )
