"""The obvious way to cross two clips over and to lay pieces of motion: what the kernels must agree with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import runs
from walkon.motion import Clip, Contacts, Label
from walkon.motion.easing import smooth_step, smooth_steps
from walkon.motion.editing import crop
from walkon.motion.feet import kernels
from walkon.motion.feet.holding import EASE, STRETCH, Pin
from walkon.motion.feet.soles import sole_clearances
from walkon.rotations import IDENTITY, Placement, conjugate, continuous, multiply, slerp
from walkon.skeleton import Foot, find_roles
from walkon.skeleton.inverse_kinematics import reach
from walkon.synthesis.cores import ClipCore
from walkon.synthesis.seams import BLEND, REMEMBERED, SHORTEST_BLEND, WANDER, SeamFrames, _last_step, _wander
from walkon.synthesis.stitching import Stitcher
from walkon.take import Role

Array = NDArray[np.float64]


def cross_over(first: Clip, second: Clip, overlap: int, *, settled: int | None = None):
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


def _cross_fade(first: Array, second: Array, weights: Array):
    """Values (F, ...) of both clips end to end, mixed over the overlap."""
    overlap = len(weights)
    mix = weights.reshape(-1, *([1] * (first.ndim - 1)))
    middle = first[-overlap:] + mix * (second[:overlap] - first[-overlap:])
    return np.concatenate([first[:-overlap], middle, second[overlap:]])


def _cross_slerp(first: Array, second: Array, weights: Array):
    """Rotations (F, J, 4) of both clips end to end, slerped over the overlap."""
    overlap = len(weights)
    middle = slerp(first[-overlap:], second[:overlap], weights[:, None])
    return np.concatenate([first[:-overlap], middle, second[overlap:]])


def _crossed_offsets(first: Clip, second: Clip, weights: Array):
    if first.bone_offsets is None and second.bone_offsets is None:
        return None
    ours, theirs = (
        np.broadcast_to(clip.skeleton.offsets, (len(clip), len(clip.skeleton), 3))
        if clip.bone_offsets is None
        else clip.bone_offsets
        for clip in (first, second)
    )
    return _cross_fade(ours, theirs, weights)


def _later(labels: tuple[Label, ...], frames: int):
    return tuple(Label(label.name, label.start + frames, label.stop + frames) for label in labels)


def _crossed_contacts(first: Contacts | None, second: Contacts | None, overlap: int):
    """Contacts of both, changing over in the middle of the overlap; None unless both speak of the same joints."""
    if first is None or second is None or set(first.joints) != set(second.joints):
        return None
    columns = [second.joints.index(name) for name in first.joints]
    half = overlap // 2
    ours = first.planted[: len(first.planted) - overlap + half]
    return Contacts(first.joints, np.concatenate([ours, second.planted[half:, columns]]))


def _hold_through(crossed: Clip, contacts: Contacts, first: Clip, second: Clip, weights: Array, settled: int):
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
        # While a foot rolls over the tips of its toes, its ball is held too, on its way.
        carries = [contacts.joints.index(name.replace("Base", "Tip"))] if name.endswith("ToeBase") else []
        steps = runs(contacts.planted[:, [column, *carries]].any(axis=1))
        for i, (begin, end) in enumerate(steps):
            if begin < stop and end > start:
                free = (steps[i - 1][1] if i else 0, steps[i + 1][0] if i + 1 < len(steps) else len(crossed))
                pins.append(_pin(first, second, joint, (begin, end), free, weights, start + settled))
    # Ends of pins that are not yet where they lead lie in the middle of the overlap: easing stays within it.
    ease = min(EASE, 0.5 * len(weights) / crossed.fps)
    return hold_feet(crossed, pins, lifts, round(ease * crossed.fps))


def _level_feet(crossed: Clip, first: Clip, second: Clip, weights: Array):
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
):
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


def _middle(points: Array):
    """The median (2,) of points (N, 2), each coordinate for itself."""
    return np.sort(points, axis=0)[len(points) // 2]


def _return(end: int, middle: int, settled: int, ease: int):
    """From which to which frame a contact that was handed over comes back to where the second clip has it.

    In the air after its end, if there is time for that; else bit by bit while it stands.
    """
    if end < settled:
        return end, min(end + ease, settled)
    return middle, settled


def hold_feet(clip, pins, lifts, ease):
    roles = find_roles(clip.skeleton)
    rotations = clip.rotations
    for i, foot in enumerate(roles.feet):
        leg = roles.leg_above(foot)
        if leg is None:
            continue
        ankle, turn = _foot_goals(clip, foot, pins, lifts[:, i], ease)
        rotations = reach(
            clip.skeleton, rotations, clip.positions, clip.world_rotations, leg, ankle, softness=1 - STRETCH
        )
        kernels.turn_in_world(np.ascontiguousarray(turn), clip.world_rotations[:, leg[2]], rotations[:, leg[2]])
    return clip.with_changes(rotations=rotations)


def _foot_goals(clip: Clip, foot: Foot, pins: Sequence[Pin], lift: Array, ease: int):
    """Where the ankle goes (F, 3) [m], and how the foot turns in the world (F, 4), to meet the pins.

    A pinned heel carries the ankle to its place; a pinned toe is then aimed at by turning the foot, and once the
    heel is free it carries the ankle along.
    """
    up = lift[:, None] * np.array([0.0, 1.0, 0.0])
    ankle = clip.positions[:, foot.ankle] + up
    front = next((j for j in (foot.toe, foot.tip) if any(pin.joint == j for pin in pins)), foot.toe)
    heel_shift, heel_hold = _shift_curve(clip, foot.heel, pins, ease)
    if np.abs(clip.positions[:, front] - clip.positions[:, foot.ankle]).max() <= 1e-6:
        return ankle + heel_hold * heel_shift, np.broadcast_to(IDENTITY, (len(clip), 4))
    toe = clip.positions[:, front] + up
    toe_shift, toe_hold = _shift_curve(clip, front, pins, ease)
    ankle_goal = ankle + heel_hold * heel_shift + (1 - heel_hold) * toe_hold * toe_shift
    toe_goal = toe + toe_shift
    bone = toe - ankle
    length = np.linalg.norm(bone, axis=1, keepdims=True)
    apart = toe_goal - ankle_goal
    # The foot is rigid: with its toe held, the ankle can only be on the sphere around it.
    on_sphere = toe_goal - apart * (length / np.maximum(np.linalg.norm(apart, axis=1, keepdims=True), 1e-9))
    ankle_goal = ankle_goal + toe_hold * (on_sphere - ankle_goal)
    aim = bone + toe_hold * (toe_goal - ankle_goal - bone)
    turns = np.empty((len(clip), 4))
    kernels.turns_between(bone, aim, turns)
    return ankle_goal, turns


def _shift_curve(clip: Clip, joint: int, pins: Sequence[Pin], ease: int):
    """How far a joint is from its pins (F, 3) [m], and how firmly it is held (F, 1), 0 to 1.

    While pinned the shift is exact and the hold 1. Outside, the shift of the nearest pins lingers while the hold
    fades over `ease` frames, or over the whole gap to the next pin if that is shorter.
    """
    frames = len(clip)
    total, hold = np.zeros((frames, 3)), np.zeros((frames, 1))
    mine = sorted((pin for pin in pins if pin.joint == joint), key=lambda pin: pin.start)
    for i, pin in enumerate(mine):
        shift = np.zeros((pin.stop - pin.start, 3))
        shift[:, [0, 2]] = pin.path - clip.positions[pin.start : pin.stop, joint][:, [0, 2]]
        total[pin.start : pin.stop], hold[pin.start : pin.stop] = shift, 1.0
        before = ease if i == 0 else min(ease, pin.start - mine[i - 1].stop)
        after = ease if i + 1 == len(mine) else min(ease, mine[i + 1].start - pin.stop)
        rising = np.arange(pin.start - before, pin.start)
        falling = np.arange(pin.stop + after - 1, pin.stop - 1, -1)
        for fading, value in ((rising, shift[0]), (falling, shift[-1])):
            inside = (fading >= 0) & (fading < frames)
            weight = smooth_steps(len(fading))[inside, None]
            total[fading[inside]] += weight * value
            hold[fading[inside]] += weight
    return np.where(hold > 0, total / np.maximum(hold, 1e-12), 0.0), hold


def blend_seam(first, second):
    half = min(first.half_window(BLEND), second.half_window(BLEND))
    settled = second.duration - second.half_window(BLEND)
    while half > 0:
        stop = second.first + min(max(_last_step(second), half), settled) + 1
        ours = crop(first.leaving, max(first.last - REMEMBERED, 0), first.last + half)
        theirs = crop(second.entering, second.first - half + 1, stop)
        crossed = cross_over(ours, theirs, 2 * half - 1, settled=half - 1 + settled)
        frames = crop(crossed, len(ours) - (2 * half - 1))
        seam = SeamFrames(half - 1, frames, _wander(first, second, frames, half - 1, "outline"))
        if seam.wander <= WANDER or half <= SHORTEST_BLEND:
            return seam
        half = max(half // 2, SHORTEST_BLEND)
    return SeamFrames(0, crop(second.entering, second.first, second.first + 1))


def stitch(take, role):
    """A role's motion, piece by piece."""
    stitcher = Stitcher(take)
    cores = [stitcher.core(int(clip)) for clip in role.clips]
    canvas = _Canvas(cores, role)
    for segment, core in enumerate(cores):
        canvas.lay(segment, core.entering, core.first, core.last + 1, 0)
    for segment in range(1, len(cores)):
        seam = blend_seam(cores[segment - 1], cores[segment])
        canvas.lay(segment, seam.frames, 0, len(seam.frames), -seam.before)
    return canvas.clip(role.character, [take.clips[clip].behavior for clip in role.clips])


class _Canvas:
    """The frames of a whole role, on which pieces of motion are laid, the later over the earlier."""

    def __init__(self, cores: list[ClipCore], role: Role):
        like = cores[0].entering
        self._like, self._joints = like, like.contacts.joints if like.contacts else ()
        self._starts = role.frames - role.frames[0]
        self._places = [Placement(*place) for place in role.placements]
        frames = int(self._starts[-1]) + cores[-1].duration + 1
        self._roots = np.empty((frames, 3))
        self._rotations = np.empty((frames, len(like.skeleton), 4))
        self._planted = np.zeros((frames, len(self._joints)), dtype=np.bool_)
        stretches = any(core.entering.bone_offsets is not None for core in cores)
        self._offsets = np.tile(like.skeleton.offsets, (frames, 1, 1)) if stretches else None

    def lay(self, segment: int, clip: Clip, start: int, stop: int, shift: int):
        """Lay frames `start` to `stop` of a clip, seen from the segment's entry, `shift` frames after that."""
        begin = int(self._starts[segment]) + shift
        where = slice(begin, begin + stop - start)
        place = self._places[segment]
        self._roots[where] = place.points(clip.root_positions[start:stop])
        self._rotations[where] = clip.rotations[start:stop]
        self._rotations[where, 0] = multiply(place.quaternion(), clip.rotations[start:stop, 0])
        if clip.contacts is not None:
            self._planted[where] = clip.contacts.planted[start:stop]
        if self._offsets is not None and clip.bone_offsets is not None:
            self._offsets[where] = clip.bone_offsets[start:stop]

    def clip(self, name: str, behaviors: list[str]):
        """What was laid, labelled with the behaviors."""
        edges = [*self._starts.tolist(), len(self._roots)]
        labels = [Label(shown, edges[i], edges[i + 1]) for i, shown in enumerate(behaviors)]
        return Clip(
            name=name,
            skeleton=self._like.skeleton,
            fps=self._like.fps,
            root_positions=self._roots,
            rotations=continuous(self._rotations),
            bone_offsets=self._offsets,
            labels=tuple(labels),
            contacts=Contacts(self._joints, self._planted),
        )
