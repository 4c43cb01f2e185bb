"""What a model of avoidance is to the simulation: something that turns wanted velocities into actual ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import PlanError
from walkon.rivals.forces import SocialForces
from walkon.rivals.orca import Orca
from walkon.rivals.pairs import PairModel
from walkon.rivals.steering import Steering
from walkon.rivals.walls import Walls


class Mover(Protocol):
    """A model in one scene."""

    def velocities(
        self, who: NDArray[np.int64], places: Array, velocities: Array, wanted: Array, seconds: float
    ) -> Array:
        """Velocities (N, 2) [m/s] for the next `seconds` of those N who are there.

        who: (N,) numbers that tell people apart over time. places: (N, 2) [m]. velocities: (N, 2) [m/s] of the
        last step. wanted: (N, 2) [m/s] straight to the next place on everybody's way.
        """
        ...


class Model(Protocol):
    """A model of avoidance with its parameters.

    name: what people call it. speed [m/s]: that everybody wants. radius [m]: that everybody keeps from walls when
    the way is chosen. bodies [m]: the radius of everybody's disc; nan for models that know none.
    substeps: steps of the model in a frame of 1/30 s.
    """

    @property
    def name(self) -> str: ...
    @property
    def speed(self) -> float: ...
    @property
    def radius(self) -> float: ...
    @property
    def bodies(self) -> float: ...
    @property
    def substeps(self) -> int: ...
    def begin(self, walls: Walls) -> Mover:
        """The model among the walls of a scene."""
        ...


MODELS: Mapping[str, Callable[[], Model]] = MappingProxyType(
    {"orca": Orca, "steering": Steering, "forces": SocialForces, "pairs": PairModel}
)
"""Name -> the model with its usual parameters."""


def choose_model(model: str | Model) -> Model:
    """A model, by its name or as it is."""
    if not isinstance(model, str):
        return model
    if model not in MODELS:
        raise PlanError(f"no rival model {model!r}; there are: {', '.join(MODELS)}")
    return MODELS[model]()
