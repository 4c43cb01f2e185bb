"""The ground of a scene: heights from an image or an array, and hills and ridges on top of it."""

from __future__ import annotations

import io
import math
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.world.attachments import parse_numbers, read_attachment
from walkon.world.document import TerrainTable
from walkon.world.scene import HeightField, flat_terrain

Bounds = tuple[float, float, float, float]

MOST_CELLS = 4_200_000
"""Vertices of a terrain, or pixels of an image: 2049 x 2049."""

MOST_FORMULA_CELLS = 1_000_000
FORMULA_CELL = 0.25
"""[m] Spacing of hills, unless that makes too many vertices."""

MOST_FILE_BYTES = 128_000_000
HIGHEST = 10_000.0
HEIGHT_SUFFIXES = (".npy", ".csv")


def make_terrain(table: TerrainTable | None, bounds: Bounds, folder: Path) -> HeightField:
    """The ground as the file says; level at height 0 if it says nothing."""
    if table is None:
        return flat_terrain(bounds)
    surface = _given_heights(table, bounds, folder)
    if not table.hills and not table.ridges:
        return surface or flat_terrain(bounds)
    x, z, cell = _grid(table, bounds, surface)
    heights = np.zeros((len(z), len(x))) if surface is None else surface.at(x[None, :], z[:, None])
    for hill in table.hills:
        window, bump = _bump(x, z, (hill.at, hill.at), hill.radius)
        heights[window] += hill.height * bump
    for ridge in table.ridges:
        _add_ridge(heights, x, z, ridge.along, ridge.height, ridge.radius)
    return HeightField(float(x[0]), float(z[0]), cell, heights)


def read_heights(folder: Path, name: str) -> Array:
    """Values (Nz, Nx) of an image (brightness, 0 to 1) or of a .npy or .csv file (as they are)."""
    return _read_array(folder, name) if Path(name).suffix.lower() in HEIGHT_SUFFIXES else _read_image(folder, name)


def _given_heights(table: TerrainTable, bounds: Bounds, folder: Path) -> HeightField | None:
    if table.image is not None:
        share = _read_image(folder, table.image)
        return _spread(table.low + (table.height - table.low) * share, table, bounds)
    if table.array is not None:
        return _spread(table.scale * _read_array(folder, table.array), table, bounds)
    return None


def _read_image(folder: Path, name: str) -> Array:
    """Brightness (Nz, Nx) of an image, 0 to 1; 16 bits count where there are 16."""
    from PIL import Image

    data = read_attachment(folder, name, MOST_FILE_BYTES)
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data)) as picture:
            warnings.simplefilter("error")  # Pillow's warning of huge images; ours is stricter
            if picture.width * picture.height > MOST_CELLS:
                raise SceneError(f"{name!r} is {picture.width} x {picture.height}: more than {MOST_CELLS} pixels")
            deep = picture.mode.startswith("I")
            values = np.asarray(picture if deep else picture.convert("L"), dtype=np.float64)
    except SceneError:
        raise
    except Exception as error:  # Pillow's decoders raise whatever they like on broken files
        raise SceneError(f"{name!r} is no readable image: {error}") from None
    return _checked(values / (65535.0 if deep else 255.0), name)


def _read_array(folder: Path, name: str) -> Array:
    """Heights (Nz, Nx) from .npy, never unpickled, or .csv."""
    suffix = Path(name).suffix.lower()
    if suffix not in HEIGHT_SUFFIXES:
        raise SceneError(f"{name!r}: heights come from a .npy or a .csv file")
    data = read_attachment(folder, name, MOST_FILE_BYTES)
    if suffix == ".csv":
        return _checked(parse_numbers(data, name, most_rows=MOST_CELLS, most_values=MOST_CELLS)[1], name)
    return _checked(_parse_npy(data, name), name)


def _parse_npy(data: bytes, name: str) -> NDArray:
    """The array in a .npy file; its header is believed only as far as there are bytes."""
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, columns_first, dtype = read(stream)
    except Exception as error:  # numpy's header parser raises many kinds
        raise SceneError(f"{name!r} is no .npy array: {error}") from None
    count = math.prod(shape)
    if dtype.kind not in "fiu" or dtype.itemsize > 8 or count * dtype.itemsize > len(data) - stream.tell():
        raise SceneError(f"{name!r} does not hold the array of plain numbers that it announces")
    values = np.frombuffer(data, dtype, count, stream.tell())
    return values.reshape(shape, order="F" if columns_first else "C")


def _checked(values: NDArray, name: str) -> Array:
    if values.ndim != 2 or min(values.shape) < 2 or values.size > MOST_CELLS:
        raise SceneError(f"{name!r}: needs 2 x 2 to {MOST_CELLS} values in rows, not an array {values.shape}")
    values = values.astype(np.float64)
    if not (np.abs(values) <= HIGHEST).all():  # NaN is not either
        raise SceneError(f"{name!r}: heights must be finite, at most {HIGHEST:g} m")
    return values


def _spread(heights: Array, table: TerrainTable, bounds: Bounds) -> HeightField:
    """Heights laid over the area, outermost values on its edge; resampled where the cells would not be square."""
    left, near, right, far = table.area or bounds
    across, along = (right - left) / (heights.shape[1] - 1), (far - near) / (heights.shape[0] - 1)
    cell = table.cell or min(across, along)
    if math.isclose(across, along, rel_tol=1e-6) and math.isclose(cell, across, rel_tol=1e-6):
        return HeightField(left, near, table.cell or across, heights)
    columns, rows = math.ceil((right - left) / cell - 1e-6) + 1, math.ceil((far - near) / cell - 1e-6) + 1
    _limit(rows, columns, cell)
    # In units of pixels the given heights are a field of their own, and that can be asked anywhere.
    pixels = HeightField(0.0, 0.0, 1.0, heights)
    u, v = np.arange(columns) * (cell / across), np.arange(rows) * (cell / along)
    return HeightField(left, near, cell, pixels.at(u[None, :], v[:, None]))


def _grid(table: TerrainTable, bounds: Bounds, surface: HeightField | None) -> tuple[Array, Array, float]:
    """x (Nx,), z (Nz,) and spacing of the vertices of a field with hills."""
    left, near, right, far = bounds
    finest = math.sqrt((right - left) * (far - near) / MOST_FORMULA_CELLS)
    cell = table.cell or max(FORMULA_CELL if surface is None else min(FORMULA_CELL, surface.cell), finest)
    columns, rows = max(2, math.ceil((right - left) / cell) + 1), max(2, math.ceil((far - near) / cell) + 1)
    _limit(rows, columns, cell)
    x, z = left + cell * np.arange(columns), near + cell * np.arange(rows)
    return x.astype(np.float64), z.astype(np.float64), cell


def _limit(rows: int, columns: int, cell: float) -> None:
    if rows * columns > MOST_CELLS:
        raise SceneError(f"cells of {cell:g} m make {rows} x {columns} heights: more than {MOST_CELLS}")


def _add_ridge(heights: Array, x: Array, z: Array, along: tuple, height: float, radius: float) -> None:
    """The highest of the bumps along the pieces of the line: at a bend they meet instead of adding up."""
    ridge = np.zeros_like(heights)
    for ends in pairwise(along):
        window, bump = _bump(x, z, ends, radius)
        ridge[window] = np.maximum(ridge[window], bump)
    heights += height * ridge


def _bump(x: Array, z: Array, ends: tuple, radius: float) -> tuple[tuple[slice, slice], Array]:
    """(1 - d²)³ around a segment, d the distance in radii: smooth to the second derivative, 0 beyond.

    Also the window of rows and columns that it covers.
    """
    (ax, az), (bx, bz) = ends
    first, last = np.searchsorted(x, [min(ax, bx) - radius, max(ax, bx) + radius])
    near, far = np.searchsorted(z, [min(az, bz) - radius, max(az, bz) + radius])
    px, pz = x[first:last][None, :] - ax, z[near:far][:, None] - az
    square = (bx - ax) ** 2 + (bz - az) ** 2
    share = np.clip((px * (bx - ax) + pz * (bz - az)) / square, 0.0, 1.0) if square > 0.0 else 0.0
    distance = (px - share * (bx - ax)) ** 2 + (pz - share * (bz - az)) ** 2
    return (slice(near, far), slice(first, last)), np.clip(1.0 - distance / radius**2, 0.0, None) ** 3
