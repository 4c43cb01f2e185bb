"""A scene: where, what stands and moves there, and who wants to go where. Plain data, complete in itself.

A scene holds arrays, not file names: images, tables and meshes were read and simulations run when it was made.
Everything downstream (the world that planners see, the take, the audit, the pictures) starts from this.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array, frozen
from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.world.bodies import DEFAULT_BODIES, BodyLevel, check_level
from walkon.world.places import Choice, NamedPlace, Stairs, TimedDoor
from walkon.world.script import ScriptStep
from walkon.world.shapes import Shape

PASSES = ("step_over", "jump_over", "duck_under", "crawl_under")
"""Ways to pass a special obstacle; the kinds of behaviors that do it have the same names."""


@dataclass(frozen=True, eq=False)
class HeightField:
    """Ground heights on a grid, bilinear in between, level beyond the edge.

    origin_x, origin_z [m]: the first vertex. cell [m]: spacing. heights (Nz, Nx) [m]: rows along z.
    """

    origin_x: float
    origin_z: float
    cell: float
    heights: Array

    def __post_init__(self) -> None:
        heights = frozen(self.heights)
        if heights.ndim != 2 or min(heights.shape) < 2 or not np.isfinite(heights).all():
            raise SceneError(f"terrain heights are a finite grid of at least 2 x 2, not an array {heights.shape}")
        if not self.cell > 0.0:
            raise SceneError(f"terrain cell must be positive, not {self.cell}")
        object.__setattr__(self, "heights", heights)

    @property
    def is_flat(self) -> bool:
        """Whether the ground is level at height 0."""
        return not self.heights.any()

    def at(self, x: ArrayLike, z: ArrayLike) -> Array:
        """Heights (...) [m] at ground points (...)."""
        rows, columns = self.heights.shape
        u = np.clip((np.asarray(x, dtype=np.float64) - self.origin_x) / self.cell, 0.0, columns - 1.0)
        v = np.clip((np.asarray(z, dtype=np.float64) - self.origin_z) / self.cell, 0.0, rows - 1.0)
        i, j = np.minimum(u.astype(int), columns - 2), np.minimum(v.astype(int), rows - 2)
        u, v = u - i, v - j
        near = self.heights[j, i] * (1.0 - u) + self.heights[j, i + 1] * u
        far = self.heights[j + 1, i] * (1.0 - u) + self.heights[j + 1, i + 1] * u
        return near * (1.0 - v) + far * v


@dataclass(frozen=True, eq=False)
class Obstacle:
    """Something in the way.

    shape: in its own frame. positions (T, 3) [m] and rotations (T, 4): where that is at frame t of the scene, y up
    from height 0 of the world (not of the terrain); T is 1 for what stands still, and what moves stays where it is
    after its last frame. passes: the kinds of behaviors that may pass over or under it; nobody may touch it.
    known: whether planners may know its motion in advance.
    """

    name: str
    shape: Shape
    positions: Array
    rotations: Array
    passes: tuple[str, ...] = ()
    known: bool = True

    def __post_init__(self) -> None:
        positions, rotations = frozen(self.positions), frozen(self.rotations)
        if positions.shape != (len(positions), 3) or rotations.shape != (len(positions), 4) or not len(positions):
            raise SceneError(
                f"obstacle {self.name!r}: positions (T, 3) and rotations (T, 4) needed, "
                f"not {positions.shape} and {rotations.shape}"
            )
        # The norm of larger numbers than a unit quaternion has might overflow.
        units = (np.abs(rotations) < 2.0).all() and np.allclose(np.linalg.norm(rotations, axis=1), 1.0, atol=1e-6)
        if not (np.isfinite(positions).all() and units):
            raise SceneError(f"obstacle {self.name!r}: positions must be finite, rotations unit quaternions")
        unknown = set(self.passes) - set(PASSES)
        if unknown:
            raise SceneError(
                f"obstacle {self.name!r}: no way to pass called {', '.join(sorted(unknown))}; "
                f"there are: {', '.join(PASSES)}"
            )
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "rotations", rotations)
        object.__setattr__(self, "passes", tuple(self.passes))

    @property
    def moves(self) -> bool:
        """Whether it is ever somewhere else than at the start."""
        return len(self.positions) > 1


@dataclass(frozen=True)
class Goal:
    """A place to be: within `tolerance` [m] of (x, z), and looking along `heading` ± `heading_tolerance` [rad].
    place: the name of the scene's place that this is a point of; empty if it is of none."""

    x: float
    z: float
    tolerance: float = 0.5
    heading: float | None = None
    heading_tolerance: float = math.radians(30.0)
    place: str = ""


@dataclass(frozen=True)
class Character:
    """Someone with somewhere to go.

    library: name of a built-in cast or a library folder. performer: which of the cast's people. start: where, from
    start_time [s] on. pose: name of the pose it starts in; None for one it can rest in. goals: way-points in
    order, then the goal. at_goal: stay there, or leave the scene. weights: factor on the cost of behaviors, by
    name, kind or pattern (`jog_*`). without: behaviors never used, likewise; `gesture` is among them unless the
    character is asked to. climb: cost of a metre of height, up or down. priority: higher plans earlier.
    script: what to do, step by step, where motion comes from a motion graph; planners only know the goals.
    speed: how fast [m/s] it likes to walk; None for as its performer walks. premovement: for how long [s] it
    stands where it starts before it sets off. exits: names of the places by which it may leave; the goal is in
    one of them, and may become another. choose: how it decides between these. group: who has the
    same keeps together.
    """

    name: str
    start: Placement
    goals: tuple[Goal, ...]
    library: str = "human"
    performer: int = 0
    pose: str | None = None
    start_time: float = 0.0
    at_goal: Literal["stay", "leave"] = "stay"
    weights: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    without: tuple[str, ...] = ("gesture",)
    climb: float = 1.0
    priority: int = 0
    script: tuple[ScriptStep, ...] = ()
    speed: float | None = None
    premovement: float = 0.0
    exits: tuple[str, ...] = ()
    choose: Choice = "nearest"
    group: str = ""

    def __post_init__(self) -> None:
        if self.speed is not None and not 0.0 < self.speed < math.inf:
            raise SceneError(f"character {self.name!r}: speed must be positive, not {self.speed}")
        if not 0.0 <= self.premovement < math.inf:
            raise SceneError(f"character {self.name!r}: premovement must be 0 s or more, not {self.premovement}")


@dataclass(frozen=True, eq=False)
class Scene:
    """What the planners are given.

    bounds (4,) [m]: x and z of the least corner, x and z of the greatest; nobody leaves. duration [s]: no plan may
    take longer. fps [Hz]: rate of everything sampled. clearance [m]: gap that planners keep to all they avoid.
    bodies: how exactly planners see bodies; see `bodies.py`. places, doors, stairs: what is where; see
    `places.py`.
    """

    name: str
    bounds: tuple[float, float, float, float]
    terrain: HeightField
    obstacles: tuple[Obstacle, ...] = ()
    characters: tuple[Character, ...] = ()
    duration: float = 120.0
    fps: float = 30.0
    clearance: float = 0.05
    bodies: BodyLevel = DEFAULT_BODIES
    places: tuple[NamedPlace, ...] = ()
    doors: tuple[TimedDoor, ...] = ()
    stairs: tuple[Stairs, ...] = ()

    def __post_init__(self) -> None:
        left, near, right, far = self.bounds
        if not (left < right and near < far and all(map(math.isfinite, self.bounds))):
            raise SceneError(f"scene {self.name!r}: bounds are x0, z0, x1, z1 with x0 < x1 and z0 < z1")
        check_level(self.bodies)
        for things in ((*self.obstacles, *self.doors), self.characters, self.places, self.stairs):
            counts = Counter(thing.name for thing in things)
            twice = sorted(name for name, count in counts.items() if count > 1)
            if twice:
                raise SceneError(f"scene {self.name!r}: names must be unique; repeated: {', '.join(twice[:10])}")


def flat_terrain(bounds: tuple[float, float, float, float]) -> HeightField:
    """Level ground at height 0 over the bounds."""
    left, near, right, far = bounds
    return HeightField(left, near, max(right - left, far - near), np.zeros((2, 2)))
