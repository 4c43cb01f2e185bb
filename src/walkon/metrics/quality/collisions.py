"""Time in collision: for how long people touch somebody or something, as the audit finds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.metrics.audit import AuditReport

BODIES = ("bodies", "obstacle_body")
"""Kinds of violations in which a body touches."""

CIRCLES = ("people", "obstacle")
"""Kinds in which only circles on the ground do."""


@dataclass(frozen=True, eq=False)
class Collisions:
    """Of N people.

    seconds: (N,) [s] with a body that touches another, or an obstacle. overlaps: (N,) [s] with a circle that does.
    times: (N,) [s] when the body first touches; nan for never. events: how often bodies touch, pair by pair.
    """

    seconds: NDArray[np.float64]
    overlaps: NDArray[np.float64]
    times: NDArray[np.float64]
    events: int


def measure_collisions(report: AuditReport, names: Sequence[str], fps: float) -> Collisions:
    """How long everybody named is in collision, from the violations that an audit found."""
    spans: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    events = 0
    for found in report.violations:
        if found.kind not in BODIES + CIRCLES:
            continue
        events += found.kind in BODIES
        # An obstacle may be called like a person.
        touched = (found.who, found.other) if found.kind in ("bodies", "people") else (found.who,)
        for who in touched:
            spans.setdefault((who, found.kind in BODIES), []).append((found.first_frame, found.last_frame))
    bodies = [spans.get((name, True), []) for name in names]
    circles = [spans.get((name, False), []) for name in names]
    return Collisions(
        seconds=np.array([_covered(times) / fps for times in bodies]),
        overlaps=np.array([_covered(times) / fps for times in circles]),
        times=np.array([min(times)[0] / fps if times else np.nan for times in bodies]),
        events=events,
    )


def _covered(spans: list[tuple[int, int]]) -> int:
    """Frames in any of the spans, first and last included."""
    frames, reached = 0, -1
    for first, last in sorted(spans):
        frames += max(last - max(first, reached + 1) + 1, 0)
        reached = max(reached, last)
    return frames
