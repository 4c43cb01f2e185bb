"""The trajectories of a take: everybody's root over the ground, as it is also exported, and the scene's goals."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from walkon.basics import Array
from walkon.metrics.audit.bodies import Played
from walkon.metrics.trajectories.model import GOAL_TOLERANCE, Trajectories
from walkon.synthesis import perform_each
from walkon.take import Take
from walkon.world import Character, Scene


def of_take(take: Take, performances: Iterable[Played] | None = None) -> Trajectories:
    """Where everybody in a take is, frame by frame.

    performances: of the take, if they are at hand; else synthesis makes one after another, and keeps none.
    """
    played = perform_each(take) if performances is None else performances
    tracks = [(one.character, one.start_frame, ground_track(one)) for one in played]
    return of_tracks(take.scene, take.fps, tracks)


def ground_track(played: Played) -> Array:
    """x, z (F, 2) [m] of somebody's root."""
    return played.clip.root_positions[:, [0, 2]].copy()


def of_tracks(scene: Scene, fps: float, tracks: Iterable[tuple[str, int, Array]]) -> Trajectories:
    """Trajectories of (character, first frame, x and z (F, 2)) at fps [Hz], with the goals that the scene gives
    them."""
    rows = list(tracks)
    characters = {character.name: character for character in scene.characters}
    cast = [characters.get(name) for name, _, _ in rows]
    return Trajectories.build(
        fps,
        [track for _, _, track in rows],
        names=[name for name, _, _ in rows],
        starts=np.array([start for _, start, _ in rows], dtype=np.int64),
        goals=np.array([_goal(character) for character in cast]).reshape(-1, 2),
        tolerances=np.array([_tolerance(character) for character in cast]),
        ways=np.array([_way(character, row[2][0]) for character, row in zip(cast, rows, strict=True)]),
    )


def _goal(character: Character | None) -> tuple[float, float]:
    if character is None or not character.goals:
        return np.nan, np.nan
    return character.goals[-1].x, character.goals[-1].z


def _tolerance(character: Character | None) -> float:
    return GOAL_TOLERANCE if character is None or not character.goals else character.goals[-1].tolerance


def _way(character: Character | None, start: Array) -> float:
    """How far [m] it is from the start by the way-points to the goal; nan if there are none."""
    if character is None or len(character.goals) < 2:
        return np.nan
    points = np.array([start, *((goal.x, goal.z) for goal in character.goals)])
    return float(np.hypot(*np.diff(points, axis=0).T).sum())
