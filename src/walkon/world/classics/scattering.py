"""Random places for the people of a scene that is still tables: free of its boxes, apart from each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from walkon.errors import SceneError
from walkon.world.classics.layout import Point
from walkon.world.footprints import Footprint, FreeGround
from walkon.world.placing import Rectangle, RectangleArea, place_apart


def scatter(
    rng: np.random.Generator,
    bounds: Rectangle,
    boxes: Sequence[Mapping[str, Any]],
    region: Rectangle,
    count: int,
    *,
    spacing: float,
    room: float,
) -> list[Point]:
    """So many places in a region, `spacing` [m] apart and `room` [m] from boxes and bounds.

    Raises SceneError if they do not fit: a layout must not have fewer people than it says.
    """
    ground = FreeGround(bounds, [_footprint(box) for box in boxes])
    found = place_apart(
        rng, ground, RectangleArea((region,)), count, spacing=spacing, room=room, taken=np.empty((0, 2))
    )
    if len(found) < count:
        raise SceneError(f"only {len(found)} of {count} people fit into {region}, {spacing:g} m apart")
    return [(float(x), float(z)) for x, z in found]


def numbers(name: str, seed: int) -> np.random.Generator:
    """Random numbers for places, the same for the same scene and seed."""
    return np.random.default_rng([*name.encode(), seed])


def _footprint(box: Mapping[str, Any]) -> Footprint:
    """A box as its table says it."""
    half = 0.5 * np.array([box["width"], box["depth"]])
    corners = half * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    angle = math.radians(box.get("heading", 0.0))
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    middle = np.array(box["at"])
    return Footprint(middle + corners @ turn.T, 0.0, None, middle, float(np.hypot(*half)), 0.0)
