"""Does anybody touch an obstacle, or leave the scene?"""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Progress
from walkon.metrics.audit import _kernels_obstacles, _kernels_people
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import Event, group, runs, violation
from walkon.metrics.audit.report import Least, Violation
from walkon.metrics.audit.things import Things

MEASURED_GAP = 0.25
"""Gaps to obstacles are measured for bodies that come this near [m]; beyond, nobody asks."""

TOUCH_DEPTH = _kernels_people.TOUCH_DEPTH


def check_obstacles(
    bodies: Bodies, things: Things, fps: float, progress: Progress | None = None
) -> tuple[list[Violation], Least | None, int]:
    """Violations, the least gap of a body to an obstacle, and how many pairs were compared."""
    best = np.full(5, np.inf)
    wrong: list[Violation] = []
    pairs = 0
    for person in range(len(bodies)):
        rows, near = _kernels_obstacles.bump(bodies.arrays, things.arrays, person, MEASURED_GAP, best)
        pairs += near
        wrong += [_body(bodies, things, event, fps) for event in group(rows)]
        if progress is not None:
            progress(person + 1, len(bodies))
    return wrong, _least(bodies, things, best, fps), pairs


def _least(bodies: Bodies, things: Things, row: Array, fps: float) -> Least | None:
    if not np.isfinite(row[0]):
        return None
    return Least(float(row[0]), bodies.names[int(row[2])], things.names[int(row[3])], float(row[1] + row[4]) / fps)


def _body(bodies: Bodies, things: Things, event: Event, fps: float) -> Violation:
    frame, person, thing, gap, share, bone, _ = event.worst
    return violation(
        "obstacle",
        bodies.names[int(person)],
        f"{bodies.bone(int(person), int(bone))} is inside by at least {-gap * 1e3:.1f} mm",
        fps=fps,
        frames=(event.first, event.last),
        worst=frame + share,
        other=things.names[int(thing)],
        place=bodies.middle(int(person), int(frame), int(bone)),
        amount=-gap,
    )


def check_bounds(
    bodies: Bodies, bounds: tuple[float, float, float, float], fps: float
) -> tuple[list[Violation], Least | None]:
    """Violations, and the least gap to the edge. Capsules go straight between frames, so frames are enough."""
    wrong: list[Violation] = []
    least: Least | None = None
    for person, name in enumerate(bodies.names):
        low_x, low_z, high_x, high_z = bodies.extents(person).T
        gaps = np.minimum.reduce([low_x - bounds[0], low_z - bounds[1], bounds[2] - high_x, bounds[3] - high_z])
        start = int(bodies.arrays.first[person])
        for first, last in runs(gaps < -TOUCH_DEPTH):
            worst = first + int(gaps[first : last + 1].argmin())
            x, z, _ = bodies.circles(person)[worst]
            wrong.append(
                violation(
                    "bounds",
                    name,
                    f"the body sticks out by {-gaps[worst] * 1e3:.1f} mm",
                    fps=fps,
                    frames=(start + first, start + last),
                    worst=start + worst,
                    place=(x, 0.0, z),
                    amount=-gaps[worst],
                )
            )
        closest = int(gaps.argmin())
        if least is None or gaps[closest] < least.gap:
            least = Least(float(gaps[closest]), name, "", (start + closest) / fps)
    return wrong, least
