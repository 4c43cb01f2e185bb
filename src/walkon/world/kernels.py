"""Sampling grids and measuring distances on the ground: the kernels that planners share with the world."""

from __future__ import annotations

import math

from walkon.kernels import kernel


@kernel
def bilinear(origin_x, origin_z, cell, values, x, z):
    """A grid (Nz, Nx) at (x, z); beyond its edge the value there less the distance to it, so distances stay
    such."""
    rows, columns = values.shape
    u = (x - origin_x) / cell
    v = (z - origin_z) / cell
    inside_u = min(max(u, 0.0), columns - 1.0)
    inside_v = min(max(v, 0.0), rows - 1.0)
    i = min(int(inside_u), columns - 2)
    j = min(int(inside_v), rows - 2)
    a = inside_u - i
    b = inside_v - j
    near = values[j, i] * (1.0 - a) + values[j, i + 1] * a
    far = values[j + 1, i] * (1.0 - a) + values[j + 1, i + 1] * a
    value = near * (1.0 - b) + far * b
    if inside_u != u or inside_v != v:
        value -= cell * math.hypot(u - inside_u, v - inside_v)
    return value


@kernel
def bilinear_level(origin_x, origin_z, cell, values, x, z):
    """A grid (Nz, Nx) at (x, z); beyond its edge the value there. For heights of the ground."""
    rows, columns = values.shape
    u = min(max((x - origin_x) / cell, 0.0), columns - 1.0)
    v = min(max((z - origin_z) / cell, 0.0), rows - 1.0)
    i = min(int(u), columns - 2)
    j = min(int(v), rows - 2)
    u -= i
    v -= j
    near = values[j, i] * (1.0 - u) + values[j, i + 1] * u
    far = values[j + 1, i] * (1.0 - u) + values[j + 1, i + 1] * u
    return near * (1.0 - v) + far * v


@kernel
def fade_out(values, fall):
    """Raise values (Nz, Nx) in place until none is more than `fall` a cell, along the grid or √2 times that
    across, below its neighbors."""
    rows, columns = values.shape
    across = math.sqrt(2.0) * fall
    for turn in range(2):
        step = 1 - 2 * turn
        for k in range(rows):
            j = k if turn == 0 else rows - 1 - k
            before = j - step
            for m in range(columns):
                i = m if turn == 0 else columns - 1 - m
                most = values[j, i]
                if 0 <= i - step < columns:
                    most = max(most, values[j, i - step] - fall)
                if 0 <= before < rows:
                    most = max(most, values[before, i] - fall)
                    if i > 0:
                        most = max(most, values[before, i - 1] - across)
                    if i < columns - 1:
                        most = max(most, values[before, i + 1] - across)
                values[j, i] = most


@kernel
def segment_distance_squared(ax, az, bx, bz, x, z):
    """Square of the distance [m²] from (x, z) to the segment from a to b, which may be a point."""
    ex, ez = bx - ax, bz - az
    px, pz = x - ax, z - az
    length = ex * ex + ez * ez
    if length > 0.0:
        t = min(max((px * ex + pz * ez) / length, 0.0), 1.0)
        px -= t * ex
        pz -= t * ez
    return px * px + pz * pz


@kernel
def winding_step(ax, az, bx, bz, x, z):
    """What the directed edge from a to b adds to the winding number around (x, z)."""
    if (az <= z) == (bz <= z):
        return 0
    side = (bx - ax) * (z - az) - (bz - az) * (x - ax)
    if az <= z:
        return 1 if side > 0.0 else 0
    return -1 if side < 0.0 else 0


@kernel
def outline_distance(corners, size, rounding, x, z):
    """Signed distance [m] from (x, z) to a rounded convex outline: the first `size` of corners (H, 2)."""
    nearest = math.inf
    winding = 0
    for k in range(size):
        ax, az = corners[k, 0], corners[k, 1]
        following = k + 1 if k + 1 < size else 0
        bx, bz = corners[following, 0], corners[following, 1]
        nearest = min(nearest, segment_distance_squared(ax, az, bx, bz, x, z))
        winding += winding_step(ax, az, bx, bz, x, z)
    distance = math.sqrt(nearest)
    return (-distance if winding != 0 else distance) - rounding


@kernel
def lower_to_edges(values, origin_x, origin_z, cell, reach, edges, starts, rounding):
    """Lower grid values (Nz, Nx) to the signed distance [m] of the nearest region, exact up to `reach` of each.

    edges (E, 4): ax, az, bx, bz, directed; region r has the edges starts[r] to starts[r + 1] and is what they wind
    around, or are, with `rounding[r]` around it.
    """
    rows, columns = values.shape
    lower_window(values, origin_x, origin_z, cell, reach, edges, starts, rounding, 0, rows, 0, columns)


@kernel
def lower_window(
    values, origin_x, origin_z, cell, reach, edges, starts, rounding, row, row_stop, column, column_stop
):
    """`lower_to_edges` for the rows and columns of a window of the grid, with the same results to the last bit."""
    for r in range(rounding.size):
        first, last = starts[r], starts[r + 1]
        left, right, near, far = math.inf, -math.inf, math.inf, -math.inf
        for e in range(first, last):
            left = min(left, edges[e, 0], edges[e, 2])
            right = max(right, edges[e, 0], edges[e, 2])
            near = min(near, edges[e, 1], edges[e, 3])
            far = max(far, edges[e, 1], edges[e, 3])
        margin = reach + rounding[r]
        # In floats until it is known to be on the grid: an obstacle may be anywhere.
        i0 = int(max(math.ceil((left - margin - origin_x) / cell), column + 0.0))
        i1 = int(min(math.floor((right + margin - origin_x) / cell), column_stop - 1.0))
        j0 = int(max(math.ceil((near - margin - origin_z) / cell), row + 0.0)) if i0 < column_stop else row_stop
        j1 = int(min(math.floor((far + margin - origin_z) / cell), row_stop - 1.0))
        for j in range(j0, j1 + 1):
            z = origin_z + j * cell
            for i in range(i0, i1 + 1):
                x = origin_x + i * cell
                aside, ahead = max(left - x, x - right, 0.0), max(near - z, z - far, 0.0)
                known = values[j, i] + rounding[r]
                if aside * aside + ahead * ahead >= known * known and known >= 0.0 and aside + ahead > 0.0:
                    continue  # something else is nearer than even the box around this region
                nearest = math.inf
                winding = 0
                for e in range(first, last):
                    ax, az, bx, bz = edges[e, 0], edges[e, 1], edges[e, 2], edges[e, 3]
                    nearest = min(nearest, segment_distance_squared(ax, az, bx, bz, x, z))
                    winding += winding_step(ax, az, bx, bz, x, z)
                distance = math.sqrt(nearest)
                if winding != 0:
                    distance = -distance
                values[j, i] = min(values[j, i], distance - rounding[r])
