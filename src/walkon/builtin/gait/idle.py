"""Standing about: weight from leg to leg, breath, eyes that wander."""

from __future__ import annotations

import numpy as np

from walkon.builtin.footwork import SIDES
from walkon.builtin.gait.standing import stand
from walkon.builtin.keyframes import Curve, sequence
from walkon.builtin.performer import Performer
from walkon.builtin.score import Score, envelope

BREATH = 3.9
"""Seconds from breath to breath."""

WEIGHT_SHIFT = 0.042
"""How far the pelvis goes over one leg [m], for legs of the reference length."""

AT_EASE = 1.0
"""Seconds of standing about in which people move as far as they like: in less there is time only for less."""

SETTLING = 1.1
"""Seconds in which a standing person comes to life, and to rest again."""

ON_LEFT_LEG = {"list": 3.6, "lean": -3.0, "turn": -2.5, "twist": 1.6}
"""Degrees of trunk channels when the weight is on the left leg: the other hip drops, the shoulders stay level."""

SINK = 0.013
"""How much lower the pelvis is then [m]: the leg that carries is not stretched any further."""


def idle(performer: Performer, frames: int, rng: np.random.Generator, fps: float = 30.0) -> Score:
    """A score of standing about for a number of `frames` at the origin, facing +z; at rest at both ends."""
    still = stand(performer, frames / fps, fps)
    times, duration = still.times, frames / fps
    alive = envelope(times, 0.0, min(SETTLING, 0.4 * duration), max(duration - SETTLING, 0.6 * duration), duration)
    # To the third power, short rests are as smooth as long ones: nobody twitches who holds still again and again.
    lively = min(1.0, duration / AT_EASE) ** 3
    weight = lively * _weight(duration, rng)(times)
    shift = performer.scale * np.stack([WEIGHT_SHIFT * weight, -SINK * weight**2, 0.006 * weight], axis=1)
    breath = lively * alive * np.sin(2.0 * np.pi * (times / BREATH + rng.random()))
    score = still.plus(pelvis=shift, **{name: size * weight for name, size in ON_LEFT_LEG.items()})
    score = score.plus(
        bend=-0.7 * breath,
        look=_wandering(duration, 13.0 * lively, rng)(times),
        gaze=_wandering(duration, 4.0 * lively, rng)(times),
    )
    for side in SIDES:
        hang = {
            name: _wandering(duration, size * lively, rng)(times)
            for name, size in (("swing", 3.0), ("elbow", 5.0))
        }
        score = score.plus_arm(side, shrug=1.2 * breath, spread=0.8 * breath, **hang)
    return score


def _weight(duration: float, rng: np.random.Generator) -> Curve:
    """On which leg the weight is: 1 the left one, -1 the right one; 0 at both ends."""
    first = float(rng.choice([-1.0, 1.0]))
    keys = {0.0: 0.0, duration: 0.0}
    # One leg, then the other if there is time for it.
    turns = {0.25: 1.0, 0.45: 1.0, 0.65: -0.8, 0.82: -0.8} if duration > 3.5 else {0.35: 1.0, 0.6: 1.0}
    first *= rng.uniform(0.7, 1.0)
    keys |= {duration * (share + rng.uniform(-0.03, 0.03)): first * size for share, size in turns.items()}
    return sequence(keys)


def _wandering(duration: float, size: float, rng: np.random.Generator) -> Curve:
    """A channel [degrees] that goes somewhere, stays, goes elsewhere and comes back."""
    there, elsewhere = np.clip(rng.normal(size=2), -1.5, 1.5) * size
    keys = {0.0: 0.0, 0.22: there, 0.42: there, 0.62: elsewhere, 0.78: elsewhere, 1.0: 0.0}
    return sequence({share * duration: float(value) for share, value in keys.items()})
