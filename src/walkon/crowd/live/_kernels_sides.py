"""Keeping to one's own side: where others come the other way in a corridor, everybody heads for its right half.

Who looks for the best step alone goes wherever there is room ahead, so that overtakers meet those who come in the
middle, and both streams stop. With a side of their own the streams part, and whoever is on the wrong side gets out
of it.
"""

from __future__ import annotations

import math

from walkon.crowd.live._kernels_foresight import View, free_ahead
from walkon.crowd.live._kernels_queues import SAME_WAY
from walkon.kernels import lean

LEAST_WIDE, MOST_WIDE = 1.3, 6.0
"""[m] Width of the corridors in which people keep to their side. In narrower ones two cannot pass; with more
width, people walk at the side of halls."""

SIDE_AHEAD = 3.0
"""[m] How far ahead of itself somebody heads for its side, and looks whether the corridor goes on. With more,
people take longer to change sides; with less, they walk across."""

OWN_SIDE = 0.3
"""[m] How far to the right of the middle one's own side begins: half of a body. With more, streams keep apart and
there is less room for each; with less, those in the middle brush each other."""

WRONG_SIDE = 4.0
"""What it costs [m] to be a metre further to the left than that. With 1.5, people overtake on the wrong side, and
both ways at 0.5 people for each square metre jam with one seed of four; with much more, nobody lets others by."""

LEAST_ASIDE = 0.1
"""[m] Who is on the wrong side by less is not astray, and what leads less far is no way out of it. With less,
people shuffle about; with more, those in the middle stay there."""

PAST = 0.5
"""[m] Who has got further behind one is past. With less, people change sides right behind those who come."""

AT_A_WALL = 0.05
"""[m] What is nearer than this counts as touched, where the width of a corridor is felt for."""


@lean
def _beside(x, z, dx, dz, around):
    """How far [m] a place is to the right of the middle of a corridor along (dx, dz), and how wide that is."""
    right = free_ahead(around, x, z, -dz, dx, MOST_WIDE, AT_A_WALL)
    left = free_ahead(around, x, z, dz, -dx, MOST_WIDE, AT_A_WALL)
    return 0.5 * (left - right), left + right


@lean
def _somebody_comes(x, z, dx, dz, view, company):
    """Whether one of those seen (·, 6), who is not past yet, wants to go the other way."""
    for k in range(view.others):
        them = company[k]
        if them[4] * dx + them[5] * dz < -SAME_WAY and (them[0] - x) * dx + (them[1] - z) * dz > -PAST:
            return True
    return False


@lean
def on_ones_side(me, view, company, around):
    """The View of somebody who minds which side of a corridor it is on; the same where there is none, or nobody
    comes. company: as `see` writes it."""
    x, z = me.end[0], me.end[1]
    to_x, to_z = view.x - x, view.z - z
    away = math.sqrt(to_x * to_x + to_z * to_z)
    if away < SIDE_AHEAD:
        return view
    dx, dz = to_x / away, to_z / away
    if not _somebody_comes(x, z, dx, dz, view, company):
        return view
    off, wide = _beside(x, z, dx, dz, around)
    off_there, wide_there = _beside(x + SIDE_AHEAD * dx, z + SIDE_AHEAD * dz, dx, dz, around)
    if min(wide, wide_there) < LEAST_WIDE or max(wide, wide_there) > MOST_WIDE:
        return view
    side = min(OWN_SIDE, 0.25 * wide_there)
    to_x, to_z, passing = view.x, view.z, view.passing
    if off_there < side:
        aside = side - off_there
        to_x, to_z, passing = x + SIDE_AHEAD * dx - aside * dz, z + SIDE_AHEAD * dz + aside * dx, True
    return View(
        to_x, to_z, view.speed, view.wanted, view.room, passing, view.fps, view.keep_right,
        -dz, dx, side - off, view.others,
    )  # fmt: skip
