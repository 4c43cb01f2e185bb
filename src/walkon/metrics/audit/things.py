"""The obstacles of a scene as flat arrays: convex pieces in their own frame, and where that frame is, frame by
frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices
from walkon.errors import SceneError
from walkon.metrics.audit._kernels_shapes import BOX, CYLINDER, POLE, PRISM, TRIANGLE
from walkon.rotations import slerp
from walkon.world import Box, Capsule, Cylinder, Mesh, Obstacle, Polygon, Scene, Shape, Sphere


class ThingArrays(NamedTuple):
    """M obstacles of P convex pieces together, in frames of the take.

    poses: (·, 7) x, y, z [m] and quaternion. pose_starts: (M + 1,); an obstacle keeps its last pose.
    kinds: (P,) and pieces: (P, 9) as `_kernels_shapes` reads them. piece_starts: (M + 1,).
    balls: (P, 4) x, y, z, radius of a ball around each piece in the obstacle's frame. hulls: (M, 4) around each
    whole. boxes: (M, 6) x, y, z of the middle of a box around each, in its frame, and half its size.
    closed: (M,) whether it is a mesh that has an inside.
    """

    poses: Array
    pose_starts: Indices
    kinds: Indices
    pieces: Array
    piece_starts: Indices
    balls: Array
    hulls: Array
    boxes: Array
    closed: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Things:
    """Everything in the way: names (M), ways to pass each (M), and the arrays."""

    names: tuple[str, ...]
    passes: tuple[tuple[str, ...], ...]
    arrays: ThingArrays

    def __len__(self) -> int:
        return len(self.names)


def lay_out(scene: Scene, fps: float) -> Things:
    """The obstacles of a scene, sampled at the rate of a take."""
    cut = [_pieces(obstacle.name, obstacle.shape) for obstacle in scene.obstacles]
    poses = [_poses(obstacle, scene.fps, fps) for obstacle in scene.obstacles]
    balls = [np.array([_ball(kind, row) for kind, row in pieces]) for pieces in cut]
    arrays = ThingArrays(
        poses=np.concatenate([np.empty((0, 7)), *poses]),
        pose_starts=_starts(poses),
        kinds=np.array([kind for pieces in cut for kind, _ in pieces], dtype=np.int64),
        pieces=np.array([row for pieces in cut for _, row in pieces]).reshape(-1, 9),
        piece_starts=_starts(cut),
        balls=np.concatenate([np.empty((0, 4)), *balls]),
        hulls=np.array([_hull(found) for found in balls]).reshape(-1, 4),
        boxes=np.array([_box(pieces) for pieces in cut]).reshape(-1, 6),
        closed=np.array([_is_closed(obstacle.shape) for obstacle in scene.obstacles], dtype=np.bool_),
    )
    names = tuple(obstacle.name for obstacle in scene.obstacles)
    return Things(names, tuple(obstacle.passes for obstacle in scene.obstacles), arrays)


def _starts(parts: list) -> Indices:
    return np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)


def _poses(obstacle: Obstacle, theirs: float, ours: float) -> Array:
    """Poses (T, 7) at the frames of the take: places go straight from frame to frame, rotations by slerp."""
    if theirs == ours or not obstacle.moves:
        return np.concatenate([obstacle.positions, obstacle.rotations], axis=1)
    last = len(obstacle.positions) - 1
    times = np.minimum(np.arange(int(np.ceil(last * ours / theirs)) + 1) * theirs / ours, last)
    index = np.minimum(times.astype(int), last - 1)
    share = times - index
    places = obstacle.positions[index]
    places = places + share[:, None] * (obstacle.positions[index + 1] - places)
    return np.concatenate([places, slerp(obstacle.rotations[index], obstacle.rotations[index + 1], share)], axis=1)


def _row(*numbers: float) -> Array:
    row = np.zeros(9)
    row[: len(numbers)] = numbers
    return row


def _pieces(name: str, shape: Shape) -> list[tuple[int, Array]]:
    """Convex pieces that make up a shape."""
    shape = _as_seen(shape)
    match shape:
        case Box():
            return [(BOX, _row(0.5 * shape.width, shape.height, 0.5 * shape.depth))]
        case Cylinder():
            return [(CYLINDER, _row(shape.radius, shape.height))]
        case Sphere():
            return [(POLE, _row(shape.radius, 0.0))]
        case Capsule():
            return [(POLE, _row(shape.radius, shape.length))]
        case Polygon():
            try:
                triangles = cut_polygon(shape.corners)
            except SceneError as error:
                raise SceneError(f"obstacle {name!r}: {error}") from None
            return [(PRISM, _row(*triangle.ravel(), shape.height)) for triangle in triangles]
        case Mesh():
            return [(TRIANGLE, triangle.ravel()) for triangle in shape.vertices[shape.faces]]


def _as_seen(shape: Shape) -> Box | Cylinder | Sphere | Capsule | Polygon | Mesh:
    """The mesh that is drawn of a shape which the audit has no formula for; all others as they are."""
    if isinstance(shape, Box | Cylinder | Sphere | Capsule | Polygon | Mesh):
        return shape
    surface = shape.surface()
    return Mesh(surface.points, surface.triangles)


def cut_polygon(corners: Array) -> list[Array]:
    """Triangles (3, 2) that fill a simple polygon (K, 2), cut off one by one at corners that nothing else pokes
    into.

    Raises SceneError where no corner can be cut: the outline then crosses itself.
    """
    left = [corner for k, corner in enumerate(corners) if not np.array_equal(corner, corners[k - 1])]
    area = sum(_cross(a, b) for a, b in zip(left, left[1:] + left[:1], strict=True))
    if area < 0.0:
        left.reverse()
    size = float(np.ptp(corners, axis=0).max())
    triangles = []
    while len(left) > 2:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            turn = _cross(b - a, c - b)
            if abs(turn) <= 1e-12 * size * size:
                del left[k]  # A corner on a straight line adds nothing.
                break
            others = [p for p in left if p is not a and p is not b and p is not c]
            if turn > 0.0 and not any(_is_in_triangle(p, a, b, c) for p in others):
                triangles.append(np.array([a, b, c]))
                del left[k]
                break
        else:
            raise SceneError("the outline of the polygon crosses itself")
    filled = sum(_cross(t[1] - t[0], t[2] - t[0]) for t in triangles)
    if abs(filled - abs(area)) > 1e-9 * size * size or not triangles:
        raise SceneError("the outline of the polygon crosses itself or encloses nothing")
    return triangles


def _cross(a: Array, b: Array) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _is_in_triangle(p: Array, a: Array, b: Array, c: Array) -> bool:
    return _cross(b - a, p - a) >= 0.0 and _cross(c - b, p - b) >= 0.0 and _cross(a - c, p - c) >= 0.0


def _corners(kind: int, piece: Array) -> Array:
    """Corners (·, 3) of a prism or a triangle."""
    if kind == TRIANGLE:
        return piece.reshape(3, 3)
    return np.array([[x, y, z] for x, z in piece[:6].reshape(3, 2) for y in (0.0, piece[6])])


def _box(pieces: list[tuple[int, Array]]) -> Array:
    """Middle and half size (6,) of a box around all pieces."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for kind, piece in pieces:
        if kind in (PRISM, TRIANGLE):
            corners = _corners(kind, piece)
            least, most = corners.min(axis=0), corners.max(axis=0)
        else:
            across, along = piece[[0, 2]] if kind == BOX else piece[[0, 0]]
            over = piece[0] if kind == POLE else 0.0
            most = np.array([across, piece[1] + over, along])
            least = np.array([-across, -over, -along])
        low, high = np.minimum(low, least), np.maximum(high, most)
    return np.concatenate([0.5 * (low + high), 0.5 * (high - low)])


def _ball(kind: int, piece: Array) -> Array:
    """x, y, z, radius of a ball around a piece."""
    if kind == BOX:
        return np.array([0.0, 0.5 * piece[1], 0.0, float(np.linalg.norm(piece[:3] * (1.0, 0.5, 1.0)))])
    if kind == CYLINDER:
        return np.array([0.0, 0.5 * piece[1], 0.0, float(np.hypot(piece[0], 0.5 * piece[1]))])
    if kind == POLE:
        return np.array([0.0, 0.5 * piece[1], 0.0, 0.5 * piece[1] + piece[0]])
    points = _corners(kind, piece)
    center = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return np.append(center, np.linalg.norm(points - center, axis=1).max())


def _hull(balls: Array) -> Array:
    """x, y, z, radius of a ball around balls (P, 4)."""
    low, high = (balls[:, :3] - balls[:, 3:]).min(axis=0), (balls[:, :3] + balls[:, 3:]).max(axis=0)
    center = 0.5 * (low + high)
    return np.append(center, (np.linalg.norm(balls[:, :3] - center, axis=1) + balls[:, 3]).max())


def _is_closed(shape: Shape) -> bool:
    """Whether a shape is a mesh with an inside: every edge is shared by two faces that run along it either way."""
    shape = _as_seen(shape)
    if not isinstance(shape, Mesh):
        return False
    _, same = np.unique(shape.vertices, axis=0, return_inverse=True)
    faces = same.reshape(-1)[shape.faces]
    faces = faces[(faces != np.roll(faces, 1, axis=1)).all(axis=1)]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    there, back = ({(int(a), int(b)) for a, b in way} for way in (edges, edges[:, ::-1]))
    return len(there) == len(edges) and there == back
