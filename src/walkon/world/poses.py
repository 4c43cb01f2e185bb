"""From where a scene file puts an obstacle to where its frame is: on the ground, turned, tilted."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.rotations import from_axis_angle, multiply, rotation_about_y
from walkon.world.scene import HeightField
from walkon.world.shapes import Shape

X_AXIS = (1.0, 0.0, 0.0)


def make_poses(
    shape: Shape,
    terrain: HeightField,
    x: ArrayLike,
    z: ArrayLike,
    bottom: ArrayLike,
    heading: ArrayLike,
    tilt: ArrayLike,
) -> tuple[Array, Array]:
    """Positions (T, 3) and rotations (T, 4) of a shape's frame.

    x, z (T,) [m] on the ground, bottom (T,) [m] of its lowest point when upright above the ground there, heading
    and tilt (T,) [rad]: it leans towards its heading.
    """
    x, z, bottom, heading, tilt = np.broadcast_arrays(*map(np.atleast_1d, (x, z, bottom, heading, tilt)))
    rotations = np.atleast_2d(multiply(rotation_about_y(heading), from_axis_angle(X_AXIS, tilt)))
    u, v = shape.middle()
    sine, cosine = np.sin(heading), np.cos(heading)
    ground = terrain.at(x + u * cosine + v * sine, z - u * sine + v * cosine)
    return np.column_stack([x, ground + bottom + shape.rounding, z]), rotations
