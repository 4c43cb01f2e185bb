"""The audit of long takes of large crowds, window by window: the poses of all people at all times are too many."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from walkon.metrics.audit import Violation
    from walkon.take import Role, Take

PERSON_SECONDS = 20_000
"""Seconds of all people together in one window: about 60 kB of poses each."""

AROUND = 20
"""Frames before and after a window from which clips are taken along: seams are blended."""


class Verdict(NamedTuple):
    """What was found. frames: first and last + 1. violations: all kinds but starts, goals and presence."""

    frames: tuple[int, int]
    violations: list[Violation]

    def counts(self) -> dict[str, int]:
        """How many there are of each kind."""
        return dict(Counter(found.kind for found in self.violations))

    def __str__(self) -> str:
        counts = self.counts()
        return ", ".join(f"{count} {kind}" for kind, count in counts.items()) or "clean"


def audit_windows(take: Take, first: int = 0, stop: int | None = None, workers: int = 1) -> Verdict:
    """Everything that two bodies, a body and a thing, or a body alone can do wrong from one frame to another.

    Whoever is on the way when a live take ends has no goal to check, so starts, goals and presence are left out.
    """
    stop = take.frames if stop is None else min(stop, take.frames)
    length = max(round(PERSON_SECONDS / max(len(take.roles), 1) * take.fps), 60)
    windows = [(begun, min(begun + length, stop)) for begun in range(first, stop, length)]
    if workers == 1 or len(windows) == 1:
        found = [_audit_window(take, window) for window in windows]
    else:
        # Forked: the take is there already, and only violations come back.
        _SHARED["take"] = take
        with multiprocessing.get_context("fork").Pool(workers) as pool:
            found = pool.map(_audit_shared, windows, chunksize=1)
        _SHARED.clear()
    return Verdict((first, stop), [one for part in found for one in part])


_SHARED: dict[str, Take] = {}


def _audit_shared(window: tuple[int, int]) -> list[Violation]:
    return _audit_window(_SHARED["take"], window)


def _audit_window(take: Take, window: tuple[int, int]) -> list[Violation]:
    from walkon.metrics.audit.bodies import gather
    from walkon.metrics.audit.motions import check_motion
    from walkon.metrics.audit.obstacles import check_bounds, check_obstacles
    from walkon.metrics.audit.people import check_people
    from walkon.metrics.audit.things import lay_out
    from walkon.metrics.audit.transitions import check_transitions
    from walkon.synthesis import perform_all

    first, stop = window
    part = cut(take, first, stop)
    if not part.roles:
        return []
    bodies = gather(perform_all(part))
    things = lay_out(part.scene, part.fps)
    found = [
        *check_people(bodies, part.fps)[0],
        *check_obstacles(bodies, things, part.fps)[0],
        *check_bounds(bodies, part.scene.bounds, part.fps)[0],
        *check_transitions(part, bodies, things),
        *check_motion(part, bodies).violations,
    ]
    # What began before was found in the window before.
    return [one for one in found if (first <= one.first_frame or first == 0) and one.first_frame < stop]


def cut(take: Take, first: int, stop: int) -> Take:
    """The clips of a take that are played between two frames, and a little before and after."""
    durations = np.array([shown.duration for shown in take.clips], dtype=np.int64)
    frames = min(take.frames, stop + AROUND)
    roles = [_cut_role(role, durations, first - AROUND, frames) for role in take.roles]
    return replace(take, frames=frames, roles=[role for role in roles if role is not None])


def _cut_role(role: Role, durations: np.ndarray, first: int, stop: int) -> Role | None:
    ends = role.frames + durations[role.clips]
    if not role.leaves:
        ends[-1] = np.iinfo(np.int64).max
    kept = np.flatnonzero((ends > first) & (role.frames < stop))
    if not len(kept):
        return None
    own = slice(int(kept[0]), int(kept[-1]) + 1)
    leaves = role.leaves or own.stop < len(role)
    return replace(
        role, clips=role.clips[own], frames=role.frames[own], placements=role.placements[own], leaves=leaves
    )
