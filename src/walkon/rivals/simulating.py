"""A scene played by a rival model: where everybody goes, frame by frame."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.metrics import Trajectories
from walkon.rivals.models import Model, choose_model
from walkon.rivals.routing import Routes
from walkon.rivals.walls import lay_walls
from walkon.world import Scene

AIM_ERROR = 0.01
"""Standard deviation [rad] of everybody's error of aim, which stays the same. It breaks symmetries in which two
would push each other for ever, and makes nobody's way uneven."""

SLOWING_TIME = 1.0
"""How long [s] before the end of the way somebody begins to slow down."""

SETTLED_TIME = 2.0
"""The simulation ends when everybody has been at the goal for this long [s]."""

ROUTE_FRAMES = 3
"""Frames between two looks at the way."""

MOST_SIMULATED = 20_000_000
"""Most people times frames; it bounds memory."""


def simulate(
    scene: Scene,
    model: str | Model,
    *,
    fps: float = 30.0,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Trajectories:
    """Where everybody in a scene goes if they avoid each other and everything else as a model says.

    model: its name (`MODELS`), or itself with other parameters. Everybody appears at the start, walking already
    unless the scene has it stand there first, and goes by the way-points to the goal, as fast as the scene says or
    else the model; it slows down there, or is gone if it leaves. seed: of the errors of aim. It ends when all have
    been at their goals for two seconds, or with the scene's duration.
    progress: called with the frames done and the most there can be.
    """
    model = choose_model(model)
    if not 1.0 <= fps <= 1000.0:
        raise SceneError(f"a simulation has 1 to 1000 frames a second, not {fps}")
    frames = max(round(scene.duration * fps), 1)
    if frames * len(scene.characters) > MOST_SIMULATED:
        raise SceneError(f"{len(scene.characters)} people for {scene.duration:g} s are too many to simulate")
    crowd = _Crowd(scene, model, fps, np.random.default_rng(seed))
    for frame in range(frames):
        if crowd.play(frame):
            break
        if progress is not None and frame % 100 == 0:
            progress(frame, frames)
    return crowd.trajectories()


class _Crowd:
    """Everybody in the scene while it is played."""

    def __init__(self, scene: Scene, model: Model, fps: float, random: np.random.Generator) -> None:
        people = scene.characters
        self._scene, self._model, self._fps = scene, model, fps
        self._mover = model.begin(lay_walls(scene))
        self._routes = Routes(scene, model.radius)
        self._begins = np.array([round(one.start_time * fps) for one in people], dtype=np.int64)
        self._sets_off = self._begins + np.array([round(one.premovement * fps) for one in people], dtype=np.int64)
        self._speeds = np.array([model.speed if one.speed is None else one.speed for one in people])
        self._places = np.array([(one.start.x, one.start.z) for one in people], dtype=np.float64).reshape(-1, 2)
        self._velocities = np.zeros((len(people), 2))
        self._targets = self._places.copy()
        self._last = np.zeros(len(people), dtype=np.bool_)
        self._aims = random.normal(0.0, AIM_ERROR, len(people))
        self._leaves = np.array([one.at_goal == "leave" for one in people], dtype=np.bool_)
        self._here = np.zeros(len(people), dtype=np.bool_)
        self._gone = np.zeros(len(people), dtype=np.bool_)
        self._since = np.full(len(people), -1, dtype=np.int64)
        self._rows: list[list[Array]] = [[] for _ in people]

    def play(self, frame: int) -> bool:
        """One frame; whether everybody has arrived."""
        new = (self._begins == frame) & ~self._here
        self._here |= new
        who = np.flatnonzero(self._here)
        for person in who:
            self._rows[person].append(self._places[person].copy())
            self._look(int(person), frame, bool(new[person]))
        who = np.flatnonzero(self._here)
        wanted = self._wanted(who, frame)
        self._velocities[who[new[who]]] = wanted[new[who]]
        substeps = max(round(self._model.substeps * 30.0 / self._fps), 1)
        seconds = 1.0 / (self._fps * substeps)
        for _ in range(substeps if len(who) else 0):
            velocities = self._mover.velocities(who, self._places[who], self._velocities[who], wanted, seconds)
            self._velocities[who] = velocities
            self._places[who] += velocities * seconds
        settled = (self._since >= 0) & (frame - self._since >= SETTLED_TIME * self._fps)
        return bool((self._gone | settled).all())

    def _look(self, person: int, frame: int, new: bool) -> None:
        """At the way: where somebody goes next, and whether that is the end of it."""
        place = self._places[person]
        if new or (frame - self._begins[person]) % ROUTE_FRAMES == 0:
            target = self._routes.target(person, place, frame / self._fps)
            self._targets[person] = target
            self._last[person] = self._routes.is_last(person, target)
        if frame < self._sets_off[person]:
            return
        if not self._routes.is_there(person, place):
            self._since[person] = -1
        elif self._since[person] < 0:
            self._since[person] = frame
            if self._leaves[person]:
                self._gone[person], self._here[person] = True, False

    def _wanted(self, who: NDArray[np.int64], frame: int) -> Array:
        """Velocities (N, 2) [m/s] to the next places; none of those who have not set off."""
        way = self._targets[who] - self._places[who]
        far = np.hypot(*way.T)
        slows = self._last[who] & ~self._leaves[who]
        speeds = np.where(slows, np.minimum(self._speeds[who], far / SLOWING_TIME), self._speeds[who])
        angles = np.arctan2(way[:, 1], way[:, 0]) + self._aims[who]
        speeds[(far < 1e-9) | (frame < self._sets_off[who])] = 0.0
        return speeds[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])

    def trajectories(self) -> Trajectories:
        """Of everybody who has appeared."""
        shown = [person for person, rows in enumerate(self._rows) if rows]
        people = [self._scene.characters[person] for person in shown]
        goals = [one.goals[-1] if one.goals else None for one in people]
        return Trajectories.build(
            self._fps,
            [np.array(self._rows[person]) for person in shown],
            names=[one.name for one in people],
            starts=self._begins[shown],
            goals=np.array([(math.nan, math.nan) if goal is None else (goal.x, goal.z) for goal in goals]),
            tolerances=np.array([0.5 if goal is None else goal.tolerance for goal in goals]),
            ways=np.array([_way(one) for one in people]),
            radii=np.full(len(people), self._model.bodies),
        )


def _way(character) -> float:
    """Metres from the start by the way-points to the goal; nan for the straight line."""
    if len(character.goals) < 2:
        return math.nan
    points = np.array([(character.start.x, character.start.z), *((goal.x, goal.z) for goal in character.goals)])
    return float(np.hypot(*np.diff(points, axis=0).T).sum())
