"""Small scenes in which people must avoid each other."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from walkon.rotations import Placement
from walkon.world import Character, Goal, Obstacle, Scene, Shape, flat_terrain

BOUNDS = (-12.0, -12.0, 12.0, 12.0)

MakeScene = Callable[..., Scene]


@pytest.fixture(scope="session")
def make_scene() -> MakeScene:
    """People from -> to, {name: (x, z, x, z)}, among things at (name, shape, x, z)."""

    def make(
        people: dict[str, tuple[float, float, float, float]],
        things: tuple[tuple[str, Shape, float, float], ...] = (),
        **options: object,
    ) -> Scene:
        characters = tuple(
            Character(name, Placement(x, z, math.atan2(to_x - x, to_z - z)), (Goal(to_x, to_z),), **options)  # type: ignore[arg-type]
            for name, (x, z, to_x, to_z) in people.items()
        )
        upright = np.array([[1.0, 0.0, 0.0, 0.0]])
        obstacles = tuple(
            Obstacle(name, shape, np.array([[x, 0.0, z]]), upright, ("step_over",) if name == "bar" else ())
            for name, shape, x, z in things
        )
        return Scene("test", BOUNDS, flat_terrain(BOUNDS), obstacles, characters, duration=40.0)

    return make


@pytest.fixture(scope="session")
def head_on(make_scene: MakeScene) -> Scene:
    """Two who come straight at each other."""
    return make_scene({"a": (0.0, -5.0, 0.0, 5.0), "b": (0.0, 5.0, 0.0, -5.0)})


@pytest.fixture(scope="session")
def ring(make_scene: MakeScene) -> Callable[[int, float], Scene]:
    """People around a circle who want to the other side."""

    def make(count: int, radius: float) -> Scene:
        angles = 2.0 * math.pi * (np.arange(count) + 0.5) / count
        places = radius * np.column_stack([np.cos(angles), np.sin(angles)])
        return make_scene({f"p{k}": (x, z, -x, -z) for k, (x, z) in enumerate(places.tolist())})

    return make
