"""Forged times: too early, too late, too fast, or not at all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.errors import TakeError
from walkon.motion import Clip
from walkon.take import Take

from .stage import Forged, Honest, follow, reposed, respelled


def _without_segment(take: Take, name: str, gone: int) -> Forged:
    """A segment is left out; those after it come earlier, where they were."""
    role = take.role(name)
    kept = [segment for segment in range(len(role)) if segment != gone]
    frames = np.cumsum([int(role.frames[0]), *(take.clips[role.clips[k]].duration for k in kept[:-1])])
    fields = {"clips": role.clips[kept], "frames": frames, "placements": role.placements[kept]}
    return Forged(respelled(take, name, **fields))


def segment_dropped(honest: Honest) -> Forged:
    return _without_segment(honest.take, "ann", 3)


def segment_doubled(honest: Honest) -> Forged:
    """A step is shown twice in the same place."""
    take = honest.take
    role = take.role("ann")
    order = [0, 1, 1, *range(2, len(role))]
    frames = np.cumsum([int(role.frames[0]), *(take.clips[role.clips[k]].duration for k in order[:-1])])
    kept = frames < take.frames
    fields = {"clips": role.clips[order][kept], "frames": frames[kept], "placements": role.placements[order][kept]}
    return Forged(respelled(take, "ann", **fields))


def a_gap_between_segments(honest: Honest) -> Forged:
    role = honest.take.role("ann")
    frames = role.frames.copy()
    frames[4:] += 7
    return Forged(respelled(honest.take, "ann", frames=frames))


def starts_too_late(honest: Honest) -> Forged:
    role = honest.take.role("bob")
    longer = replace(honest.take, frames=honest.take.frames + 20)
    return Forged(respelled(longer, "bob", frames=role.frames + 20, arrival=(role.arrival or 0) + 20))


def starts_too_early(honest: Honest) -> Forged:
    role = honest.take.role("cat")
    return Forged(respelled(honest.take, "cat", frames=role.frames - 30, arrival=(role.arrival or 0) - 30))


def claims_to_arrive_early(honest: Honest) -> Forged:
    return Forged(respelled(honest.take, "ann", arrival=60))


def gone_on_the_way(honest: Honest) -> Forged:
    role = honest.take.role("ann")
    cut = {"clips": role.clips[:4], "frames": role.frames[:4], "placements": role.placements[:4]}
    return Forged(respelled(honest.take, "ann", **cut, arrival=None, leaves=True))


def vanishes_and_claims_to_have_arrived(honest: Honest) -> Forged:
    role = honest.take.role("ann")
    cut = {"clips": role.clips[:4], "frames": role.frames[:4], "placements": role.placements[:4]}
    return Forged(respelled(honest.take, "ann", **cut, arrival=int(role.frames[3]), leaves=True))


def leaves_instead_of_staying(honest: Honest) -> Forged:
    """Bob reaches his goal and is gone, though the scene says that he stays."""
    role = honest.take.role("bob")
    after = int(np.searchsorted(role.frames, role.arrival or 0, side="left"))
    cut = {"clips": role.clips[:after], "frames": role.frames[:after], "placements": role.placements[:after]}
    return Forged(respelled(honest.take, "bob", **cut, leaves=True))


def poses_begin_late(honest: Honest) -> Forged:
    ann, *others = honest.shown
    return Forged(honest.take, [replace(ann, start_frame=ann.start_frame + 5), *others])


def poses_end_early(honest: Honest) -> Forged:
    from walkon.motion import crop

    return reposed(honest, "ann", lambda clip: crop(clip, 0, len(clip) - 30))


def _at(take: Take, fps: float) -> Take:
    clips = tuple(replace(shown, clip=shown.clip.with_changes(fps=fps)) for shown in take.clips)
    return Take(take.scene, fps, take.frames, clips, take.roles, take.unplanned)


def twice_the_rate(honest: Honest) -> Forged:
    return Forged(_at(honest.take, 60.0))


def four_times_the_rate(honest: Honest) -> Forged:
    """As a film that is run too fast; whoever started late is said to have started then."""
    from .stage import recast

    take = _at(honest.take, 120.0)
    return Forged(replace(take, scene=recast(take, "cat", start_time=0.25)))


def slide_show(honest: Honest) -> Forged:
    """Two frames a second: nobody is seen walking."""

    def sampled(clip: Clip) -> Clip:
        rows = np.arange(0, len(clip), 15)
        fields = {"root_positions": clip.root_positions[rows], "rotations": clip.rotations[rows]}
        return clip.with_changes(**fields, fps=2.0, contacts=None, labels=())

    take = honest.take
    clips = tuple(replace(shown, clip=sampled(shown.clip), margin=0) for shown in take.clips)
    shorter = Take(take.scene, 2.0, 1 + take.frames // 15, (), ())
    roles = [replace(role, frames=np.arange(len(role)) + int(role.frames[0]) // 15) for role in take.roles]
    return Forged(follow(shorter, clips, tuple(roles)))


def frozen_before_the_end(honest: Honest) -> Forged:
    """The last poses are held while the role walks on."""
    return reposed(
        honest,
        "ann",
        lambda clip: clip.with_changes(
            root_positions=clip.root_positions[np.minimum(np.arange(len(clip)), 100)],
            rotations=clip.rotations[np.minimum(np.arange(len(clip)), 100)],
        ),
    )


TIMES = {
    segment_dropped: {"placement"},
    segment_doubled: {"placement"},
    a_gap_between_segments: TakeError,
    starts_too_late: {"start"},
    starts_too_early: {"start"},
    claims_to_arrive_early: {"goal"},
    gone_on_the_way: {"goal"},
    vanishes_and_claims_to_have_arrived: {"goal"},
    leaves_instead_of_staying: {"presence"},
    poses_begin_late: {"presence"},
    poses_end_early: {"presence"},
    twice_the_rate: {"start"},
    four_times_the_rate: {"haste"},
    slide_show: {"slide"},
    frozen_before_the_end: {"placement"},
}
