"""Do people touch each other?"""

from __future__ import annotations

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


def check_people(
    bodies: Bodies, fps: float, progress: Progress | None = None
) -> tuple[list[Violation], Least | None, Least | None, int]:
    """Violations, the least gaps between circles and between bodies, and how many pairs were compared."""
    if not len(bodies):
        return [], None, None, 0
    a = bodies.arrays
    best = np.full((2, 5), np.inf)
    first, last = int(a.first.min()), int((a.first + a.frames).max())
    found, pairs = [np.empty((0, _kernels_people.FINDING_COLUMNS))], 0
    for frame in range(first, last, PROGRESS_FRAMES):
        rows, near = _kernels_people.meet(a, frame, min(frame + PROGRESS_FRAMES, last), MEASURED_GAP, best)
        found.append(rows)
        pairs += near
        if progress is not None:
            progress(min(frame + PROGRESS_FRAMES, last) - first, last - first)
    rows = np.concatenate(found)
    circles = rows[:, 5] < 0
    wrong = [_circles(bodies, event, fps) for event in group(rows[circles])]
    wrong += [_bodies(bodies, event, fps) for event in group(rows[~circles])]
    return wrong, _least(bodies, best[0], fps), _least(bodies, best[1], fps), pairs


def _least(bodies: Bodies, row: Array, fps: float) -> Least | None:
    if not np.isfinite(row[0]):
        return None
    names = bodies.names
    return Least(float(row[0]), names[int(row[2])], names[int(row[3])], float(row[1] + row[4]) / fps)


def _circles(bodies: Bodies, event: Event, fps: float) -> Violation:
    frame, i, j, gap, share = event.worst[:5]
    circle = bodies.circles(int(i))[int(frame) - bodies.arrays.first[int(i)]]
    return violation(
        "people",
        bodies.names[int(i)],
        f"circles overlap by {-gap * 1e3:.1f} mm",
        fps=fps,
        frames=(event.first, event.last),
        worst=frame + share,
        other=bodies.names[int(j)],
        place=(circle[0], 0.0, circle[1]),
        amount=-gap,
    )


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
