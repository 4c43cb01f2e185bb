"""The skateboarder cast: glides, pushes, carves to both sides, jumps, ducks, stops, waits and sets out again."""

from __future__ import annotations

import numpy as np

from walkon.behaviors import MARGIN, Behavior, BehaviorClip, BehaviorLibrary
from walkon.builtin.drift import drift
from walkon.builtin.performer import Performer
from walkon.builtin.skateboard.actions import Action
from walkon.builtin.skateboard.play import Habits, play_action
from walkon.builtin.skateboard.repertoire import REPERTOIRE
from walkon.builtin.skeletons import with_board
from walkon.skeleton import Skeleton

FPS = 30.0
"""Frames a second of all clips of the cast."""

CLIP_COUNTS = {"glide": 4, "wait": 4, "push": 3}
"""How many clips show a behaviour that is seen often; the others have two."""

LIVELINESS = {
    "height": 0.012,
    "side": 0.008,
    "ahead": 0.010,
    "tilt": 1.5,
    "bend": 2.0,
    "twist": 3.0,
    "gaze": 2.5,
    "look": 5.0,
    "left_swing": 4.0,
    "left_spread": 4.0,
    "left_elbow": 5.0,
    "right_swing": 4.0,
    "right_spread": 4.0,
    "right_elbow": 5.0,
}
"""Metres or degrees by which channels of the rider differ from clip to clip."""

LOOKING_AROUND = 3.0
"""How much more than usual somebody who waits looks about, as a factor."""


def make_skateboarder_library(performer: Performer) -> BehaviorLibrary:
    """All that one person does on a skateboard, in that person's own manner."""
    skeleton = with_board(performer.skeleton())
    habits = _habits(performer)
    behaviors = (
        Behavior(
            name,
            action.entry,
            action.exit,
            tuple(
                _clip(performer, skeleton, habits, name, action, index)
                for index in range(CLIP_COUNTS.get(name, 2))
            ),
            action.kind,
        )
        for name, action in REPERTOIRE.items()
    )
    return BehaviorLibrary("skateboarder", tuple(behaviors))


def _habits(performer: Performer) -> Habits:
    style = performer.style
    factors = {"left_swing": style.arm_swing, "right_swing": style.arm_swing}
    factors |= {"left_elbow": style.elbow_bend, "right_elbow": style.elbow_bend}
    return Habits(performer.scale, style.energy, factors, {"bend": style.lean})


def _clip(
    performer: Performer, skeleton: Skeleton, habits: Habits, name: str, action: Action, index: int
) -> BehaviorClip:
    rng = performer.rng(name, index)
    changes = {channel: drift(rng, spread, action.duration) for channel, spread in LIVELINESS.items()}
    if action.kind == "wait":
        changes["look"] = drift(rng, LOOKING_AROUND * LIVELINESS["look"], action.duration)
    times = np.arange(-MARGIN, round(action.duration * FPS) + MARGIN + 1) / FPS
    clip = play_action(skeleton, action, f"{name}_{index + 1}", times, FPS, habits, changes)
    return BehaviorClip(clip, action_time=action.moment)
