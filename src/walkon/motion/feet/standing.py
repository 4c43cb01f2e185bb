"""Which planted joints stand.

A joint is *planted* while it is low and slow enough to bear weight: see `contacts.py`. It is not at rest all that
time: a heel rolls onto the ground and off it, an ankle travels over its heel. Whoever holds feet in place, or
measures how they slide, asks one of two questions.

`standing_frames`: in which frames is a joint at rest, in a motion that is believed, such as a recording? Those in
which it is slow, but for markers that shake. A foot that is put elsewhere within one contact stands twice.

`resting_part`: which part of a contact is meant to be at rest, in a motion that may slide because it was blended,
sampled or led elsewhere? All of it, but for the rolling at both ends. How fast it is at its slowest is the slide
that is to be taken out; only what is faster than that rolls.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from walkon.basics import Array, Flags, runs
from walkon.motion.clip import Clip, Contacts
from walkon.motion.feet._kernels_contacts import joint_speeds
from walkon.skeleton import Skeleton

SPEED_WINDOW = 1 / 60
"""Time [s] to either side of a frame over which the speed of a joint is measured, whatever the frame rate. A
longer one hides quick steps, a shorter one shows how markers tremble."""

STILL_SPEED = 0.15
"""Speed [m/s] up to which a recorded joint on the ground is at rest. On recordings of CMU a joint held by it is at
most 2 cm from its mean place; at 0.3 m/s it is up to 8 cm, as an ankle that rolls over its heel."""

SHAKE_TIME = 0.1
"""Longest time [s] for which a joint at rest may be faster than that without having moved on: markers shake."""

SHAKE_REACH = 0.015
"""Farthest [m] that it may get meanwhile. With more, small steps would be taken for shaking."""

ROLL_SPEED = 0.2
"""By how much [m/s] a joint is faster than at the slowest of its contact while it rolls onto the ground or off.
With more, feet are held while they roll and then jerk; with less, too little of a contact is held. Found by
trying."""

LIFTED = 0.008
"""How far [m] above the lowest of its contact a joint that lands or lifts off is not on the ground any more,
whatever labels say: those of recordings begin and end in the air. With more, the way of a toe that lifts off
passes for a slide."""


def speeds_along(path: Array, fps: float) -> Array:
    """Speeds (F,) [m/s] along a path (F, 2) or (F, 3) [m], each over `SPEED_WINDOW` to either side."""
    speeds = np.empty((len(path), 1))
    reach = max(1, round(SPEED_WINDOW * fps))
    joint_speeds(np.ascontiguousarray(path)[:, None], np.zeros(1, dtype=np.int64), reach, fps, speeds)
    return speeds[:, 0]


def standing_frames(path: Array, planted: Flags, fps: float) -> Flags:
    """Frames (F,) of those `planted` (F,) in which a joint on a path (F, 3) [m] is at rest."""
    if len(path) == 1:
        return planted.copy()
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    slow = steps * fps <= STILL_SPEED
    # A frame stands if the joint is slow on its way to it or from it: it has come to rest, or not yet left.
    stands = planted & (np.append(slow, False) | np.insert(slow, 0, False))
    stands[1:][stands[1:] & stands[:-1] & (steps > SHAKE_REACH)] = False
    for start, stop in runs(planted):
        _fill_shakes(path[start:stop], stands[start:stop], round(SHAKE_TIME * fps))
    return stands


def _fill_shakes(path: Array, stands: Flags, longest: int) -> None:
    """Set gaps of at most `longest` frames within one contact in which the joint got nowhere."""
    for (_, leave), (back, _) in pairwise(runs(stands)):
        if back - leave <= longest and np.linalg.norm(path[back] - path[leave - 1]) <= SHAKE_REACH:
            stands[leave:back] = True


def resting_part(speeds: Array, start: int, stop: int) -> tuple[int, int]:
    """The part of a contact, frames `start` to `stop`, in which a joint with these speeds (F,) [m/s] does not
    roll."""
    own = speeds[start:stop]
    slow = start + np.flatnonzero(own < own.min() + ROLL_SPEED)
    return int(slow[0]), int(slow[-1]) + 1


def without_rolling(clip: Clip, contacts: Contacts) -> Contacts:
    """The contacts without the frames in which a joint rolls onto the ground or off it."""
    planted = np.zeros_like(contacts.planted)
    for column, name in enumerate(contacts.joints):
        speeds = speeds_along(clip.positions[:, clip.skeleton.index(name)], clip.fps)
        for contact in runs(contacts.planted[:, column]):
            planted[slice(*resting_part(speeds, *contact)), column] = True
    return Contacts(contacts.joints, planted)


def without_lifting(skeleton: Skeleton, positions: Array, contacts: Contacts) -> Contacts:
    """The contacts of joints at positions (F, J, 3) [m] without the frames at both ends in which a joint is still,
    or already, in the air."""
    planted = contacts.planted.copy()
    for column, name in enumerate(contacts.joints):
        heights = positions[:, skeleton.index(name), 1]
        edges = np.array(runs(contacts.planted[:, column]), dtype=np.int64).reshape(-1, 2)
        if not len(edges):
            continue
        # Of every other stretch; a contact to the last frame has nothing after it.
        lowest = np.minimum.reduceat(heights, edges.ravel()[: len(edges.ravel()) - (edges[-1, 1] == len(heights))])
        for (start, stop), low in zip(edges, lowest[::2], strict=True):
            if heights[start] > low + LIFTED or heights[stop - 1] > low + LIFTED:
                held = start + np.flatnonzero(heights[start:stop] <= low + LIFTED)
                planted[start : held[0], column] = planted[held[-1] + 1 : stop, column] = False
    return Contacts(contacts.joints, planted)
