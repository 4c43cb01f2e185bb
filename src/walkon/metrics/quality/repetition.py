"""Repetition: how often the very same clip plays side by side, which an audience sees at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.metrics.quality import _kernels
from walkon.take import Take

SAME_PHASE = 0.1
"""Clips that begin within this time [s] of each other are in the same phase to the eye."""

SIDE_BY_SIDE = 5.0
"""People within this distance [m] are seen side by side."""


@dataclass(frozen=True, eq=False)
class Repetition:
    """Of N roles.

    rates: (N,) [1/min] how often a minute somebody within 5 m plays the same clip in the same phase. times: (N,)
    [s] when first, nan for never. others: (N,) who that is, -1 for nobody.
    """

    rates: NDArray[np.float64]
    times: NDArray[np.float64]
    others: NDArray[np.int64]


def measure_repetition(take: Take) -> Repetition:
    """How often everybody in a take is somebody's double."""
    people = len(take.roles)
    counts, first = np.zeros(people, dtype=np.int64), np.full(people, -1, dtype=np.int64)
    others = np.full(people, -1, dtype=np.int64)
    if people:
        clips = np.concatenate([role.clips for role in take.roles])
        frames = np.concatenate([role.frames for role in take.roles])
        who = np.repeat(np.arange(people), [len(role) for role in take.roles])
        places = np.concatenate([role.placements[:, :2] for role in take.roles])
        order = np.lexsort((frames, clips))
        _kernels.count_repeats(
            clips[order],
            frames[order],
            who[order],
            places[order],
            SAME_PHASE * take.fps,
            SIDE_BY_SIDE,
            counts,
            first,
            others,
        )
    present = np.array([take.end_frame(role) - role.start_frame + 1 for role in take.roles], dtype=np.float64)
    rates = counts / (present / take.fps / 60.0)
    return Repetition(rates, np.where(first >= 0, first / take.fps, np.nan), others)
