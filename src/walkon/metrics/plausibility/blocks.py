"""Pairs of people in blocks: nothing is kept for a pair, so a thousand people take no more memory than ten."""

from __future__ import annotations

from collections.abc import Iterator

from walkon.basics import Progress
from walkon.metrics.trajectories import Trajectories

BLOCK_PAIRS = 20_000_000
"""Pairs of rows in a block of work between two reports of progress: a fraction of a second."""


def blocks(trajectories: Trajectories, progress: Progress | None = None) -> Iterator[tuple[int, int]]:
    """First and last-but-one of the people who are compared with all later ones, block by block.

    progress: called with the number of people done, and of all.
    """
    people = len(trajectories)
    per_person = max(len(trajectories.places), 1)
    step = max(BLOCK_PAIRS // per_person, 1)
    for first in range(0, people, step):
        stop = min(first + step, people)
        yield first, stop
        if progress is not None:
            progress(stop, people)
