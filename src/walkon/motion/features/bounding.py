"""How much room a body takes on the ground: the smallest circle around its shadow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.motion.clip import Clip
from walkon.motion.features import _bounding_kernels
from walkon.skeleton import Body, build_body


class GroundCircles(NamedTuple):
    """A circle on the ground for every frame: centers (F, 2) as x, z [m], and radii (F,) [m]."""

    centers: NDArray[np.float64]
    radii: NDArray[np.float64]


def bounding_circles(clip: Clip, body: Body | None = None) -> GroundCircles:
    """The smallest circle around the ground projection of the body's capsules, exactly, frame by frame.

    `body` defaults to the one `build_body` gives the clip's skeleton.
    """
    return circles_around(clip.positions, build_body(clip.skeleton) if body is None else body)


def circles_around(positions: NDArray[np.float64], body: Body) -> GroundCircles:
    """The same from joints in the world (F, J, 3) [m]."""
    centers, radii = np.empty((len(positions), 2)), np.empty(len(positions))
    _bounding_kernels.bounding_circles(positions, body.starts, body.ends, body.spans, body.radii, centers, radii)
    return GroundCircles(centers, radii)
