"""Free fall: how a body in the air moves, whatever its limbs do."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.keyframes import Curve

GRAVITY = 9.81
"""Acceleration of free fall [m/s²]."""


def falling(start: Array, stop: Array, begin: float, end: float) -> Curve:
    """The path (..., 3) [m] of free fall from `start` (3,) at time `begin` to `stop` (3,) at time `end` [s]."""
    span = end - begin

    def path(times: ArrayLike) -> Array:
        elapsed = np.asarray(times)[..., None] - begin
        fall = 0.5 * GRAVITY * elapsed * (span - elapsed) * np.array([0.0, 1.0, 0.0])
        return start + (stop - start) * elapsed / span + fall

    return path
