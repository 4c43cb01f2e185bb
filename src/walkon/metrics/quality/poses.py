"""What only poses tell: feet that slide while planted, and joints that jump where one clip becomes the next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.metrics.audit.bodies import Played
from walkon.metrics.audit.feet import contacts_of
from walkon.motion import Clip
from walkon.skeleton import forward_kinematics
from walkon.synthesis.seams import BLEND
from walkon.take import Role, Take

Array = NDArray[np.float64]


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

    mean: of any joint the most, averaged over the frames in which clips blend. elsewhere: the same over all others.
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
    """The slide of everything that is planted: as the clip's labels say, or by sight where it has none."""
    clip = played.clip
    planted = np.zeros((len(clip), len(clip.skeleton)), dtype=np.bool_)
    if clip.contacts is not None and len(clip.contacts.joints):
        columns = [clip.skeleton.index(name) for name in clip.contacts.joints]
        planted[:, columns] = clip.contacts.planted
    else:
        for contact in contacts_of(clip, positions, None):
            planted[contact.first : contact.last + 1, contact.joint] = True
    stays = planted[1:] & planted[:-1]
    if not stays.any():
        return Slide(np.nan, np.nan, np.nan, 0)
    steps = np.diff(positions[..., [0, 2]], axis=0)
    lengths = np.where(stays, np.hypot(steps[..., 0], steps[..., 1]), -1.0)
    frame = int(lengths.max(axis=1).argmax())
    return Slide(
        mean=float(lengths[stays].mean()),
        worst=float(lengths[frame].max()),
        time=(played.start_frame + frame) / clip.fps,
        frames=int(stays.sum()),
    )


class SeamMeter:
    """Measures seams of one take; what the joints of a clip do at most is reckoned once."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self._most: dict[int, Array] = {}

    def measure(self, role: Role, played: Played, positions: Array) -> SeamJumps:
        """Jumps at all seams of a role."""
        fps, count = played.clip.fps, len(positions)
        seams = role.frames[1:] - played.start_frame
        seams = seams[(seams > 0) & (seams < count - 1)]
        if not len(seams) or count < 3:
            return SeamJumps(np.nan, np.nan, np.nan, np.nan)
        # changes[k] is what happens at frame k + 1.
        changes = np.linalg.norm(np.diff(positions, n=2, axis=0), axis=2) * fps
        blending = np.zeros(len(changes), dtype=np.bool_)
        excess, time = 0.0, np.nan
        for number, seam in enumerate(seams.tolist()):
            window = slice(max(seam - BLEND - 1, 0), min(seam + BLEND, len(changes)))
            blending[window] = True
            limit = np.maximum(self.most(int(role.clips[number])), self.most(int(role.clips[number + 1])))
            over = (changes[window] - limit).max(axis=1)
            if over.max() > excess:
                excess = float(over.max())
                time = (played.start_frame + window.start + 1 + int(over.argmax())) / fps
        most = changes.max(axis=1)
        rest = float(most[~blending].mean()) if not blending.all() else np.nan
        return SeamJumps(float(most[blending].mean()), rest, excess, time)

    def most(self, clip: int) -> Array:
        """The largest change of velocity (J,) [m/s] of each joint of a clip from one frame to the next."""
        if clip not in self._most:
            shown = self._take.clips[clip].clip
            changes = np.diff(joints_of(shown), n=2, axis=0)
            self._most[clip] = np.linalg.norm(changes, axis=2).max(axis=0, initial=0.0) * shown.fps
        return self._most[clip]
