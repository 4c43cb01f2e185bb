"""Walkers who watch their minimal predicted distance: after the pair model of Pettré et al. (2009).

Known of it, by what Chen (2014) and others say: two walkers interact where they would come
within about a metre of each other if both went on as they go; they adapt some seconds ahead, together, and whoever
passes later does more of it; when the predicted distance is enough they only keep it. There is no bounding radius.

Decided here, since their fitted functions are not at hand: the change of relative velocity is the least
that makes the distance at the predicted moment `distance`, on the side that is predicted already (who is earlier
stays earlier), to the right if there is none; it is made over `reaction` seconds; the changes for all others are
summed; walls count as walkers that do not move and give no way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.rivals.walls import Walls


@dataclass(frozen=True)
class PairModel:
    """Parameters.

    distance [m]: the minimal predicted distance below which two interact. ahead [s]: from when on. earlier: the
    share of the one who passes first. reaction, relaxation [s]: in which courses are changed, and taken up again.
    wall_distance [m], walls_ahead [s]: of things. force [m/s²]: nobody changes velocity faster.
    """

    speed: float = 1.33
    most_speed: float = 1.63
    distance: float = 1.0
    ahead: float = 5.0
    earlier: float = 0.35
    reaction: float = 0.4
    relaxation: float = 1.0
    wall_distance: float = 0.5
    walls_ahead: float = 1.5
    force: float = 2.5
    radius: float = 0.4
    name: str = "pairs"
    substeps: int = 1

    @property
    def bodies(self) -> float:
        """People are points here."""
        return math.nan

    def begin(self, walls: Walls) -> _Mover:
        """The model among the walls of a scene."""
        return _Mover(self, walls)


class _Mover:
    def __init__(self, model: PairModel, walls: Walls) -> None:
        self._model, self._segments = model, walls.segments
        self._constants = (
            model.distance,
            model.ahead,
            model.earlier,
            model.reaction,
            model.relaxation,
            model.wall_distance,
            model.walls_ahead,
        )

    def velocities(
        self, who: NDArray[np.int64], places: Array, velocities: Array, wanted: Array, seconds: float
    ) -> Array:
        """Velocities (N, 2) [m/s] of the next step."""
        from walkon.rivals._kernels_forces import integrate
        from walkon.rivals._kernels_pairs import adapt_people

        model, changes = self._model, np.empty_like(places)
        adapt_people(places, velocities, wanted, self._segments, self._constants, changes)
        return integrate(velocities, changes, seconds, model.force, model.most_speed)
