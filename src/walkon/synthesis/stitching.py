"""Clips end to end: every segment of a role put at its place, with the seams between them laid over."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion import Clip, Contacts, Label
from walkon.rotations import rotation_about_y
from walkon.synthesis import _kernels
from walkon.synthesis.cores import ClipCore, build_core, contact_joints
from walkon.synthesis.seams import BLEND, SeamFrames, blend_seam
from walkon.take import Role, Take


class Stitcher:
    """Stitches the roles of one take; clips and seams are prepared when they are first needed, and kept."""

    def __init__(self, take: Take, *, blend: int = BLEND) -> None:
        self.take, self.blend = take, blend
        self._joints = _joints_by_skeleton(take)
        self._cores: dict[int, ClipCore] = {}
        self._seams: dict[tuple[int, int], SeamFrames] = {}

    def core(self, clip: int) -> ClipCore:
        """A clip of the take, ready to be stitched."""
        if clip not in self._cores:
            shown = self.take.clips[clip]
            self._cores[clip] = build_core(shown, self._joints[shown.clip.skeleton.names])
        return self._cores[clip]

    def seam(self, first: int, second: int) -> SeamFrames:
        """What is shown where one clip of the take follows another."""
        if (first, second) not in self._seams:
            bodies = self.take.scene.bodies
            self._seams[first, second] = blend_seam(self.core(first), self.core(second), self.blend, bodies)
        return self._seams[first, second]

    def prepare(self, role: Role) -> None:
        """Make every clip and seam that the role needs."""
        for clip in role.clips:
            self.core(int(clip))
        for first, second in zip(role.clips[:-1], role.clips[1:], strict=True):
            self.seam(int(first), int(second))

    def stitch(self, role: Role) -> Clip:
        """The role's motion in the world, on level ground, from its first frame to the exit of its last clip."""
        clips = role.clips.tolist()
        cores = [self.core(clip) for clip in clips]
        starts = (role.frames - role.frames[0]).tolist()
        pieces = [
            _Piece(i, start, core.entering, core.first, core.last + 1)
            for i, (start, core) in enumerate(zip(starts, cores, strict=True))
        ]
        for i in range(1, len(clips)):
            seam = self.seam(clips[i - 1], clips[i])
            pieces.append(_Piece(i, starts[i] - seam.before, seam.frames, 0, len(seam.frames)))
        edges = [*starts, starts[-1] + cores[-1].duration + 1]
        names = [self.take.clips[clip].behavior for clip in clips]
        labels = tuple(Label(name, edges[i], edges[i + 1]) for i, name in enumerate(names))
        return _lay(role.character, pieces, role.placements, labels)


class _Piece(NamedTuple):
    """Frames `start` to `stop` of a clip, seen from the entry of a segment, laid on frame `begin` of the role."""

    segment: int
    begin: int
    clip: Clip
    start: int
    stop: int


def _lay(name: str, pieces: list[_Piece], placements: Array, labels: tuple[Label, ...]) -> Clip:
    """Pieces of motion laid on the frames of a whole role, the later over the earlier."""
    like = pieces[0].clip
    joints = like.contacts.joints if like.contacts else ()
    segments = [piece.segment for piece in pieces]
    headings = placements[segments, 2]
    places = np.stack([*placements[segments, :2].T, np.sin(headings), np.cos(headings)], axis=1)
    turns = rotation_about_y(headings)[:, [0, 2]]
    frames, shape = labels[-1].stop, like.rotations.shape[1:]
    roots, rotations = np.empty((frames, 3)), np.empty((frames, *shape))
    planted = np.empty((frames, len(joints)), dtype=np.bool_)
    stretches = any(piece.clip.bone_offsets is not None for piece in pieces)
    offsets = np.empty((frames if stretches else 0, shape[0], 3))
    _kernels.lay_pieces(
        np.array([piece.begin for piece in pieces], dtype=np.int64),
        np.array([piece.stop - piece.start for piece in pieces], dtype=np.int64),
        places,
        turns,
        (
            np.concatenate([piece.clip.root_positions[piece.start : piece.stop] for piece in pieces]),
            np.concatenate([piece.clip.rotations[piece.start : piece.stop] for piece in pieces]),
            np.concatenate([_planted(piece, len(joints)) for piece in pieces]),
            np.concatenate([offsets[:0], *(_offsets(piece) for piece in pieces if stretches)]),
        ),
        (roots, rotations, planted, offsets),
    )
    return Clip(
        name=name,
        skeleton=like.skeleton,
        fps=like.fps,
        root_positions=roots,
        rotations=rotations,
        bone_offsets=offsets if stretches else None,
        labels=labels,
        contacts=Contacts(joints, planted),
    )


def _planted(piece: _Piece, joints: int) -> NDArray[np.bool_]:
    contacts = piece.clip.contacts
    if contacts is None:
        return np.zeros((piece.stop - piece.start, joints), dtype=np.bool_)
    return contacts.planted[piece.start : piece.stop]


def _offsets(piece: _Piece) -> Array:
    offsets, frames = piece.clip.bone_offsets, piece.stop - piece.start
    if offsets is None:
        return np.tile(piece.clip.skeleton.offsets, (frames, 1, 1))
    return offsets[piece.start : piece.stop]


def _joints_by_skeleton(take: Take) -> dict[tuple[str, ...], tuple[str, ...]]:
    """For every skeleton of the take, by its names, the joints that bear weight in any of its clips."""
    clips: dict[tuple[str, ...], list[Clip]] = defaultdict(list)
    for shown in take.clips:
        clips[shown.clip.skeleton.names].append(shown.clip)
    return {names: contact_joints(moving) for names, moving in clips.items()}
