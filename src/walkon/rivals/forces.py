"""Points that are pushed about: the social force model of Helbing and Molnár (1995), with their constants.

With these constants two whose ways cross at the same moment may walk through each other: the push is weaker than
the drive until they are nearly in touch. It is filmed as it is, but for one thing: theirs has the next step of
others lie in the direction they want to go, and here it lies where they are going. Taken by the word, and without
their random fluctuations, four who meet in the middle of a crossing never get out of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.rivals.walls import Walls


@dataclass(frozen=True)
class SocialForces:
    """Constants of Helbing and Molnár (1995).

    relaxation [s]: in which somebody reaches the velocity that is wanted. strength [m²/s²], reach [m]: of what
    people do to each other; stride [s]: how far ahead they count. wall_strength, wall_reach: of walls. sight
    [rad]: the whole angle in which one sees; behind: how much less counts what is not seen. most_speed [m/s]: 1.3
    times the speed. radius [m]: of the way around things; nearer than 0.6 m their push is more than anybody's
    drive. The random fluctuations are left out: an error of aim, the same for all models, is enough to break
    symmetries.
    """

    speed: float = 1.33
    most_speed: float = 1.3 * 1.33
    relaxation: float = 0.5
    strength: float = 2.1
    reach: float = 0.3
    stride: float = 2.0
    wall_strength: float = 10.0
    wall_reach: float = 0.2
    sight: float = math.radians(200.0)
    behind: float = 0.5
    radius: float = 0.7
    name: str = "forces"
    substeps: int = 10

    @property
    def bodies(self) -> float:
        """People are points here."""
        return math.nan

    def begin(self, walls: Walls) -> _Mover:
        """The model among the walls of a scene."""
        return _Mover(self, walls)


class _Mover:
    def __init__(self, model: SocialForces, walls: Walls) -> None:
        self._model, self._segments = model, walls.segments
        self._constants = (
            model.relaxation,
            model.strength,
            model.reach,
            model.stride,
            model.wall_strength,
            model.wall_reach,
            math.cos(0.5 * model.sight),
            model.behind,
        )

    def velocities(
        self, who: NDArray[np.int64], places: Array, velocities: Array, wanted: Array, seconds: float
    ) -> Array:
        """Velocities (N, 2) [m/s] of the next step."""
        from walkon.rivals._kernels_forces import force_people, integrate

        accelerations = np.empty_like(places)
        force_people(places, velocities, wanted, self._segments, self._constants, accelerations)
        return integrate(velocities, accelerations, seconds, math.inf, self._model.most_speed)
