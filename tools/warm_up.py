"""Compile what plays, audits and films a take, while another process is still planning its first one.

The first call of every kernel compiles it and keeps the result on disk; planning, auditing and filming compile
different kernels. On a machine with two cores the first demo is a minute shorter for it. Does nothing when that
was done before.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import walkon

if TYPE_CHECKING:
    from walkon.take import Role, TakeClip
    from walkon.world import Character

STEPS = ("start_walk", "walk_forward", "stop_walk", "idle")


def main() -> None:
    """Play, audit, export and film a take of two people, made by hand."""
    from walkon.kernels import is_compiled
    from walkon.metrics import audit_performances
    from walkon.metrics.audit import _kernels_people

    if is_compiled(_kernels_people):
        return
    from walkon.render import film_take
    from walkon.synthesis import perform_all

    take = little_take()
    performances = perform_all(take)
    audit_performances(take, performances)
    with tempfile.TemporaryDirectory() as folder:
        walkon.export_take(take, Path(folder) / "warm.glb", performances=performances)
        film_take(take, Path(folder) / "warm.mp4", performances=performances, span=(0.0, 0.2), size=(960, 540))


def little_take() -> walkon.Take:
    """Two people side by side, a few steps each, among one obstacle of every shape that the station has."""
    from walkon.builtin.casts import fetch_library
    from walkon.take import Take, TakeClip

    scene = walkon.read_scene(
        "bounds = [-6, -6, 6, 6]\n"
        '[[obstacles]]\nshape = "box"\nat = [3, 3]\nwidth = 1\ndepth = 1\nheight = 1\n'
        '[[obstacles]]\nshape = "cylinder"\nat = [-3, 3]\nradius = 0.5\nheight = 1\n'
        '[[obstacles]]\nshape = "polygon"\nat = [3, -3]\ncorners = [[0, 0], [1, 0], [0, 1]]\nheight = 1\n'
        '[[characters]]\nname = "a"\nstart = [0, -3]\ngoal = [0, 3]\n'
        '[[characters]]\nname = "b"\nstart = [0.9, -3]\ngoal = [0.9, 3]\n'
    )
    library = fetch_library("human", 0)
    chosen = [(library[name], library[name].clips[0]) for name in STEPS]
    clips = tuple(
        TakeClip(shown.clip, shown.margin, behavior.name, behavior.kind, behavior.entry, behavior.exit, "human")
        for behavior, shown in chosen
    )
    roles = tuple(_role(character, clips) for character in scene.characters)
    return Take(scene, library.fps, int(roles[0].frames[-1]) + clips[-1].duration + 1, clips, roles)


def _role(character: Character, clips: tuple[TakeClip, ...]) -> Role:
    import numpy as np

    from walkon.motion import placement_at
    from walkon.take import Role

    where, frame, frames, placements = character.start, 0, [], []
    for shown in clips:
        frames.append(frame)
        placements.append((where.x, where.z, where.heading))
        first, last = (placement_at(shown.clip, at) for at in (shown.margin, shown.margin + shown.duration))
        where, frame = where @ first.inverse() @ last, frame + shown.duration
    return Role(character.name, np.arange(len(clips)), np.array(frames), np.array(placements), frames[-1])


if __name__ == "__main__":
    main()
