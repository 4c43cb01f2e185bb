"""Feet held where poses have them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.motion import Clip, Contacts
from walkon.motion.easing import smooth_step
from walkon.motion.feet.holding import Pin, hold_feet, pins_of
from walkon.rotations import continuous, slerp

SEAM_EASE = 0.15
"""Time [s] in which a foot is drawn to where it is held: shorter than elsewhere, because clips of a library are
short and are left as they are at both ends."""

UNTOUCHED, FULLY = 1, 5
"""Frames from a seam up to which nothing is changed, so that what clips share there stays shared, and frames from
which on feet are wholly held."""


def plant_between(clip: Clip, contacts: Contacts, seams: Sequence[int]) -> Clip:
    """The clip with planted feet held still; what it shows at its seams, and right beside them, stays as it is.

    seams: frames, in order. A foot that stands through a seam is held where it is in that frame.
    """
    pins = [_anchored(clip, pin, seams) for pin in pins_of(clip, contacts)]
    held = hold_feet(clip, pins, ease=SEAM_EASE)
    away = np.min([np.abs(np.arange(len(clip)) - seam) for seam in seams], axis=0)
    share = smooth_step((away - UNTOUCHED) / (FULLY - UNTOUCHED))
    rotations = continuous(slerp(clip.rotations, held.rotations, share[:, None]))
    return clip.with_changes(rotations=rotations, contacts=contacts)


def _anchored(clip: Clip, pin: Pin, seams: Sequence[int]) -> Pin:
    """A pin through a seam holds the foot where it is there; through two, it leads from one place to the other."""
    inside = [seam for seam in seams if pin.start <= seam < pin.stop]
    if not inside:
        return pin
    places = clip.positions[inside, pin.joint][:, [0, 2]]
    first, last = inside[0], inside[-1]
    share = smooth_step((np.arange(pin.start, pin.stop) - first) / max(1, last - first))
    return Pin(pin.joint, pin.start, places[0] + share[:, None] * (places[-1] - places[0]))
