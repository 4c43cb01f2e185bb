"""Layers: an action keyed as changes to a plain score, nothing at its first key and nothing at its last.

A layer is one table of keys or several. Columns are body channels of the score in degrees ("bend", "look" ...),
arm channels of the leading, of the other or of both sides ("lead.swing", "other.elbow", "both.wrist"), and where
the pelvis goes in metres for the person of reference size ("rise", "ahead", "aside"). All are changes, so whoever
stands in their own way acts in their own way. Tables are written for a leading right side; for the left they are
mirrored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from walkon.basics import Array
from walkon.builtin.footwork import SIDES
from walkon.builtin.keyframes import Curve, read_table, sequence
from walkon.builtin.score import BODY_CHANNELS, Score

PELVIS_CHANNELS = ("aside", "rise", "ahead")
"""Where the pelvis goes from where it is: to the left, up and forward [m]."""

KNEES = "knees"
"""Degrees that both knees point further outwards."""

SIDEWAYS = ("aside", "list", "turn", "twist", "lean", "look")
"""Channels that change sign when the other side leads."""

DRAG = {"elbow": 0.03, "wrist": 0.06}
"""Seconds by which a joint follows the one above it: limbs unfold from the root."""


@dataclass(frozen=True)
class Manner:
    """How one clip of an action differs from the next.

    lead: side that leads. pace: of time. size: of all changes. start: when time 0 of the keys is [s].
    """

    lead: str = "Right"
    pace: float = 1.0
    size: float = 1.0
    start: float = 0.0

    def starting(self, start: float) -> Manner:
        """The same with its keys at another time [s]."""
        return replace(self, start=start)

    def paced(self, pace: float) -> Manner:
        """The same at another pace."""
        return replace(self, pace=pace)

    def when(self, key: float) -> float:
        """The time [s] of something keyed at `key` [s]."""
        return self.start + key / self.pace


PLAIN = Manner()
"""As keyed."""


@cache
def table_curves(table: str) -> Mapping[str, Curve]:
    """Every column of a table as a curve of time [s]."""
    return {channel: sequence(keys) for channel, keys in read_table(table).items()}


def standing_frames(*tables: str, manner: Manner, margin: int, fps: float) -> tuple[int, float]:
    """How many frames tables take with `margin` frames of rest around them, and when [s] their time 0 is."""
    times = [time for table in tables for keys in read_table(table).values() for time in keys]
    core = int(np.ceil((max(times) - min(times) + max(DRAG.values())) / manner.pace * fps))
    return core + 2 * margin + 1, margin / fps - min(times) / manner.pace


def layer(score: Score, *tables: str, scale: float = 1.0, manner: Manner = PLAIN) -> Score:
    """The score with the changes of tables added; metres are multiplied by `scale`, the performer's."""
    changes: dict[str, Array] = {}
    for table in tables:
        changes |= _changes(score.times, table, manner)
    body = {name: change for name, change in changes.items() if name in BODY_CHANNELS}
    shift = [scale * changes.get(name, np.zeros(len(score))) for name in PELVIS_CHANNELS]
    score = score.plus(pelvis=np.stack(shift, axis=1), **body)
    knee_out = {side: score.knee_out[side] + changes.get(KNEES, 0.0) for side in SIDES}
    score = replace(score, knee_out=knee_out)
    for side in SIDES:
        parts = ("both.", "lead." if side == manner.lead else "other.")
        arm = {name.split(".")[1]: change for name, change in changes.items() if name.startswith(parts)}
        score = score.plus_arm(side, **arm)
    return score


def _changes(times: Array, table: str, manner: Manner) -> dict[str, Array]:
    """Every column of a table as a curve at `times` (F,), held before its keys and after them."""
    changes = {}
    for channel, curve in table_curves(table).items():
        _, _, joint = channel.partition(".")
        sign = -1.0 if channel in SIDEWAYS and manner.lead == "Left" else 1.0
        when = (times - manner.start) * manner.pace - DRAG.get(joint, 0.0)
        changes[channel] = sign * manner.size * curve(when)
    return changes
