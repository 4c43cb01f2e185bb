"""Takes in which everybody plays one clip from beginning to end."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from walkon.errors import SceneError
from walkon.motion import Clip, ground_placements, resample
from walkon.take import Role, Take, TakeClip
from walkon.world import Character, Scene

Array = NDArray[np.float64]


def take_of_clips(
    scene: Scene,
    clips: Mapping[str, Clip],
    starts: Mapping[str, int],
    *,
    behavior: str,
    seed: int = 0,
    planner: str = "",
    reasons: Mapping[str, str] | None = None,
) -> Take:
    """The take in which characters of a scene play clips, in the world, by name, from frames `starts` of it.

    behavior: what the take calls all of it. reasons: why others have none, by name.
    """
    unknown = set(clips) - {one.name for one in scene.characters}
    if unknown:
        raise SceneError(f"scene {scene.name!r} has nobody called {', '.join(sorted(unknown))}")
    shown, roles, frames = [], [], 0
    for character in scene.characters:
        if character.name not in clips:
            continue
        clip, start = clips[character.name], starts[character.name]
        clip = clip if clip.fps == scene.fps else resample(clip, scene.fps)
        places = ground_placements(clip)
        arrival = _arrival(character, places)
        shown.append(
            TakeClip(clip, 0, behavior, "locomotion", character.pose or "walk", "walk", character.library)
        )
        roles.append(
            Role(
                character.name,
                np.array([len(shown) - 1]),
                np.array([start]),
                places[:1],
                None if arrival is None else start + arrival,
                character.at_goal == "leave",
            )
        )
        frames = max(frames, start + len(clip))
    unplanned = tuple(
        (one.name, (reasons or {}).get(one.name, "never appeared"))
        for one in scene.characters
        if one.name not in clips
    )
    return Take(scene, scene.fps, frames, tuple(shown), tuple(roles), unplanned, seed, planner)


def _arrival(character: Character, places: Array) -> int | None:
    """The frame from which on somebody at places (F, 3) stays at the goal; None if never."""
    if not character.goals:
        return len(places) - 1
    goal = character.goals[-1]
    away = np.flatnonzero(np.hypot(places[:, 0] - goal.x, places[:, 1] - goal.z) > goal.tolerance)
    arrival = int(away[-1]) + 1 if len(away) else 0
    return arrival if arrival < len(places) else None
