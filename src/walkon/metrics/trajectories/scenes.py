"""A scene with the people of a recording: same starts, goals, times and speeds, for planners to do it again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Indices
from walkon.errors import TrajectoryError
from walkon.metrics.trajectories.model import Trajectories
from walkon.metrics.trajectories.resampling import resample
from walkon.rotations import Placement
from walkon.world import Character, Goal, Scene, flat_terrain

RATE = 10.0
"""[Hz] At which recordings are looked at: finer is noise, coarser misses who stands for a moment."""

APART = 0.6
"""[m] Nobody appears nearer than this to where somebody is already: two bodies and a gap. With less, people are
refused a start; with more, groups are torn apart in time."""

SAME_TIME = 1.0
"""[s] At least between two who start within APART of each other, as scene files demand."""

LONGEST_DELAY = 60.0
"""[s] Whoever would have to appear later than this after its time is left out. With more, people come into another
scene than the one they were recorded in."""

WINDOW = 5
"""Frames at RATE (half a second) over which speeds and headings are taken: a step. With fewer, sway counts as
walking; with more, people who turn seem slow."""

MOVING = 0.3
"""[m/s] Who is slower stands. With more, strollers seem to stand; with less, noise walks."""

NEAR = 0.3
"""[m] Who has not gone further than this has not set off yet."""

LEAST_STAND = 1.0
"""[s] Standing for less at the beginning is part of setting off."""

LEAST_WAY = 0.6
"""[m] Who goes less far from its start stands there for the time it was recorded, and is gone."""

AFTERWARDS = 30.0
"""[s] That the scene goes on after the recording, for those who take longer. With more, plans may be later."""

LONGEST_SCENE, MOST_PEOPLE, LARGEST_SIDE = 3600.0, 10_000, 1000.0
"""[s], people and [m] that scene files hold."""


@dataclass(frozen=True, eq=False)
class RecordedScene:
    """A scene of people who were recorded. delayed: who appears later than recorded, and by how much [s], because
    somebody was where it starts. left_out: for whom that would have taken too long. standing: who only stands."""

    scene: Scene
    delayed: tuple[tuple[str, float], ...]
    left_out: tuple[str, ...]
    standing: tuple[str, ...]


def scene_of(
    trajectories: Trajectories,
    name: str = "recorded",
    *,
    since: float = 0.0,
    until: float = math.inf,
    margin: float = 1.0,
    fps: float = 30.0,
) -> RecordedScene:
    """The people who appear from `since` to `until` [s] after the first frame, in a scene that begins then.

    margin [m]: around all places, so that there is room at the edge. fps [Hz]: of the scene, as libraries have it.
    Raises TrajectoryError where that is nobody, or more, longer or larger than a scene may be.
    """
    if not (0.0 <= since < until) or not 0.0 <= margin <= 100.0:
        raise TrajectoryError(f"people from {since} s until {until} s, with a margin of {margin} m, cannot be had")
    begin = trajectories.first / trajectories.fps + since
    times = trajectories.starts / trajectories.fps - begin
    people = np.flatnonzero((times >= -1e-9) & (times < until - since))
    people = people[np.argsort(times[people], kind="stable")]
    if not len(people) or len(people) > MOST_PEOPLE:
        raise TrajectoryError(f"{len(people)} people appear in that time; a scene has 1 to {MOST_PEOPLE}")
    chosen = resample(trajectories.choose(people), RATE)
    first, names = times[people], plain_names(chosen.names)
    late = _delays(chosen, first)
    kept = np.flatnonzero(np.isfinite(late))
    duration = _duration(chosen, first, late, kept)
    characters = [_character(chosen.path(i), names[i], float(first[i] + late[i])) for i in kept.tolist()]
    bounds = _bounds(chosen, margin)
    still = [one.name for one in characters if one.goals[0].tolerance > LEAST_WAY]
    scene = Scene(name, bounds, flat_terrain(bounds), (), tuple(characters), duration, fps)
    delayed = tuple((names[i], round(float(late[i]), 3)) for i in kept if late[i] > 0.0)
    return RecordedScene(scene, delayed, tuple(names[i] for i in np.flatnonzero(np.isinf(late))), tuple(still))


def _character(path: Array, name: str, start_time: float) -> Character:
    """Somebody who goes from the first place of a path (F, 2) to the last, and is gone."""
    away = np.hypot(*(path - path[0]).T)
    goal, tolerance, standing = path[-1], 0.5, 0.0
    if away.max() <= LEAST_WAY:
        # Anywhere near is there: it stands as long as it was seen, and leaves.
        standing, tolerance = (len(path) - 1) / RATE, LEAST_WAY + 0.1
    elif away.max() > NEAR:
        standing = (int(np.argmax(away > NEAR)) - 1) / RATE - NEAR / max(_speed(path), MOVING)
    return Character(
        name=name,
        start=Placement(float(path[0, 0]), float(path[0, 1]), _heading(path)),
        goals=(Goal(float(goal[0]), float(goal[1]), tolerance),),
        start_time=round(start_time, 3),
        at_goal="leave",
        speed=None if away.max() <= LEAST_WAY else round(min(max(_speed(path), 0.1), 12.0), 3),
        premovement=round(standing, 3) if standing > LEAST_STAND else 0.0,
    )


def _speed(path: Array) -> float:
    """Mean speed [m/s] of the windows in which somebody moves; over the whole path if it never does."""
    step = min(WINDOW, len(path) - 1)
    if step < 1:
        return 0.0
    speeds = np.hypot(*(path[step:] - path[:-step]).T) * RATE / step
    moving = speeds > MOVING
    return float(speeds[moving].mean() if moving.any() else speeds.mean())


def _heading(path: Array) -> float:
    """Where somebody goes who has just gone half a metre; 0 if it never does."""
    away = np.hypot(*(path - path[0]).T)
    step = int(np.argmax(away > 0.5)) or int(np.argmax(away))
    return float(math.atan2(*(path[step] - path[0])))


def _delays(people: Trajectories, times: Array) -> Array:
    """How much later [s] (N,) than its time, in order, everybody can appear: when nobody is where it starts,
    according to the recording; infinite if that takes too long."""
    late, starts = np.zeros(len(people)), np.array([people.path(i)[0] for i in range(len(people))])
    paths = [people.path(i) for i in range(len(people))]
    ends = times + (people.counts - 1) / RATE
    for person in range(len(people)):
        earlier = np.flatnonzero((ends + late)[:person] >= times[person] - SAME_TIME)
        while late[person] <= LONGEST_DELAY and any(
            _in_the_way(paths[other], times[other] + late[other], starts[person], times[person] + late[person])
            for other in earlier
        ):
            late[person] += 1.0 / RATE
        if late[person] > LONGEST_DELAY:
            late[person] = math.inf
    return late


def _in_the_way(path: Array, began: float, start: Array, time: float) -> bool:
    """Whether somebody whose path (F, 2) began at a time is where another wants to start, or has just started."""
    if not math.isfinite(began):
        return False
    frame = round((time - began) * RATE)
    if abs(time - began) < SAME_TIME and np.hypot(*(path[0] - start)) < APART:
        return True
    return 0 <= frame < len(path) and bool(np.hypot(*(path[frame] - start)) < APART)


def _duration(people: Trajectories, times: Array, late: Array, kept: Indices) -> float:
    last = float((times + late + people.counts / RATE)[kept].max(initial=0.0))
    if last > LONGEST_SCENE:
        raise TrajectoryError(
            f"the recording is {last:.0f} s long, and a scene {LONGEST_SCENE:g} s at most: take the people of a "
            f"part of it"
        )
    return float(min(math.ceil(last + AFTERWARDS), LONGEST_SCENE))


def _bounds(people: Trajectories, margin: float) -> tuple[float, float, float, float]:
    """Around all places, in whole decimetres."""
    low = np.floor((people.places.min(axis=0) - max(margin, 0.5)) * 10.0) / 10.0
    high = np.ceil((people.places.max(axis=0) + max(margin, 0.5)) * 10.0) / 10.0
    if not ((high - low) <= LARGEST_SIDE).all():
        raise TrajectoryError(
            f"people are {high[0] - low[0]:.0f} m x {high[1] - low[1]:.0f} m apart; is the unit metres?"
        )
    (left, near), (right, far) = low.tolist(), high.tolist()
    return left, near, right, far


def plain_names(names: Sequence[str]) -> list[str]:
    """Names as scene files allow them, each once."""
    found: dict[str, None] = {}
    for name in names:
        plain = "".join(letter for letter in name if letter.isalnum() or letter in " _-.")[:60].strip()
        plain = plain if plain[:1].isalnum() else f"person {plain}".strip()
        while plain in found:
            plain += "~"
        found[plain] = None
    return list(found)
