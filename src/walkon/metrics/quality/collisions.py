"""Time in collision: for how long people touch somebody or something, as the audit finds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.metrics.audit import AuditReport

TOUCHING = ("bodies", "obstacle")
"""Kinds of violations in which a body touches another, or an obstacle."""


@dataclass(frozen=True, eq=False)
class Collisions:
    """Of N people.

    seconds: (N,) [s] with a body that touches another, or an obstacle. times: (N,) [s] when it first does; nan for
    never. events: how often bodies touch, pair by pair. overlap_seconds: [s] for which somebody's circle on the
    ground overlaps another's, all people together.
    """

    seconds: NDArray[np.float64]
    times: NDArray[np.float64]
    events: int
    overlap_seconds: float


def measure_collisions(report: AuditReport, names: Sequence[str], fps: float) -> Collisions:
    """How long everybody named is in collision, from the violations that an audit found."""
    spans: dict[str, list[tuple[int, int]]] = {}
    events = 0
    for found in report.violations:
        if found.kind not in TOUCHING:
            continue
        events += 1
        # An obstacle may be called like a person.
        for who in (found.who, found.other) if found.kind == "bodies" else (found.who,):
            spans.setdefault(who, []).append((found.first_frame, found.last_frame))
    touched = [spans.get(name, []) for name in names]
    return Collisions(
        seconds=np.array([_covered(times) / fps for times in touched]),
        times=np.array([min(times)[0] / fps if times else np.nan for times in touched]),
        events=events,
        overlap_seconds=report.figures.overlap_seconds,
    )


def _covered(spans: list[tuple[int, int]]) -> int:
    """Frames in any of the spans, first and last included."""
    frames, reached = 0, -1
    for first, last in sorted(spans):
        frames += max(last - max(first, reached + 1) + 1, 0)
        reached = max(reached, last)
    return frames
