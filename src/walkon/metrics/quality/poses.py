"""What only poses tell: feet that slide while planted, and joints that jump where one clip becomes the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.metrics.audit.bodies import Played
from walkon.metrics.quality import _kernels
from walkon.motion import Clip
from walkon.motion.feet.sliding import measure_slides, stands_of
from walkon.skeleton import forward_kinematics
from walkon.synthesis.seams import BLEND
from walkon.take import Role, Take


@dataclass(frozen=True)
class Slide:
    """How far planted feet move on the ground from one frame to the next [m]: on average, at most, and when [s];
    of how many frames and feet. nan where none is ever planted."""

    mean: float
    worst: float
    time: float
    frames: int


@dataclass(frozen=True)
class SeamJumps:
    """How much the velocity of a joint changes from one frame to the next while clips blend [m/s].

    mean: of any joint the most, averaged over the frames in which clips blend. elsewhere: the same over others.
    excess: the most by which a joint changes more than it ever does in the two clips; 0 if it never does. time:
    [s] when that is. All nan without seams.
    """

    mean: float
    elsewhere: float
    excess: float
    time: float


def joints_of(clip: Clip) -> Array:
    """World positions (F, J, 3) [m], which the clip does not keep as it does its own."""
    positions, _ = forward_kinematics(clip.skeleton, clip.root_positions, clip.rotations, clip.bone_offsets)
    return positions


def measure_slide(played: Played, positions: Array) -> Slide:
    """The slide of everything that is planted: as the clip's labels say, or as found where it has none."""
    clip = played.clip
    contacts = stands_of(clip, positions)
    joints = [clip.skeleton.index(name) for name in contacts.joints]
    found = measure_slides(positions, joints, contacts.planted)
    if not len(found.steps):
        return Slide(np.nan, np.nan, np.nan, 0)
    time = (played.start_frame + found.worst_frame) / clip.fps
    return Slide(found.mean, found.worst, time, len(found.steps))


class SeamMeter:
    """Measures seams of one take; what the joints of a clip do at most is reckoned once."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self._most: dict[int, Array] = {}

    def measure(self, role: Role, played: Played, positions: Array) -> SeamJumps:
        """Jumps at all seams of a role."""
        fps, count = played.clip.fps, len(positions)
        seams = role.frames[1:] - played.start_frame
        seams = seams[seams < count - 1]
        if not len(seams):
            return SeamJumps(np.nan, np.nan, np.nan, np.nan)
        # Row k of what follows is about frame k + 1, and about the seam nearest to it.
        nearest = np.searchsorted(0.5 * (seams[1:] + seams[:-1]), np.arange(1, count - 1))
        blending = np.abs(np.arange(1, count - 1) - seams[nearest]) <= BLEND
        most = np.array([self.most(int(clip)) for clip in role.clips[: len(seams) + 1]])
        limits = np.maximum(most[1:], most[:-1])
        changes, over = np.empty((2, count - 2))
        _kernels.measure_changes(positions, fps, nearest, limits, changes, over)
        over[~blending] = -np.inf
        worst = int(over.argmax())
        excess = max(float(over[worst]), 0.0)
        return SeamJumps(
            mean=float(changes[blending].mean()),
            elsewhere=float(changes[~blending].mean()) if not blending.all() else np.nan,
            excess=excess,
            time=(played.start_frame + worst + 1) / fps if excess > 0.0 else np.nan,
        )

    def most(self, clip: int) -> Array:
        """The largest change of velocity (J,) [m/s] of each joint of a clip from one frame to the next."""
        if clip not in self._most:
            shown = self._take.clips[clip].clip
            changes = np.diff(joints_of(shown), n=2, axis=0)
            self._most[clip] = np.linalg.norm(changes, axis=2).max(axis=0, initial=0.0) * shown.fps
        return self._most[clip]
