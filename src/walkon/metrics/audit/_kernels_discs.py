"""The smallest circle around discs, exactly: a basis of at most three discs, exchanged until nothing sticks out.

Every exchange takes the disc that sticks out most into the basis, so the circle grows each time; it is the
smallest one when all discs are inside, for no smaller circle holds its basis alone.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel

EXCHANGES = 100
"""Most exchanges of capsules on the rim of a circle: more than any body needs. If a capsule still sticks out after
that, by rounding, the circle is widened to hold it."""


@kernel
def around_two(ax, az, ar, bx, bz, br):
    """x, z, radius of the smallest circle around two discs."""
    apart = math.hypot(bx - ax, bz - az)
    if apart + br <= ar:
        return ax, az, ar
    if apart + ar <= br:
        return bx, bz, br
    radius = 0.5 * (apart + ar + br)
    share = (radius - ar) / apart
    return ax + share * (bx - ax), az + share * (bz - az), radius


@kernel
def around_three(ax, az, ar, bx, bz, br, cx, cz, cr):
    """x, z, radius of the smallest circle that touches three discs from outside; radius -1 if there is none.

    From |p - a| = R - ar and the same for b and c, differences of squares are linear in p and R; they give
    p = a + u + v R, and the first one a quadratic equation for R.
    """
    bx, bz, cx, cz = bx - ax, bz - az, cx - ax, cz - az
    det = bx * cz - bz * cx
    if abs(det) < 1e-14:
        return 0.0, 0.0, -1.0
    kb, kc = 0.5 * (bx * bx + bz * bz + ar * ar - br * br), 0.5 * (cx * cx + cz * cz + ar * ar - cr * cr)
    lb, lc = br - ar, cr - ar
    ux, uz = (kb * cz - kc * bz) / det, (kc * bx - kb * cx) / det
    vx, vz = (lb * cz - lc * bz) / det, (lc * bx - lb * cx) / det
    a, b, c = vx * vx + vz * vz - 1.0, ux * vx + uz * vz + ar, ux * ux + uz * uz - ar * ar
    least = max(ar, br, cr) - 1e-12
    best = -1.0
    if abs(a) < 1e-14:
        if b != 0.0 and -0.5 * c / b >= least:
            best = -0.5 * c / b
    elif b * b - a * c >= 0.0:
        root = math.sqrt(b * b - a * c)
        for sign in (-1.0, 1.0):
            radius = (-b + sign * root) / a
            if radius >= least and (best < 0.0 or radius < best):
                best = radius
    return ax + ux + vx * best, az + uz + vz * best, best


@kernel
def _sticks_out(discs, i, x, z, radius):
    dx, dz = discs[i, 0] - x, discs[i, 1] - z
    return math.sqrt(dx * dx + dz * dz) + discs[i, 2] - radius


@kernel
def _candidate(discs, new, a, b):
    """x, z, radius of the smallest circle around disc `new` and discs a and b, of which either may be -1."""
    if b < 0:
        return discs[new, 0], discs[new, 1], discs[new, 2]
    if a < 0:
        return around_two(discs[new, 0], discs[new, 1], discs[new, 2], discs[b, 0], discs[b, 1], discs[b, 2])
    return around_three(
        discs[new, 0], discs[new, 1], discs[new, 2],
        discs[a, 0], discs[a, 1], discs[a, 2],
        discs[b, 0], discs[b, 1], discs[b, 2],
    )  # fmt: skip


@kernel
def _exchange(discs, basis, size, new):
    """Best basis with `new` in it: fills basis, gives (size, x, z, radius) of the smallest circle that holds
    all of the old one and the new disc; size 0 if rounding leaves none."""
    old = (basis[0], basis[1], basis[2])
    best_size, x, z, radius = 0, 0.0, 0.0, math.inf
    for i in range(-1, size):
        for j in range(-1 if i < 0 else i + 1, size):
            a, b = old[i] if i >= 0 else -1, old[j] if j >= 0 else -1
            cx, cz, cr = _candidate(discs, new, a, b)
            if cr < 0.0 or cr >= radius:
                continue
            holds = True
            for k in range(size):
                holds = holds and _sticks_out(discs, old[k], cx, cz, cr) <= 1e-11
            if holds:
                x, z, radius = cx, cz, cr
                basis[0], basis[1], basis[2] = new, b, a
                best_size = 1 + (b >= 0) + (a >= 0)
    return best_size, x, z, radius


@kernel
def _farthest(discs, x, z, radius):
    """Which disc sticks out of a circle most; -1 if none does."""
    farthest, most = -1, 1e-11
    for i in range(len(discs)):
        dx, dz, room = discs[i, 0] - x, discs[i, 1] - z, radius - discs[i, 2] + most
        if room < 0.0 or dx * dx + dz * dz > room * room:
            farthest, most = i, _sticks_out(discs, i, x, z, radius)
    return farthest


@kernel
def smallest_circle(discs, basis):
    """x, z, radius of the smallest circle around discs (N, 3).

    basis: (3,) discs that may be on its rim, -1 for none; filled with those that are.
    """
    hints = (basis[0], basis[1], basis[2])
    first = np.argmax(discs[:, 2]) if hints[0] < 0 else hints[0]
    basis[0], basis[1], basis[2] = first, -1, -1
    size, x, z, radius = 1, discs[first, 0], discs[first, 1], discs[first, 2]
    for turn in range(EXCHANGES):
        # First the smallest circle around those that may be on the rim; then whatever sticks out of it.
        if turn < 2:
            new = hints[1 + turn]
            if new < 0 or _sticks_out(discs, new, x, z, radius) <= 1e-11:
                continue
        else:
            new = _farthest(discs, x, z, radius)
            if new < 0:
                return x, z, radius
        found, nx, nz, grown = _exchange(discs, basis, size, new)
        if found == 0 or grown <= radius:
            break
        size, x, z, radius = found, nx, nz, grown
    for i in range(len(discs)):
        radius = max(radius, radius + _sticks_out(discs, i, x, z, radius))
    return x, z, radius
