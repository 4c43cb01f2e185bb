"""The shadows of what stands still, baked on the ground: every camera can look them up."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.render._kernels_light import CONTACT_REACH, bake_contact, bake_shadow, find_sunlight, lay_light
from walkon.render.look import Look
from walkon.render.solids import Solid, sun_plane_of
from walkon.world import HeightField

LEAST_TEXEL = 0.02
"""Least size of a texel [m]."""

MOST_TEXELS = 3_000_000
"""Texels of a map at most: of a large place, each is larger."""


class Lightmap:
    """How much sun and open sky each place on the ground lacks, because of solids.

    sun, contact: (Mz, Mx) 0..1; source: (Mz, Mx) how far towards the sun [m] what takes it away is.
    """

    def __init__(self, solids: Sequence[Solid], ground: HeightField, look: Look) -> None:
        self._look = look
        self._heights = ground.heights
        self._field = (ground.origin_x, ground.origin_z, ground.cell)
        boxes = [_shade_box(solid, look.sun, float(ground.heights.min())) for solid in solids]
        low, high = np.min([box[0] for box in boxes], axis=0), np.max([box[1] for box in boxes], axis=0)
        cell = max(LEAST_TEXEL, math.sqrt(float(np.prod(high - low)) / MOST_TEXELS))
        columns, rows = (np.ceil((high - low) / cell).astype(int) + 2).tolist()
        self._grid = (float(low[0]), float(low[1]), cell)
        self.sun = np.zeros((rows, columns), np.float32)
        self.contact = np.zeros_like(self.sun)
        self.source = np.full(self.sun.shape, -1e9, np.float32)
        for solid, box in zip(solids, boxes, strict=True):
            self._bake(solid, box)

    def _bake(self, solid: Solid, box: tuple[Array, Array]) -> None:
        sun, softness = self._look.sun, self._look.softness / self._look.sun[1]
        ground = self._grid, self._heights, self._field
        source = float(solid.corners.reshape(-1, 3).mean(axis=0) @ sun)
        fallen = float(self._heights.min())
        for piece, hull, outline in zip(solid.pieces, solid.shadow_hulls(sun), solid.outlines(), strict=True):
            if len(hull) < 3:
                continue
            low, high = _shade_box_of(piece, sun, fallen)
            levels = float(piece[:, 1].min()), float(piece[:, 1].max()), source, softness
            texels = self._texels(low, high)
            bake_shadow(self.sun, self.source, *ground, sun_plane_of(sun), hull, outline, levels, texels)
            bake_contact(self.contact, *ground, outline, levels[0], texels)

    def _texels(self, low: Array, high: Array) -> tuple[int, int, int, int]:
        x, z, cell = self._grid
        rows, columns = self.sun.shape
        first = np.floor((low - (x, z)) / cell).astype(int)
        last = np.ceil((high - (x, z)) / cell).astype(int)
        return (
            max(int(first[0]), 0),
            min(int(last[0]), columns - 1),
            max(int(first[1]), 0),
            min(int(last[1]), rows - 1),
        )

    def lay(
        self,
        planes: tuple[NDArray, NDArray],
        depth: NDArray,
        receive: NDArray,
        size: tuple[int, int, int],
        lens: Array,
    ) -> None:
        """Write the shades to sun and contact planes (H * S) wherever the picture shows ground."""
        lay_light(*planes, depth, receive, size, lens, self._grid, self.sun, self.contact)

    def sunlight(self, starts: Array, ends: Array, sunlight: Array) -> None:
        """Fill sunlight (N,) with the share of the sun that reaches each capsule."""
        ground = self._heights, self._field, self._grid
        find_sunlight(sunlight, starts, ends, self._look.sun, *ground, self.sun, self.source)


def _shade_box(solid: Solid, sun: Array, lowest: float) -> tuple[Array, Array]:
    return _shade_box_of(solid.corners.reshape(-1, 3), sun, lowest)


def _shade_box_of(points: Array, sun: Array, lowest: float) -> tuple[Array, Array]:
    """Least and greatest x, z of the ground that points (P, 3) can shade, where none is below `lowest`."""
    fall = np.maximum(points[:, 1:2] - lowest, 0.0) / sun[1]
    reached = np.concatenate([points[:, [0, 2]], points[:, [0, 2]] - fall * sun[[0, 2]]])
    penumbra = 0.1 * float(fall.max())
    margin = CONTACT_REACH + penumbra
    return reached.min(axis=0) - margin, reached.max(axis=0) + margin
