"""One clip after another, blended where they meet."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.editing.feet import Pin, hold_feet, runs, smooth_steps
from walkon.motion.editing.place import place
from walkon.motion.editing.resample import resample
from walkon.motion.editing.soles import sole_clearances
from walkon.motion.features.placement import ground_placements
from walkon.rotations import Placement, conjugate, multiply, slerp
from walkon.skeleton import find_roles

Array = NDArray[np.float64]


def join(first: Clip, second: Clip, blend: float = 0.3) -> Clip:
    """`first`, then `second` moved to where `first` ends, overlapping by `blend` [s].

    The second clip is aligned so that over the overlap both stand, on average, at the same place with the same
    heading; it is brought to the first one's rate if need be. Poses cross over with weights that start and end
    gently. Where both clips know their contacts, feet that are planted stay where they are through the blend, and
    on to the end of their step. The first clip is untouched before the overlap.
    """
    second = second if second.fps == first.fps else resample(second, first.fps)
    overlap = _overlap_frames(first, second, blend)
    second = place(second, _alignment(first, second, overlap))
    weights = smooth_steps(overlap)
    joined = Clip(
        name=f"{first.name}+{second.name}",
        skeleton=first.skeleton,
        fps=first.fps,
        root_positions=_cross_fade(first.root_positions, second.root_positions, weights),
        rotations=_cross_slerp(first.rotations, second.rotations, weights),
        bone_offsets=_joined_offsets(first, second, weights),
        labels=first.labels + _later(second.labels, len(first) - overlap),
        contacts=_joined_contacts(first.contacts, second.contacts, overlap),
    )
    if joined.contacts is None:
        return joined
    return _hold_through_blend(joined, joined.contacts, first, second, weights)


def _overlap_frames(first: Clip, second: Clip, blend: float) -> int:
    """Number of frames of the overlap, at least one."""
    if not first.skeleton.matches(second.skeleton):
        raise ClipError(
            f"clips {first.name!r} and {second.name!r} have different skeletons; scale() or retarget() one first"
        )
    if not (np.isfinite(blend) and blend >= 0):
        raise ClipError(f"blend is a time of at least 0 s, not {blend}")
    overlap = max(1, round(blend * first.fps))
    shorter = min(first, second, key=len)
    if overlap > len(shorter):
        raise ClipError(
            f"a blend of {blend:g} s is {overlap} frames, but clip {shorter.name!r} has only {len(shorter)}"
        )
    return overlap


def _alignment(first: Clip, second: Clip, overlap: int) -> Placement:
    """The placement that carries the start of `second` onto the end of `first`, on average over the overlap."""
    ours, theirs = ground_placements(first)[-overlap:], ground_placements(second)[:overlap]
    turns = ours[:, 2] - theirs[:, 2]
    turn = Placement(0.0, 0.0, float(np.arctan2(np.sin(turns).mean(), np.cos(turns).mean())))
    x, z = turn.point(theirs[:, 0], theirs[:, 1])
    return Placement(float(np.mean(ours[:, 0] - x)), float(np.mean(ours[:, 1] - z)), turn.heading)


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


def _joined_offsets(first: Clip, second: Clip, weights: Array) -> Array | None:
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


def _joined_contacts(first: Contacts | None, second: Contacts | None, overlap: int) -> Contacts | None:
    """Contacts of both, changing over in the middle of the overlap; None unless both speak of the same joints."""
    if first is None or second is None or set(first.joints) != set(second.joints):
        return None
    columns = [second.joints.index(name) for name in first.joints]
    half = overlap // 2
    ours = first.planted[: len(first.planted) - overlap + half]
    return Contacts(first.joints, np.concatenate([ours, second.planted[half:, columns]]))


def _hold_through_blend(joined: Clip, contacts: Contacts, first: Clip, second: Clip, weights: Array) -> Clip:
    """The joined clip with its feet as high as the mix of both clips', and planted where they were planted."""
    joined = _level_feet(joined, first, second, weights)
    start, stop = len(first) - len(weights), len(first)
    ours = sole_clearances(first.skeleton, first.positions)
    theirs = sole_clearances(second.skeleton, second.positions)
    lifts = _cross_fade(ours, theirs, weights) - sole_clearances(joined.skeleton, joined.positions)
    lifts[:start], lifts[stop:] = 0.0, 0.0
    pins = []
    for column, name in enumerate(contacts.joints):
        joint = joined.skeleton.index(name)
        for begin, end in runs(contacts.planted[:, column]):
            if begin < stop and end > start:
                pins.append(_blend_pin(first, second, joint, (begin, end), weights))
    return hold_feet(joined, pins, lifts=lifts)


def _level_feet(joined: Clip, first: Clip, second: Clip, weights: Array) -> Clip:
    """The joined clip with feet turned in the world as the mix of both clips' feet: flat stays flat.

    Blending every joint of a leg in its parent's frame does not ensure that, however alike the feet.
    """
    rotations = joined.rotations.copy()
    window = slice(len(first) - len(weights), len(first))
    for foot in find_roles(joined.skeleton).feet:
        parent = joined.skeleton.parents[foot.ankle]
        ours = first.world_rotations[-len(weights) :, foot.ankle]
        theirs = second.world_rotations[: len(weights), foot.ankle]
        above = conjugate(joined.world_rotations[window, parent])
        rotations[window, foot.ankle] = multiply(above, slerp(ours, theirs, weights))
    return joined.with_changes(rotations=rotations)


def _blend_pin(first: Clip, second: Clip, joint: int, contact: tuple[int, int], weights: Array) -> Pin:
    """Hold a contact that meets the overlap where the clip it begins in has it.

    A contact that the first clip hands over to the second stays where the first one stands, and takes over from
    the second only how it rolls; it is held until it ends.
    """
    start, stop = len(first) - len(weights), len(first)
    middle = start + len(weights) // 2
    begin, end = max(contact[0], start - 1, 0), contact[1]
    ours = first.positions[:, joint][:, [0, 2]]
    theirs = second.positions[:, joint][:, [0, 2]]
    if contact[0] >= middle:
        return Pin(joint, begin, theirs[begin - start : min(end, stop) - start])
    if end <= middle:
        return Pin(joint, begin, ours[begin:end])
    stand = np.median(ours[contact[0] : middle], axis=0)
    away = theirs - np.median(theirs[middle - start : end - start], axis=0)
    faded = _cross_fade(ours - stand, away, weights)
    return Pin(joint, begin, stand + faded[begin:end])
