"""Discs that choose velocities in half-planes which are free for a while: ORCA (van den Berg et al. 2011)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import MissingExtraError
from walkon.rivals.walls import Walls


@dataclass(frozen=True)
class Orca:
    """Parameters; speeds [m/s] and radius [m].

    ahead, walls_ahead [s]: how long before they would meet people and walls count. around [m], neighbours: how far
    and at how many others one looks.
    """

    speed: float = 1.33
    most_speed: float = 1.63
    radius: float = 0.427
    ahead: float = 5.0
    walls_ahead: float = 2.0
    around: float = 8.0
    neighbours: int = 20
    name: str = "orca"
    substeps: int = 1

    @property
    def bodies(self) -> float:
        """Radius [m] of the discs."""
        return self.radius

    def begin(self, walls: Walls) -> _Mover:
        """The model among the walls of a scene."""
        return _Mover(self, walls)


class _Mover:
    """Keeps one simulator as long as the same people are there."""

    def __init__(self, model: Orca, walls: Walls) -> None:
        try:
            import pyrvo  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise MissingExtraError("pyrvo", "rivals") from None
        self._pyrvo, self._model, self._walls = pyrvo, model, walls
        self._who = np.empty(0, dtype=np.int64)
        self._simulator = None

    def velocities(
        self, who: NDArray[np.int64], places: Array, velocities: Array, wanted: Array, seconds: float
    ) -> Array:
        """Velocities (N, 2) [m/s] of the next step."""
        if self._simulator is None or not np.array_equal(who, self._who):
            self._simulator = self._gather(places)
            self._who = who.copy()
        simulator = self._simulator
        simulator.set_time_step(seconds)
        rows = zip(places.tolist(), velocities.tolist(), wanted.tolist(), strict=True)
        for disc, (place, velocity, wish) in enumerate(rows):
            simulator.set_agent_position(disc, tuple(place))
            simulator.set_agent_velocity(disc, tuple(velocity))
            simulator.set_agent_pref_velocity(disc, tuple(wish))
        simulator.do_step()
        found = [simulator.get_agent_velocity(disc) for disc in range(len(who))]
        return np.array([(one.x, one.y) for one in found]).reshape(-1, 2)

    def _gather(self, places: Array):
        model, simulator = self._model, self._pyrvo.RVOSimulator()
        for place in places.tolist():
            simulator.add_agent(
                tuple(place),
                model.around,
                model.neighbours,
                model.ahead,
                model.walls_ahead,
                model.radius,
                model.most_speed,
                (0.0, 0.0),
            )
        for outline in self._walls.outlines:
            simulator.add_obstacle([tuple(corner) for corner in outline.tolist()])
        simulator.process_obstacles()
        return simulator
