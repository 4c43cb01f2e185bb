"""Ducking under a bar at chest height without stopping: eyes to it, knees, back, the head last."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from walkon.behaviors import MARGIN, BehaviorClip
from walkon.builtin.actions.layers import PLAIN, Manner, layer
from walkon.builtin.actions.plain_gait import lay_gait
from walkon.builtin.actions.reach import within_reach_of_core
from walkon.builtin.actions.shown import show, wander
from walkon.builtin.gait.engine import natural_period
from walkon.builtin.keyframes import sequence
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score, play
from walkon.skeleton import build_body

BAR_HEIGHT = 1.25
"""Height of the bar [m], whoever ducks."""

HEADROOM = 0.075
"""Air between the bar and the highest part of the body [m] while it passes."""

LOW = 0.5
"""Seconds before and after the lowest moment in which the body passes under the bar."""

# Seconds before and after the lowest moment.
DUCK_BODY = """
 time    rise  ahead  tilt  bend  twist  lean  gaze
-1.65       0      0     0     0      0     0     0
-1.30  -0.004      .     1     .      .     .    -5
-1.00  -0.070      .    12    10      .     .     4
-0.60  -0.215  -0.04    31    30      .     .    30
 0.00  -0.230  -0.06    32    31      6    -2    36
 0.60  -0.215  -0.04    30    30      0     0    28
 1.05  -0.070      .    13    13      .     .     2
 1.35  -0.006      .     3     2      .     .    -6
 1.65       0      0     0     0      0     0     0
"""
DUCK_ARMS = """
 time  lead.swing  lead.spread  lead.elbow  other.swing  other.spread  other.elbow
-1.65           0            0           0            0             0            0
-1.00           6            2           6            8             2            6
-0.60          28            8          20           32             8           22
 0.00          34           10          26           40            10           30
 0.60          28            8          20           32             8           22
 1.05           8            3           8            8             3            8
 1.65           0            0           0            0             0            0
"""
DUCK_SPAN = 1.65
"""Seconds before and after the lowest moment at which these keys begin and end."""

# Share of the usual speed.
DUCK_SPEEDS = {-1.5: 1.0, -0.6: 0.9, 0.4: 0.88, 1.0: 1.0}

CYCLES = 3
"""Cycles of the gait in which the ducking has room."""

JOG_PACE = 1.5
"""How much faster somebody ducks who jogs."""

AFTER = 0.22
"""Seconds after the lowest moment at which the hips pass under the bar: head and shoulders have gone before."""

SHALLOWEST, DEEPEST = 0.6, 1.6
"""Shares of the keyed depth between which a body is found that fits."""

REFINEMENTS = 3
"""Times the depth is corrected, each by the slope between the last two."""


def duck_under(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    running: bool = False,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody walks or jogs and ducks under a bar; `rng` lets trunk, gaze and arms wander a little."""
    speed = performer.jog_speed if running else performer.walk_speed
    middle = 0.5 * CYCLES * natural_period(performer, speed, running)
    # The keys end before the steady gait goes on.
    hurry = max(manner.pace * (JOG_PACE if running else 1.0), DUCK_SPAN / (middle - 0.05))
    manner = replace(manner, start=middle, pace=hurry)
    pace = sequence({manner.when(time): share for time, share in DUCK_SPEEDS.items()})
    way = lay_gait(performer, running, CYCLES, pace=pace, margin=margin, fps=fps)
    plain = wander(way.score(way.loose_steps(rng)), rng, margin)
    depth = _fitting_depth(performer, running)
    score = within_reach_of_core(
        layer(plain, DUCK_BODY, DUCK_ARMS, scale=performer.scale, manner=replace(manner, size=depth)), margin
    )
    over = float(np.interp(manner.when(AFTER), score.times, score.pelvis[:, 2]))
    return show(score, "duck_under", margin, over=over)


@lru_cache(maxsize=64)
def _fitting_depth(performer: Performer, running: bool) -> float:
    """How deep this person ducks: the top of the body comes to lie below the bar as it should."""
    plain = lay_gait(performer, running, CYCLES).score()
    manner = Manner(start=0.5 * float(plain.times[-1]), pace=JOG_PACE if running else 1.0)
    first, last = np.searchsorted(plain.times, [manner.when(-LOW), manner.when(LOW)])
    passing = plain.window(int(first), int(last))

    def top(depth: float) -> float:
        return _top(
            layer(passing, DUCK_BODY, DUCK_ARMS, scale=performer.scale, manner=replace(manner, size=depth))
        )

    depths, tops = [SHALLOWEST, 1.0], [top(SHALLOWEST), top(1.0)]
    for _ in range(REFINEMENTS):
        slope = (tops[-1] - tops[-2]) / (depths[-1] - depths[-2])
        wanted = depths[-1] + (BAR_HEIGHT - HEADROOM - tops[-1]) / slope
        depths.append(float(np.clip(wanted, SHALLOWEST, DEEPEST)))
        if abs(depths[-1] - depths[-2]) < 1e-3:
            break
        tops.append(top(depths[-1]))
    return depths[-1]


def _top(score: Score) -> float:
    """Height [m] of the highest part of the body in any frame."""
    body = build_body(score.skeleton)
    return float(np.max(body.capsules(play(score, "passing").positions)[..., 1] + body.radii[:, None]))
