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
    body = build_body(clip.skeleton) if body is None else body
    centers, radii = np.empty((len(clip), 2)), np.empty(len(clip))
    _bounding_kernels.bounding_circles(
        clip.positions, body.starts, body.ends, body.spans, body.radii, centers, radii
    )
    return GroundCircles(centers, radii)
