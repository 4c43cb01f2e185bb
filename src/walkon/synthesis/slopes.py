"""The ground as feet and bodies feel it: heights, and slopes over the size of what stands there."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.world import HeightField


def footing(
    terrain: HeightField, points: Array, ahead: Array, length: float | Array, width: float
) -> tuple[Array, Array]:
    """Height (N,) [m] and slope (N, 2) of a flat thing that lies on the ground around `points` (N, 2) [m].

    ahead: (N, 2) unit directions of its length, one or (N,) [m]. In a hollow it rests on its ends, on a ridge on
    its middle. The slope is the rise per metre along x and along z.
    """
    aside = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
    height = terrain.at(*points.T)
    slope = np.zeros_like(points)
    for direction, extent in ((ahead, length), (aside, width)):
        size = np.broadcast_to(extent, len(points))[:, None]
        far = terrain.at(*(points + 0.5 * size * direction).T)
        near = terrain.at(*(points - 0.5 * size * direction).T)
        slope += (far - near)[:, None] / size * direction
        height = np.maximum(height, 0.5 * (far + near))
    return height, slope


def tilt(slopes: Array) -> Array:
    """The shortest turns (N, 4) that lay level things on slopes (N, 2)."""
    # Up (0, 1, 0) goes to the normal n; the quaternion is (1 + n·up, up × n), made unit.
    size = np.sqrt(1.0 + np.einsum("nk,nk->n", slopes, slopes))
    turns = np.stack([size + 1.0, -slopes[:, 1], np.zeros_like(size), slopes[:, 0]], axis=1)
    return turns / np.linalg.norm(turns, axis=1, keepdims=True)


def smoothed(values: Array, frames: int) -> Array:
    """Values (F, ...) averaged twice over `frames` frames to either side. Beyond the ends they are taken to go on
    as they came, so that what moves steadily is not held back there."""
    from scipy.ndimage import uniform_filter1d

    window, around = 2 * frames + 1, [(2 * frames, 2 * frames)] + [(0, 0)] * (values.ndim - 1)
    padded = np.pad(values, around, mode="reflect", reflect_type="odd")
    for _ in range(2):
        padded = uniform_filter1d(padded, window, axis=0, mode="nearest")
    return padded[2 * frames : 2 * frames + len(values)]
