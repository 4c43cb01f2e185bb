"""Kernels: how people speed up and turn, how near they come to each other, how alike they move."""

from __future__ import annotations

import math

from walkon.kernels import kernel


@kernel
def direction_at(places, row, fps, standing):
    """x, z of the direction in which somebody moves at a row that has neighbours, and whether it is faster than
    `standing` [m/s]."""
    vx = 0.5 * fps * (places[row + 1, 0] - places[row - 1, 0])
    vz = 0.5 * fps * (places[row + 1, 1] - places[row - 1, 1])
    speed = math.hypot(vx, vz)
    if speed > standing:
        return vx / speed, vz / speed, True
    return 0.0, 0.0, False


@kernel
def split_accelerations(places, offsets, fps, standing, normal, tangential):
    """Fill normal and tangential (M,) [m/s²], nan at everybody's first and last row.

    Velocity and acceleration are central differences. Who is slower than `standing` [m/s] has, for the first half
    of that time, the direction it last had, then the one it will have; who never moves has none, and no
    acceleration. Normal is positive to the left.
    """
    for person in range(len(offsets) - 1):
        first, last = offsets[person], offsets[person + 1] - 1
        normal[first], tangential[first], normal[last], tangential[last] = math.nan, math.nan, math.nan, math.nan
        ux, uz, known = 0.0, 0.0, False
        # While it stands: when that began, ends, and in which direction it goes then.
        since, until, nx, nz, goes = first + 1, first + 1, 0.0, 0.0, False
        for row in range(first + 1, last):
            x, z, moves = direction_at(places, row, fps, standing)
            if moves:
                ux, uz, known = x, z, True
            elif row >= until:
                since, until, goes = row, row + 1, False
                while until < last and not goes:
                    nx, nz, goes = direction_at(places, until, fps, standing)
                    until += 0 if goes else 1
            if not moves and goes and (not known or 2 * row >= since + until):
                ux, uz, known = nx, nz, True
            ax = fps * fps * (places[row + 1, 0] - 2.0 * places[row, 0] + places[row - 1, 0])
            az = fps * fps * (places[row + 1, 1] - 2.0 * places[row, 1] + places[row - 1, 1])
            tangential[row] = ax * ux + az * uz
            # Seen from above with y up, left of the direction (x, z) is (z, -x).
            normal[row] = ax * uz - az * ux


@kernel
def longest_steps(places, offsets, steps):
    """Fill steps (N,) [m]: the farthest that everybody goes from one row to the next."""
    for person in range(len(offsets) - 1):
        longest = 0.0
        for row in range(offsets[person], offsets[person + 1] - 1):
            dx, dz = places[row + 1, 0] - places[row, 0], places[row + 1, 1] - places[row, 1]
            longest = max(longest, dx * dx + dz * dz)
        steps[person] = math.sqrt(longest)


@kernel
def nearest_approach(places, a, b, count, known, closing):
    """The least distance [m] of two people whose rows begin at a and b, over `count` rows, and after how many of
    them, possibly between two; if it is not less than `known` [m], any one that they have.

    From row to row people go straight, so the least distance in between is that of a point to a segment. Two who
    are far apart cannot meet before they have walked there, by at most `closing` [m] a row: those need no look.
    """
    px, pz = places[a, 0] - places[b, 0], places[a, 1] - places[b, 1]
    least, at, k = px * px + pz * pz, 0.0, 0
    while k < count - 1:
        apart = px * px + pz * pz
        if apart > (known + 2.0 * closing) ** 2:
            k += int(min((math.sqrt(apart) - known) / closing, float(count)))
            if k < count - 1:
                px, pz = places[a + k, 0] - places[b + k, 0], places[a + k, 1] - places[b + k, 1]
            continue
        k += 1
        qx, qz = places[a + k, 0] - places[b + k, 0], places[a + k, 1] - places[b + k, 1]
        dx, dz = qx - px, qz - pz
        along = -(px * dx + pz * dz)
        length = dx * dx + dz * dz
        if 0.0 < along < length:
            cross = px * dz - pz * dx
            if cross * cross < least * length:
                least, at = cross * cross / length, k - 1 + along / length
        elif along >= length and qx * qx + qz * qz < least:
            least, at = qx * qx + qz * qz, float(k)
        px, pz = qx, qz
    return math.sqrt(least), at


@kernel
def nearest_approaches(places, offsets, starts, steps, first, stop, nearest, whom, when):
    """Update everybody's nearest distance (N,) [m] to anybody, to whom (N,), and at which frame (N,), possibly
    between two, for all pairs of a person from `first` to `stop` with a later one.

    steps: (N,) [m] the longest that each takes from one row to the next.
    """
    for i in range(first, stop):
        for j in range(i + 1, len(starts)):
            begin = max(starts[i], starts[j])
            end = min(starts[i] + offsets[i + 1] - offsets[i], starts[j] + offsets[j + 1] - offsets[j])
            if begin >= end:
                continue
            a, b = offsets[i] + begin - starts[i], offsets[j] + begin - starts[j]
            known, closing = max(nearest[i], nearest[j]), steps[i] + steps[j] + 1e-12
            apart, at = nearest_approach(places, a, b, end - begin, known, closing)
            for one, other in ((i, j), (j, i)):
                if apart < nearest[one]:
                    nearest[one], whom[one], when[one] = apart, other, begin + at


@kernel
def pair_mean(normal, tangential, offsets, starts, i, j):
    """Mean synchronicity of two people over the rows in which both have an acceleration, and how many."""
    begin = max(starts[i], starts[j]) + 1
    end = min(starts[i] + offsets[i + 1] - offsets[i], starts[j] + offsets[j + 1] - offsets[j]) - 1
    if begin >= end:
        return 0.0, 0
    a, b = offsets[i] + begin - starts[i], offsets[j] + begin - starts[j]
    total = 0.0
    for k in range(end - begin):
        n = abs(normal[a + k]) - abs(normal[b + k])
        t = tangential[a + k] - tangential[b + k]
        total += 1.0 / ((1.0 + n * n) * (1.0 + t * t))
    return total / (end - begin), end - begin


@kernel
def synchronize(moving, first, stop, shortest, levels, tally):
    """Count the pairs of a person from `first` to `stop` with a later one who share at least `shortest` rows.

    moving: normal and tangential acceleration (M,), offsets (N + 1,) and starts (N,) of everybody. levels: (L,).
    tally: what is counted. bins: (B,) by mean synchronicity, of equal width from 0 to 1. above: (L,) how many are
    above each of the levels. sums: (N, 2) everybody's sum over pairs, and number of pairs. best, whom: (N,)
    everybody's most synchronous partner.
    """
    normal, tangential, offsets, starts = moving
    bins, above, sums, best, whom = tally
    for i in range(first, stop):
        for j in range(i + 1, len(starts)):
            mean, rows = pair_mean(normal, tangential, offsets, starts, i, j)
            if rows < shortest:
                continue
            bins[min(int(mean * len(bins)), len(bins) - 1)] += 1
            for level in range(len(levels)):
                if mean > levels[level]:
                    above[level] += 1
            for one, other in ((i, j), (j, i)):
                sums[one, 0] += mean
                sums[one, 1] += 1.0
                if mean > best[one]:
                    best[one], whom[one] = mean, other
