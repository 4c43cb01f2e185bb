"""Motions to learn the variation of: recordings where there are any, and motion that ships with walkon.

Of every motion four clips are learned from; others are held out. Walks are cut to four seconds. The built-in ones
are those of different performers: people walk, jog and wave each in their own way.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from walkon.motion import Clip

RECORDINGS = Path(os.environ.get("WALKON_MOCAP", Path(__file__).resolve().parents[2] / "shared" / "mocap"))
FPS = 30.0
LONGEST = 4.0
"""Seconds of a clip that are used."""

LEARNED = 4
RECORDED = {
    "35 walks": ("35_01", "35_02", "35_03", "35_04", "35_05", "35_06", "35_07", "35_08"),
    "09 runs": ("09_01", "09_02", "09_03", "09_04", "09_05", "09_06", "09_07"),
    "16 and 13 jumps": ("16_05", "16_06", "16_07", "16_09", "16_10", "13_11", "13_13", "13_19"),
}
"""Recordings by their names: four to learn from, then those held out, on the body of the first."""

PERFORMED = {"built-in walk": "walk_forward", "built-in jog": "jog_forward", "built-in wave": "wave"}
"""Behaviors of the human cast; walks and jogs are several strides one after another."""

PERFORMERS = 7
STRIDES = 4


@dataclass(frozen=True, eq=False)
class Motion:
    """A motion. inputs: clips to learn from. held_out: clips never seen. recorded: or made by walkon."""

    name: str
    inputs: list[Clip]
    held_out: list[Clip]
    recorded: bool


def motions() -> Iterator[Motion]:
    """All motions; recordings are left out where there are none."""
    folder = RECORDINGS / "cmu" / "bvh"
    for name, files in RECORDED.items():
        if all((folder / f"{file}.bvh").exists() for file in files):
            clips = [_recording(folder / f"{file}.bvh") for file in files]
            clips = _on_body(clips, clips[0])
            yield Motion(name, clips[:LEARNED], clips[LEARNED:], recorded=True)
    from walkon.variation.library_groups import distance_of_clips

    for name, behavior in PERFORMED.items():
        first = _performed(behavior, 0)[0]
        performed = [_on_body(_performed(behavior, performer), first) for performer in range(PERFORMERS)]
        # Some wave with the left hand first, some with the right: those are two motions.
        clips = [min(some, key=lambda clip: distance_of_clips(clip, first)) for some in performed]
        yield Motion(name, clips[:LEARNED], clips[LEARNED:], recorded=False)


def _on_body(clips: list[Clip], first: Clip) -> list[Clip]:
    """The clips on the skeleton of another; performers are of different sizes."""
    from walkon.motion import retarget

    skeleton = first.skeleton
    return [clip if clip.skeleton.matches(skeleton) else retarget(clip, skeleton) for clip in clips]


def _recording(path: Path) -> Clip:
    from walkon.motion import read_recording

    return _ready(read_recording(path, trim="leading").clip)


def _performed(behavior: str, performer: int) -> list[Clip]:
    """What one performer of the cast does: ways to do a gesture, or some strides."""
    from walkon.builtin.casts import make_library

    shown = make_library("human", performer)[behavior]
    if shown.kind == "gesture":
        return [_ready(one.clip).with_changes(name=f"{behavior} {performer}") for one in shown.clips]
    cores = [shown.clips[number % len(shown.clips)] for number in range(STRIDES)]
    return [_ready(_one_after_another(cores)).with_changes(name=f"{behavior} {performer}")]


def _one_after_another(shown: list) -> Clip:
    """Cores of clips joined where one ends and the next begins."""
    import numpy as np

    from walkon.motion import place, placement_at
    from walkon.rotations import Placement, continuous

    here, roots, rotations = Placement(), [], []
    for one in shown:
        moved = place(one.clip, here @ placement_at(one.clip, one.first).inverse())
        roots.append(moved.root_positions[one.first : one.last])
        rotations.append(moved.rotations[one.first : one.last])
        here = placement_at(moved, one.last)
    first = shown[0].clip
    return Clip(
        first.name, first.skeleton, first.fps, np.concatenate(roots), continuous(np.concatenate(rotations))
    )


def _ready(clip: Clip) -> Clip:
    from walkon.motion import crop, resample

    short = clip if clip.duration <= LONGEST else crop(clip, 0, round(LONGEST * clip.fps) + 1)
    return short if short.fps == FPS else resample(short, FPS)
