"""Scenes of people who were seen on their way: nobody minds where they are, but a scene file does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.basics import Array, Flags
from walkon.rotations import Placement
from walkon.world.checks import SAME_TIME, TOGETHER
from walkon.world.footprints import FreeGround, make_footprint
from walkon.world.scene import Character, Goal, Scene

ROOM, SPACING = 0.45, 0.8
"""[m] From whoever is put aside to obstacles, and to others: a body with its arms. With more, narrow places stay
empty."""

FARTHEST, STEP, DIRECTIONS = 20.0, 0.2, 24
"""[m] How far and how finely free ground is looked for, and to how many sides."""


def mend_places(scene: Scene) -> Scene:
    """The same scene as a file that can be read again: see `checks`.

    Whoever is in an obstacle, such as a hurdle that it steps over, or in somebody else's place, starts on free
    ground beside it. Goals that something was put on move likewise. What is right stays as it is.
    """
    people = _mend_goals(scene, _mend_starts(scene))
    return replace(scene, characters=tuple(people))


def _mend_starts(scene: Scene) -> list[Character]:
    people = list(scene.characters)
    places = np.array([(one.start.x, one.start.z) for one in people]).reshape(-1, 2)
    times = np.array([one.start_time for one in people])
    crowded = _crowded(places, times)
    for time in np.unique(times):
        ground = _ground(scene, round(time * scene.fps), passable=True)
        asked = times == time
        wrong = asked & (crowded | ~ground.is_free(places, 0.0))
        for number in np.flatnonzero(wrong):
            x, z = places[number] = _nearest_free(ground, places, int(number))
            start = people[number].start
            people[number] = replace(people[number], start=Placement(float(x), float(z), start.heading))
    return people


def _mend_goals(scene: Scene, people: list[Character]) -> list[Character]:
    goals = [goal for one in people for goal in one.goals]
    places = np.array([(goal.x, goal.z) for goal in goals]).reshape(-1, 2)
    ground = _ground(scene, 0, passable=False)
    mended = dict[int, Goal]()
    for number in np.flatnonzero(~ground.is_free(places, 0.0)):
        x, z = places[number] = _nearest_free(ground, places, int(number))
        mended[int(number)] = replace(goals[number], x=float(x), z=float(z))
    if not mended:
        return people
    left = iter([mended.get(number, goal) for number, goal in enumerate(goals)])
    return [replace(one, goals=tuple(next(left) for _ in one.goals)) for one in people]


def _ground(scene: Scene, frame: int, *, passable: bool) -> FreeGround:
    """What is free at a frame; passable: also of what moves, and of what there is a way over or under."""
    things = [thing for thing in scene.obstacles if passable or not (thing.moves or thing.passes)]
    return FreeGround(scene.bounds, [make_footprint(thing, scene.terrain, frame) for thing in things])


def _crowded(places: Array, times: Array) -> Flags:
    """Who comes to where somebody else is, who is named before."""
    from scipy.spatial import cKDTree  # pyright: ignore[reportAttributeAccessIssue]

    found = np.zeros(len(places), dtype=np.bool_)
    if len(places):
        for first, second in cKDTree(places).query_pairs(TOGETHER):
            found[max(first, second)] |= abs(times[first] - times[second]) < SAME_TIME
    return found


def _nearest_free(ground: FreeGround, places: Array, number: int) -> Array:
    """The free place nearest to that of a number, apart from all others; the same where there is none."""
    radii, angles = np.arange(STEP, FARTHEST, STEP), np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False)
    around = radii[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    left, near, right, far = ground.bounds
    middle = np.clip(places[number], (left, near), (right, far))
    tried = middle + around.reshape(-1, 2)
    tried = tried[ground.is_free(tried, ROOM)]
    others = np.delete(places, number, axis=0)
    for place in tried:
        if not len(others) or np.hypot(*(others - place).T).min() >= SPACING:
            return place
    return places[number]
