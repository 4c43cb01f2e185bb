"""Softens the creases where round cones run into one another, as the bars across a trunk do.

Round cones are joined by a smooth union: the field f = −k log Σᵢ exp(−dᵢ / k) of their signed distances dᵢ has no
creases where f = 0, and lies about k outside them. Vertices near a crease are lifted towards that surface and take
its normals; those well inside another cone are left there, where nobody sees them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array

SOFTNESS = 0.22
"""k as a share of a round cone's larger radius."""

MAX_LIFT = 1.0
"""How many k a vertex is lifted at most."""

BURIED = 1.5
"""A vertex more than this many k inside another cone is not seen."""


def soften(
    points: Array, normals: Array, centres: Array, radii: Array, mixing: NDArray[np.bool_]
) -> tuple[Array, Array]:
    """Points [m] and normals (C, V, 3) of round cones, softened where they meet.

    centres, radii: (C, 2, 3) and (C, 2) [m] of the cones. mixing: (C, C) which blend with which; each with itself.
    """
    new_points, new_normals = points.copy(), normals.copy()
    for cone in np.flatnonzero(mixing.sum(axis=1) > 1):
        others = np.flatnonzero(mixing[cone])
        distances, outward = signed_distances(points[cone], centres[others], radii[others])
        k = SOFTNESS * radii[cone].max()
        weights = np.exp(-distances / k)
        lift = np.minimum(k * np.log(weights.sum(axis=1)), MAX_LIFT * k)
        direction = np.einsum("vc,vck->vk", weights, outward)
        direction /= np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), np.finfo(float).tiny)
        seen = distances.min(axis=1) > -BURIED * k
        new_points[cone, seen] += lift[seen, None] * direction[seen]
        new_normals[cone, seen] = direction[seen]
    return new_points, new_normals


def signed_distances(points: Array, centres: Array, radii: Array) -> tuple[Array, Array]:
    """Distance (V, C) [m] of points (V, 3) from round cones, negative inside, and the way out of each (V, C, 3).

    A cone's radius at a point is taken where the point falls square on the axis: exact where both radii agree.
    """
    axis = centres[:, 1] - centres[:, 0]
    from_start = points[:, None] - centres[:, 0]
    squares = np.maximum(np.einsum("ck,ck->c", axis, axis), np.finfo(float).tiny)
    share = np.clip(np.einsum("vck,ck->vc", from_start, axis) / squares, 0.0, 1.0)
    away = from_start - share[..., None] * axis
    length = np.linalg.norm(away, axis=-1)
    outward = away / np.maximum(length, np.finfo(float).tiny)[..., None]
    return length - (radii[:, 0] + share * (radii[:, 1] - radii[:, 0])), outward
