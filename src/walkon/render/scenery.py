"""Lines on the ground of a picture: ways, goals, whatever is to be seen there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import frozen
from walkon.errors import RenderError
from walkon.world.tints import Colour

SLATE: Colour = (96.0, 116.0, 146.0)


@dataclass(frozen=True, eq=False)
class GroundPath:
    """A line on the ground. points: (K, 2) x and z [m]; width [m]; colour 0..255; opacity 0..1."""

    points: ArrayLike
    width: float = 0.05
    colour: Colour = SLATE
    opacity: float = 0.75

    def __post_init__(self) -> None:
        points = frozen(self.points)
        if points.ndim != 2 or points.shape[0] < 2 or points.shape[1] != 2 or not np.isfinite(points).all():
            raise RenderError(f"a path needs at least two finite points (K, 2), not {points.shape}")
        if self.width <= 0.0 or not 0.0 <= self.opacity <= 1.0:
            raise RenderError("a path has a positive width and an opacity from 0 to 1")
        object.__setattr__(self, "points", points)
