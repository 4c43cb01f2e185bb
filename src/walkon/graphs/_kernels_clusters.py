"""Kernels of transition clusters: bare arrays in and out, no raising."""

from __future__ import annotations

import math

from walkon.kernels import kernel

ROUNDS = 8
"""How often two clusters are centred anew when one is split, at most."""


@kernel
def split_in_two(points, members, aside):
    """Sort `members` (M,) of points (T, 2), M > 1, into two nearby groups, in place; how many are in the first.

    Two means, begun by cutting across the direction in which the points lie farthest apart. aside: scratch (M,).
    """
    count = members.shape[0]
    mx, my = 0.0, 0.0
    for i in range(count):
        mx += points[members[i], 0]
        my += points[members[i], 1]
    mx /= count
    my /= count
    xx, xy, yy = 0.0, 0.0, 0.0
    for i in range(count):
        dx, dy = points[members[i], 0] - mx, points[members[i], 1] - my
        xx += dx * dx
        xy += dx * dy
        yy += dy * dy
    angle = 0.5 * math.atan2(2.0 * xy, xx - yy)
    ux, uy, limit = math.cos(angle), math.sin(angle), math.cos(angle) * mx + math.sin(angle) * my
    first = 0
    for _ in range(ROUNDS):
        first, ax, ay, bx, by = 0, 0.0, 0.0, 0.0, 0.0
        for i in range(count):
            x, y = points[members[i], 0], points[members[i], 1]
            if ux * x + uy * y < limit:
                first += 1
                ax += x
                ay += y
            else:
                bx += x
                by += y
        if first in (0, count):
            break
        ax, ay, bx, by = ax / first, ay / first, bx / (count - first), by / (count - first)
        # Nearer to the first mean than to the second: on that side of the line halfway between them.
        vx, vy = bx - ax, by - ay
        new_limit = 0.5 * (vx * (ax + bx) + vy * (ay + by))
        if vx == ux and vy == uy and new_limit == limit:
            break
        ux, uy, limit = vx, vy, new_limit
    first, later = 0, 0
    for i in range(count):
        if ux * points[members[i], 0] + uy * points[members[i], 1] < limit:
            members[first] = members[i]
            first += 1
        else:
            aside[later] = members[i]
            later += 1
    for i in range(later):
        members[first + i] = aside[i]
    # Points that coincide cannot be told apart by place: any half will do.
    return first if 0 < first < count else count // 2


@kernel
def grow_tree(points, order, begins, ends, parents, children, levels, roots):
    """Split clusters, of which the first `roots` are given, until every one has a single member; how many there
    are.

    begins, ends, parents, levels: (K,), children: (K, 2), with room for all; order: (T,) is sorted in place so
    that cluster k is order[begins[k]] to order[ends[k]]. Clusters are numbered level by level.
    """
    aside = order.copy()
    count = roots
    k = 0
    while k < count:
        begin, end = begins[k], ends[k]
        if end - begin > 1:
            middle = begin + split_in_two(points, order[begin:end], aside[begin:end])
            for half in range(2):
                begins[count] = begin if half == 0 else middle
                ends[count] = middle if half == 0 else end
                parents[count] = k
                levels[count] = levels[k] + 1
                children[k, half] = count
                count += 1
        k += 1
    return count
