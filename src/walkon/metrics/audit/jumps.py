"""Does any joint jump? Everywhere, and so at every seam.

A joint that moves as its clips make it move takes steps from frame to frame like those in the clips, and
changes its step no more abruptly. Where either is more than twice the most in the clips around, and by more
than two centimetres, somebody watching sees a jump. Blending adds at most what the two clips do.
"""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Indices
from walkon.metrics.audit import _kernels_jumps
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import runs, violation
from walkon.metrics.audit.report import Least, Violation
from walkon.take import Role, Take

JUMP_FACTOR = 2.0
"""A joint jumps if it moves more than this many times as far in a frame as it ever does in the clips around."""

JUMP_ROOM = 0.02
"""And more than this much farther [m]: less is not noticed."""

CLIPS_AROUND = 1
"""How many segments before and after the moment count as the clips around."""


def check_jumps(
    take: Take, bodies: Bodies, person: int, role: Role, own: Array
) -> tuple[list[Violation], Least | None]:
    """Violations of one person, and the worst excess of a step, or of a change of step, over the most in the clips
    around [m].

    own: (S, 2, J) longest steps and changes of step in the clips of the role; see `most_in`.
    """
    points, start = bodies.positions(person), int(bodies.arrays.first[person])
    if len(points) < 3:
        return [], None
    excess, joints = np.empty(len(points) - 2), np.empty(len(points) - 2, dtype=np.int64)
    segments = _segments(role.frames - start, len(points))
    _kernels_jumps.measure_jumps(points, segments, JUMP_FACTOR * _around(own), excess, joints)
    name, names, wrong = bodies.names[person], bodies.clips[person].skeleton.names, []
    at = int(excess.argmax())
    worst = Least(float(excess[at]), name, names[joints[at]], (start + float(at)) / take.fps)
    for first, last in runs(excess > JUMP_ROOM):
        at = first + int(excess[first : last + 1].argmax())
        joint, amount = int(joints[at]), float(excess[at])
        message = (
            f"{names[joint]} jumps {amount * 1e3:.0f} mm more than {JUMP_FACTOR:g} times the most in its clips"
        )
        wrong.append(
            violation(
                "jump",
                name,
                message,
                fps=take.fps,
                frames=(start + first, start + last),
                worst=start + at,
                place=points[at, joint],
                amount=amount,
            )
        )
    return wrong, worst


def _around(own: Array) -> Array:
    """The most (S, 2, J) in the clips of a segment (S, 2, J) and of those around it."""
    most = own.copy()
    for away in range(1, CLIPS_AROUND + 1):
        most[away:] = np.maximum(most[away:], own[:-away])
        most[:-away] = np.maximum(most[:-away], own[away:])
    return most


def _segments(begun: Indices, frames: int) -> Indices:
    """Which segment each of so many frames (F,) is in: the last that has begun (S,), or the first."""
    edges = np.clip(begun, 0, frames)
    edges[0] = 0
    return np.repeat(np.arange(len(edges)), np.diff(np.append(edges, frames)))


def most_in(points: Array) -> Array:
    """The longest step and the largest change of step (2, J) [m] of each joint in a clip with points (F, J, 3)."""
    steps = np.diff(points, axis=0)
    change = np.diff(steps, axis=0)
    return np.stack([np.linalg.norm(moves, axis=2).max(axis=0, initial=0.0) for moves in (steps, change)])
