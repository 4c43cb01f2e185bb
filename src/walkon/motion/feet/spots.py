"""Spots on the ground where heels and toes are held, and how one comes from one spot to the next."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from walkon.basics import Array, Flags, runs

SETTLING_ROUNDS = 12
"""How often the spots of heels and toes are set apart. A heel and the stands of its toe pull at each other; found
by trying, more changes nothing that one sees."""


def mean_spots(path: Array, held: Flags, creep: int) -> Array:
    """The spots (F, 2) [m] where a joint on a path (F, 3) is held: its mean place on the ground while it is.

    Over more than `creep` frames, as when somebody stands through many blends, it is a mean over that time.
    """
    from scipy.ndimage import uniform_filter1d

    spots = path[:, [0, 2]].copy()
    for start, stop in runs(held):
        place = spots[start:stop]
        if stop - start <= creep:
            place[:] = place.mean(axis=0)
            continue
        for _ in range(2):
            place[:] = uniform_filter1d(place, creep, axis=0, mode="nearest")
    return spots


def set_apart(heel_spots: Array, toe_spots: Array, heel_held: Flags, toe_held: Flags, apart: Array) -> None:
    """Move the spots (F, 2) of steps in which heel and toe are held to be as far `apart` (F,) [m] as those are.

    A heel may stand through several stands of its toe: they settle among each other.
    """
    spots = (heel_spots, toe_spots)
    steps = (_step_of_frame(heel_held), _step_of_frame(toe_held))
    stands = runs(heel_held & toe_held)
    for _ in range(SETTLING_ROUNDS):
        for start, stop in stands:
            between = (toe_spots[start:stop] - heel_spots[start:stop]).mean(axis=0)
            shift = half_missing(between, float(apart[start:stop].mean()))
            for own, step, way in zip(spots, steps, (-1.0, 1.0), strict=True):
                own[slice(*step[start])] += way * shift


def half_missing(between: Array, apart: float) -> Array:
    """What (2,) [m] must be added to the second of two spots, and taken from the first, to be `apart` [m].

    between: (2,) [m] from the first to the second.
    """
    return 0.5 * (apart / max(float(np.hypot(*between)), 1e-9) - 1.0) * between


def _step_of_frame(held: Flags) -> dict[int, tuple[int, int]]:
    """By frame: from where to where the stretch of held frames goes that it lies in."""
    return {frame: (start, stop) for start, stop in runs(held) for frame in range(start, stop)}


def smoothed_while(values: Array, held: Flags, window: int) -> Array:
    """Values (F,), in every stretch of held frames averaged over `window` frames of it, as far as it goes."""
    smoothed = values.copy()
    for start, stop in runs(held):
        sums = np.concatenate([[0.0], np.cumsum(values[start:stop])])
        frames = np.arange(stop - start)
        reach = np.minimum(np.minimum(frames, stop - start - 1 - frames), window // 2)
        smoothed[start:stop] = (sums[frames + reach + 1] - sums[frames - reach]) / (2 * reach + 1)
    return smoothed


def share_out(heel_held: Flags, toe_held: Flags, tip_held: Flags) -> Array:
    """How much (F, 3) heel, ball and tip of a foot decide where it is: wholly the one that is held alone.

    A sole bends and the foot of a skeleton does not: held in two places, it is handed over from one to the other.
    """
    heel = _hand_over(heel_held, toe_held | tip_held)
    toe = _hand_over(toe_held, tip_held)
    return np.stack([heel, (1.0 - heel) * toe, (1.0 - heel) * (1.0 - toe)], axis=1)


def _hand_over(one: Flags, other: Flags) -> Array:
    """The share (F,) of one: all where it is held without the other, nothing where only the other is."""
    alone = np.flatnonzero(one ^ other)
    if len(alone) == 0:
        return np.full(len(one), 0.5)
    return np.interp(np.arange(len(one)), alone, one[alone].astype(np.float64))


def follow_spots(tip: Array, toe: Array, toe_spots: Array, tip_spots: Array, tip_held: Flags, both: Flags) -> None:
    """Put the spots (F, 2) of a tip where it belongs beside those of its ball, in steps in which both are held.

    tip, toe: (F, 3) [m] their paths.
    """
    for start, stop in runs(tip_held):
        together = start + np.flatnonzero(both[start:stop])
        if len(together):
            ball, apart = toe_spots[together], (tip - toe)[together][:, [0, 2]]
            tip_spots[start:stop] += (ball + apart - tip_spots[together]).mean(axis=0)


def close_gaps(held: Flags, path: Array, longest: int, farthest: float) -> None:
    """Set gaps of at most `longest` frames in which a joint on a path (F, 3) gets no farther [m] on the ground."""
    stands = runs(held)
    for (_, leave), (back, _) in pairwise(stands):
        apart = path[back, [0, 2]] - path[leave - 1, [0, 2]]
        if back - leave <= longest and np.hypot(*apart) <= farthest:
            held[leave:back] = True
