"""Two clips cross over: the end of one is mixed into the beginning of the other, feet held on the ground.

What `join` and the synthesis of takes share. Both clips are already where they belong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.editing.feet import EASE, Pin, hold_feet, runs, smooth_step, smooth_steps
from walkon.motion.editing.soles import sole_clearances
from walkon.rotations import conjugate, multiply, slerp
from walkon.skeleton import find_roles

Array = NDArray[np.float64]


def cross_over(first: Clip, second: Clip, overlap: int, *, settled: int | None = None) -> Clip:
    """`first`, then `second`, the last `overlap` frames of one mixed with as many first frames of the other.

    Poses cross over with weights that start and end gently. Where both clips know the contacts of the same joints,
    feet that are planted stay where they are through the overlap and on to the end of their step. Nothing changes
    before the overlap, nor from frame `settled` of `second` on; a foot that is still planted then is carried over
    to where `second` has it bit by bit.
    """
    weights = smooth_steps(overlap)
    crossed = Clip(
        name=f"{first.name}+{second.name}",
        skeleton=first.skeleton,
        fps=first.fps,
        root_positions=_cross_fade(first.root_positions, second.root_positions, weights),
        rotations=_cross_slerp(first.rotations, second.rotations, weights),
        bone_offsets=_crossed_offsets(first, second, weights),
        labels=first.labels + _later(second.labels, len(first) - overlap),
        contacts=_crossed_contacts(first.contacts, second.contacts, overlap),
    )
    if crossed.contacts is None:
        return crossed
    settled = len(second) if settled is None else min(settled, len(second))
    return _hold_through(crossed, crossed.contacts, first, second, weights, max(settled, overlap))


def _cross_fade(first: Array, second: Array, weights: Array) -> Array:
    """Values (F, ...) of both clips end to end, mixed over the overlap."""
    overlap = len(weights)
    mix = weights.reshape(-1, *([1] * (first.ndim - 1)))
    middle = first[-overlap:] + mix * (second[:overlap] - first[-overlap:])
    return np.concatenate([first[:-overlap], middle, second[overlap:]])


def _cross_slerp(first: Array, second: Array, weights: Array) -> Array:
    """Rotations (F, J, 4) of both clips end to end, slerped over the overlap."""
    overlap = len(weights)
    middle = slerp(first[-overlap:], second[:overlap], weights[:, None])
    return np.concatenate([first[:-overlap], middle, second[overlap:]])


def _crossed_offsets(first: Clip, second: Clip, weights: Array) -> Array | None:
    if first.bone_offsets is None and second.bone_offsets is None:
        return None
    ours, theirs = (
        np.broadcast_to(clip.skeleton.offsets, (len(clip), len(clip.skeleton), 3))
        if clip.bone_offsets is None
        else clip.bone_offsets
        for clip in (first, second)
    )
    return _cross_fade(ours, theirs, weights)


def _later(labels: tuple[Label, ...], frames: int) -> tuple[Label, ...]:
    return tuple(Label(label.name, label.start + frames, label.stop + frames) for label in labels)


def _crossed_contacts(first: Contacts | None, second: Contacts | None, overlap: int) -> Contacts | None:
    """Contacts of both, changing over in the middle of the overlap; None unless both speak of the same joints."""
    if first is None or second is None or set(first.joints) != set(second.joints):
        return None
    columns = [second.joints.index(name) for name in first.joints]
    half = overlap // 2
    ours = first.planted[: len(first.planted) - overlap + half]
    return Contacts(first.joints, np.concatenate([ours, second.planted[half:, columns]]))


def _hold_through(
    crossed: Clip, contacts: Contacts, first: Clip, second: Clip, weights: Array, settled: int
) -> Clip:
    """The crossed clip with its feet as high as the mix of both clips', and planted where they were planted."""
    crossed = _level_feet(crossed, first, second, weights)
    start, stop = len(first) - len(weights), len(first)
    window = slice(start, stop)
    ours = sole_clearances(first.skeleton, first.positions[window])
    theirs = sole_clearances(second.skeleton, second.positions[: len(weights)])
    lifts = np.zeros((len(crossed), ours.shape[1]))
    mixed = ours + weights[:, None] * (theirs - ours)
    lifts[window] = mixed - sole_clearances(crossed.skeleton, crossed.positions[window])
    pins = []
    for column, name in enumerate(contacts.joints):
        joint = crossed.skeleton.index(name)
        steps = runs(contacts.planted[:, column])
        for i, (begin, end) in enumerate(steps):
            if begin < stop and end > start:
                free = (steps[i - 1][1] if i else 0, steps[i + 1][0] if i + 1 < len(steps) else len(crossed))
                pins.append(_pin(first, second, joint, (begin, end), free, weights, start + settled))
    # Ends of pins that are not yet where they lead lie in the middle of the overlap: easing stays within it.
    ease = min(EASE, 0.5 * len(weights) / crossed.fps)
    return hold_feet(crossed, pins, lifts=lifts, ease=ease)


def _level_feet(crossed: Clip, first: Clip, second: Clip, weights: Array) -> Clip:
    """The crossed clip with feet turned in the world as the mix of both clips' feet: flat stays flat.

    Blending every joint of a leg in its parent's frame does not ensure that, however alike the feet.
    """
    rotations = crossed.rotations.copy()
    window = slice(len(first) - len(weights), len(first))
    for foot in find_roles(crossed.skeleton).feet:
        parent = crossed.skeleton.parents[foot.ankle]
        ours = first.world_rotations[-len(weights) :, foot.ankle]
        theirs = second.world_rotations[: len(weights), foot.ankle]
        above = conjugate(crossed.world_rotations[window, parent])
        rotations[window, foot.ankle] = multiply(above, slerp(ours, theirs, weights))
    return crossed.with_changes(rotations=rotations)


def _pin(
    first: Clip,
    second: Clip,
    joint: int,
    contact: tuple[int, int],
    free: tuple[int, int],
    weights: Array,
    settled: int,
) -> Pin:
    """Hold a contact that meets the overlap where the clip it begins in has it.

    A contact of one clip only keeps to that clip's path from or to the end of the overlap. One that the first clip
    hands over to the second stays where the first one stands, and takes over from the second only how it rolls;
    once it has left the ground it returns to the second one's path. free: the frames that belong to no other
    contact. settled: the frame by which it is back.
    """
    start, stop = len(first) - len(weights), len(first)
    middle = start + len(weights) // 2
    ours = first.positions[:, joint][:, [0, 2]]
    theirs = second.positions[:, joint][:, [0, 2]]
    begin, end = contact
    if begin >= middle:
        return Pin(joint, begin, theirs[begin - start : max(end, min(stop, free[1])) - start])
    before = max(start - 1, free[0], 0)
    if end <= middle:
        return Pin(joint, before, ours[before:end])
    stand, their_stand = _middle(ours[begin:middle]), _middle(theirs[middle - start : end - start])
    path = _cross_fade(ours - stand, theirs - their_stand, weights) + stand
    leaves, back = _return(end, middle, min(settled, free[1]), round(EASE * first.fps))
    returned = smooth_step((np.arange(len(path)) - leaves + 1) / (back - leaves + 1))
    path += returned[:, None] * (their_stand - stand)
    return Pin(joint, before, path[before : max(back, end)])


def _middle(points: Array) -> Array:
    """The median (2,) of points (N, 2), each coordinate for itself."""
    return np.sort(points, axis=0)[len(points) // 2]


def _return(end: int, middle: int, settled: int, ease: int) -> tuple[int, int]:
    """From which to which frame a contact that was handed over comes back to where the second clip has it.

    In the air after its end, if there is time for that; else bit by bit while it stands.
    """
    if end < settled:
        return end, min(end + ease, settled)
    return middle, settled
