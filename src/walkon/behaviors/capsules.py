"""The capsules of a library's bodies in every frame of a clip, and at rest: for a closer look than outlines.

Everything is seen from the entry pose, heights are above the ground. Whoever does not ask for them pays nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, once_per_object
from walkon.behaviors.library import BehaviorClip
from walkon.behaviors.outlines import ROUNDED_UP
from walkon.motion import Clip, placement_at
from walkon.skeleton import build_body

Capsules = NDArray[np.float32]
"""(N, K, 7) both centres x, y, z and the radius [m] of K capsules, N times."""


def clip_capsules(shown: BehaviorClip) -> Capsules:
    """The capsules of the core of a clip (F, K, 7), the same array whenever it is asked for."""
    return _kept(shown.clip, shown.first, shown.last)


def make_capsules(shown: BehaviorClip) -> Capsules:
    """The same in an array that nobody keeps: for those who copy it."""
    return _made(shown.clip, shown.first, shown.last)


def rest_capsules(shown: Sequence[BehaviorClip], more: float) -> Capsules:
    """Capsules (1, K, 7) that hold all that is done in these clips, each its own, and `more` [m] around it: their
    ends are where they are on average, and they are as thick as it takes."""
    ends = np.concatenate([_ends(one.clip, one.first, one.last) for one in shown])
    middles = 0.5 * (ends.min(axis=0) + ends.max(axis=0))
    strayed = np.linalg.norm(ends - middles, axis=3).max(axis=(0, 2))
    return _described(middles[None], build_body(shown[0].clip.skeleton).radii, strayed + more)


@once_per_object
def _kept(clip: Clip, first: int, last: int) -> Capsules:
    return _made(clip, first, last)


def _made(clip: Clip, first: int, last: int) -> Capsules:
    return _described(_ends(clip, first, last), build_body(clip.skeleton).radii, 0.0)


def _ends(clip: Clip, first: int, last: int) -> Array:
    """The centres (F, K, 2, 3) [m] of all capsules in some frames."""
    seen = placement_at(clip, first).inverse().points(clip.positions[first : last + 1])
    return build_body(clip.skeleton).capsules(seen)


def _described(ends: Array, radii: Array, more: Array | float) -> Capsules:
    """Centres (N, K, 2, 3) and radii (K,), and `more` around them, in one array in single precision; those with
    the largest radii first, because bodies that are in each other mostly show it there."""
    found, order = np.empty((*ends.shape[:2], 7), dtype=np.float32), np.argsort(-radii, kind="stable")
    found[:, :, :6] = ends.reshape(*ends.shape[:2], 6)[:, order]
    found[:, :, 6] = (radii + more + ROUNDED_UP)[order]
    return found
