"""Stepping over a low obstacle: a look, a longer step, one foot lifted over it, then the other."""

from __future__ import annotations

import numpy as np

from walkon.behaviors import MARGIN, BehaviorClip
from walkon.builtin.actions.layers import PLAIN, Manner, layer
from walkon.builtin.actions.plain_gait import PlainGait, lay_gait
from walkon.builtin.actions.reach import within_reach_of_core
from walkon.builtin.actions.shown import show, wander
from walkon.builtin.actions.swings import between_feet, lift_foot, swing_of
from walkon.builtin.gait.engine import mid_stance, natural_period
from walkon.builtin.gait.feet import Nudge
from walkon.builtin.keyframes import sequence
from walkon.builtin.performer import Performer

OBSTACLE_HEIGHT, OBSTACLE_DEPTH = 0.28, 0.16
"""Height and depth [m] of what is stepped over."""

APPROACH, LEAD, TRAIL = 1.0, 1.5, 2.0
"""Phases at which the left foot lands before the obstacle, the right one beyond it, and the left one after it."""

CYCLES = 3
"""Cycles of the walk in which the step has room."""

# By phase: share of the usual speed, and of the usual rhythm.
STEP_OVER_SPEEDS = {0.8: 1.0, 1.25: 0.64, 1.85: 0.66, 2.75: 1.0}
STEP_OVER_RHYTHM = {0.8: 1.0, 1.25: 0.76, 1.85: 0.78, 2.75: 1.0}

HOLD = 0.38
"""Seconds by which the slower steps make the walk longer."""

OBSTACLE_ROOM = {"Left": -0.10, "Right": 0.09}
"""How much further before and behind the obstacle the feet are set down [m]."""

MIDDLE = 0.56
"""Where the obstacle is between the toes before it and the heel behind it, as a share."""

# By fraction of the swing: metres and degrees. The obstacle is as high for everybody.
LEAD_SWING = """
fraction  up    ahead  pitch
0.25      0.22  0      12
0.45      0.38  0.01    8
0.62      0.40  0.03    4
0.80      0.26  0.03    0
0.93      0.06  0       0
"""
TRAIL_SWING = """
fraction  up    ahead  pitch
0.14      0.10 -0.05    0
0.30      0.40 -0.10   -4
0.44      0.50 -0.07  -10
0.62      0.37 -0.02   -6
0.84      0.09  0       0
"""

# Seconds before and after the lead foot is over the obstacle.
STEP_OVER_BODY = """
 time    rise  tilt  bend  list  lean  gaze
-1.15       0     0     0     0     0     0
-0.70       .     .     .     .     .    22
-0.30  -0.006     2     4     0     0    26
 0.00   0.014    -3     6    -7     5    24
 0.35   0.010     5    10     .     .    16
 0.50   0.016     6    10     7    -5    14
 0.90       0     2     4     0     0     4
 1.30       0     0     0     0     0     0
"""
STEP_OVER_ARMS = """
 time  lead.swing  lead.spread  lead.elbow  other.swing  other.spread  other.elbow
-1.15           0            0           0            0             0            0
-0.30           .            4           8            0             4            8
 0.00          -2           10          20            8            12           20
 0.50           6           12          20            0            10           18
 0.90           .            4           8            .             4            8
 1.30           0            0           0            0             0            0
"""


def step_over(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody walks and steps over a low obstacle; `rng` lets trunk, gaze and arms wander a little."""
    period = natural_period(performer, performer.walk_speed, False)
    over = mid_stance(performer, performer.walk_speed, False)
    pace, beat = (
        sequence({(phase - over) * period: share for phase, share in keys.items()})
        for keys in (STEP_OVER_SPEEDS, STEP_OVER_RHYTHM)
    )
    way = lay_gait(performer, False, CYCLES, hold=HOLD, pace=pace, beat=beat, margin=margin, fps=fps)
    steps = _with_room(way, way.loose_steps(rng))
    lead, trail = swing_of(way, "Right", LEAD, steps), swing_of(way, "Left", TRAIL, steps)
    score = wander(way.score(steps), rng, margin)
    score = lift_foot(score, "Right", lead, LEAD_SWING)
    score = lift_foot(score, "Left", trail, TRAIL_SWING)
    crossing = 0.5 * (lead[0].stop + lead[1].start)
    # Which side leads is a matter of feet here.
    manner = Manner(pace=manner.pace, size=manner.size, start=crossing)
    score = within_reach_of_core(
        layer(score, STEP_OVER_BODY, STEP_OVER_ARMS, scale=performer.scale, manner=manner), margin
    )
    return show(score, "step_over", margin, over=between_feet(performer, trail, lead, MIDDLE))


def _with_room(way: PlainGait, steps: Nudge | None) -> Nudge:
    """Footprints with more room for the obstacle between the one before it and the one beyond."""
    stances = {"Left": way.when(APPROACH + 0.25), "Right": way.when(LEAD + 0.25)}

    def nudge(side: str, passed: float) -> tuple[float, float, float]:
        left, ahead, turn = steps(side, passed) if steps else (0.0, 0.0, 0.0)
        near = abs(passed - stances[side]) < 0.3
        return left, ahead + (way.performer.scale * OBSTACLE_ROOM[side] if near else 0.0), turn

    return nudge
