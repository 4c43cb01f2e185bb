"""What a body is doing, told from how it gets about: for recordings that nobody has labelled."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from walkon.motion import Clip, Label, measure_locomotion
from walkon.motion.features import Support, support_phases

STANDING = 0.3
"""Speed [m/s] below which a body stays where it is."""

SWAY = 0.25
"""Standard deviation [s] of the smoothing of that speed."""

AROUND = 0.45
"""Seconds before and after a flight that belong to the run: one stance of it."""

RUNNING = 1.3
"""Speed [m/s] from which on a flight belongs to a run."""

LEAP = 0.32
"""A flight of so many seconds is a jump, however fast."""

SHORTEST = 0.5
"""Stretches of fewer seconds belong to what is done around them."""


def label_frames(clip: Clip) -> tuple[Label, ...]:
    """Stretches called "stand", "walk", "run" and "jump" that together cover the clip."""
    names = np.array(["stand", "walk", "run", "jump"])
    kinds = _settle(_kinds(clip), round(SHORTEST * clip.fps))
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(kinds)]
    return tuple(Label(str(names[kinds[start]]), start, stop) for start, stop in pairwise(edges))


def _kinds(clip: Clip) -> NDArray[np.int64]:
    """For every frame 0 stand, 1 walk, 2 run, 3 jump."""
    speed = measure_locomotion(clip, sway=SWAY).speed
    kinds = (speed >= STANDING).astype(np.int64)
    flying = np.asarray(support_phases(clip)) == Support.FLIGHT
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flying, [False]])))
    reach = round(AROUND * clip.fps)
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        jumps = stop - start >= LEAP * clip.fps or speed[start:stop].mean() < RUNNING
        # One or two frames in which no contact was found are no flight.
        if stop - start > 0.05 * clip.fps:
            around = slice(max(start - reach, 0), stop + reach)
            kinds[around] = np.maximum(kinds[around], 3 if jumps else 2)
    return kinds


def _settle(kinds: NDArray[np.int64], shortest: int) -> NDArray[np.int64]:
    """The kinds with stretches shorter than `shortest` given to the longer of their neighbours, shortest first."""
    kinds = kinds.copy()
    while True:
        edges = np.concatenate([[0], np.flatnonzero(np.diff(kinds)) + 1, [len(kinds)]])
        lengths = np.diff(edges)
        if len(lengths) < 2 or lengths.min() >= shortest:
            return kinds
        run = int(np.argmin(lengths))
        before = lengths[run - 1] if run > 0 else -1
        after = lengths[run + 1] if run + 1 < len(lengths) else -1
        kinds[edges[run] : edges[run + 1]] = kinds[edges[run] - 1] if before >= after else kinds[edges[run + 1]]
