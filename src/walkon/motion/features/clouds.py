"""Bodies as clouds of points: which joints count when poses are compared, how clouds meet, and how far apart they
are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.rotations import Placement
from walkon.skeleton import Skeleton, find_roles

LIGHT = 0.4
"""Weight of arm joints beside those of trunk and legs: arms may do as they like, feet may not."""


def watched_joints(skeleton: Skeleton) -> tuple[NDArray[np.int64], Array]:
    """Joints (J,) that poses are compared by, and their weights (J,), which add up to 1.

    Only joints that play a part of the body count: a hand with all its fingers must not outweigh a leg.
    """
    roles = find_roles(skeleton).joints
    if not roles:
        return np.arange(len(skeleton)), np.full(len(skeleton), 1.0 / len(skeleton))
    arms = ("elbow", "wrist", "hand_tip", "shoulder", "clavicle")
    weight = {joint: LIGHT if role.endswith(arms) else 1.0 for role, joint in roles.items()}
    weights = np.array(list(weight.values()))
    return np.array(list(weight), dtype=np.int64), weights / weights.sum()


def align(fixed: Array, moving: Array, weights: Array) -> Placement:
    """The placement that carries points `moving` (K, J, 3) on the ground as near as can be to `fixed`.

    weights: (K, J). Turning by θ takes x to x cos θ + z sin θ and z to z cos θ − x sin θ, as `Placement` does.
    """
    w = weights / weights.sum()
    centers = [np.einsum("kj,kjc->c", w, points[..., [0, 2]]) for points in (fixed, moving)]
    a, b = fixed[..., [0, 2]] - centers[0], moving[..., [0, 2]] - centers[1]
    sine = np.sum(w * (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]))
    turn = Placement(0.0, 0.0, float(np.arctan2(sine, np.sum(w * (a * b).sum(axis=2)))))
    x, z = turn.point(*centers[1])
    return Placement(float(centers[0][0] - x), float(centers[0][1] - z), turn.heading)


def cloud_distances(cloud: Array, known: Array, others: Array, others_known: Array, weights: Array) -> Array:
    """Root mean square distance (N,) [m] of one cloud (K, J, 3) from others (N, K, J, 3), best aligned.

    known (K,), others_known (N, K): 1 where a time was recorded; only times that both know are compared. weights
    (J,) add up to 1. With both clouds centred, the best turn about the vertical has a closed form, and so has the
    distance that remains.
    """
    times = known * others_known
    times = times / np.maximum(times.sum(axis=1, keepdims=True), 1.0)
    w = times[:, :, None] * weights
    ours, theirs = _centred(np.broadcast_to(cloud, others.shape), w), _centred(others, w)
    squares = np.einsum("nkj,nkjc->n", w, ours**2 + theirs**2)
    along = np.einsum("nkj,nkjc->n", w, ours * theirs)
    across = np.einsum("nkj,nkj->n", w, ours[..., 0] * theirs[..., 1] - ours[..., 1] * theirs[..., 0])
    rise = np.einsum("nkj,nkj->n", w, (cloud[..., 1] - others[..., 1]) ** 2)
    return np.sqrt(np.maximum(squares - 2.0 * np.hypot(along, across) + rise, 0.0))


def pair_distances(clouds: Array, known: Array, weights: Array) -> Array:
    """Distances (N, N) [m] between all clouds."""
    return np.stack([cloud_distances(clouds[i], known[i], clouds, known, weights) for i in range(len(clouds))])


def _centred(points: Array, weights: Array) -> Array:
    """Ground coordinates (N, K, J, 2) about their weighted centre."""
    ground = points[..., [0, 2]]
    return ground - np.einsum("nkj,nkjc->nc", weights, ground)[:, None, None]
