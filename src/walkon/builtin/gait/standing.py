"""Standing: the canonical pose between all that people do on the spot."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.builtin.footwork import OUTWARDS, SIDES, FootTrack, Plant, Swing, follow_plants
from walkon.builtin.human import human_feet
from walkon.builtin.keyframes import sequence
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score
from walkon.builtin.timing import frame_times

STANCE_HALF = 0.094
"""Distance of each ankle from the middle when standing [m], for legs of the reference length."""

STANCE_TOE_OUT = 8.0
"""Degrees each foot points outwards when standing."""

STANDING_LEG = 0.9975
"""Share of its length that a leg spans in standing: knees eased, not locked."""

PELVIS_AHEAD = 0.030
"""How far the pelvis is before the ankles [m]: the weight is carried over the middle of the foot."""

STANDING_TRUNK = {"tilt": 4.0, "list": 0.0, "turn": 0.0, "bend": -2.0, "twist": 0.0, "lean": 0.0}
STANDING_HEAD = {"gaze": 3.0, "look": 0.0}
STANDING_ARM = {"swing": 3.0, "spread": 8.0, "inward": 16.0, "elbow": 17.0, "wrist": 6.0, "shrug": 0.0}
"""Degrees; hands hang at the thighs, a little before the seam."""


def stand(performer: Performer, duration: float, fps: float = 30.0) -> Score:
    """A score of standing still at the origin, facing +z, for so long [s]."""
    times = frame_times(duration, fps)
    rest = np.zeros(len(times))
    skeleton = performer.skeleton()
    pelvis = standing_pelvis(performer) + np.zeros((len(times), 3))
    arm = {name: rest + value for name, value in standing_arm(performer).items()}
    trunk = {name: rest + value for name, value in (standing_trunk(performer) | STANDING_HEAD).items()}
    return Score(
        skeleton,
        fps,
        times,
        rest,
        pelvis,
        **trunk,
        arms={side: dict(arm) for side in SIDES},
        feet={side: standing_foot(performer, side, times) for side in SIDES},
        knee_out={side: rest.copy() for side in SIDES},
    )


def standing_trunk(performer: Performer) -> dict[str, float]:
    """Channels of pelvis and spine [degrees]."""
    return STANDING_TRUNK | {"bend": STANDING_TRUNK["bend"] + 0.5 * performer.style.lean}


def standing_arm(performer: Performer) -> dict[str, float]:
    """Channels of a hanging arm [degrees]."""
    return STANDING_ARM | {"elbow": STANDING_ARM["elbow"] * performer.style.elbow_bend}


def standing_plant(performer: Performer, side: str) -> Plant:
    """Where a foot stands, for ever."""
    out = OUTWARDS[side]
    half = STANCE_HALF * performer.scale * (0.5 + 0.5 * performer.style.stance_width)
    toes = np.radians(STANCE_TOE_OUT * performer.style.toe_out)
    return Plant(-np.inf, np.inf, out * half, 0.0, heading=float(out * toes))


def standing_foot(performer: Performer, side: str, times: Array) -> FootTrack:
    """The track of a foot that stands."""
    foot = human_feet(performer.skeleton())[side]
    return follow_plants(foot, [standing_plant(performer, side)], sequence({0.0: 0.0}), times, Swing({}))


def standing_pelvis(performer: Performer) -> Array:
    """Where the pelvis is (3,) [m] above feet at the origin."""
    skeleton, plant = performer.skeleton(), standing_plant(performer, "Left")
    ahead = PELVIS_AHEAD * performer.scale
    hip = skeleton.offsets[skeleton.index("LeftUpLeg")]
    tilt = np.radians(STANDING_TRUNK["tilt"])
    across = np.hypot(plant.x - hip[0], ahead + hip[1] * np.sin(tilt))
    height = np.sqrt((STANDING_LEG * performer.leg) ** 2 - across**2)
    ankle = human_feet(skeleton)["Left"].height
    return np.array([0.0, float(ankle + height - hip[1] * np.cos(tilt)), ahead])
