"""Waving to somebody: the eyes find them first, the weight goes to the other leg, then arm, forearm and hand."""

from __future__ import annotations

import numpy as np

from walkon.behaviors import MARGIN, BehaviorClip
from walkon.builtin.actions.layers import PLAIN, Manner, layer, standing_frames
from walkon.builtin.actions.plain_gait import lay_gait
from walkon.builtin.actions.reach import within_reach_of_core
from walkon.builtin.actions.shown import show, wander
from walkon.builtin.gait.standing import stand, standing_arm
from walkon.builtin.performer import Performer
from walkon.builtin.score import envelope

# Degrees; metres for the pelvis.
WAVE_BODY = """
time  aside    rise  tilt  list  turn  twist  bend  lean  gaze  look
0.00      0       0     0     0     0      0     0     0     0     0
0.20      .       .     .     .     .      .     .     .    -3   -12
0.64      .       .     .     .     .      .     .    -7     .     .
0.74  0.030  -0.006    -1     3    -4     -7    -2     .    -6   -18
1.08      .       .     .     .     .      .     .    -8     .     .
1.52      .       .     .     .     .      .     .    -8     .     .
1.94  0.030  -0.006    -1     3    -4     -7    -2    -7    -6   -18
2.58      .       .     .     .     .      .     .     .     .   -10
2.80      .       .     .     .     .      .     1     1     1     .
3.20      0       0     0     0     0      0     0     0     0     0
"""
WAVE_ARMS = """
time  lead.swing  lead.spread  lead.inward  lead.elbow  lead.wrist  lead.shrug  other.swing  other.spread
0.00           0            0            0           0           0           0            0             0
0.20          -4            .            .           .           .           .            .             .
0.64          88           34          -36          80          -8          10            .             .
0.74           .            .            .           .           .           .           -5             3
0.86          88           32          -14          88          14           .            .             .
1.08          96           38          -56          66         -14          14            .             .
1.30          90           32          -12          90          14           .            .             .
1.52          96           38          -56          66         -14          14            .             .
1.74          89           33          -14          88          12           .            .             .
1.94          92           37          -46          72         -10          11           -5             3
2.58           8           10           -4          14          10           2            .             .
2.80          -5            1            0           4           0           .            1             .
3.20           0            0            0           0           0           0            0             0
"""
LENGTH = 3.2
"""Seconds of these keys."""

CYCLES = 3
"""Cycles of walking during which somebody waves."""


def wave(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody who stands waves with the leading hand to a person a little to that side."""
    frames, start = standing_frames(WAVE_BODY, WAVE_ARMS, manner=manner, margin=margin, fps=fps)
    plain = wander(stand(performer, (frames - 1) / fps, fps), rng, margin)
    waving = layer(plain, WAVE_BODY, WAVE_ARMS, scale=performer.scale, manner=manner.starting(start))
    return show(within_reach_of_core(waving, margin), "wave", margin)


def wave_walking(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody who walks waves with the leading hand."""
    way = lay_gait(performer, False, CYCLES, margin=margin, fps=fps)
    plain = wander(way.score(way.loose_steps(rng)), rng, margin)
    # Quick enough to be done, with the lag of the hand, before the walk goes on alone.
    manner = manner.paced(max(manner.pace, LENGTH / (way.seconds - 0.3)))
    start = 0.5 * (way.seconds - LENGTH / manner.pace)
    # The waving arm forgets the steps.
    stop = way.seconds - start
    plain = plain.arm_towards(
        manner.lead, envelope(plain.times, start, start + 0.5, stop - 0.6, stop), **standing_arm(performer)
    )
    waving = layer(plain, WAVE_BODY, WAVE_ARMS, scale=performer.scale, manner=manner.starting(start))
    return show(within_reach_of_core(waving, margin), "wave_walking", margin)
