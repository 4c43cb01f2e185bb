"""Takes of walks through motion graphs: everybody plays one clip from beginning to end.

A take of stretches of recordings, joined by the seams of synthesis, was tried and is worse. Synthesis joins clips
where their poses stand, as the audit asks (1 mm, 0.1°), graphs where whole windows lie best on each other: walks
along a written word end 1.4 m (built-in motion) and 10 m (CMU subject 16) from where the search led them. Planted
feet slide up to 31 mm a frame instead of 0.1 and 1.5 mm: stretches are often shorter than a step, and
nothing holds feet that slide in the recording itself. And files are a third larger: most stretches are played
once, with margins.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from walkon.directing.clip_takes import take_of_clips
from walkon.directing.reports import Acted
from walkon.errors import GraphError
from walkon.graphs.performing.walks import Walk, perform_walk
from walkon.motion import Clip, bounding_circles, ground_placements
from walkon.rotations import Placement
from walkon.take import Take
from walkon.world import Character, Goal, Scene, flat_terrain

SCENE_ROOM = 1.0
"""Metres between the paths of everybody and the bounds of a scene that is made for them."""

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
    reasons = dict.fromkeys((one.name for one in scene.characters), "has no walk")
    return take_of_clips(scene, clips, seed=seed, planner=PLANNER, reasons=reasons)


def scene_around(clips: Mapping[str, Clip], *, name: str = "graph walks") -> Scene:
    """A level scene with room for motion in the world, by name, whose people go where the motion takes them."""
    circles = [bounding_circles(clip) for clip in clips.values()]
    low = np.min([(one.centers - one.radii[:, None]).min(axis=0) for one in circles], axis=0) - SCENE_ROOM
    high = np.max([(one.centers + one.radii[:, None]).max(axis=0) for one in circles], axis=0) + SCENE_ROOM
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


def _clip_of(who: str, walk: Walk | Acted | Clip) -> Clip:
    if isinstance(walk, Clip):
        return walk
    return walk.clip if isinstance(walk, Acted) else perform_walk(walk, name=who)
