"""Takes in which everybody plays one clip from beginning to end: walks through graphs, and rivals' motion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.motion import Clip, ground_placements, resample
from walkon.take import Role, Take, TakeClip
from walkon.world import Character, Goal, Scene
from walkon.world.script_goals import ends_at_a_place, follows_script


def take_of_clips(
    scene: Scene,
    clips: Mapping[str, Clip],
    starts: Mapping[str, int] | None = None,
    *,
    behavior: str | None = None,
    seed: int = 0,
    planner: str = "",
    reasons: Mapping[str, str] | None = None,
) -> Take:
    """The take in which characters of a scene play clips, in the world, by name.

    starts: the frames of the take at which they begin; else the scene's start times say. behavior: what the take
    calls all of it; else each clip's main label. reasons: why others have none, by name. Motion is brought to the
    rate of the scene. Somebody whose script has something to do after its last place has, in the take, that place
    as a way-point and the end of the clip as goal.
    """
    unknown = set(clips) - {character.name for character in scene.characters}
    if unknown:
        raise SceneError(f"scene {scene.name!r} has nobody called {', '.join(sorted(unknown))}")
    shown, roles, characters = [], [], []
    frames = 0
    for character in scene.characters:
        if character.name not in clips:
            characters.append(character)
            continue
        clip = clips[character.name]
        clip = clip if clip.fps == scene.fps else resample(clip, scene.fps)
        places = ground_placements(clip)
        characters.append(_as_performed(character, places))
        start = round(character.start_time * scene.fps) if starts is None else starts[character.name]
        label = behavior or main_label(clip)
        exit_pose = main_label(clip) if behavior is None else "walk"
        shown.append(
            TakeClip(clip, 0, label, "locomotion", character.pose or exit_pose, exit_pose, character.library)
        )
        arrival = arrival_frame(characters[-1].goals, places)
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
    why = reasons or {}
    unplanned = tuple(
        (one.name, why.get(one.name, "never appeared")) for one in characters if one.name not in clips
    )
    scene = replace(scene, characters=tuple(characters))
    return Take(scene, scene.fps, frames, tuple(shown), tuple(roles), unplanned, seed, planner)


def main_label(clip: Clip) -> str:
    """The label that most frames of a clip have."""
    counts = Counter()
    for label in clip.labels:
        counts[label.name] += label.stop - label.start
    return counts.most_common(1)[0][0] if counts else "motion"


def arrival_frame(goals: tuple[Goal, ...], places: Array) -> int | None:
    """From which frame on somebody who is at places (F, 3) stays at the last of the goals; None if never."""
    if not goals:
        return len(places) - 1
    passed = 0
    for goal in goals[:-1]:
        near = np.flatnonzero(_is_at(places[passed:], goal))
        passed += int(near[0]) if len(near) else 0
    goal = goals[-1]
    there = np.hypot(places[:, 0] - goal.x, places[:, 1] - goal.z) <= goal.tolerance
    left = np.flatnonzero(~there)
    arrived = max(int(left[-1]) + 1 if len(left) else 0, passed)
    facing = np.flatnonzero(_is_at(places[arrived:], goal))
    return arrived + int(facing[0 if goal.heading is None else -1]) if len(facing) else None


def _is_at(places: Array, goal: Goal) -> NDArray[np.bool_]:
    """Whether places (F, 3) are within what a goal allows."""
    there = np.hypot(places[:, 0] - goal.x, places[:, 1] - goal.z) <= goal.tolerance
    if goal.heading is None:
        return there
    return there & (np.abs(np.angle(np.exp(1j * (places[:, 2] - goal.heading)))) <= goal.heading_tolerance)


def _as_performed(character: Character, places: Array) -> Character:
    """The character, with the end of its walk as goal where its script leaves open where that is."""
    if not (character.script and follows_script(character)) or ends_at_a_place(character.script):
        return character
    end = Goal(float(places[-1, 0]), float(places[-1, 1]), character.goals[-1].tolerance)
    return replace(character, goals=(*character.goals, end))
