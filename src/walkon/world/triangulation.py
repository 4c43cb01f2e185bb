"""Polygons on the ground: cut into triangles, and wrapped in their hull."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array


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
