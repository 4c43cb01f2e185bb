"""Small differences between clips of the same behaviour: they come and go, and leave both ends as they were."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.keyframes import Curve, ease

STILL, COMING = 0.05, 0.4
"""Share of the time before a drift sets in, and in which it does; it goes likewise."""


def drift(rng: np.random.Generator, spread: float, duration: float) -> Curve:
    """A slow change over times 0 to `duration` [s], of a size like `spread`; zero outside.

    Speed and acceleration vanish at both ends too.
    """
    level, wave = spread * np.clip(rng.normal(size=2), -2.0, 2.0)
    start = rng.uniform()

    def curve(times: ArrayLike) -> Array:
        fraction = np.asarray(times, dtype=np.float64) / duration
        window = ease((fraction - STILL) / COMING) * ease((1.0 - STILL - fraction) / COMING)
        return window * (level + wave * np.cos(2 * np.pi * (fraction + start)))

    return curve
