"""Where a tree may grow: cells of the ground as the root sees it, standing at (0, 0) and looking along +z."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.errors import PlanError

MOST_REGION_CELLS = 16_000_000
"""Cells of a region at most; a larger region needs larger cells. Every tree that grows counts visits in each."""


@dataclass(frozen=True, eq=False)
class Region:
    """Cells of the ground in a tree's frame.

    origin_x, origin_z [m]: corner of the first cell. cell [m]: side of a cell. mask (Nz, Nx): which cells belong
    to it. Paths of a tree stay inside; how often they visit each cell is what builders even out.
    """

    origin_x: float
    origin_z: float
    cell: float
    mask: NDArray[np.bool_]

    def __post_init__(self) -> None:
        mask = np.array(self.mask, dtype=np.bool_)
        if mask.ndim != 2 or not mask.any() or not self.cell > 0.0:
            raise PlanError(f"a region needs cells: a mask (Nz, Nx) with some set, not {mask.shape}")
        mask.flags.writeable = False
        object.__setattr__(self, "mask", mask)

    @property
    def area(self) -> float:
        """[m²]"""
        return float(self.mask.sum()) * self.cell**2

    def contains(self, x: ArrayLike, z: ArrayLike) -> NDArray[np.bool_]:
        """Whether points lie in cells of the region."""
        columns = np.floor((np.asarray(x, dtype=np.float64) - self.origin_x) / self.cell)
        rows = np.floor((np.asarray(z, dtype=np.float64) - self.origin_z) / self.cell)
        height, width = self.mask.shape
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        row, column = np.where(inside, rows, 0).astype(np.int64), np.where(inside, columns, 0).astype(np.int64)
        return inside & self.mask[row, column]


def disc(radius: float, *, ahead: float = 0.0, cell: float = 0.25) -> Region:
    """All within `radius` [m] of a point `ahead` [m] of the root."""
    if not radius > abs(ahead):
        raise PlanError(f"the root must lie inside the region: radius {radius}, {ahead} ahead")
    return _drawn(
        (-radius, ahead - radius, radius, ahead + radius), cell, lambda x, z: np.hypot(x, z - ahead) <= radius
    )


def half_disc(radius: float, *, behind: float = 1.0, cell: float = 0.25) -> Region:
    """All within `radius` [m] of the root, and no further than `behind` [m] back."""
    return _drawn(
        (-radius, -behind, radius, radius), cell, lambda x, z: (np.hypot(x, z) <= radius) & (z >= -behind)
    )


def polygon(corners: ArrayLike, *, cell: float = 0.25) -> Region:
    """All inside the corners (K, 2) x, z [m] of a polygon, by the even-odd rule."""
    points = np.asarray(corners, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3 or not np.isfinite(points).all():
        raise PlanError(f"a polygon needs three or more finite corners (K, 2), not an array {points.shape}")

    def inside(x: NDArray, z: NDArray) -> NDArray[np.bool_]:
        odd = np.zeros(x.shape, dtype=np.bool_)
        for (ax, az), (bx, bz) in zip(points, np.roll(points, -1, axis=0), strict=True):
            crosses = (az > z) != (bz > z)
            with np.errstate(divide="ignore", invalid="ignore"):
                odd ^= crosses & (x < ax + (z - az) / (bz - az) * (bx - ax))
        return odd

    (left, near), (right, far) = points.min(axis=0), points.max(axis=0)
    return _drawn((left, near, right, far), cell, inside)


def covered_by(points: ArrayLike, *, cell: float = 0.25, margin: float = 0.0) -> Region:
    """The cells that points (N, 2) x, z [m] fall into, and those within `margin` [m] of these."""
    where = np.asarray(points, dtype=np.float64)
    if where.ndim != 2 or where.shape[1] != 2 or not len(where) or not np.isfinite(where).all():
        raise PlanError(f"a region needs one or more finite points (N, 2), not an array {where.shape}")
    ring = math.ceil(margin / cell)
    low = np.floor(where.min(axis=0) / cell) - ring
    shape = (np.floor(where.max(axis=0) / cell) - low + 1 + ring).astype(np.int64)
    _check_size(shape[0] * shape[1], cell)
    mask = np.zeros((shape[1], shape[0]), dtype=np.bool_)
    columns, rows = (np.floor(where / cell) - low).astype(np.int64).T
    mask[rows, columns] = True
    grown = mask.copy()
    for down in range(-ring, ring + 1):
        for right in range(-ring, ring + 1):
            grown |= np.roll(mask, (down, right), axis=(0, 1))
    return Region(float(low[0] * cell), float(low[1] * cell), cell, grown)


def _drawn(box: tuple[float, float, float, float], cell: float, inside) -> Region:
    """The cells of a box x, z, x, z [m] whose middles are inside; corners of cells lie at multiples of `cell`."""
    if not (cell > 0.0 and all(map(math.isfinite, box))):
        raise PlanError(f"a region needs a size and cells: {box}, cell {cell}")
    left, near = math.floor(box[0] / cell), math.floor(box[1] / cell)
    columns, rows = math.ceil(box[2] / cell) - left, math.ceil(box[3] / cell) - near
    _check_size(columns * rows, cell)
    x = (left + np.arange(columns) + 0.5) * cell
    z = (near + np.arange(rows) + 0.5) * cell
    return Region(
        left * cell, near * cell, cell, inside(x[None, :] + 0.0 * z[:, None], z[:, None] + 0.0 * x[None, :])
    )


def _check_size(cells: float, cell: float) -> None:
    if not 0 < cells <= MOST_REGION_CELLS:
        raise PlanError(f"a region of {cells:.0f} cells of {cell} m is too large; at most {MOST_REGION_CELLS}")
