"""A take becomes motion: one clip for every character, placed in the world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from walkon.motion import Clip, Contacts, Label, crop
from walkon.synthesis.seams import BLEND
from walkon.synthesis.stitching import Stitcher
from walkon.synthesis.terrain import set_on_terrain
from walkon.take import Role, Take

__all__ = ["Performance", "perform", "perform_all", "perform_each"]


@dataclass(frozen=True, eq=False)
class Performance:
    """What a character does, and when.

    character: its name in the scene. start_frame: frame of the take that the first frame of `clip` shows.
    clip: in the world, at the take's rate, from when the character appears to when it leaves or the take ends; its
    labels are the behaviors, its contacts say which joints stand on the ground.
    """

    character: str
    start_frame: int
    clip: Clip

    @property
    def stop_frame(self) -> int:
        """The frame of the take after the last one in which the character is there."""
        return self.start_frame + len(self.clip)


def perform(take: Take, character: str | Role, *, blend: int = BLEND) -> Performance:
    """The motion of one character, given by name or by its role.

    blend: frames to either side of a seam over which one clip fades into the next, where their margins allow it.
    """
    role = take.role(character) if isinstance(character, str) else character
    return perform_with(Stitcher(take, blend=blend), role)


def perform_all(
    take: Take,
    *,
    blend: int = BLEND,
    progress: Callable[[int, int], None] | None = None,
    workers: int = 1,
) -> list[Performance]:
    """The motion of all characters that have a role, in the order of the roles.

    progress: called with the number of characters done and of all. workers: threads to use.
    """
    stitcher = Stitcher(take, blend=blend)
    for role in take.roles:
        stitcher.prepare(role)
    performances = []
    with ThreadPoolExecutor(max_workers=max(workers, 1)) as pool:
        done = map if workers <= 1 else pool.map
        for performance in done(lambda role: perform_with(stitcher, role), take.roles):
            performances.append(performance)
            if progress is not None:
                progress(len(performances), len(take.roles))
    return performances


def perform_each(take: Take, *, blend: int = BLEND) -> Iterator[Performance]:
    """The motion of one character after another, in the order of the roles: for those who need one at a time, in a
    take whose poses together would fill the memory."""
    stitcher = Stitcher(take, blend=blend)
    return (perform_with(stitcher, role) for role in take.roles)


def perform_with(stitcher: Stitcher, role: Role) -> Performance:
    """The motion of one role, by a stitcher that keeps the clips and seams of the take it has made."""
    clip = set_on_terrain(stitcher.stitch(role), stitcher.take.scene.terrain)
    return Performance(
        role.character, role.start_frame, _until(clip, stitcher.take.end_frame(role) - role.start_frame)
    )


def perform_between(stitcher: Stitcher, role: Role, first: int, stop: int) -> Clip:
    """The motion of one role from frame first to stop - 1 of the take, in which it is there, as `perform_with`
    shows it. On level ground only the clips around are stitched."""
    own = role
    if stitcher.take.scene.terrain.is_flat:
        # A seam reaches into the clips on either side of it, and no further.
        begun = max(int(np.searchsorted(role.frames, first, side="right")) - 2, 0)
        part = slice(begun, int(np.searchsorted(role.frames, stop, side="right")) + 1)
        own = replace(role, clips=role.clips[part], frames=role.frames[part], placements=role.placements[part])
    clip = set_on_terrain(stitcher.stitch(own), stitcher.take.scene.terrain)
    clip = _until(clip, stop - 1 - own.start_frame)
    return crop(clip, first - own.start_frame)


def _until(clip: Clip, last: int) -> Clip:
    """The clip cut after frame `last`, or holding its last pose until then."""
    missing = last + 1 - len(clip)
    if missing == 0:
        return clip
    if missing < 0:
        return crop(clip, 0, last + 1)
    frames = np.minimum(np.arange(last + 1), len(clip) - 1)
    labels, contacts = clip.labels, clip.contacts
    return Clip(
        name=clip.name,
        skeleton=clip.skeleton,
        fps=clip.fps,
        root_positions=clip.root_positions[frames],
        rotations=clip.rotations[frames],
        bone_offsets=None if clip.bone_offsets is None else clip.bone_offsets[frames],
        labels=(*labels[:-1], Label(labels[-1].name, labels[-1].start, last + 1)) if labels else (),
        contacts=None if contacts is None else Contacts(contacts.joints, contacts.planted[frames]),
    )
