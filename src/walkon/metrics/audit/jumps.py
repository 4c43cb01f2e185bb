"""Does any joint jump? Everywhere, and so at every seam.

A joint that moves as its clips make it move takes steps from frame to frame like those in the clips, and
changes its step no more abruptly. Where either is more than twice the most in the clips around, and by more
than two centimetres, somebody watching sees a jump. Blending adds at most what the two clips do.
"""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import runs, violation
from walkon.metrics.audit.report import Least, Violation
from walkon.take import Role, Take

FACTOR = 2.0
"""How many times the most that the clips do is too much."""

NOTICED = 0.02
"""[m] and this much more than the most that the clips do, or nobody notices."""

AROUND = 1
"""Clips so many segments before and after count as around."""


def check_jumps(take: Take, bodies: Bodies) -> tuple[list[Violation], Least | None]:
    """Violations, and the worst excess of a step, or of a change of step, over the most in the clips around
    [m]."""
    wrong: list[Violation] = []
    worst: Least | None = None
    known: dict[int, Array] = {}
    for person, name in enumerate(bodies.names):
        role = take.role(name)
        excess = _excess(take, bodies, person, role, known)
        if not excess.size:
            continue
        start = int(bodies.arrays.first[person])
        names = bodies.clips[person].skeleton.names
        frame, joint = np.unravel_index(int(excess.argmax()), excess.shape)
        if worst is None or excess[frame, joint] > worst.gap:
            worst = Least(float(excess[frame, joint]), name, names[joint], (start + float(frame)) / take.fps)
        for first, last in runs(excess.max(axis=1) > NOTICED):
            frame, joint = np.unravel_index(int(excess[first : last + 1].argmax()), (last - first + 1, len(names)))
            at, amount = first + int(frame), float(excess[first + frame, joint])
            wrong.append(
                violation(
                    "jump",
                    name,
                    f"{names[joint]} jumps {amount * 1e3:.0f} mm more than {FACTOR:g} times the most in its clips",
                    fps=take.fps,
                    frames=(start + first, start + last),
                    worst=start + at,
                    place=bodies.positions(person)[at, joint],
                    amount=amount,
                )
            )
    return wrong, worst


def _excess(take: Take, bodies: Bodies, person: int, role: Role, known: dict[int, Array]) -> Array:
    """By how much (F - 2, J) [m] the step after each frame, or its change, is more than FACTOR times that of
    clips."""
    steps = np.diff(bodies.positions(person), axis=0)
    if len(steps) < 2:
        return np.empty((0, 0))
    limits = _limits(take, bodies, person, role, known)
    size = np.linalg.norm(steps, axis=2)
    change = np.linalg.norm(np.diff(steps, axis=0), axis=2)
    over = size[:-1] - FACTOR * limits[:-2, 0]
    over[-1] = np.maximum(over[-1], (size[-1] - FACTOR * limits[-2, 0]))
    return np.maximum(over, change - FACTOR * limits[:-2, 1])


def _limits(take: Take, bodies: Bodies, person: int, role: Role, known: dict[int, Array]) -> Array:
    """The longest step and the largest change of step (F, 2, J) of each joint in the clips around each frame."""
    frames, start = int(bodies.arrays.frames[person]), int(bodies.arrays.first[person])
    around = np.empty((frames, 2, int(bodies.arrays.joints[person])))
    own = np.array([_most(take, int(clip), known) for clip in role.clips])
    edges = [*np.clip(role.frames - start, 0, frames).tolist(), frames]
    edges[0] = 0
    for segment in range(len(role.clips)):
        window = own[max(segment - AROUND, 0) : segment + AROUND + 1]
        around[edges[segment] : edges[segment + 1]] = window.max(axis=0)
    return around


def _most(take: Take, index: int, known: dict[int, Array]) -> Array:
    """The longest step and the largest change of step (2, J) [m] of each joint in a clip."""
    if index not in known:
        steps = np.diff(take.clips[index].clip.positions, axis=0)
        change = np.diff(steps, axis=0)
        known[index] = np.stack([np.linalg.norm(moves, axis=2).max(axis=0) for moves in (steps, change)])
    return known[index]
