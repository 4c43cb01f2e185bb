"""What the browser says of an obstacle as an obstacle of ours: walls become polygons, paths become tracks."""

from __future__ import annotations

import math

import numpy as np

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.rotations import continuous, normalize, rotation_about_y, slerp
from walkon.studio.limits import MOST_REPEATED_FRAMES, MOST_TRACK_FRAMES
from walkon.studio.protocol_obstacles import ObstacleRecord, ShapeRecord, TrackRecord, WallRecord
from walkon.world import SHAPES, HeightField, Obstacle, Polygon, Shape
from walkon.world.triangulation import check_simple

DETAIL = 0.08
"""[m] Wiggles of a hand-drawn wall that are smaller than this are straightened."""

SHARPEST = 4.0
"""How far out the outer corner of a bend in a wall is at most, in half thicknesses: sharper bends are cut off."""


def make_obstacle(record: ObstacleRecord, name: str, terrain: HeightField | None = None) -> Obstacle:
    """The obstacle; raises SceneError where the shape is none, such as a polygon that crosses itself.

    terrain: a wall stands on it, wherever it is lowest, and is as high as was asked for where it is highest.
    """
    if isinstance(record.shape, WallRecord) and terrain is not None:
        record = _on_the_ground(record, record.shape, terrain)
    shape = make_shape(record.shape)
    rotation = np.array([record.rotation])
    if np.linalg.norm(rotation) < 0.5:
        raise SceneError(f"obstacle {name!r}: a rotation is a unit quaternion")
    positions, rotations = np.array([record.position]), normalize(rotation)
    if record.track is not None:
        positions, rotations = lay_out(record.track, rotations[0])
    return Obstacle(name, shape, positions, rotations, tuple(dict.fromkeys(record.passes)))


def _on_the_ground(record: ObstacleRecord, wall: WallRecord, terrain: HeightField) -> ObstacleRecord:
    x, y, z = record.position
    places = np.array(wall.points) + np.array(
        [x, z]
    )  # walls are drawn where they stand: their frames are not turned
    heights = terrain.at(places[:, 0], places[:, 1])
    low, high = float(heights.min()), float(heights.max())
    taller = wall.model_copy(update={"height": wall.height + high - low})
    return record.model_copy(update={"shape": taller, "position": (x, y + low, z)})


def make_shape(record: ShapeRecord) -> Shape:
    """The shape in its own frame."""
    if not isinstance(record, WallRecord):
        return SHAPES[record.kind].from_values(record.model_dump())
    outline = wall_outline(np.array(record.points), record.thickness)
    try:
        check_simple(outline)
    except SceneError:
        raise SceneError("the wall crosses or touches itself; draw it in several pieces") from None
    return Polygon(outline, record.height)


def wall_outline(points: Array, thickness: float) -> Array:
    """Corners (2 K, 2) of the outline of a wall along points (N, 2), of which the K that matter are kept."""
    line = simplify(points, DETAIL)
    if len(line) < 2:
        raise SceneError("a wall needs two points that are apart")
    along = np.diff(line, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    sides = np.column_stack([-along[:, 1], along[:, 0]])
    before, after = np.vstack([sides[:1], sides]), np.vstack([sides, sides[-1:]])
    middle = before + after
    square = np.maximum(np.sum(middle**2, axis=1), 1e-9)
    # Both edges of a bend are moved out by half the thickness; their lines meet at 2 m / |m|² of it.
    reach = np.minimum(2.0 / np.sqrt(square), SHARPEST)[:, None]
    offset = 0.5 * thickness * reach * middle / np.sqrt(square)[:, None]
    return np.concatenate([line + offset, (line - offset)[::-1]])


def simplify(points: Array, tolerance: float) -> Array:
    """The points (K, 2) that a line needs to stay within `tolerance` [m] of all points (N, 2)."""
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    stack = [(0, len(points) - 1)]
    while stack:
        first, last = stack.pop()
        if last - first < 2:
            continue
        start, along = points[first], points[last] - points[first]
        between = points[first + 1 : last] - start
        share = np.clip(between @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
        apart = np.linalg.norm(between - share[:, None] * along, axis=1)
        worst = int(np.argmax(apart))
        if apart[worst] > tolerance:
            keep[first + 1 + worst] = True
            stack += [(first, first + 1 + worst), (first + 1 + worst, last)]
    line = points[keep]
    far = np.linalg.norm(np.diff(line, axis=0), axis=1) > 1e-3
    return line[np.concatenate([[True], far])]


def lay_out(track: TrackRecord, rotation: Array) -> tuple[Array, Array]:
    """Positions (T, 3) and rotations (T, 4) in every frame. rotation (4,): of what goes nowhere."""
    places = np.array(track.positions)
    turns = _turns(track, places, rotation)
    if track.repeat == "cycle" and np.linalg.norm(places[-1] - places[0]) > 0.01:
        # Round and round means back to the beginning, not a jump to it.
        places, turns = np.vstack([places, places[:1]]), np.vstack([turns, turns[:1]])
    frames = (len(places) - 1) * track.every + 1
    if frames > MOST_TRACK_FRAMES:
        raise SceneError(f"a way of {frames} frames is too long; at most {MOST_TRACK_FRAMES}")
    if frames == 1:
        return places, turns
    time = _times(track.repeat, frames)
    piece = np.minimum(time // track.every, len(places) - 2).astype(int)
    share = time / track.every - piece
    positions = places[piece] + share[:, None] * (places[piece + 1] - places[piece])
    return positions, normalize(slerp(turns[piece], turns[piece + 1], share))


def _times(repeat: str, frames: int) -> Array:
    """Which frame of the way to show in every frame."""
    if repeat == "once":
        return np.arange(frames, dtype=np.float64)
    period = frames - 1 if repeat == "cycle" else 2 * (frames - 1)
    phase = np.arange(max(MOST_REPEATED_FRAMES, frames), dtype=np.float64) % period
    return phase if repeat == "cycle" else np.minimum(phase, period - phase)


def _turns(track: TrackRecord, places: Array, rotation: Array) -> Array:
    """Rotations (N, 4) at the points of a way: those given, or looking along it."""
    if track.rotations:
        given = np.array(track.rotations)
        if (np.linalg.norm(given, axis=1) < 0.5).any():
            raise SceneError("rotations of a way are unit quaternions")
        return np.atleast_2d(continuous(normalize(given)))
    steps = np.diff(places[:, [0, 2]], axis=0)
    if not len(steps) or not np.hypot(*steps.T).max() > 1e-6:
        return np.repeat(rotation[None], len(places), axis=0)
    headings = np.full(len(places), math.nan)
    moving = np.hypot(*steps.T) > 1e-6
    headings[:-1][moving] = np.arctan2(steps[moving, 0], steps[moving, 1])
    known = np.flatnonzero(np.isfinite(headings))
    nearest = known[np.clip(np.searchsorted(known, np.arange(len(places)), side="right") - 1, 0, None)]
    return np.atleast_2d(continuous(rotation_about_y(headings[nearest])))
