"""Whether a motion comes back to where it began, so that it can go on for ever."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array

FARTHER = 1.5
"""A motion comes back if the ends of its clips are at most this many times as far from the middle of a clip as
clips are from each other, or as a frame is from the next. Found by trying on walks, jumps and waves."""

LAST_PART = 0.25
"""Share of a clip, at its end, that does not count as its middle: it lies just before the end, and is near for
that."""

AT_REST = 0.6
"""A motion whose last frames have less than this share of its mean pace comes to rest, and has ended."""

LOOKED_AT = 200
"""Most frames for which the nearest ones in other clips are looked for; it bounds the time."""


def comes_back(encoded: Sequence[Array]) -> bool:
    """Whether clips in coordinates, (F, n) each, end in the midst of a motion that they show from there on."""
    states, places = [], []
    paces = np.concatenate([np.diff(values, axis=0) for values in encoded])
    spread = np.maximum(paces.std(axis=0), 1e-3)
    for values in encoded:
        pace = np.diff(values, axis=0) / spread
        states.append(np.concatenate([values[1:], pace], axis=1))
        places.append(np.linspace(0.0, 1.0, len(pace)))
    rests = [float(np.sqrt(np.square(one[-3:, len(spread) :]).mean())) for one in states]
    usual = float(
        np.mean(np.concatenate([np.sqrt(np.square(one[:, len(spread) :]).mean(axis=1)) for one in states]))
    )
    if min(len(values) for values in encoded) < 8 or np.median(rests) < AT_REST * usual:
        return False
    middle = [one[where < 1.0 - LAST_PART] for one, where in zip(states, places, strict=True)]
    # The last frame but one: the last only repeats how fast the root was.
    back = [_nearest(one[-2:-1], middle) for one in states]
    between = []
    for clip, one in enumerate(middle):
        others = [other for index, other in enumerate(middle) if index != clip] or [one[: len(one) // 2]]
        between.append(_nearest(one[:: max(1, len(one) * len(middle) // LOOKED_AT)], others))
    # Clips that are nearly the same lie no distance apart; nothing comes back more exactly than to a frame.
    steps = [np.sqrt(np.square(np.diff(one, axis=0)).mean(axis=1)) for one in states]
    apart = max(float(np.median(between)), float(np.median(np.concatenate(steps))))
    return float(np.median(back)) <= FARTHER * apart


def _nearest(states: Array, among: Sequence[Array]) -> float:
    """Median distance of states to the nearest of some others."""
    others = np.concatenate(among)
    return float(np.median([np.sqrt(np.square(others - state).mean(axis=1).min()) for state in states]))
