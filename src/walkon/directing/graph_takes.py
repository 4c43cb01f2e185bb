"""Takes of walks through motion graphs: everybody plays one clip from beginning to end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walkon.directing.reports import Acted
from walkon.errors import GraphError
from walkon.graphs.walks import Walk, perform_walk
from walkon.motion import Clip, bounding_circles, ground_placements, resample
from walkon.rotations import Placement
from walkon.take import Role, Take, TakeClip
from walkon.world import Character, Goal, Scene, flat_terrain
from walkon.world.script_goals import ends_at_a_place, follows_script

Array = NDArray[np.float64]

ROOM = 1.0
"""[m] between the paths of everybody and the bounds of a scene that is made for them."""

PLANNER = "motion graph"
"""What the take says it was made by."""


def take_of_walks(
    scene: Scene | None, walks: Mapping[str, Walk | Acted | Clip], *, seed: int = 0, name: str = "graph walks"
) -> Take:
    """The take in which everybody who is named walks through a graph, each as one clip.

    scene: in which they are, and where their start times, goals and libraries come from; without one, a level
    scene is made around their paths, in which everybody starts where the walk does and has its end as goal. Of
    the scene's other characters the take says that they have no walk. Motion is brought to the rate of the scene.
    Somebody whose script has something to do after its last place has, in the take, that place as a way-point and
    the end of the walk as goal.
    """
    clips = {who: _clip_of(who, walk) for who, walk in walks.items()}
    if not clips:
        raise GraphError("a take needs somebody who walks")
    if scene is None:
        scene = scene_around(clips, name=name)
    unknown = set(clips) - {character.name for character in scene.characters}
    if unknown:
        raise GraphError(f"scene {scene.name!r} has nobody called {', '.join(sorted(unknown))}")
    shown, roles, characters = [], [], []
    frames = 0
    for character in scene.characters:
        if character.name not in clips:
            characters.append(character)
            continue
        clip = clips[character.name]
        clip = clip if clip.fps == scene.fps else resample(clip, scene.fps)
        places = ground_placements(clip)
        character = _as_performed(character, places)  # noqa: PLW2901
        start = round(character.start_time * scene.fps)
        label = main_label(clip)
        entry = character.pose or label
        shown.append(TakeClip(clip, 0, label, "locomotion", entry, label, character.library))
        arrival = arrival_frame(character.goals, places)
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
        characters.append(character)
        frames = max(frames, start + len(clip))
    unplanned = tuple((one.name, "has no walk") for one in characters if one.name not in clips)
    scene = replace(scene, characters=tuple(characters))
    return Take(scene, scene.fps, frames, tuple(shown), tuple(roles), unplanned, seed, PLANNER)


def scene_around(clips: Mapping[str, Clip], *, name: str = "graph walks") -> Scene:
    """A level scene with room for motion in the world, by name, whose people go where the motion takes them."""
    circles = [bounding_circles(clip) for clip in clips.values()]
    low = np.min([(one.centers - one.radii[:, None]).min(axis=0) for one in circles], axis=0) - ROOM
    high = np.max([(one.centers + one.radii[:, None]).max(axis=0) for one in circles], axis=0) + ROOM
    bounds = (float(np.floor(low[0])), float(np.floor(low[1])), float(np.ceil(high[0])), float(np.ceil(high[1])))
    people = []
    for who, clip in clips.items():
        places = ground_placements(clip)
        start, end = places[0], places[-1]
        people.append(Character(who, Placement(*map(float, start)), (Goal(float(end[0]), float(end[1])),)))
    rates = {clip.fps for clip in clips.values()}
    longest = max(len(clip) / clip.fps for clip in clips.values())
    return Scene(
        name,
        bounds,
        flat_terrain(bounds),
        characters=tuple(people),
        duration=float(np.ceil(longest)),
        fps=max(rates),
    )


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


def _clip_of(who: str, walk: Walk | Acted | Clip) -> Clip:
    if isinstance(walk, Clip):
        return walk
    return walk.clip if isinstance(walk, Acted) else perform_walk(walk, name=who)


def _as_performed(character: Character, places: Array) -> Character:
    """The character, with the end of its walk as goal where its script leaves open where that is."""
    if not (character.script and follows_script(character)) or ends_at_a_place(character.script):
        return character
    end = Goal(float(places[-1, 0]), float(places[-1, 1]), character.goals[-1].tolerance)
    return replace(character, goals=(*character.goals, end))
