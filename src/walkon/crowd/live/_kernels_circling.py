"""Circling: whoever walks around its goal, and gets no nearer, looks for a whole way there.

Who compares steps alone takes the one that leads nearer in the long run. Beside a goal that it is too fast to turn
to, this is for ever the step that bends towards it.
"""

from __future__ import annotations

import math

from walkon.crowd.live._kernels_costs import turn_to
from walkon.kernels import lean

GOT_NEARER = 0.1
"""[m] Less than this is no nearer. With more, whoever dawdles is thought to circle; with less, whoever circles may
be thought to get on."""

BEND_RATE, IN_CIRCLES = 0.8, 1.5
"""[rad/s] How quickly somebody turns at least who walks in a bend; and [s] for how long one walks beside one's
goal, and gets no nearer, before one is thought to circle. With less of either, more people search, which takes
longer than a step; with more, people walk around their goals."""


@lean
def note_nearness(me, x, z, now):
    """Write down in which frame somebody at (x, z) has been nearer to its goal than ever."""
    away = math.hypot(x - me.goal[0], z - me.goal[1])
    if me.goal[0] != me.nearest[0] or me.goal[1] != me.nearest[1] or away < me.nearest[2] - GOT_NEARER:
        me.nearest[0], me.nearest[1], me.nearest[2], me.nearest_at = me.goal[0], me.goal[1], away, now


@lean
def circles(me, pose, fps):
    """Whether somebody walks around its goal: that lies within the circle in which one can turn at its speed, and
    it has got no nearer for a while."""
    if pose.rests or me.passing or math.isnan(me.goal[0]) or me.boundary - me.nearest_at < IN_CIRCLES * fps:
        return False
    to_x, to_z = me.goal[0] - me.end[0], me.goal[1] - me.end[1]
    off = turn_to(math.atan2(to_x, to_z) - me.end[2])
    beside = 1.0 if off > 0.5 * math.pi else math.sin(off)
    return math.hypot(to_x, to_z) < 2.0 * beside * pose.gait * fps / BEND_RATE
