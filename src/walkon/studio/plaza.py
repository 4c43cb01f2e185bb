"""The scene of a studio that was given none: a plaza with a few things on it, and people who stroll about."""

from __future__ import annotations

import math

import numpy as np

from walkon.errors import SceneError
from walkon.rotations import Placement, rotation_about_y
from walkon.world import Box, Character, Cylinder, Goal, Obstacle, Polygon, Scene, Shape, build_world, flat_terrain
from walkon.world.placing import ClearGround, RectangleArea, place_apart

PERFORMERS = 4
SPACE = 12.0
"""[m²] for everybody, at least: the plaza grows with its people."""

SMALLEST = 36.0
"""[m] Side of the plaza."""

PLANTER = np.array([[-2.4, -1.2], [2.4, -1.2], [3.0, 0.6], [0.6, 1.8], [-2.4, 1.2]])


def make_plaza(people: int = 60, seed: int = 0) -> Scene:
    """A plaza for this many people, each with a random goal."""
    side = max(SMALLEST, math.sqrt(SPACE * people))
    half = side / 2.0
    bounds = (-half, -half, half, half)
    scene = Scene("plaza", bounds, flat_terrain(bounds), _things(half), duration=600.0)
    rng = np.random.default_rng(seed)
    ground, area, nobody = ClearGround(build_world(scene).clearance), RectangleArea((bounds,)), np.empty((0, 2))
    starts, goals = (place_apart(rng, ground, area, people, spacing=1.2, room=0.8, taken=nobody) for _ in range(2))
    if len(starts) < people or len(goals) < people:
        raise SceneError(f"there is no room for {people} people on the plaza")
    cast = tuple(_stroller(number, starts[number], goals[number]) for number in range(people))
    return Scene("plaza", bounds, scene.terrain, scene.obstacles, cast, duration=600.0)


def _stroller(number: int, start: np.ndarray, goal: np.ndarray) -> Character:
    (x, z), (to_x, to_z) = start.tolist(), goal.tolist()
    heading = math.atan2(to_x - x, to_z - z)
    return Character(
        f"stroller_{number + 1:03d}",
        Placement(x, z, heading),
        (Goal(to_x, to_z, 1.0),),
        performer=number % PERFORMERS,
    )


def _things(half: float) -> tuple[Obstacle, ...]:
    """What stands on it: a fountain, four columns, planters, benches, a kiosk, a bar to step over."""
    things = [_thing("fountain", Cylinder(2.2, 0.7), 0.0, 0.0)]
    far = 0.55 * half
    for number, (x, z) in enumerate(((far, far), (far, -far), (-far, -far), (-far, far)), start=1):
        things.append(_thing(f"column {number}", Cylinder(0.45, 4.0), x, z))
    things += [
        _thing("planter 1", Polygon(PLANTER, 0.7), -0.62 * half, 0.05 * half, 0.4),
        _thing("planter 2", Polygon(PLANTER, 0.7), 0.62 * half, -0.08 * half, 2.6),
        _thing("kiosk", Box(3.2, 2.6, 2.4), -0.25 * half, -0.72 * half, 0.2),
        _thing("bench 1", Box(2.2, 0.5, 0.6), 0.24 * half, 0.3 * half, 0.8),
        _thing("bench 2", Box(2.2, 0.5, 0.6), -0.24 * half, 0.34 * half, -0.7),
        _thing("bar", Box(3.0, 0.3, 0.15), 0.3 * half, -0.62 * half, 0.3, ("step_over", "jump_over")),
    ]
    return tuple(things)


def _thing(
    name: str, shape: Shape, x: float, z: float, heading: float = 0.0, passes: tuple[str, ...] = ()
) -> Obstacle:
    return Obstacle(name, shape, np.array([[x, 0.0, z]]), rotation_about_y(heading).reshape(1, 4), passes)
