"""Does any joint jump? Everywhere, and so at every seam.

A joint that moves as its clips make it move takes steps from frame to frame like those in the clips, and
changes its step no more abruptly. Where either is more than twice the most in the clips around, and by more
than two centimetres, somebody watching sees a jump. Blending adds at most what the two clips do.
"""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Indices
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import runs, violation
from walkon.metrics.audit.played import PlayedClips
from walkon.metrics.audit.report import Least, Violation
from walkon.take import Take

JUMP_FACTOR = 2.0
"""A joint jumps if it moves more than this many times as far in a frame as it ever does in the clips around."""

JUMP_ROOM = 0.02
"""And more than this much farther [m]: less is not noticed."""

CLIPS_AROUND = 1
"""How many segments before and after the moment count as the clips around."""


def check_jumps(take: Take, bodies: Bodies, played: PlayedClips) -> tuple[list[Violation], Least | None]:
    """Violations, and the worst excess of a step, or of a change of step, over the most in the clips around
    [m]."""
    wrong: list[Violation] = []
    worst: Least | None = None
    most = [_most(played.bodies.positions(row)) for row in range(len(played.rows))]
    for person, name in enumerate(bodies.names):
        role = take.role(name)
        own = np.array([most[played.rows[int(clip)]] for clip in role.clips])
        excess = _excess(bodies, person, role.frames, own)
        if not excess.size:
            continue
        start = int(bodies.arrays.first[person])
        names = bodies.clips[person].skeleton.names
        frame, joint = np.unravel_index(int(excess.argmax()), excess.shape)
        if worst is None or excess[frame, joint] > worst.gap:
            worst = Least(float(excess[frame, joint]), name, names[joint], (start + float(frame)) / take.fps)
        for first, last in runs(excess.max(axis=1) > JUMP_ROOM):
            frame, joint = np.unravel_index(int(excess[first : last + 1].argmax()), (last - first + 1, len(names)))
            at, amount = first + int(frame), float(excess[first + frame, joint])
            wrong.append(
                violation(
                    "jump",
                    name,
                    f"{names[joint]} jumps {amount * 1e3:.0f} mm more than {JUMP_FACTOR:g} times the most in its "
                    "clips",
                    fps=take.fps,
                    frames=(start + first, start + last),
                    worst=start + at,
                    place=bodies.positions(person)[at, joint],
                    amount=amount,
                )
            )
    return wrong, worst


def _excess(bodies: Bodies, person: int, frames: Indices, own: Array) -> Array:
    """By how much (F - 2, J) [m] the step after each frame, or its change, is more than JUMP_FACTOR times that of
    clips.

    frames: (S,) when segments begin. own: (S, 2, J) longest steps and changes of step in their clips.
    """
    steps = np.diff(bodies.positions(person), axis=0)
    if len(steps) < 2:
        return np.empty((0, 0))
    limits = _limits(bodies, person, frames, own)
    size = np.linalg.norm(steps, axis=2)
    change = np.linalg.norm(np.diff(steps, axis=0), axis=2)
    over = size[:-1] - JUMP_FACTOR * limits[:-2, 0]
    over[-1] = np.maximum(over[-1], (size[-1] - JUMP_FACTOR * limits[-2, 0]))
    return np.maximum(over, change - JUMP_FACTOR * limits[:-2, 1])


def _limits(bodies: Bodies, person: int, begun: Indices, own: Array) -> Array:
    """The longest step and the largest change of step (F, 2, J) of each joint in the clips around each frame."""
    frames, start = int(bodies.arrays.frames[person]), int(bodies.arrays.first[person])
    around = np.empty((frames, 2, int(bodies.arrays.joints[person])))
    edges = [*np.clip(begun - start, 0, frames).tolist(), frames]
    edges[0] = 0
    for segment in range(len(own)):
        window = own[max(segment - CLIPS_AROUND, 0) : segment + CLIPS_AROUND + 1]
        around[edges[segment] : edges[segment + 1]] = window.max(axis=0)
    return around


def _most(points: Array) -> Array:
    """The longest step and the largest change of step (2, J) [m] of each joint in a clip with points (F, J, 3)."""
    steps = np.diff(points, axis=0)
    change = np.diff(steps, axis=0)
    return np.stack([np.linalg.norm(moves, axis=2).max(axis=0, initial=0.0) for moves in (steps, change)])
