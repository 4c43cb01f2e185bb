"""People who were recorded, as a scene has them: on its clock, with its goals, and gone when ours would be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.errors import TrajectoryError
from walkon.metrics.trajectories.model import Trajectories
from walkon.metrics.trajectories.resampling import resample
from walkon.metrics.trajectories.scenes import plain_names
from walkon.metrics.trajectories.takes import of_tracks
from walkon.world import Character, Scene

SAME_START = 0.5
"""[m] A character of a scene is the recorded person of its name if it starts within this distance of where that
one was first seen: a scene begins paths at tenths of seconds, in which people who walk go up to 0.2 m. With a
larger one, people of another recording with the same numbers would pass as these."""

LATE = 0.15
"""[s] Who starts in the scene by more than this later than in the recording is delayed. With a smaller one,
rounding to frames would count as a delay."""


@dataclass(frozen=True, eq=False)
class RecordedPeople:
    """People of a recording who are in a scene as well.

    scene: which. paths: theirs at 10 Hz, with names, clock and goals of the scene, in its order, as far as the
    place where the scene has them leave. fps: [Hz] of the recording. missing: characters of the scene who
    are not in the recording. delayed: who starts later in the scene than recorded. standing: who only stands.
    """

    scene: Scene
    paths: Trajectories
    fps: float
    missing: tuple[str, ...]
    delayed: tuple[str, ...]
    standing: tuple[str, ...]


def recorded_in(scene: Scene, trajectories: Trajectories) -> RecordedPeople:
    """The people of a scene that `scene_of` made, walls added or not, as they were recorded.

    They are found by name and by where they start. Raises TrajectoryError if none is: then the scene is of another
    recording.
    """
    order = np.argsort(trajectories.starts, kind="stable")
    people = dict(zip(plain_names([trajectories.names[i] for i in order]), order.tolist(), strict=True))
    found = [(one, people[one.name]) for one in scene.characters if one.name in people]
    found = [(one, person) for one, person in found if _starts_there(one, trajectories.path(person)[0])]
    if not found:
        raise TrajectoryError(
            f"none of the {len(scene.characters)} people of the scene {scene.name!r} starts where somebody of the "
            f"same name was recorded: is the scene made from this recording?"
        )
    # Nobody starts before its time in the recording, so that whoever is earliest beside it is on time.
    seconds = trajectories.starts[[person for _, person in found]] / trajectories.fps
    planned = np.array([one.start_time for one, _ in found])
    begin = float((seconds - planned).max())
    present = {one.name for one, _ in found}
    late = planned - (seconds - begin) > LATE
    return RecordedPeople(
        scene=scene,
        paths=_paths(scene, found, trajectories, begin),
        fps=trajectories.fps,
        missing=tuple(one.name for one in scene.characters if one.name not in present),
        delayed=tuple(one.name for (one, _), delayed in zip(found, late, strict=True) if delayed),
        standing=tuple(one.name for one, _ in found if _only_stands(one)),
    )


def _paths(
    scene: Scene, found: list[tuple[Character, int]], trajectories: Trajectories, begin: float
) -> Trajectories:
    """Those found in a scene that begins at a time [s] of the recording."""
    # Rows of ETH's recordings are half a metre apart: too coarse to tell when somebody is there.
    paths = resample(trajectories.choose([person for _, person in found]))
    starts = paths.starts - round(begin * paths.fps)
    tracks = [
        (one.name, int(start), _until_there(paths.path(row), one))
        for row, ((one, _), start) in enumerate(zip(found, starts, strict=True))
    ]
    return of_tracks(scene, paths.fps, tracks)


def _until_there(path: Array, character: Character) -> Array:
    """A path (F, 2) until it is within the tolerance of the goal for good: there ours leave. All of it if it is
    never farther away, as that of somebody who stands, or if the scene has them stay there."""
    if not character.goals or character.at_goal == "stay":
        return path
    goal = character.goals[-1]
    away = np.flatnonzero(np.hypot(path[:, 0] - goal.x, path[:, 1] - goal.z) > goal.tolerance)
    return path[: away[-1] + 2] if len(away) else path


def _starts_there(character: Character, place: Array) -> bool:
    return bool(np.hypot(character.start.x - place[0], character.start.z - place[1]) <= SAME_START)


def _only_stands(character: Character) -> bool:
    """Whether it is at its goal from the start."""
    if not character.goals:
        return True
    goal = character.goals[-1]
    return bool(np.hypot(character.start.x - goal.x, character.start.z - goal.z) <= goal.tolerance)
