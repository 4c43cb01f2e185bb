"""The audit of takes of live crowds: people are still on the way when the time is up."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from walkon.metrics.audit import Violation
    from walkon.take import Role, Take

UNASKED = ("start", "goal", "presence")
"""Whoever is on the way when a live take begins or ends has no start and no goal to check."""

AROUND = 20
"""Frames before the part that is audited from which clips are taken along: seams are blended."""


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


def audit_live(take: Take, first: int = 0) -> Verdict:
    """Everything that two bodies, a body and a thing, or a body alone can do wrong from a frame on."""
    from walkon.metrics import audit

    part = take if first == 0 else cut(take, first - AROUND)
    found = [one for one in audit(part).violations if one.kind not in UNASKED and one.first_frame >= first]
    return Verdict((first, take.frames), found)


def cut(take: Take, first: int) -> Take:
    """The clips of a take that are played from a frame on."""
    durations = np.array([shown.duration for shown in take.clips], dtype=np.int64)
    roles = [_cut_role(role, durations, first) for role in take.roles]
    return replace(take, roles=[role for role in roles if role is not None])


def _cut_role(role: Role, durations: np.ndarray, first: int) -> Role | None:
    ends = role.frames + durations[role.clips]
    if not role.leaves:
        ends[-1] = np.iinfo(np.int64).max
    kept = np.flatnonzero(ends > first)
    if not len(kept):
        return None
    own = slice(int(kept[0]), None)
    return replace(role, clips=role.clips[own], frames=role.frames[own], placements=role.placements[own])
