"""Whatever the scene, the answer is a take that the audit accepts, or a stated "no plan".

`make test` tries 120 scenes, `make soak` and `make campaign` go on from there.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.directing import plan_scene
from walkon.errors import SceneError
from walkon.metrics import audit
from walkon.planning import AStar
from walkon.rotations import Placement
from walkon.take import Take
from walkon.world import (
    Box,
    Capsule,
    Character,
    Cylinder,
    Goal,
    HeightField,
    Obstacle,
    Polygon,
    Scene,
    Sphere,
    flat_terrain,
)

SCENES = 120
BATCH = 40
UPRIGHT = [[1.0, 0.0, 0.0, 0.0]]


def turned(heading: float) -> list[list[float]]:
    return [[math.cos(heading / 2), 0.0, math.sin(heading / 2), 0.0]]


def standing(rng: np.random.Generator, name: str, half: float) -> Obstacle:
    """A box, a cylinder or an L that stands somewhere, to be gone around."""
    x, z = rng.uniform(-half, half, 2)
    height = rng.uniform(0.3, 2.5)
    shape = (
        Box(rng.uniform(0.3, 3.0), height, rng.uniform(0.3, 3.0)),
        Cylinder(rng.uniform(0.2, 1.0), height),
        Polygon(
            rng.uniform(0.5, 1.5) * np.array([[0, 0], [2, 0], [2, 0.4], [0.4, 0.4], [0.4, 2], [0, 2]]), height
        ),
    )[rng.integers(3)]
    return Obstacle(name, shape, [[x, 0.0, z]], turned(rng.uniform(0, 2 * math.pi)))


def passable(rng: np.random.Generator, name: str, half: float) -> Obstacle:
    """A bar across the whole scene: low to get over, or high to get under."""
    z, heading = rng.uniform(-0.3, 0.3) * half, rng.uniform(-0.2, 0.2)
    bottom, height, passes = (
        (0.0, rng.uniform(0.1, 0.5), ("jump_over", "step_over")),
        (rng.uniform(1.2, 1.5), 0.3, ("duck_under", "crawl_under")),
        (rng.uniform(0.8, 1.0), 1.0, ("crawl_under",)),
    )[rng.integers(3)]
    return Obstacle(name, Box(3 * half, height, 0.2), [[0.0, bottom, z]], turned(heading), passes)


def moving(rng: np.random.Generator, name: str, half: float, frames: int) -> Obstacle:
    """A ball that rolls through, or a post that slides to and fro."""
    times = np.arange(frames) / 30.0
    start, goal = rng.uniform(-half, half, (2, 2))
    if rng.random() < 0.5:
        radius = rng.uniform(0.2, 0.6)
        share = np.clip(times / rng.uniform(4.0, 12.0), 0.0, 1.0)[:, None]
        ground = start + share * (goal - start)
        shape = Sphere(radius)
        positions = np.stack([ground[:, 0], np.full(frames, radius), ground[:, 1]], axis=1)
    else:
        share = (0.5 - 0.5 * np.cos(times * rng.uniform(0.3, 1.0)))[:, None]
        ground = start + share * (goal - start)
        shape = Capsule(rng.uniform(0.1, 0.4), 1.5)
        positions = np.stack([ground[:, 0], np.zeros(frames), ground[:, 1]], axis=1)
    return Obstacle(name, shape, positions, np.repeat(UPRIGHT, frames, axis=0))


def hill(rng: np.random.Generator, bounds: tuple[float, float, float, float]) -> HeightField:
    left, near, right, far = bounds
    x, z = np.arange(left, right + 0.5, 0.5), np.arange(near, far + 0.5, 0.5)
    middle, height, width = rng.uniform(left, right, 2), rng.uniform(0.1, 0.6), rng.uniform(2.5, 4.0)
    distances = (x[None, :] - middle[0]) ** 2 + (z[:, None] - middle[1]) ** 2
    return HeightField(left, near, 0.5, height * np.exp(-distances / width**2))


def person(rng: np.random.Generator, index: int, half: float) -> Character:
    start, goal = rng.uniform(-half + 0.8, half - 0.8, (2, 2))
    return Character(
        f"p{index}",
        Placement(*start, rng.uniform(-math.pi, math.pi)),
        (Goal(*goal, tolerance=rng.uniform(0.4, 1.0)),),
        at_goal="leave" if rng.random() < 0.3 else "stay",
        start_time=float(rng.integers(0, 4)) if rng.random() < 0.3 else 0.0,
    )


def random_scene(seed: int) -> Scene:
    rng = np.random.default_rng([seed, 4])
    half = rng.uniform(4.0, 7.0)
    bounds = (-half, -half, half, half)
    flat = rng.random() < 0.85
    obstacles = [standing(rng, f"thing {k}", half) for k in range(rng.integers(0, 4))] if flat else []
    if flat and rng.random() < 0.3:
        obstacles.append(passable(rng, "bar", half))
    if flat and rng.random() < 0.4:
        obstacles.append(moving(rng, "mover", half, 400))
    people = tuple(person(rng, index, half) for index in range(rng.integers(1, 4)))
    terrain = flat_terrain(bounds) if flat else hill(rng, bounds)
    return Scene(f"random {seed}", bounds, terrain, tuple(obstacles), people, duration=25.0)


def complaints(take: Take) -> list[str]:
    """What the audit says against a take, but that nobody is in it: that is a stated "no plan"."""
    found = audit(take).violations
    alone = not take.roles and {one.kind for one in found} == {"presence"}
    return [] if alone else [one.message for one in found]


@pytest.mark.parametrize("batch", range(math.ceil(SCENES / BATCH)))
def test_every_scene_ends_in_a_clean_take_or_a_stated_no_plan(batch):
    planned = people = 0
    for seed in range(batch * BATCH, min((batch + 1) * BATCH, SCENES)):
        scene = random_scene(seed)
        take = plan_scene(scene, seed=seed, planner=AStar(inflation=2.0, max_expansions=2000))
        planned, people = planned + len(take.roles), people + len(scene.characters)
        assert {role.character for role in take.roles} | {name for name, _ in take.unplanned} == {
            character.name for character in scene.characters
        }
        assert all(len(reason) > 10 for _, reason in take.unplanned), take.unplanned
        assert not complaints(take), (seed, complaints(take))
    # Most random people can get where they want: a planner that always gives up would pass all of the above.
    assert planned > 0.5 * people


def test_a_scene_that_cannot_be_is_refused_before_anybody_plans():
    with pytest.raises(SceneError):
        Scene("empty", (0.0, 0.0, 0.0, 1.0), flat_terrain((0.0, 0.0, 1.0, 1.0)))
