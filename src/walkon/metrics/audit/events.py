"""From findings in single frames to events: what goes on between the same two without a pause is one violation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.metrics.audit.report import Violation

LONGEST_PAUSE = 3
"""Findings that are at most this many frames apart are one event: a body that grazes another touches it on and
off."""


@dataclass(frozen=True)
class Event:
    """Findings in a row: first and last frame, and the row (·,) of the worst one."""

    first: int
    last: int
    worst: Array


def group(rows: Array) -> list[Event]:
    """Events of findings (·, 7) whose rows are frame, who, other, gap, share of the way to the next frame, …

    Ordered by time, then by who and whom. The worst is the one with the least gap.
    """
    events: list[Event] = []
    order = np.lexsort((rows[:, 0], rows[:, 2], rows[:, 1]))
    for row in rows[order]:
        last = events[-1] if events else None
        same = last is not None and (last.worst[1:3] == row[1:3]).all() and row[0] - last.last <= LONGEST_PAUSE
        if last is None or not same:
            events.append(Event(int(row[0]), int(row[0]), row))
        else:
            worst = row if row[3] < last.worst[3] else last.worst
            events[-1] = Event(last.first, int(row[0]), worst)
    return sorted(events, key=lambda event: (event.first, *event.worst[1:3]))


def runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of every run of True in flags (F,)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    return [(int(start), int(stop) - 1) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def violation(
    kind: str,
    who: str,
    message: str,
    *,
    fps: float,
    frames: tuple[int, int],
    worst: float | None = None,
    other: str = "",
    place: Iterable[float] | None = None,
    amount: float = 0.0,
) -> Violation:
    """A violation from first to last of `frames`, at its worst at frame `worst`."""
    when = float(frames[0] if worst is None else worst)
    x, y, z = (None, None, None) if place is None else (float(value) for value in place)
    at = None if x is None or y is None or z is None else (x, y, z)
    return Violation(kind, who, other, *frames, when, when / fps, at, float(amount), message)
