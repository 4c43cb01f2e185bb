"""What a schema cannot see: who stands in a wall, outside the bounds, or in someone else's place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.world.footprints import OVERHEAD, distances, make_footprint
from walkon.world.problems import Problems
from walkon.world.scene import Character, HeightField, Obstacle
from walkon.world.script import Follow, Go, Via, verb_of
from walkon.world.script_goals import follows_script
from walkon.world.toml_lines import Place

TOGETHER = 0.5
"""[m] Two people nearer than this would be in each other."""

SAME_TIME = 1.0
"""[s] Start times nearer than this are the same time."""


@dataclass(frozen=True)
class Spot:
    """A place that a character names: its start, a way-point or its goal."""

    character: Character
    place: Place
    what: str
    x: float
    z: float

    def __str__(self) -> str:
        return f"character {self.character.name!r}: {self.what} ({self.x:.1f}, {self.z:.1f})"


def find_spots(character: Character, place: Place) -> list[Spot]:
    """The places that a character names, with where in the file it does: the start first, the goal last."""
    spots = [Spot(character, (*place, "start"), "start", character.start.x, character.start.z)]
    spots += _script_spots(character, place)
    if follows_script(character):
        return spots if len(spots) > 1 else 2 * spots
    for number, goal in enumerate(character.goals[:-1]):
        spots.append(Spot(character, (*place, "via", number), f"way-point {number + 1}", goal.x, goal.z))
    last = character.goals[-1]
    return [*spots, Spot(character, (*place, "goal"), "goal", last.x, last.z)]


def _script_spots(character: Character, place: Place) -> list[Spot]:
    spots = []
    for number, step in enumerate(character.script):
        at, what = (*place, "script", number), f"step {number + 1} of the script"
        match step:
            case Go() | Via():
                spots.append(Spot(character, (*at, verb_of(step)), what, step.x, step.z))
            case Follow():
                spots += [Spot(character, (*at, "path", i), what, x, z) for i, (x, z) in enumerate(step.points)]
    return spots


def check_spots(
    spots: list[Spot],
    obstacles: list[Obstacle],
    terrain: HeightField,
    bounds: tuple[float, float, float, float],
    fps: float,
    problems: Problems,
) -> None:
    """Report every spot outside the bounds or inside an obstacle.

    Nobody starts in anything, be it a hurdle or something that moves; way-points and goals only mind what stays in
    the way and cannot be passed.
    """
    left, near, right, far = bounds
    for spot in spots:
        if not (left <= spot.x <= right and near <= spot.z <= far):
            shown = ", ".join(f"{value:g}" for value in bounds)
            problems.add(spot.place, f"{spot} lies outside the bounds [{shown}]")
    for obstacle in obstacles:
        if not obstacle.moves:
            asked = [spot for spot in spots if spot.what == "start" or not obstacle.passes]
            _check_inside(asked, obstacle, terrain, 0, "", problems)
            continue
        starts = [spot for spot in spots if spot.what == "start"]
        for time in sorted({spot.character.start_time for spot in starts}):
            asked = [spot for spot in starts if spot.character.start_time == time]
            _check_inside(asked, obstacle, terrain, round(time * fps), f" at {time:g} s", problems)


def _check_inside(
    spots: list[Spot], obstacle: Obstacle, terrain: HeightField, frame: int, when: str, problems: Problems
) -> None:
    if not spots:
        return
    footprint = make_footprint(obstacle, terrain, frame)
    if footprint.low >= OVERHEAD:
        return
    places = np.array([(spot.x, spot.z) for spot in spots])
    close = np.flatnonzero(np.hypot(*(places - footprint.middle).T) <= footprint.reach)
    for index in close[distances(footprint, places[close]) <= 0.0]:
        problems.add(spots[index].place, f"{spots[index]} lies inside obstacle {obstacle.name!r}{when}")


def check_together(starts: list[Spot], goals: list[Spot], problems: Problems) -> None:
    """Report people who start in the same place at the same time, or are to stay in the same place."""
    for first, second in _near_pairs(starts, TOGETHER):
        if abs(first.character.start_time - second.character.start_time) < SAME_TIME:
            problems.add(
                second.place, f"{second} is {_apart(first, second):.2f} m from that of {first.character.name!r}"
            )
    staying = [spot for spot in goals if spot.character.at_goal == "stay"]
    for first, second in _near_pairs(staying, TOGETHER):
        slack = first.character.goals[-1].tolerance + second.character.goals[-1].tolerance
        if _apart(first, second) + slack < TOGETHER:
            problems.add(
                second.place,
                f"{second} is {_apart(first, second):.2f} m from that of {first.character.name!r}, and both stay: "
                f"no room for two within their tolerances",
            )


def _apart(first: Spot, second: Spot) -> float:
    return float(np.hypot(first.x - second.x, first.z - second.z))


def _near_pairs(spots: list[Spot], distance: float) -> list[tuple[Spot, Spot]]:
    """Pairs of spots nearer than the distance; a few per spot are enough to make the point."""
    if len(spots) < 2:
        return []
    from scipy.spatial import cKDTree  # pyright: ignore[reportAttributeAccessIssue]

    places = np.array([(spot.x, spot.z) for spot in spots])
    _, which = cKDTree(places).query(places, k=min(4, len(spots)), distance_upper_bound=distance)
    pairs = {
        (min(i, j), max(i, j)) for i, row in enumerate(which.tolist()) for j in row if j < len(spots) and j != i
    }
    return [(spots[i], spots[j]) for i, j in sorted(pairs)]


def check_names(kind: str, named: list[tuple[str, Place]], problems: Problems) -> None:
    """Report names that are there twice."""
    first: dict[str, Place] = {}
    for name, place in named:
        if name in first:
            line = problems.lines.get(first[name])
            where = "" if line is None else f" (line {line})"
            problems.add((*place, "name"), f"another {kind} is called {name!r} already{where}")
        first.setdefault(name, place)
