"""Kernels of the bare ground: where it is in the picture, its grid, and the sky above.

The camera never rolls, so every image row that sees the ground sees it at one depth, and ground points along that
row are a linear function of the column. Picture planes are flat (H * S), `size` is (width, height H, stride S);
see `_kernels_bodies` for `lens` and for what keeps the loops vectorised.
"""

from __future__ import annotations

import math

from numba import float32, int32, uint32, uint64

from walkon.render._jit import BYTE, NO_SURFACE, pixel_inlined, pixel_kernel


@pixel_kernel
def survey_ground(lens, rows):
    """Fill rows (H, 5) with the ground along every image row.

    0 depth [m], 0 where the row sees no ground; 1, 2 x and z [m] at the centre of column 0; 3 metres a column,
    which run along the camera's right; 4 columns a metre.
    """
    for y in range(rows.shape[0]):
        rows[y, 0], rows[y, 1], rows[y, 2], rows[y, 3] = _ground_row(lens, y + 0.5)
        rows[y, 4] = 1.0 / max(rows[y, 3], 1e-12)


@pixel_kernel
def _ground_row(lens, y):
    """Ground along the image row at height y [px]: depth [m] or 0, x and z of column centre 0, metres a column."""
    step = 1.0 / lens[12]
    x, y = (0.5 - lens[13]) * step, (y - lens[14]) * step
    if lens[15] > 0:
        slope = lens[10] + y * lens[7]
        depth = -lens[1] / slope if lens[1] > 0.0 and slope < -1e-6 else 0.0
        stretch = depth
    else:
        depth = -(lens[1] + y * lens[7]) / lens[10] if lens[10] < -1e-6 else 0.0
        stretch = 1.0
    ground_x = lens[0] + stretch * (x * lens[3] + y * lens[6]) + depth * lens[9]
    ground_z = lens[2] + stretch * (x * lens[5] + y * lens[8]) + depth * lens[11]
    return max(depth, 0.0), ground_x, ground_z, stretch * step


@pixel_kernel
def paint_ground(lit, depth, receive, size, lens, rows, look):
    """Paint ground, grid and sky without any shadow; `receive` (H * S) says how strongly a shadow shows, 0..1.

    look: (16,) ground colour (3), grid colour (3), horizon colour (3), zenith colour (3), cell [m], line width
    [m], fog reach [m], fog start [m].
    """
    width, height, stride = size
    for y in range(height):
        first = y * stride
        if rows[y, 0] <= 0.0:
            rise = min(1.0, (_horizon(lens) - y) / (0.9 * height))
            _fill_sky(lit, depth, receive, first, width, look, max(0.0, rise))
            continue
        beyond = max(0.0, rows[y, 0] - look[15]) / look[14]
        clear = math.exp(-beyond * beyond)
        above, x_above, z_above, metres = _ground_row(lens, y - 0.5)
        x, z, dx, dz = rows[y, 1], rows[y, 2], rows[y, 3] * lens[3], rows[y, 3] * lens[5]
        if above > 0.0:
            rise_x, rise_z = (x_above - x, metres * lens[3] - dx), (z_above - z, metres * lens[5] - dz)
        else:
            rise_x, rise_z = (NO_SURFACE, 0.0), (NO_SURFACE, 0.0)
        row = (x, dx, rise_x[0], rise_x[1]), (z, dz, rise_z[0], rise_z[1])
        _fill_ground(lit, depth, receive, first, width, look, rows[y, 0], clear, row)


@pixel_kernel
def _horizon(lens):
    """Row [px] of the horizon; for an orthographic or level-less camera something above the picture."""
    if lens[15] == 0 or lens[7] > -1e-6:
        return -1e3
    return lens[14] - lens[12] * lens[10] / lens[7]


@pixel_kernel
def _fill_sky(lit, depth, receive, first, width, look, rise):
    colour = uint32(0)
    for c in range(3):
        value = look[6 + c] + rise * (look[9 + c] - look[6 + c])
        colour |= uint32(int32(value + 0.5)) << uint32(8 * c)
    for j in range(width):
        lit[first + j] = colour
        depth[first + j] = NO_SURFACE
        receive[first + j] = 0.0


@pixel_kernel
def _fill_ground(lit, depth, receive, first, width, look, z, clear, row):
    """One row of ground: a box-filtered grid of lines every cell, and stronger ones every five cells."""
    cell, line = look[12], look[13]
    fine_x, fine_z = _grid_terms(row[0], 1.0 / cell), _grid_terms(row[1], 1.0 / cell)
    bold_x, bold_z = _grid_terms(row[0], 0.2 / cell), _grid_terms(row[1], 0.2 / cell)
    thin, thick = float32(line / cell), float32(0.36 * line / cell)
    clarity = float32(clear)
    ground_r, ground_g, ground_b = float32(look[0]), float32(look[1]), float32(look[2])
    grid_r, grid_g, grid_b = float32(look[3]), float32(look[4]), float32(look[5])
    fog_r, fog_g, fog_b = float32(look[6]), float32(look[7]), float32(look[8])
    half, one, z32 = float32(0.5), float32(1), float32(z)
    for j in range(width):
        i = uint64(first + j)
        x = float32(int32(j))
        fine = one - (one - _lines(fine_x, x, thin)) * (one - _lines(fine_z, x, thin))
        bold = one - (one - _lines(bold_x, x, thick)) * (one - _lines(bold_z, x, thick))
        ink = min(half * fine + bold, one)
        r = fog_r + clarity * (ground_r + ink * (grid_r - ground_r) - fog_r) + half
        g = fog_g + clarity * (ground_g + ink * (grid_g - ground_g) - fog_g) + half
        b = fog_b + clarity * (ground_b + ink * (grid_b - ground_b) - fog_b) + half
        lit[i] = uint32(int32(r)) | (uint32(int32(g)) << uint32(8)) | (uint32(int32(b)) << uint32(16))
        depth[i] = z32
        receive[i] = clarity


@pixel_inlined
def _grid_terms(line, scale):
    """Position of the row's start in cells, made positive, its step a column, and how both differ one row up."""
    at, step, up, up_step = line
    # Whole cells do not matter to the pattern; dropping them keeps float32 exact, and 512 keeps it positive.
    at = at * scale - math.floor(at * scale) + 512.0
    return float32(at), float32(step * scale), float32(up * scale), float32(up_step * scale)


@pixel_inlined
def _lines(terms, x, line):
    """Share 0..1 of a pixel's footprint covered by lines of width `line` around every whole number."""
    at, step, up, up_step = terms
    wide = min(abs(step) + abs(up + x * up_step) + float32(1e-6), float32(256))
    low = max(at + x * step + float32(0.5) * (line - wide), float32(0))
    high = low + wide
    cells_low, cells_high = _whole(low), _whole(high)
    inked = (cells_high - cells_low) * line + min(high - cells_high, line) - min(low - cells_low, line)
    return min(inked / wide, float32(1))


@pixel_inlined
def _whole(value):
    """The whole part of a positive number."""
    return float32(int32(value))


@pixel_kernel
def tint_ground(lit, ink, colour, spans, size):
    """Blend one colour (3,) into the lit ground by the ink plane, within `spans`, and clear the ink."""
    _, height, stride = size
    for y in range(height):
        for x in range(spans[y, 0], spans[y, 1] + 1):
            i = y * stride + x
            blended = uint32(0)
            for c in range(3):
                old = float((lit[i] >> uint32(8 * c)) & BYTE)
                blended |= uint32(int(old + ink[i] * (colour[c] - old) + 0.5)) << uint32(8 * c)
            lit[i] = blended
            ink[i] = 0.0
