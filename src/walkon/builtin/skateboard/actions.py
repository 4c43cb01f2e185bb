"""What an action on a skateboard is: from one of two poses to one of them, keyed on the way.

"glide": rolling at cruising speed, feet over the bolts, knees soft. "stand": still, on the board. Keys are written
for a stature of 1.75 m.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from walkon.builtin.keyframes import Keys, read_table
from walkon.builtin.skateboard.feet import Excursion
from walkon.builtin.skateboard.hop import Hop

Pose = Mapping[str, float]
"""Channel of a rider -> metres or degrees."""

CRUISE = 2.6
"""Speed [m/s] of the pose "glide"."""

GLIDE: Pose = MappingProxyType(
    {
        "height": 0.945,
        "side": 0.030,
        "ahead": -0.215,
        "facing": -70.0,
        "tilt": 11.0,
        "bend": 10.0,
        "twist": 8.0,
        "front_foot": -62.0,
        "gaze": 6.0,
        "look": 0.0,
        "knees": 0.0,
        "left_swing": 6.0,
        "left_spread": 34.0,
        "left_elbow": 24.0,
        "right_swing": 0.0,
        "right_spread": 30.0,
        "right_elbow": 28.0,
    }
)
STAND: Pose = MappingProxyType(
    {
        **GLIDE,
        "height": 1.005,
        "tilt": 5.0,
        "bend": 5.0,
        "twist": 14.0,
        "left_swing": 2.0,
        "left_spread": 14.0,
        "left_elbow": 18.0,
        "right_spread": 13.0,
        "right_elbow": 20.0,
    }
)
POSES: Mapping[str, Pose] = MappingProxyType({"glide": GLIDE, "stand": STAND})
SPEEDS: Mapping[str, float] = MappingProxyType({"glide": CRUISE, "stand": 0.0})


@dataclass(frozen=True)
class Action:
    """One thing a rider does.

    kind: of behaviour. entry, exit: names in `POSES`. duration: [s]. keys: tables of channels by time [s]; what
    they leave out goes straight from pose to pose. speed: [m/s] and heading: degrees to the left, by time [s].
    excursion: of the rear foot. hop: off the ground. moment: when the action happens [s], if at a moment.
    """

    kind: str
    entry: str
    exit: str
    duration: float
    keys: tuple[str, ...] = ()
    speed: Keys = field(default_factory=dict)
    heading: Keys = field(default_factory=dict)
    excursion: Excursion | None = None
    hop: Hop | None = None
    moment: float | None = None

    def channels(self) -> dict[str, Keys]:
        """Keys of every channel, from the entry pose to the exit pose."""
        tables = [read_table(text) for text in self.keys]
        keys = {channel: keys for table in tables for channel, keys in table.items()}
        first, last = POSES[self.entry], POSES[self.exit]
        return {
            channel: {0.0: first[channel], **keys.get(channel, {}), self.duration: last[channel]}
            for channel in first
        }


# A right turn is on the toes: knees and hips press into it. A left turn is on the heels: the rider sits back.
TOES: Pose = MappingProxyType(
    {
        "height": 0.750,
        "side": -0.035,
        "facing": -60.0,
        "tilt": 24.0,
        "bend": 24.0,
        "twist": 16.0,
        "gaze": 8.0,
        "left_swing": 28.0,
        "left_spread": 70.0,
        "left_elbow": 18.0,
        "right_swing": -8.0,
        "right_spread": 64.0,
        "right_elbow": 36.0,
    }
)
HEELS: Pose = MappingProxyType(
    {
        "height": 0.740,
        "side": 0.050,
        "facing": -76.0,
        "tilt": 24.0,
        "bend": 30.0,
        "twist": 26.0,
        "gaze": 8.0,
        "left_swing": 40.0,
        "left_spread": 58.0,
        "left_elbow": 20.0,
        "right_swing": 26.0,
        "right_spread": 62.0,
        "right_elbow": 32.0,
    }
)


def carve(degrees: float, duration: float, depth: float) -> Action:
    """A turn by `degrees` to the left; depth: share of the deepest crouch it takes."""
    goal = HEELS if degrees > 0 else TOES
    times = (0.40 * duration, 0.62 * duration)
    deep = {channel: GLIDE[channel] + depth * (value - GLIDE[channel]) for channel, value in goal.items()}
    header = " ".join(["time", *deep])
    rows = [" ".join(f"{value:.4f}" for value in (time, *deep.values())) for time in times]
    return Action(
        kind="locomotion",
        entry="glide",
        exit="glide",
        duration=duration,
        keys=("\n".join([header, *rows]),),
        heading={0.14 * duration: 0.0, 0.88 * duration: degrees},
    )
