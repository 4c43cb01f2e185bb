"""How well does one clip follow another? The gap between exit and entry, before any blending.

Measured on the joints in the frame of the body, so that where the two clips stand on the ground plays no part: the
follower is placed so that its entry frame falls on the exit frame of the one before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.behaviors.library import BehaviorClip, BehaviorLibrary
from walkon.motion import Clip, placement_at


@dataclass(frozen=True)
class Seam:
    """What happens where `second` follows `first`.

    pose_gap [m] and velocity_gap [m/s]: largest over the joints. pose_step and velocity_step: the same measures
    between consecutive frames around the seam, for comparison.
    """

    first: str
    second: str
    pose_gap: float
    velocity_gap: float
    pose_step: float
    velocity_step: float


def measure_seam(first: BehaviorClip, second: BehaviorClip) -> Seam:
    """The seam between the exit of one clip and the entry of another."""
    return _seam(first, second, poses_around(first.clip, first.last), poses_around(second.clip, second.first))


def measure_seams(library: BehaviorLibrary) -> list[Seam]:
    """The seams between all clips that may follow each other."""
    shown = [clip for behavior in library for clip in behavior.clips]
    exits = {id(clip): poses_around(clip.clip, clip.last) for clip in shown}
    entries = {id(clip): poses_around(clip.clip, clip.first) for clip in shown}
    return [
        _seam(first, second, exits[id(first)], entries[id(second)])
        for behavior in library
        for follower in library.followers(behavior)
        for first in behavior.clips
        for second in follower.clips
    ]


def poses_around(clip: Clip, frame: int) -> Array:
    """Joint positions (3, J, 3) [m] of a frame and its neighbours, seen from where the body stands in it."""
    here = placement_at(clip, frame).inverse()
    frames = np.clip([frame - 1, frame, frame + 1], 0, len(clip) - 1)
    return here.points(clip.positions[frames])


def seam_gaps(before: Array, after: Array, fps: float) -> tuple[float, float]:
    """Pose gap [m] and velocity gap [m/s] between poses (3, J, 3) [m] around an exit and around an entry."""
    # Central velocities: at the seam itself, each measured within its own clip.
    central = [0.5 * fps * (frames[2] - frames[0]) for frames in (before, after)]
    return _largest(after[1] - before[1]), _largest(central[1] - central[0])


def _seam(first: BehaviorClip, second: BehaviorClip, before: Array, after: Array) -> Seam:
    steps = [np.diff(frames, axis=0) for frames in (before, after)]
    return Seam(
        first.clip.name,
        second.clip.name,
        *seam_gaps(before, after, first.clip.fps),
        max(_largest(step) for both in steps for step in both),
        max(_largest(first.clip.fps * (step[1] - step[0])) for step in steps),
    )


def _largest(vectors: Array) -> float:
    """Length of the longest vector."""
    return float(np.linalg.norm(vectors, axis=-1).max())
