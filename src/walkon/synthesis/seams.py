"""What is shown where one clip follows another. It depends on the two clips only, so it is made once a pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.motion import Clip, Contacts, crop
from walkon.motion.editing.crossing import Strip, cross_strips
from walkon.motion.features.outlines import supports_around
from walkon.motion.feet.holding import EASE
from walkon.skeleton import build_body, forward_kinematics
from walkon.synthesis.cores import ClipCore
from walkon.world.bodies import DEFAULT_BODIES, BodyLevel

BLEND = 8
"""Frames to either side of a seam over which one clip fades into the next, where margins allow it."""

WANDER = 0.02
"""How far [m] a blend may take the body beyond the outlines that planners reckon with, or, if they compare bodies,
any part of it from where they think it is: less than half of the default clearance, for both of two people may be
blended. With more, bodies could touch; with less, seams are shorter."""

SHORTEST_BLEND = 2
"""Frames to either side of a seam over which poses are blended even if that takes the body further than `WANDER`:
with fewer, the pose jumps."""

REMEMBERED = 45
"""Frames before a seam in which we look for where a foot stands that is planted across it."""


@dataclass(frozen=True, eq=False)
class SeamFrames:
    """The frames around a seam, as the entry pose of the second clip sees them.

    before: how many of them precede the seam frame itself, in which the first clip exits and the second enters.
    frames: the poses. wander [m]: how far they reach beyond the outlines of the two clips, or any part of the body
    is from where it is in them, as planners see bodies.
    """

    before: int
    frames: Clip
    wander: float = 0.0


def blend_seam(
    first: ClipCore, second: ClipCore, blend: int = BLEND, bodies: BodyLevel = DEFAULT_BODIES
) -> SeamFrames:
    """The seam between two clips, blended over `blend` frames to either side where both clips allow it.

    bodies: the level at which planners saw them.

    Clips that do not agree on what comes before and after the seam are blended over fewer frames, so that the body
    stays where planners think it is. Feet that are planted across the seam stay, and return to the second clip's
    path when they are next in the air: at the latest before the window of the second clip's own exit.
    """
    half = min(first.half_window(blend), second.half_window(blend))
    settled = second.duration - second.half_window(blend)
    while half > 0:
        seam = _blended(first, second, half, settled, bodies)
        if seam.wander <= WANDER or half <= SHORTEST_BLEND:
            return seam
        half = max(half // 2, SHORTEST_BLEND)
    return SeamFrames(0, crop(second.entering, second.first, second.first + 1))


def _blended(first: ClipCore, second: ClipCore, half: int, settled: int, bodies: BodyLevel) -> SeamFrames:
    """The seam with a window of `half` frames to either side, feet on their paths `settled` frames after it."""
    stop = second.first + min(max(_last_step(second), half), settled) + 1
    ours = Strip.of(first.leaving, max(first.last - REMEMBERED, 0), first.last + half)
    theirs = Strip.of(second.entering, second.first - half + 1, stop)
    clip, overlap = first.leaving, 2 * half - 1
    joints = () if clip.contacts is None else clip.contacts.joints
    crossed = cross_strips(clip.skeleton, clip.fps, joints, ours, theirs, overlap, half - 1 + settled)
    # What is remembered was only for feet. Copies, because there is a seam for every pair of clips.
    kept = slice(len(ours) - overlap, None)
    frames = Clip(
        name=f"{clip.name}+{second.entering.name}",
        skeleton=clip.skeleton,
        fps=clip.fps,
        root_positions=crossed.roots[kept].copy(),
        rotations=crossed.rotations[kept].copy(),
        bone_offsets=None if crossed.offsets is None else crossed.offsets[kept].copy(),
        contacts=None if crossed.planted is None else Contacts(joints, crossed.planted[kept].copy()),
    )
    return SeamFrames(half - 1, frames, _wander(first, second, frames, half - 1, bodies))


def _last_step(core: ClipCore) -> int:
    """Frames after the entry pose until all feet that are planted in it have left the ground and calmed down."""
    standing = np.logical_and.accumulate(core.planted[core.first : core.last + 1], axis=0)
    return int(standing.sum(axis=0).max(initial=0)) + round(EASE * core.entering.fps)


def _wander(first: ClipCore, second: ClipCore, frames: Clip, before: int, bodies: BodyLevel) -> float:
    """How far [m] the body reaches in any frame of a seam beyond the outline of the clip it belongs to; or how far
    any of its capsules is from where it is there."""
    # Not through the clip, which would keep what it is asked for.
    positions, _ = forward_kinematics(
        frames.skeleton, frames.root_positions, frames.rotations, frames.bone_offsets
    )
    body = build_body(frames.skeleton)
    ours, theirs = slice(first.last - before, first.last), slice(second.first, second.first + len(frames) - before)
    if bodies == "body":
        planned = np.concatenate([first.leaving.positions[ours], second.entering.positions[theirs]])
        return float(np.linalg.norm(body.capsules(positions) - body.capsules(planned), axis=-1).max())
    outlines = np.concatenate([first.leaving_outlines[ours], second.entering_outlines[theirs]])
    return float((supports_around(positions, body).max(axis=1) - outlines).max())
