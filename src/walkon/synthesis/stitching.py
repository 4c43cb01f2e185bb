"""Clips end to end: every segment of a role put at its place, with the seams between them laid over."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from walkon.motion import Clip, Contacts, Label
from walkon.rotations import Placement, continuous, multiply
from walkon.synthesis.cores import Core, build_core, contact_joints
from walkon.synthesis.seams import BLEND, Seam, blend_seam
from walkon.take import Role, Take

Array = NDArray[np.float64]


class Stitcher:
    """Stitches the roles of one take; clips and seams are prepared when they are first needed, and kept."""

    def __init__(self, take: Take, *, blend: int = BLEND) -> None:
        self.take, self.blend = take, blend
        self._joints = _joints_by_skeleton(take)
        self._cores: dict[int, Core] = {}
        self._seams: dict[tuple[int, int], Seam] = {}

    def core(self, clip: int) -> Core:
        """A clip of the take, ready to be stitched."""
        if clip not in self._cores:
            shown = self.take.clips[clip]
            self._cores[clip] = build_core(shown, self._joints[shown.clip.skeleton.names])
        return self._cores[clip]

    def seam(self, first: int, second: int) -> Seam:
        """What is shown where one clip of the take follows another."""
        if (first, second) not in self._seams:
            self._seams[first, second] = blend_seam(self.core(first), self.core(second), self.blend)
        return self._seams[first, second]

    def prepare(self, role: Role) -> None:
        """Make every clip and seam that the role needs."""
        for clip in role.clips:
            self.core(int(clip))
        for first, second in zip(role.clips[:-1], role.clips[1:], strict=True):
            self.seam(int(first), int(second))

    def stitch(self, role: Role) -> Clip:
        """The role's motion in the world, on level ground, from its first frame to the exit of its last clip."""
        cores = [self.core(int(clip)) for clip in role.clips]
        canvas = _Canvas(cores, role)
        for segment, core in enumerate(cores):
            canvas.lay(segment, core.entering, core.first, core.last + 1, 0)
        for segment in range(1, len(cores)):
            seam = self.seam(int(role.clips[segment - 1]), int(role.clips[segment]))
            canvas.lay(segment, seam.frames, 0, len(seam.frames), -seam.before)
        names = [self.take.clips[clip].behavior for clip in role.clips]
        return canvas.clip(role.character, names)


class _Canvas:
    """The frames of a whole role, on which pieces of motion are laid, the later over the earlier."""

    def __init__(self, cores: list[Core], role: Role) -> None:
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

    def lay(self, segment: int, clip: Clip, start: int, stop: int, shift: int) -> None:
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

    def clip(self, name: str, behaviors: list[str]) -> Clip:
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


def _joints_by_skeleton(take: Take) -> dict[tuple[str, ...], tuple[str, ...]]:
    """For every skeleton of the take, by its names, the joints that bear weight in any of its clips."""
    clips: dict[tuple[str, ...], list[Clip]] = defaultdict(list)
    for shown in take.clips:
        clips[shown.clip.skeleton.names].append(shown.clip)
    return {names: contact_joints(moving) for names, moving in clips.items()}
