"""Places where one recording can go over into another."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Transitions:
    """T transitions of `window` frames each, in order of their sources, then of their targets.

    sources: (T,) the last row shown before the blend. targets: (T,) the row that the blend ends in.
    Rows source + 1 to source + window of one clip are mixed with rows target - window + 1 to target of another, or
    of the same; the last of the mixed frames is all of the target's.
    distances: (T,) [m] root mean square distance of the clouds, see `surface`.
    alignments: (T, 3) x, z [m] and heading [rad] of the placement that carries the target's recording onto the
    source's.
    """

    window: int
    sources: Indices
    targets: Indices
    distances: Array
    alignments: Array

    def __len__(self) -> int:
        """Number of transitions T."""
        return len(self.sources)

    def subset(self, which: NDArray) -> Transitions:
        """Those with these numbers, or for which a mask is True; in the same order."""
        chosen = np.flatnonzero(which) if which.dtype == np.bool_ else np.sort(which)
        arrays = {
            field.name: getattr(self, field.name)[chosen] for field in fields(self) if field.name != "window"
        }
        return replace(self, **arrays)


def no_transitions(window: int) -> Transitions:
    """None at all."""
    return Transitions(window, np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 3)))


def blend_weights(window: int) -> Array:
    """Share (window,) of the source in every frame of a blend: falls from 1 before it to 0 at its last frame.

    Without a corner at either end: 2u³ - 3u² + 1 for u = (p + 1) / window.
    """
    u = np.arange(1, window + 1) / window
    return 2.0 * u**3 - 3.0 * u**2 + 1.0
