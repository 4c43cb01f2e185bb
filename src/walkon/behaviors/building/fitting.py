"""Clips cut out of recordings and bent, at both ends, into the poses they begin and end in.

Around a seam every clip shows the pose's own motion; from there it fades into what was recorded over a third of a
second, with weights that start and end flat, so that positions and velocities meet. Feet that the fading would
make slide are put back by bending the legs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from walkon.basics import Array, Indices
from walkon.behaviors.building.hubs import SharedPose
from walkon.behaviors.building.matching import RecordedStretch
from walkon.behaviors.building.planting import plant_between
from walkon.behaviors.building.sources import Source
from walkon.behaviors.building.windows import ALIGNED, POSE_REACH, lay_on
from walkon.behaviors.library import MARGIN, BehaviorClip
from walkon.motion import Clip, Contacts, ground_placements, place
from walkon.motion.easing import smooth_step
from walkon.motion.editing.sampling import sample_clip
from walkon.rotations import Placement, continuous, slerp

FADE_FRAMES = POSE_REACH
"""Frames over which a clip fades from a pose into what was recorded, or half its length if that is less."""

STAYING = 0.1
STAYING_TURN = 0.3
"""A clip between two rests that carries the body less than this [m, rad] is made to end where it began."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A clip with where it comes from.

    shown: the clip, margins included. segment: the stretch it shows. entry, exit: names of its poses.
    """

    shown: BehaviorClip
    segment: RecordedStretch
    entry: str
    exit: str
    source: str
    mirrored: bool


def cut_raw(source: Source, segment: RecordedStretch, fps: float, margin: int = 1) -> Clip:
    """The stretch as recorded, at about `fps` [Hz], with `margin` frames around it.

    Beyond the ends of the recording its first and last poses are held. The stretch's length is a whole number of
    frames: time runs faster or slower by at most half a frame over the whole stretch.
    """
    start, stop = segment.start.frame, segment.stop.frame
    frames = max(2, round((stop - start) / source.clip.fps * fps))
    steps = start + (stop - start) / frames * np.arange(-margin, frames + margin + 1, dtype=np.float64)
    return sample_clip(source.clip, np.clip(steps, 0, len(source.clip) - 1), fps)


def fit_piece(
    source: Source,
    segment: RecordedStretch,
    entry: SharedPose,
    leave: SharedPose,
    *,
    fps: float,
    bend: bool = True,
) -> Piece:
    """The clip of a segment, fitted to the poses `entry` and `leave`; not `bend`: only cut, as it was recorded."""
    if bend:
        begin, end = _laid(source, segment.start.frame, entry), _laid(source, segment.stop.frame, leave)
        core = cut_raw(source, segment, fps, 0)
        clip = _fitted(core, begin, begin if entry is leave and entry.kind == "rest" and _stays(core) else end)
    else:
        clip = cut_raw(source, segment, fps, MARGIN)
    clip = place(clip, _placed(source, segment).inverse())
    suffix = "_mirrored" if source.mirrored else ""
    name = f"{source.clip.name}{suffix}_{segment.start.frame}_{segment.stop.frame}"
    shown = BehaviorClip(clip.with_changes(name=name, labels=()))
    return Piece(shown, segment, entry.name, leave.name, source.clip.name, source.mirrored)


def _placed(source: Source, segment: RecordedStretch) -> Placement:
    x, z, heading = (float(value) for value in source.placements[segment.start.frame])
    return Placement(x, z, heading)


def still_clip(hub: SharedPose, seconds: float) -> Clip:
    """A clip that holds a pose, in the middle of which nothing moves."""
    frames = np.full(round(seconds * hub.window.fps) + 1, float(POSE_REACH))
    return _fitted(sample_clip(hub.window, frames, hub.window.fps), hub.window, hub.window).with_changes(
        name=f"{hub.name}_held", labels=()
    )


def _laid(source: Source, frame: int, hub: SharedPose) -> Clip:
    """A pose's window laid on a recording around `frame`.

    As much is looked at before the moment as after it, so that going straight on through a pose stays straight.
    """
    step = source.clip.fps / hub.window.fps
    seen = int(min(ALIGNED, frame / step, (len(source.clip) - 1 - frame) / step))
    offsets = np.arange(-seen, seen + 1)
    return lay_on(hub.window, source.clip.positions[frame + np.round(offsets * step).astype(np.int64)], offsets)


def _fitted(core: Clip, begin: Clip, end: Clip) -> Clip:
    """The core (N + 1 frames) between two windows already in place, with MARGIN frames of theirs around it."""
    last = len(core) - 1
    fade = min(FADE_FRAMES, last // 2)
    rising = smooth_step(np.arange(fade + 1) / fade)
    blended = _mixed(core, begin, np.arange(fade + 1), np.arange(POSE_REACH, POSE_REACH + fade + 1), 1.0 - rising)
    blended = _mixed(
        blended, end, np.arange(last - fade, last + 1), np.arange(POSE_REACH - fade, POSE_REACH + 1), rising
    )
    whole = _between(begin, blended, end)
    contacts = whole.contacts
    if contacts is None:
        return whole
    return plant_between(whole, contacts, (MARGIN, MARGIN + last))


def _stays(core: Clip) -> bool:
    places = ground_placements(core)[[0, -1]]
    moved = np.hypot(*(places[1, :2] - places[0, :2]))
    return bool(moved < STAYING and abs(places[1, 2] - places[0, 2]) < STAYING_TURN)


def _mixed(clip: Clip, other: Clip, frames: Indices, others: Indices, weights: Array) -> Clip:
    """The clip whose `frames` (K,) are mixed with `others` (K,) of another, by weights (K,) of the latter."""
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    roots[frames] += weights[:, None] * (other.root_positions[others] - roots[frames])
    rotations[frames] = slerp(rotations[frames], other.rotations[others], weights[:, None])
    contacts = clip.contacts
    if contacts is not None and other.contacts is not None:
        planted = contacts.planted.copy()
        led = weights >= 0.5
        planted[frames[led]] = other.contacts.planted[others[led]]
        contacts = Contacts(contacts.joints, planted)
    return clip.with_changes(root_positions=roots, rotations=rotations, contacts=contacts)


def _between(begin: Clip, core: Clip, end: Clip) -> Clip:
    """The margins of two windows around a core."""
    before, after = slice(POSE_REACH - MARGIN, POSE_REACH), slice(POSE_REACH + 1, POSE_REACH + 1 + MARGIN)
    contacts = None
    if core.contacts is not None and begin.contacts is not None and end.contacts is not None:
        planted = (begin.contacts.planted[before], core.contacts.planted, end.contacts.planted[after])
        contacts = Contacts(core.contacts.joints, np.concatenate(planted))
    rotations = (begin.rotations[before], core.rotations, end.rotations[after])
    roots = (begin.root_positions[before], core.root_positions, end.root_positions[after])
    return replace(
        core,
        root_positions=np.concatenate(roots),
        rotations=continuous(np.concatenate(rotations)),
        bone_offsets=None,
        labels=(),
        contacts=contacts,
    )
