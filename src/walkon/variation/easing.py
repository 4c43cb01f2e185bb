"""From the sampled path of a joint to where it is held and back, without a jump."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array
from walkon.variation import _kernels_easing as _kernels
from walkon.variation.plants import Hold

SLOPE_SHARE = 0.5
"""Share of its speed that a joint has lost when it gets to its place. All of it would be smoothest at that frame,
but takes the foot so far from its path that the knee pays for it."""


def shift_curve(places: Array, holds: Sequence[Hold], ease: int) -> tuple[Array, Array]:
    """How far a joint at `places` (F, 3) [m] is shifted (F, 3) [m], and how firmly it is held (F,), 0 to 1.

    holds: of this joint, in order, apart from each other. While held the shift is exact. Before and after, it goes
    on as it comes (in value, and in part in speed) and fades to nothing within `ease` frames, alike on both sides;
    between two holds closer than that it goes from the one to the other.
    """
    starts, stops = (np.array([getattr(hold, end) for hold in holds], dtype=np.int64) for end in ("start", "stop"))
    paths = np.zeros((len(places), 3))
    for hold in holds:
        paths[hold.start : hold.stop] = hold.path
    shift, firmness = np.zeros((len(places), 3)), np.zeros(len(places))
    _kernels.ease_shifts(np.ascontiguousarray(places), starts, stops, paths, ease, SLOPE_SHARE, shift, firmness)
    return shift, firmness
