"""Does anybody touch an obstacle, or leave the scene?"""

from __future__ import annotations

import numpy as np

from walkon.metrics.audit import _kernels_obstacles, _kernels_people
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import Event, group, runs, violation
from walkon.metrics.audit.report import Least, Violation
from walkon.metrics.audit.things import Things

MEASURED_GAP = 0.25
"""Gaps to obstacles are measured for bodies that come this near [m]; beyond, nobody asks."""

TOUCH_DEPTH = _kernels_people.TOUCH_DEPTH


def check_obstacles(
    bodies: Bodies, person: int, things: Things, fps: float
) -> tuple[list[Violation], Least | None, int]:
    """Violations of one person, their least gap to an obstacle, and how many pairs were compared."""
    best = np.full(5, np.inf)
    rows, pairs = _kernels_obstacles.bump(bodies.arrays, things.arrays, person, MEASURED_GAP, best)
    least = None
    if np.isfinite(best[0]):
        least = Least(
            float(best[0]), bodies.names[person], things.names[int(best[3])], float(best[1] + best[4]) / fps
        )
    return [_touch(bodies, things, event, fps) for event in group(rows)], least, pairs


def _touch(bodies: Bodies, things: Things, event: Event, fps: float) -> Violation:
    frame, person, thing, gap, share, bone = event.worst[:6]
    return violation(
        "obstacle",
        bodies.names[int(person)],
        f"{bodies.bone(int(person), int(bone))} is inside by at least {-gap * 1e3:.1f} mm",
        fps=fps,
        frames=(event.first, event.last),
        worst=frame + share,
        other=things.names[int(thing)],
        place=event.worst[7:],
        amount=-gap,
    )


def check_bounds(
    bodies: Bodies, person: int, bounds: tuple[float, float, float, float], fps: float
) -> tuple[list[Violation], Least]:
    """Violations of one person, and the least gap to the edge. Capsules go straight between frames, so frames are
    enough."""
    boxes, start = bodies.boxes(person), int(bodies.arrays.first[person])
    gaps = np.minimum.reduce(
        [boxes[:, 0] - bounds[0], boxes[:, 2] - bounds[1], bounds[2] - boxes[:, 3], bounds[3] - boxes[:, 5]]
    )
    wrong = []
    for first, last in runs(gaps < -TOUCH_DEPTH):
        worst = first + int(gaps[first : last + 1].argmin())
        x, _, z = 0.5 * (boxes[worst, :3] + boxes[worst, 3:])
        wrong.append(
            violation(
                "bounds",
                bodies.names[person],
                f"the body sticks out by {-gaps[worst] * 1e3:.1f} mm",
                fps=fps,
                frames=(start + first, start + last),
                worst=start + worst,
                place=(x, 0.0, z),
                amount=-gaps[worst],
            )
        )
    closest = int(gaps.argmin())
    return wrong, Least(float(gaps[closest]), bodies.names[person], "", (start + closest) / fps)
