"""Windows as points of a space of few dimensions, where being near is almost what the clouds' distance is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices
from walkon.graphs.comparing.clouds import PointClouds

SAMPLE = 300
"""Windows that the space is fitted to."""

TEMPLATE_ROUNDS = 4
"""How often all windows of the sample are turned to their mean, which is then taken anew."""


def embed_windows(clouds: PointClouds, dimensions: int) -> NDArray[np.float32]:
    """Points (N, dimensions) [m], one for every window; infinitely far away where there is none.

    Every window is turned to one template, which almost aligns those that are alike with each other, and seen
    along the directions in which windows differ most. Distances are a little shorter than those of the clouds by
    what the other directions have, and a little longer by what is left of the turns.
    """
    random = np.random.default_rng(0)
    starts = np.flatnonzero(clouds.valid)
    sample = np.sort(random.choice(starts, min(SAMPLE, len(starts)), replace=False))
    template, directions = _fit(clouds, sample, dimensions)
    along, across, upward = _projections(clouds, np.concatenate([template[None], directions]))
    turns = np.arctan2(across[:, :1], along[:, :1])
    places = np.cos(turns) * along[:, 1:] + np.sin(turns) * across[:, 1:] + upward[:, 1:]
    places -= places[sample].mean(axis=0) if len(sample) else 0.0
    places[~clouds.valid] = np.inf
    return places.astype(np.float32)


def _fit(clouds: PointClouds, sample: Indices, dimensions: int) -> tuple[Array, Array]:
    """The template (k, 3, P) and directions (D, k, 3, P), already weighted; D is at most `dimensions`."""
    roots = np.sqrt(clouds.taper[:, None] * clouds.weights)[:, None]
    windows = clouds.points[sample[:, None] + np.arange(clouds.window)]
    windows[:, :, ::2] -= clouds.centers[sample][:, None, :, None]
    windows *= roots
    template = windows[len(windows) // 2]
    for _ in range(TEMPLATE_ROUNDS):
        windows = _turned(windows, template)
        template = windows.mean(axis=0)
    flat = (windows - template).reshape(len(windows), -1)
    # As many directions as windows are enough: the small matrix of products between windows has them all.
    lengths, mixes = np.linalg.eigh(flat @ flat.T)
    largest = np.argsort(lengths)[::-1][:dimensions]
    largest = largest[lengths[largest] > 1e-12 * max(lengths.max(), 1e-12)]
    directions = (mixes[:, largest] / np.sqrt(lengths[largest])).T @ flat
    return template * roots, directions.reshape(len(largest), *template.shape) * roots


def _turned(windows: Array, template: Array) -> Array:
    """Windows (S, k, 3, P) turned about the vertical, each as near to the template (k, 3, P) as it can be."""
    x, y, z = np.moveaxis(windows, 2, 0)
    along = (x * template[:, 0] + z * template[:, 2]).sum(axis=(1, 2))
    across = (x * template[:, 2] - z * template[:, 0]).sum(axis=(1, 2))
    turn = np.arctan2(across, along)[:, None, None]
    sine, cosine = np.sin(turn), np.cos(turn)
    return np.stack([x * cosine - z * sine, y, z * cosine + x * sine], axis=2)


def _projections(clouds: PointClouds, directions: Array) -> tuple[Array, Array, Array]:
    """What of all windows lies along directions (D, k, 3, P): (N, D) each.

    First of x and z as they are, then after a quarter turn, then of y: a window turned by θ has cos θ of the
    first, sin θ of the second, and all of the third.
    """
    rows = len(clouds.valid)
    along, across, upward = (np.zeros((rows, len(directions))) for _ in range(3))
    x, y, z = (clouds.points[:, axis] for axis in range(3))
    for p in range(clouds.window):
        u, v, w = (directions[:, p, axis].T for axis in range(3))
        seen = slice(p, p + rows)
        along += x[seen] @ u + z[seen] @ w
        across += x[seen] @ w - z[seen] @ u
        upward += y[seen] @ v
    # Windows are seen from their own middles.
    u, w = (directions[:, :, axis].sum(axis=(1, 2)) for axis in (0, 2))
    centers = clouds.centers
    along -= centers[:, :1] * u + centers[:, 1:] * w
    across -= centers[:, :1] * w - centers[:, 1:] * u
    return along, across, upward
