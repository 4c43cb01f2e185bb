"""Leaping over something from a jog: off the left foot, onto the right one, without breaking stride.

The rhythm of the jog hangs while the body is in the air. From the landing on the left foot to the push of the
right one the centre of mass has a path of its own: thrown, falling freely, caught. The pelvis goes where that
path, the tucked legs and the swinging arms need it to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.behaviors import MARGIN, BehaviorClip
from walkon.builtin.actions.flight import Flight, fly
from walkon.builtin.actions.layers import PLAIN, Manner, layer
from walkon.builtin.actions.plain_gait import PlainGait, lay_gait
from walkon.builtin.actions.shown import show, wander
from walkon.builtin.actions.swings import Flown, Swung, between_feet, swing_of
from walkon.builtin.gait.engine import mid_stance, natural_period
from walkon.builtin.gait.tables import manner_at
from walkon.builtin.keyframes import Keys, read_table, scaled
from walkon.builtin.performer import Performer
from walkon.builtin.score import envelope

CYCLES = 3
"""Cycles of the jog in which the leap has room."""

TAKE_OFF, LANDING, TRAILING = 1.0, 1.5, 2.0
"""Phases at which the left foot lands for the take-off, the right one after the flight, and the left again."""

HANG_RAMP = 0.13
"""Seconds in which the rhythm of the steps comes to hang, and goes on."""

SOFT = 0.10
"""Share by which the steps are slower while the landing is absorbed."""

SHORT_LEGS = 0.46
"""Seconds of flight added for a person of no size; in proportion for others."""


@dataclass(frozen=True)
class Leap:
    """A way to leap; metres and seconds for the person of reference size.

    name: of the clips. obstacle: height and depth [m] of what is cleared, whoever leaps. flight [s].
    faster: share of the usual speed before it. lead, trail: tables of ankles in beats: the lead foot leaves at 0,
    the other one takes off at 1, it lands at 2; the trailing foot takes off at 0, the lead foot lands at 1, it
    lands itself at 2. body, arms: layers by seconds after take-off. middle: where between toe and heel the
    obstacle is, as a share.
    """

    name: str
    obstacle: tuple[float, float]
    flight: float
    faster: float
    lead: str
    trail: str
    body: str
    arms: str
    middle: float


HIGH_LEAP = Leap(
    name="jump_over_low",
    obstacle=(0.50, 0.20),
    flight=0.50,
    faster=1.0,
    # Ankle before and above the pelvis [m], pitch of the foot [degrees].
    lead="""
beat  ahead  up     pitch
0.50 -0.14  -0.49   -50
0.88  0.22  -0.43   -22
1.22  0.42  -0.38    -4
1.50  0.48  -0.44     4
1.80  0.38  -0.62     8
""",
    trail="""
beat   ahead  up      pitch
 0.22 -0.48  -0.50   -76
 0.50 -0.34  -0.35   -48
 0.80 -0.14  -0.37   -42
 1.22  0.05  -0.45   -48
 1.60  0.27  -0.64   -14
 1.85  0.34  -0.78     2
""",
    body="""
 time  tilt  bend  twist  gaze
-0.60     0     0      0     0
-0.30     3     2      .     8
-0.02    -3    -4     -6     6
 0.14     6    10    -10    12
 0.36    13    17     -4    14
 0.58    10    13      0    10
 0.90     4     4      .     3
 1.20     0     0      0     0
""",
    arms="""
 time  lead.swing  lead.spread  lead.elbow  lead.inward  other.swing  other.spread  other.elbow  other.inward
-0.60           0            0           0            0            0             0            0             0
-0.30           4            4           .            .           -6             4            .             .
-0.02         -10           14         -16            .           40            12          -10             .
 0.14         -16           36         -30          -10           46            24          -20            -8
 0.36          -4           40         -30          -10           24            30          -22            -8
 0.58           4           22         -12            .            0            20          -10             .
 0.90           0            4           .            .           -2             4            .             .
 1.20           0            0           0            0            0             0            0             0
""",
    middle=0.64,
)

LONG_LEAP = Leap(
    name="jump_over_long",
    obstacle=(0.12, 1.50),
    flight=0.54,
    faster=1.12,
    lead="""
beat  ahead  up     pitch
0.50 -0.14  -0.49   -50
0.90  0.24  -0.44   -22
1.25  0.48  -0.46    -2
1.55  0.52  -0.52     8
1.82  0.40  -0.62    12
""",
    trail="""
beat   ahead  up      pitch
 0.25 -0.56  -0.58   -80
 0.55 -0.46  -0.46   -64
 0.82 -0.22  -0.40   -54
 1.22  0.04  -0.43   -52
 1.60  0.27  -0.64   -14
 1.85  0.34  -0.78     2
""",
    body="""
 time  tilt  bend  twist  gaze
-0.60     0     0      0     0
-0.30     4     3      .     6
-0.02    -4    -5     -8     2
 0.16     2     4    -12     4
 0.38    10    14     -6    10
 0.66    14    17      0    10
 1.02     5     5      .     3
 1.30     0     0      0     0
""",
    arms="""
 time  lead.swing  lead.spread  lead.elbow  lead.inward  other.swing  other.spread  other.elbow  other.inward
-0.60           0            0           0            0            0             0            0             0
-0.30           6            4           .            .          -10             4            .             .
-0.02         -18           12         -20            .           58            10          -10             .
 0.16         -30           44         -46          -10           70            22          -34            -8
 0.38         -18           56         -50          -10           52            34          -40            -8
 0.66           2           28         -16            .            6            24          -14             .
 1.02           0            4           .            .           -2             4            .             .
 1.30           0            0           0            0            0             0            0             0
""",
    middle=0.55,
)


def leap(
    performer: Performer,
    kind: Leap = HIGH_LEAP,
    manner: Manner = PLAIN,
    *,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody jogs and leaps over an obstacle; `rng` lets trunk, gaze and arms wander a little."""
    way, duty = _hanging_way(performer, kind, manner, margin, fps)
    steps = way.loose_steps(rng)
    plain = way.score(steps)
    moments = (TAKE_OFF, TAKE_OFF + duty, LANDING, LANDING + duty)
    start, off, on, stop = (way.when(phase) for phase in moments)
    flight = Flight(start, off, on, stop)
    lead, trail = swing_of(way, "Right", LANDING, steps), swing_of(way, "Left", TRAILING, steps)
    score = layer(
        wander(plain, rng, margin),
        kind.body,
        kind.arms,
        scale=performer.scale,
        manner=Manner(size=manner.size, start=flight.off),
    )
    score = fly(plain, score, flight, _feet(kind, performer.scale, flight, lead, trail))
    return show(
        score,
        kind.name,
        margin,
        over=between_feet(performer, trail, lead, kind.middle),
        parts={"take-off": (flight.start, flight.off), "flight": (flight.off, flight.on)},
    )


def _hanging_way(
    performer: Performer, kind: Leap, manner: Manner, margin: int, fps: float
) -> tuple[PlainGait, float]:
    """A jog whose rhythm hangs as long as the flight needs; and the share of the cycle a foot is down."""
    tempo, speed = float(np.sqrt(performer.scale)), performer.jog_speed
    period, over = natural_period(performer, speed, True), mid_stance(performer, speed, True)
    duty = manner_at(speed / tempo, 1.0).duty
    # The obstacle is as high for short legs: they need more time in the air.
    flight = (kind.flight * tempo + SHORT_LEGS * max(0.0, 1.0 - performer.scale)) * manner.pace
    longer = flight - (0.5 - duty) * period
    off = (TAKE_OFF + duty - over) * period
    on, stance = off + flight, duty * period
    early, late = 0.3 * HANG_RAMP, 0.7 * HANG_RAMP
    hang = longer / (flight - late + early)

    def beat(time: ArrayLike) -> Array:
        hanging = envelope(time, off - early, off + late, on - late, on + early)
        landing = envelope(time, on, on + 0.4 * stance, on + 0.8 * stance, on + 1.4 * stance)
        return 1.0 - hang * hanging - SOFT * landing

    def pace(time: ArrayLike) -> Array:
        return 1.0 + (kind.faster - 1.0) * envelope(time, 0.3, off - 0.1, on + 0.1, on + 0.9)

    hold = longer + 0.9 * SOFT * stance
    return lay_gait(performer, True, CYCLES, hold=hold, pace=pace, beat=beat, margin=margin, fps=fps), duty


def _feet(kind: Leap, scale: float, flight: Flight, lead: Swung, trail: Swung) -> list[Flown]:
    def sized(table: str) -> Mapping[str, Keys]:
        sizes = {"ahead": scale, "up": scale, "pitch": 1.0}
        return {name: scaled(keys, sizes[name]) for name, keys in read_table(table).items()}

    return [
        Flown("Right", (lead[0].stop, flight.off, lead[1].start), sized(kind.lead)),
        Flown("Left", (trail[0].stop, flight.on, trail[1].start), sized(kind.trail)),
    ]
