"""The horse cast: a gallop that goes straight on, and bends to either side, gently or hard."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.behaviors import MARGIN, Behavior, BehaviorClip, BehaviorLibrary
from walkon.builtin.drift import drift
from walkon.builtin.horse.clip import gallop_clip
from walkon.builtin.horse.gallop import Gallop, GallopManner, steady_gallop
from walkon.builtin.horse.stride import FOOTFALLS, GALLOP_PERIOD
from walkon.builtin.keyframes import ease
from walkon.builtin.skeletons import HORSE_HEIGHT, horse_skeleton

FPS = 30.0
POSE = "gallop"
"""The one pose between behaviors: in the middle of a flight, all hooves gathered under the belly."""

HEIGHT_SPREAD, HEIGHTS = 0.045, (1.50, 1.70)
"""Standard deviation of the height at the withers, and the lowest and highest horse [m]."""

# Name -> degrees to the left, strides, clips.
REPERTOIRE = {
    "gallop_forward": (0.0, 2, 4),
    "gallop_left_15": (15.0, 2, 3),
    "gallop_right_15": (-15.0, 2, 3),
    "gallop_left_35": (35.0, 4, 2),
    "gallop_right_35": (-35.0, 4, 2),
}

LIVELINESS = {
    "pitch": 0.6,
    "tuck": 1.0,
    "neck": 2.0,
    "face": 2.0,
    "list": 0.8,
    "yaw": 0.8,
    "tail": 5.0,
    "whip": 2.0,
}
"""Degrees by which channels of the body differ from clip to clip."""

PRINT_SPREAD = (0.02, 0.06)
"""At most how many metres hooves land beside, and before or behind where the steady gallop puts them."""


def make_horse_library(seed: int = 0) -> BehaviorLibrary:
    """All that the horse with this seed can do; another seed is another horse."""
    rng = np.random.default_rng([seed, *POSE.encode()])
    height = float(np.clip(rng.normal(HORSE_HEIGHT, HEIGHT_SPREAD), *HEIGHTS))
    gallop = steady_gallop(horse_skeleton(height))
    behaviors = (
        Behavior(name, POSE, POSE, tuple(_clip(gallop, seed, name, *how[:2], index) for index in range(how[2])))
        for name, how in REPERTOIRE.items()
    )
    return BehaviorLibrary("horse", tuple(behaviors))


def _clip(gallop: Gallop, seed: int, name: str, turn: float, strides: int, index: int) -> BehaviorClip:
    frames = round(strides * GALLOP_PERIOD * FPS)
    times = np.arange(-MARGIN, frames + MARGIN + 1) / FPS
    manner = _manner(np.random.default_rng([seed, index, *name.encode()]), strides)
    return BehaviorClip(gallop_clip(gallop, f"{name}_{index + 1}", np.radians(turn), strides, times, FPS, manner))


def _manner(rng: np.random.Generator, strides: int) -> GallopManner:
    """A way to do it a little differently."""
    channels = {name: drift(rng, spread, strides * GALLOP_PERIOD) for name, spread in LIVELINESS.items()}
    prints = {}
    for leg, landing in FOOTFALLS.items():
        free = _room(np.arange(strides, dtype=np.float64) + landing, strides)
        prints[leg] = rng.uniform(-1.0, 1.0, size=(strides, 2)) * PRINT_SPREAD * free[:, None]
    return GallopManner(channels, prints)


def _room(landed: Array, strides: int) -> Array:
    """How freely (N,) a hoof that lands `landed` (N,) strides after the start may choose its place, 0 to 1.

    One that lands right after the steady gallop, or lifts right before it, has no time to go elsewhere.
    """
    return ease(landed / 0.6) * ease((strides - landed - 0.2) / 0.6)
