"""The cast: clips as dressed capsule bodies that can be posed at any moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.errors import RenderError
from walkon.motion import Clip
from walkon.render._kernels_cast import pose_capsules
from walkon.render.outfits import dress
from walkon.skeleton import build_body
from walkon.world.tints import Colour

Clips = Clip | Sequence[Clip]


class Cast:
    """The characters of a picture or film, one for each clip.

    clips: one character each; all start at time 0 and hold their last pose.
    colours: one colour 0..255 for each character, instead of the wardrobe's.

    starts, ends: (N, 3) [m] capsules of the last `pose`; radii: (N,) [m]; colours: (N, 3) 0..255.
    """

    def __init__(self, clips: Clips, *, colours: Sequence[Colour] | None = None) -> None:
        self.clips = as_clips(clips)
        if colours is not None and len(colours) != len(self.clips):
            raise RenderError(f"{len(colours)} colours for {len(self.clips)} characters")
        self.bodies = [build_body(clip.skeleton) for clip in self.clips]
        self.radii = np.concatenate([body.radii for body in self.bodies])
        shirts = [None] * len(self.clips) if colours is None else colours
        self.colours = np.concatenate(
            [dress(body, i, shirt=shirt) for i, (body, shirt) in enumerate(zip(self.bodies, shirts, strict=True))]
        )
        self.starts = np.empty((len(self.radii), 3))
        self.ends = np.empty_like(self.starts)
        self.pose(0.0)

    @property
    def duration(self) -> float:
        """Seconds until the last character stands still."""
        return max(clip.duration for clip in self.clips)

    def pose(self, time: float) -> None:
        """Put everybody where they are at `time` [s], between frames by linear interpolation."""
        first = 0
        for clip, body in zip(self.clips, self.bodies, strict=True):
            frame, blend = _frame_at(clip, time)
            joints = body.starts, body.ends, body.spans
            pose_capsules(clip.positions, frame, blend, *joints, first, self.starts, self.ends)
            first += len(body)


def as_clips(clips: Clips) -> list[Clip]:
    """One clip or many, as a list; there must be at least one."""
    found = [clips] if isinstance(clips, Clip) else list(clips)
    if not found or not all(isinstance(clip, Clip) for clip in found):
        raise RenderError("there is nothing to draw: give at least one clip")
    return found


def _frame_at(clip: Clip, time: float) -> tuple[int, float]:
    """Frame at or before `time` [s] and how far towards the next one, 0..1."""
    at = min(max(time * clip.fps, 0.0), len(clip) - 1.0)
    frame = int(at)
    return frame, at - frame
