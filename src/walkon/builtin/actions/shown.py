"""From a score to a clip of a behaviour, and what makes one clip of it differ from the next."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from walkon.basics import Array
from walkon.behaviors import BehaviorClip
from walkon.builtin.drift import drift
from walkon.builtin.footwork import SIDES
from walkon.builtin.score import Score, play
from walkon.motion import Label

TRUNK_SWAYS = {"tilt": 0.6, "bend": 1.2, "twist": 1.5, "lean": 0.9, "gaze": 2.0, "look": 4.0}
ARM_SWAYS = {"swing": 2.5, "spread": 1.2, "elbow": 3.5}
"""Degrees by which channels of body and arms differ from clip to clip."""


def show(
    score: Score,
    name: str,
    margin: int,
    *,
    over: float | None = None,
    parts: Mapping[str, tuple[float, float]] | None = None,
) -> BehaviorClip:
    """The clip of a score whose core begins after `margin` frames.

    over [m]: where along +z the middle of the obstacle is; the action is when the pelvis is there. parts: named
    stretches [s], on the clock of the score.
    """
    labels = [Label(name, 0, len(score))]
    for part, (start, stop) in (parts or {}).items():
        first, last = np.searchsorted(score.times, [start, stop])
        labels.append(Label(part, int(first), int(last)))
    action = None if over is None else passing_time(score, over) - float(score.times[margin])
    return BehaviorClip(play(score, name, labels), margin, action)


def passing_time(score: Score, z: float) -> float:
    """When [s] the pelvis passes a place along +z [m]."""
    return float(np.interp(z, score.pelvis[:, 2], score.times))


def obstacle_of(shown: BehaviorClip) -> float:
    """Where along +z the middle of the obstacle is [m] that a clip passes."""
    frame = shown.first + (shown.action_time or 0.0) * shown.clip.fps
    return float(np.interp(frame, np.arange(len(shown.clip)), shown.clip.root_positions[:, 2]))


def wander(
    score: Score,
    rng: np.random.Generator | None,
    margin: int,
    amount: float = 1.0,
    trunk: Mapping[str, float] = TRUNK_SWAYS,
    arms: Mapping[str, float] = ARM_SWAYS,
) -> Score:
    """The score with small slow changes of trunk, gaze and arms that vanish at both ends; as it is without rng.

    amount: by which the usual sizes of the changes, `trunk` and `arms` [degrees] by channel, are multiplied.
    """
    if rng is None:
        return score
    start, stop = float(score.times[margin]), float(score.times[-1 - margin])

    def drifts(sizes: Mapping[str, float]) -> dict[str, Array]:
        curves = {name: drift(rng, amount * size, stop - start) for name, size in sizes.items()}
        return {name: curve(score.times - start) for name, curve in curves.items()}

    score = score.plus(**drifts(trunk))
    for side in SIDES:
        score = score.plus_arm(side, **drifts(arms))
    return score
