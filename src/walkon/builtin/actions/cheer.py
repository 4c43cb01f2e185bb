"""Cheering: a dip, a hop with both arms thrown up, fists pumped, arms down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.behaviors import MARGIN, BehaviorClip
from walkon.builtin.actions.flight import Flight, fly
from walkon.builtin.actions.layers import PLAIN, Manner, layer, standing_frames
from walkon.builtin.actions.reach import within_reach_of_core
from walkon.builtin.actions.shown import show, wander
from walkon.builtin.footwork import SIDES, Swing, follow_plants
from walkon.builtin.gait.standing import stand, standing_plant
from walkon.builtin.human import human_feet
from walkon.builtin.keyframes import scaled, sequence
from walkon.builtin.performer import Performer

DIP, OFF, ON, RISEN = 0.20, 0.70, 1.00, 1.44
"""When the knees bend, the toes leave, the balls of the feet land, and the legs are straight again [s]."""

HOP = {0.3: 0.205, 0.65: 0.19}
"""Height of the ankles in the hop above where they are when flat [m], by share of the flight."""

PITCH = {0.46: 0, OFF: -50, 0.80: -54, ON: -28, 1.13: 0}
"""Pitch of the feet by time [s]: degrees, toes up positive."""

CHEER_BODY = """
time    rise  tilt  bend  gaze
0.00       0     0     0     0
0.18       .     .     .     2
0.44       .    13    14     8
0.76       .     0    -2    -6
0.98       .    -4    -8   -14
1.12       .     2    -4   -12
1.36       .     4     0    -8
1.60     0.0    -2    -7   -13
1.86  -0.018     3     0    -8
2.10       0    -2    -7   -12
2.92       .     1     1    -3
3.14       0     .     .     .
3.46       0     0     0     0
"""
LEAD_ARM = """
time  lead.swing  lead.spread  lead.inward  lead.elbow  lead.shrug
0.00           0            0            0           0           0
0.18          -4            .            .           .           .
0.44         -30            6            0          26           0
0.60          16           10            .           .           .
0.76          92           20           -8          50           8
0.98         152           36          -10          18          18
1.12         158           40          -10          14          18
1.36         126           36          -12          84          12
1.60         160           40          -10          14          18
1.86         128           36          -12          82          12
2.10         158           40          -10          16          18
2.34         146           36          -10          26          16
2.92          14           12            0          24           2
3.14          -4            2            .           4           .
3.46           0            0            0           0           0
"""
OTHER_ARM = """
time  other.swing  other.spread  other.inward  other.elbow  other.shrug
0.00            0             0             0            0            0
0.18           -4             .             .            .            .
0.44          -26             6             0           24            0
0.60           12            10             .            .            .
0.76           84            20            -8           56            8
0.98          146            34           -10           22           18
1.12          154            38           -10           16           18
1.36          132            36           -12           72           12
1.60          158            38           -10           16           18
1.86          128            36           -12           80           12
2.10          156            38           -10           18           18
2.34          142            34           -10           30           16
2.92           18            12             0           24            2
3.14           -4             2             .            4            .
3.46            0             0             0            0            0
"""


CHEER = CHEER_BODY, LEAD_ARM, OTHER_ARM


def cheer(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody who stands hops and cheers."""
    frames, start = standing_frames(*CHEER, manner=manner, margin=margin, fps=fps)
    manner = manner.starting(start)
    plain = stand(performer, (frames - 1) / fps, fps)
    off, on = manner.when(OFF), manner.when(ON)
    pitch = sequence({manner.when(time): degrees for time, degrees in PITCH.items()})
    # Toes that will land first stay bent.
    swing = Swing(scaled(HOP, performer.scale), settle=np.inf)
    for side in SIDES:
        place, foot = standing_plant(performer, side), human_feet(performer.skeleton())[side]
        plants = [replace(place, stop=off), replace(place, start=on)]
        plain = plain.with_foot(side, follow_plants(foot, plants, pitch, plain.times, swing))
    hop = Flight(manner.when(DIP), off, on, manner.when(RISEN), landing="Left", pull=0.0)
    score = fly(plain, wander(layer(plain, *CHEER, scale=performer.scale, manner=manner), rng, margin), hop)
    return show(within_reach_of_core(score, margin), "cheer", margin, parts={"flight": (off, on)})
