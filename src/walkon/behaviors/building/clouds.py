"""How alike two moments are: joints over a short while, wherever on the ground it happened."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array
from walkon.behaviors.building.cuts import Cut
from walkon.behaviors.building.sources import Source
from walkon.motion.features.clouds import watched_joints

OFFSETS = (-0.12, -0.06, 0.0, 0.06, 0.12)
"""Times [s] around a moment at which joints are compared: positions alone do not tell how a body moves on."""


def gather_clouds(sources: Sequence[Source], cuts: Sequence[Cut]) -> tuple[Array, Array]:
    """Watched joints (N, K, J, 3) [m] around every cut, and which of the K times were recorded (N, K)."""
    joints, _ = watched_joints(sources[0].clip.skeleton)
    clouds, known = [], []
    for cut in cuts:
        clip = sources[cut.source].clip
        frames = cut.frame + np.round(np.array(OFFSETS) * clip.fps).astype(np.int64)
        known.append((frames >= 0) & (frames < len(clip)))
        clouds.append(clip.positions[np.clip(frames, 0, len(clip) - 1)][:, joints])
    return np.array(clouds), np.array(known, dtype=np.float64)


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
