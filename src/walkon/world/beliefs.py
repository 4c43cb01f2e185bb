"""The world as it looks to someone at a frame: what moves in unknown ways is expected to go on as it goes now."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np

from walkon.basics import Array
from walkon.rotations import conjugate, exponential, logarithm, multiply, normalize
from walkon.world.building import last_frame, solids_of, stack_solids
from walkon.world.parts import vertical_extent
from walkon.world.scene import HeightField, Obstacle, Scene
from walkon.world.world import Solids, World

_MOST_FRAMES = 36_000


def believed_world(world: World, frame: int, *, growth: float = 0.0) -> World:
    """The world that someone at `frame` expects who does not know how obstacles with `known=False` move.

    Up to `frame` these are where they are; from there on they keep the velocity and the turn of their last step,
    until they have left the bounds or the scene is over. What falls stops at the ground, what rolls follows it.
    growth [m/s]: how fast their outlines widen after `frame`, for as long as they are extrapolated.
    """
    scene = world.scene
    believed = tuple(
        obstacle if obstacle.known or not obstacle.moves else _extrapolated(obstacle, scene, frame, growth > 0.0)
        for obstacle in scene.obstacles
    )
    scene = replace(scene, obstacles=believed)
    pieces = []
    for index, obstacle in enumerate(believed):
        if obstacle is world.scene.obstacles[index]:
            pieces.append(_taken(world.solids, index))
        else:
            expected = solids_of(scene, index, world.clearance, world.slopes)
            pieces.append(_grown(expected, frame, growth / scene.fps))
    solids = stack_solids(pieces)
    return replace(world, scene=scene, solids=solids, frames=last_frame(solids))


def _extrapolated(obstacle: Obstacle, scene: Scene, frame: int, on: bool) -> Obstacle:
    """An obstacle as it is up to `frame` and as expected after; `on`: to the end even where it stands still."""
    last = len(obstacle.positions) - 1
    past = np.minimum(np.arange(max(frame, 0) + 1), last)
    positions, rotations = obstacle.positions[past], obstacle.rotations[past]
    before, now = past[-2:][0], past[-1]
    velocity = obstacle.positions[now] - obstacle.positions[before]
    turn = logarithm(multiply(obstacle.rotations[now], conjugate(obstacle.rotations[before])))
    steps = _steps(scene, positions[-1], velocity, obstacle, frame)
    if not on and not velocity.any() and not turn.any():
        steps = 0
    ahead = np.arange(1, max(steps, 1) + 1)[:, None] * (1.0 if steps else 0.0)  # one more frame: it does move
    later = normalize(multiply(exponential(ahead * turn), rotations[-1]))
    places = positions[-1] + ahead * velocity
    places[:, 1] = np.maximum(places[:, 1], _resting(obstacle, scene.terrain, positions[-1], places, later))
    return replace(
        obstacle, positions=np.concatenate([positions, places]), rotations=np.concatenate([rotations, later])
    )


def _steps(scene: Scene, position: Array, velocity: Array, obstacle: Obstacle, frame: int) -> int:
    """For how many frames to extrapolate: until it has left the bounds, or the scene ends."""
    left, near, right, far = scene.bounds
    radius = max(
        float(np.linalg.norm(part.points, axis=1).max()) + part.rounding
        for part in obstacle.shape.parts(obstacle.rotations)
    )
    steps = min(math.ceil(scene.duration * scene.fps) - frame, _MOST_FRAMES)
    for here, speed, low, high in zip(position[[0, 2]], velocity[[0, 2]], (left, near), (right, far), strict=True):
        if speed != 0.0:
            edge = high + radius if speed > 0.0 else low - radius
            steps = min(steps, math.ceil(max((edge - here) / speed, 0.0)) + 1)
    return max(steps, 0)


def _resting(obstacle: Obstacle, terrain: HeightField, now: Array, places: Array, rotations: Array) -> Array:
    """Heights (T,) [m] below which an obstacle would be in the ground at places (T, 3), or deeper than it is
    now."""
    turned = np.concatenate([obstacle.rotations[:1], rotations])
    lowest = np.min([vertical_extent(part, rotations)[0] for part in obstacle.shape.parts(turned)], axis=0)
    depth = max(float(terrain.at(now[0], now[2])) - (now[1] + lowest[0]), 0.0)
    return terrain.at(places[:, 0], places[:, 2]) - lowest - depth


def _grown(solids: Solids, frame: int, growth: float) -> Solids:
    """Solids whose outlines widen by `growth` [m] with every frame after `frame`."""
    if growth == 0.0:
        return solids
    frames = np.concatenate([np.arange(count) for count in np.diff(solids.starts)])
    more = growth * np.maximum(frames - frame, 0)
    discs = solids.discs.copy()
    discs[:, 2] += more
    return replace(solids, rounding=solids.rounding + more, discs=discs)


def _taken(solids: Solids, index: int) -> Solids:
    """Those of the solids that belong to the obstacle `index`."""
    chosen = np.flatnonzero(solids.obstacle == index)
    starts, stops = solids.starts[chosen], solids.starts[chosen + 1]
    rows = np.concatenate([np.zeros(0, dtype=np.int64), *map(np.arange, starts, stops)])
    per_solid = {name: getattr(solids, name)[chosen] for name in ("obstacle", "passes", "near", "within")}
    per_frame = {
        field.name: getattr(solids, field.name)[rows]
        for field in fields(solids)
        if field.name not in per_solid and field.name != "starts"
    }
    return Solids(starts=np.concatenate([[0], np.cumsum(stops - starts)]), **per_solid, **per_frame)
