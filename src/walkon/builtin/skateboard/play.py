"""Actions of a skateboarder, played by one rider's body and manner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from walkon.basics import Array
from walkon.builtin.keyframes import Curve, ease, sequence
from walkon.builtin.skateboard.actions import SPEEDS, Action
from walkon.builtin.skateboard.hop import free_fall
from walkon.builtin.skateboard.ride import Ride, roll
from walkon.builtin.skateboard.rider import Rider
from walkon.motion import Clip, Label
from walkon.skeleton import Skeleton

RIDE_MARGIN = 1.0
"""Seconds before and after an action for which the ride is laid out."""

BREATH, BREATH_PHASE = 2.4, 0.8
"""Seconds a breath takes, and its phase [rad] where poses are left and entered."""

BREATHING = {"bend": -0.9, "left_spread": 1.0, "right_spread": 1.0}
"""Degrees by which a deep breath moves channels of the rider."""


@dataclass(frozen=True)
class Habits:
    """How a rider differs from the one the keys were written for.

    scale: length of the legs, against that rider's. speed: cruising, against that rider's at this size.
    factors, additions: for channels, by what they are multiplied, and what is then added.
    """

    scale: float = 1.0
    speed: float = 1.0
    factors: Mapping[str, float] = field(default_factory=dict)
    additions: Mapping[str, float] = field(default_factory=dict)


def play_action(
    skeleton: Skeleton,
    action: Action,
    name: str,
    times: Array,
    fps: float,
    habits: Habits,
    changes: Mapping[str, Curve],
) -> Clip:
    """The clip of an action at times (F,) [s] since it began; `changes` by channel vanish at both ends of it."""
    ride = _ride(action, habits)
    channels = {channel: sequence(keys) for channel, keys in action.channels().items()}

    def rider_at(at: Array) -> Rider:
        values = {
            channel: curve(at) * habits.factors.get(channel, 1.0) + habits.additions.get(channel, 0.0)
            for channel, curve in channels.items()
        }
        values |= {channel: values[channel] + change(at) for channel, change in changes.items()}
        for channel, share in BREATHING.items():
            values[channel] = values[channel] + share * breath(at, action.duration)
        return Rider(skeleton, ride, at, values, action.excursion, habits.scale)

    rider = rider_at(times)
    if action.hop is not None:
        rider = replace(rider, shift=free_fall(action.hop, rider_at)(times))
    poser, contacts = rider.pose()
    return poser.clip(name, fps, contacts, [Label(name, 0, len(times))])


def breath(times: Array, duration: float) -> Array:
    """How full the chest is (F,), from -1 to 1; at the same point of a breath where actions begin and end."""
    since_start, until_end = (np.sin(2 * np.pi * at / BREATH + BREATH_PHASE) for at in (times, times - duration))
    return since_start + ease(times / duration) * (until_end - since_start)


def _ride(action: Action, habits: Habits) -> Ride:
    """The board's motion; smaller riders are slower."""
    speed = sequence({0.0: SPEEDS[action.entry], action.duration: SPEEDS[action.exit], **action.speed})
    pace = habits.scale * habits.speed
    level = {0.0: 0.0}
    nose, tail = (action.hop.nose, action.hop.tail) if action.hop else (level, level)
    return roll(
        lambda at: pace * speed(at),
        sequence(action.heading or level),
        (-RIDE_MARGIN, action.duration + RIDE_MARGIN),
        sequence(nose),
        sequence(tail),
    )
