"""Some moments of a clip, as capsules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.motion import Clip
from walkon.render.cast import Cast
from walkon.world.tints import Colour

UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class PoseSeries:
    """P poses of a body of C capsules.

    times: (P,) [s]; starts, ends: (P, C, 3) [m]; radii: (C,) [m]; colours: (C, 3) 0..255.
    """

    times: Array
    starts: Array
    ends: Array
    radii: Array
    colours: Array

    def __len__(self) -> int:
        return len(self.times)

    def bounds(self, axis: Array) -> tuple[Array, Array]:
        """Lowest and highest extent (P,) [m] of each pose along a unit vector (3,)."""
        both = np.stack([self.starts @ axis, self.ends @ axis])
        return (both - self.radii).min(axis=(0, 2)), (both + self.radii).max(axis=(0, 2))


def pose_series(clip: Clip, poses: int, colour: Colour | None = None) -> PoseSeries:
    """At most `poses` moments of a clip, evenly spread from its first frame to its last."""
    cast = Cast(clip, colours=None if colour is None else [colour])
    times = np.linspace(0.0, clip.duration, min(poses, len(clip)))
    starts, ends = [], []
    for time in times:
        cast.pose(float(time))
        starts.append(cast.starts.copy())
        ends.append(cast.ends.copy())
    return PoseSeries(times, np.array(starts), np.array(ends), cast.radii, cast.colours)
