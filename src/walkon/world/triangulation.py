"""Polygons on the ground: checked, cut into triangles or convex pieces, and wrapped in their hull."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import SceneError

MOST_CUT_CORNERS = 200
"""Of a polygon that is cut into convex pieces, which takes time that grows with the cube of this; one with more is
taken as its hull."""


def triangulate(outline: Array) -> NDArray[np.int64]:
    """Corner indices (K - 2, 3) of triangles that fill a simple polygon (K, 2) of positive area: ear clipping."""
    left = list(range(len(outline)))
    triangles: list[tuple[int, int, int]] = []
    while len(left) > 3:
        position = next((k for k in range(len(left)) if _is_ear(outline, left, k)), None)
        if position is None:  # collinear or touching corners: any cut will do
            position = 0
        triangles.append(_around(left, position))
        del left[position]
    triangles.append((left[0], left[1], left[2]))
    return np.array(triangles, dtype=np.int64)


def convex_hull(points: Array) -> Array:
    """Corners (K, 2) of the hull of points (P, 2), with positive area."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered)
    return np.array(_half_hull(ordered)[:-1] + _half_hull(ordered[::-1])[:-1])


def signed_area(corners: Array) -> float:
    """Area [m²] of a polygon (K, 2), positive when it turns from the x axis towards the z axis."""
    following = np.roll(corners, -1, axis=0)
    return 0.5 * float(np.sum(corners[:, 0] * following[:, 1] - following[:, 0] * corners[:, 1]))


def is_convex(outline: Array) -> bool:
    """Whether a polygon (K, 2) of positive area has no corner that turns inwards."""
    edges = np.roll(outline, -1, axis=0) - outline
    after = np.roll(edges, -1, axis=0)
    return bool(np.all(edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0] >= -1e-12))


def convex_pieces(corners: Array) -> list[Array]:
    """A simple polygon (K, 2) cut into convex ones: triangles, joined again across diagonals where that is convex.

    Beyond MOST_CUT_CORNERS it is the convex hull instead.
    """
    if signed_area(corners) < 0.0:
        corners = corners[::-1]
    if is_convex(corners):
        return [corners]
    if len(corners) > MOST_CUT_CORNERS:
        return [convex_hull(corners)]
    pieces = [list(map(int, triangle)) for triangle in triangulate(corners)]
    joined = True
    while joined:
        joined = False
        for a in range(len(pieces)):
            for b in range(a + 1, len(pieces)):
                union = _joined(pieces[a], pieces[b])
                if union is not None and is_convex(corners[union]):
                    pieces[a] = union
                    del pieces[b]
                    joined = True
                    break
    return [corners[piece] for piece in pieces]


def hull_or_segment(points: Array) -> Array:
    """Corners (K, 2) of the convex hull; a segment where the points are in line."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return points[ConvexHull(points).vertices]
    except QhullError:
        spread = points - points.mean(axis=0)
        axis = np.linalg.svd(spread)[2][0]
        return points[[int(np.argmin(spread @ axis)), int(np.argmax(spread @ axis))]]


def check_simple(corners: Array) -> None:
    """Raise unless the polygon (K, 2) has area and no two of its edges touch, but neighbours at their corner."""
    following = np.roll(corners, -1, axis=0)
    count = len(corners)
    lengths = np.hypot(*(following - corners).T)
    if (lengths < 1e-6).any():
        where = corners[int(np.argmin(lengths))]
        raise SceneError(f"corners: two in a row at ({where[0]:g}, {where[1]:g})")
    for i in range(count):
        others = np.arange(i + 2, count if i else count - 1)
        hit = _edges_meet(corners[i], following[i], corners[others], following[others])
        if hit.any():
            j = int(others[np.argmax(hit)])
            raise SceneError(f"corners: the polygon crosses itself: edges {i} and {j} meet, counted from 0")
    area = 0.5 * abs(np.sum(corners[:, 0] * following[:, 1] - following[:, 0] * corners[:, 1]))
    turns = following - corners
    back = _cross(turns, np.roll(turns, -1, axis=0))
    folded = (np.abs(back) < 1e-12) & (np.sum(turns * np.roll(turns, -1, axis=0), axis=1) < 0.0)
    if area < 1e-6 or folded.any():
        raise SceneError("corners: the polygon has no area, or folds back on itself")


def _edges_meet(a: Array, b: Array, c: Array, d: Array) -> NDArray[np.bool_]:
    """Whether the segment a-b touches the segments c-d (N, 2)."""
    ab, cd = b - a, d - c
    first, second = _cross(ab, c - a), _cross(ab, d - a)
    third, fourth = _cross(cd, a - c), _cross(cd, b - c)
    overlap = np.all((np.minimum(c, d) <= np.maximum(a, b)) & (np.maximum(c, d) >= np.minimum(a, b)), axis=1)
    return (first * second <= 0.0) & (third * fourth <= 0.0) & overlap


def _cross(a: Array, b: Array) -> Array:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _joined(a: list[int], b: list[int]) -> list[int] | None:
    """Two polygons as one across the edge they share, or None when they share none."""
    for i in range(len(a)):
        start, stop = a[i], a[(i + 1) % len(a)]
        if stop in b and b[(b.index(stop) + 1) % len(b)] == start:
            j = b.index(stop)
            around = [b[(j + k) % len(b)] for k in range(2, len(b))]
            return a[: i + 1] + around + a[i + 1 :]
    return None


def _half_hull(ordered: list[tuple[float, float]]) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for point in ordered:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
            chain.pop()
        chain.append(point)
    return chain


def _around(left: list[int], position: int) -> tuple[int, int, int]:
    return left[position - 1], left[position], left[(position + 1) % len(left)]


def _is_ear(outline: Array, left: list[int], position: int) -> bool:
    """Whether the corner can be cut off: it turns outwards, and no other corner lies in its triangle."""
    before, corner, after = _around(left, position)
    a, b, c = outline[before], outline[corner], outline[after]
    if _turn(a, b, c) <= 1e-15:
        return False
    others = (outline[k] for k in left if k not in (before, corner, after))
    return not any(_turn(a, b, p) >= 0 and _turn(b, c, p) >= 0 and _turn(c, a, p) >= 0 for p in others)


def _turn(a, b, c) -> float:
    """Twice the area of the triangle a, b, c; positive when it turns from x towards y."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
