"""Where somebody stands on the ground, for kernels: what carries many points at once."""

from __future__ import annotations

import math
from typing import NamedTuple

from walkon.kernels import inlined
from walkon.rotations.kernels import carried


class Stand(NamedTuple):
    """A place on the ground x, z [m], and the sine and cosine of the heading there."""

    x: float
    z: float
    sine: float
    cosine: float


@inlined
def standing(x, z, heading):
    """The Stand at (x, z) with a heading [rad]."""
    return Stand(x, z, math.sin(heading), math.cos(heading))


@inlined
def laid(stand, local_x, local_z):
    """A ground point as seen from a stand, in the world: x, z."""
    return carried(stand.x, stand.z, stand.sine, stand.cosine, local_x, local_z)
