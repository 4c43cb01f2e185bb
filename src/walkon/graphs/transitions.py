"""Places where one recording can go over into another."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices
from walkon.errors import GraphError


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
        """Those with these numbers, or for which a mask (T,) is True; in the same order."""
        chosen = np.flatnonzero(which) if which.dtype == np.bool_ else np.sort(which)
        arrays = {
            field.name: getattr(self, field.name)[chosen] for field in fields(self) if field.name != "window"
        }
        return replace(self, **arrays)

    def check(self, starts: Indices, stops: Indices) -> None:
        """Raise GraphError unless all frames that are mixed lie in clips: rows starts[c] to stops[c] (C,)."""
        count = len(self)
        shapes = [array.shape for array in (self.sources, self.targets, self.distances, self.alignments)]
        if self.window < 1 or shapes != [(count,), (count,), (count,), (count, 3)]:
            raise GraphError(f"transitions of {self.window} frames with arrays {shapes} do not hold together")
        if not (np.isfinite(self.distances).all() and np.isfinite(self.alignments).all()):
            raise GraphError("distances and alignments of transitions must be finite")
        if count and (min(self.sources.min(), self.targets.min()) < 0 or self.sources.max() >= stops[-1]):
            raise GraphError("transitions between rows that are not there")
        own = stops[np.searchsorted(stops, self.sources, side="right")] if count else stops[:0]
        late = self.sources + self.window >= own
        other = starts[np.searchsorted(starts, self.targets, side="right") - 1] if count else starts[:0]
        early = (self.targets - self.window + 1 < other) | (self.targets >= stops[-1])
        if np.any(late | early):
            number = int(np.argmax(late | early))
            raise GraphError(
                f"the transition from row {self.sources[number]} to row {self.targets[number]} would need frames "
                f"beyond the ends of clips: it takes {self.window} after its source and before its target"
            )


def no_transitions(window: int) -> Transitions:
    """None at all."""
    return Transitions(window, np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 3)))


def blend_weights(window: int) -> Array:
    """Share (window,) of the source in every frame of a blend: falls from 1 before it to 0 at its last frame.

    Without a corner at either end: 2u³ - 3u² + 1 for u = (p + 1) / window.
    """
    u = np.arange(1, window + 1) / window
    return 2.0 * u**3 - 3.0 * u**2 + 1.0
