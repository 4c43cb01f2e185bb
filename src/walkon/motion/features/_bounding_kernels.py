"""Kernels of the smallest circle around circles."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel

INSIDE_TOLERANCE = 1e-9
"""A circle [m] this much outside another counts as inside: rounding must not keep the search going."""

MAX_SUPPORT = 3
MAX_ROUNDS = 200
"""Every round grows the circle, so the search ends; rounding errors end it here at the latest."""


@kernel
def around_two(ax, ay, ar, bx, by, br):
    """Smallest circle (x, y, radius) around two circles."""
    distance = math.hypot(bx - ax, by - ay)
    if distance + br <= ar:
        return ax, ay, ar
    if distance + ar <= br:
        return bx, by, br
    radius = 0.5 * (distance + ar + br)
    along = (radius - ar) / distance
    return ax + along * (bx - ax), ay + along * (by - ay), radius


@kernel
def around_three(ax, ay, ar, bx, by, br, cx, cy, cr):
    """The circle (x, y, radius) that three circles touch from inside; infinite radius when there is none.

    |p − a| = R − ra for all three: differences of the squares are linear in p and R, which leaves one quadratic.
    """
    none = (0.0, 0.0, np.inf)
    ux, uy, ur = bx - ax, by - ay, br - ar
    vx, vy, vr = cx - ax, cy - ay, cr - ar
    determinant = 2.0 * (ux * vy - uy * vx)
    if abs(determinant) < 1e-14:
        return none
    # With p relative to a and R = ra + s:  2 u·p = |u|² − ur² + 2 ur s, so p = m + n s.
    e, g = ux * ux + uy * uy - ur * ur, vx * vx + vy * vy - vr * vr
    mx, my = (e * vy - g * uy) / determinant, (g * ux - e * vx) / determinant
    nx, ny = 2.0 * (ur * vy - vr * uy) / determinant, 2.0 * (vr * ux - ur * vx) / determinant
    a, b, c = nx * nx + ny * ny - 1.0, mx * nx + my * ny, mx * mx + my * my
    best = np.inf
    if abs(a) < 1e-12:
        if b < 0.0:
            best = -0.5 * c / b
    else:
        root = b * b - a * c
        if root < 0.0:
            return none
        root = math.sqrt(root)
        for s in ((-b - root) / a, (-b + root) / a):
            if s >= -INSIDE_TOLERANCE and ar + s >= max(br, cr) - INSIDE_TOLERANCE:
                best = min(best, s)
    if not best < np.inf:
        return none
    return ax + mx + nx * best, ay + my + ny * best, ar + best


@kernel
def holds_all(x, y, radius, circles, chosen, count):
    """Whether the circle holds the `count` chosen ones of circles (N, 3)."""
    for k in range(count):
        i = chosen[k]
        if math.hypot(circles[i, 0] - x, circles[i, 1] - y) + circles[i, 2] > radius + INSIDE_TOLERANCE:
            return False
    return True


@kernel
def smallest_around(circles, chosen, count, support):
    """Smallest circle around at most four chosen circles, by trying every subset that could touch it.

    Fills support with the touching ones; returns (x, y, radius, how many).
    """
    bx, by, best, touching = 0.0, 0.0, np.inf, 0
    for a in range(count):
        i = chosen[a]
        for b in range(a, count):
            j = chosen[b]
            for c in range(b, count):
                if a == b and c > b:
                    continue
                k = chosen[c]
                if a == b:
                    x, y, radius = circles[i, 0], circles[i, 1], circles[i, 2]
                elif b == c:
                    x, y, radius = around_two(
                        circles[i, 0], circles[i, 1], circles[i, 2], circles[j, 0], circles[j, 1], circles[j, 2]
                    )
                else:
                    x, y, radius = around_three(
                        circles[i, 0],
                        circles[i, 1],
                        circles[i, 2],
                        circles[j, 0],
                        circles[j, 1],
                        circles[j, 2],
                        circles[k, 0],
                        circles[k, 1],
                        circles[k, 2],
                    )
                if radius < best - INSIDE_TOLERANCE and holds_all(x, y, radius, circles, chosen, count):
                    bx, by, best = x, y, radius
                    support[0], support[1], support[2] = i, j, k
                    touching = 1 if a == b else 2 if b == c else 3
    return bx, by, best, touching


@kernel
def enclosing_circle(circles, chosen, support, count):
    """Smallest circle around circles (N, 3) of x, y, radius; returns (x, y, radius, size of its support).

    Keeps at most three circles that determine the answer so far, takes in the one that sticks out farthest, and
    solves those exactly, until none does. `support` may hold `count` circles that determined a similar case.
    """
    x, y, radius, count = smallest_around(circles, support[:count].copy(), count, support)
    for _ in range(MAX_ROUNDS):
        farthest, reach = -1, radius + INSIDE_TOLERANCE
        for i in range(circles.shape[0]):
            extent = math.hypot(circles[i, 0] - x, circles[i, 1] - y) + circles[i, 2]
            if extent > reach:
                farthest, reach = i, extent
        if farthest < 0:
            break
        for k in range(count):
            chosen[k] = support[k]
        chosen[count] = farthest
        x, y, radius, count = smallest_around(circles, chosen, count + 1, support)
    return x, y, radius, count


@kernel
def bounding_circles(positions, starts, ends, spans, radii, centers, circle_radii):
    """Fill centers (F, 2) and circle_radii (F,) with the smallest ground circle around a body's capsules."""
    capsules = len(radii)
    circles = np.empty((2 * capsules, 3))
    support = np.zeros(MAX_SUPPORT, dtype=np.int64)
    chosen = np.zeros(MAX_SUPPORT + 1, dtype=np.int64)
    count = 1
    for f in range(positions.shape[0]):
        for c in range(capsules):
            for end in range(2):
                s = spans[c, end]
                row = 2 * c + end
                circles[row, 0] = (1.0 - s) * positions[f, starts[c], 0] + s * positions[f, ends[c], 0]
                circles[row, 1] = (1.0 - s) * positions[f, starts[c], 2] + s * positions[f, ends[c], 2]
                circles[row, 2] = radii[c]
        x, y, radius, count = enclosing_circle(circles, chosen, support, count)
        centers[f, 0], centers[f, 1], circle_radii[f] = x, y, radius
