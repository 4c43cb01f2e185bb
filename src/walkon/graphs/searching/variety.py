"""How different two walks are, whatever their timing, and which of many are different enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.graphs.performing.walks import Walk
from walkon.kernels import kernel

DIFFERENT = 0.3
"""Share of their frames in which two walks must show something else, to be two answers."""


def difference(one: Walk, other: Walk) -> float:
    """Share of the frames of the longer walk that the other does not show as well, in the same order: 0 to 1.

    A walk that does the same a little earlier or later is not another one.
    """
    frames = one.graph.frames
    longest = max(int(frames[one.edges].sum()), int(frames[other.edges].sum()))
    if longest == 0:
        return 0.0
    shared = shared_frames(one.edges, other.edges, frames)
    return 1.0 - shared / longest


def pick_different(walks: Sequence[Walk], count: int, least: float = DIFFERENT) -> list[int]:
    """Numbers of at most `count` walks, from the first on, that differ from all before by more than `least`."""
    chosen: list[int] = []
    for number, walk in enumerate(walks):
        if len(chosen) == count:
            break
        if all(difference(walk, walks[before]) > least for before in chosen):
            chosen.append(number)
    return chosen


@kernel
def shared_frames(one: NDArray, other: NDArray, frames: NDArray) -> int:
    """Frames of the longest sequence of edges that two walks have in common, in order but not without gaps."""
    best = np.zeros(len(other) + 1, np.int64)
    for edge in one:
        diagonal = 0
        for i in range(len(other)):
            above = best[i + 1]
            if other[i] == edge:
                best[i + 1] = max(above, diagonal + frames[edge])
            best[i + 1] = max(best[i + 1], best[i])
            diagonal = above
    return best[len(other)]
