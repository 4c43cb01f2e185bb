"""What can be said about a scene before anybody plans: libraries, poses, whether there is any way to the goals.

Only what is certain is a problem: a goal that nobody could get to, however thin. Where a thin one could, but the
body that is to go there is too wide, that is a warning, with the narrowest place. What moves or can be passed is
ignored.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from walkon.basics import once_per_object
from walkon.behaviors import BehaviorGraph
from walkon.behaviors.outlines import clip_figures
from walkon.crowd import cast_character, load_performers, starting_pose
from walkon.errors import LibraryError, SceneError
from walkon.motion.features.outlines import DIRECTIONS
from walkon.planning import footing_of
from walkon.planning.explaining import nearest_obstacle
from walkon.world import BodyLevel, Character, Goal, Scene, World, build_world, world_for

POINT = 0.05
"""[m] Room that anybody needs, however thin. With less, ways would lead through thin walls; with more, passages
would be called closed that are only narrow."""

COARSEST = 0.15
"""[m] Cells of the clearance grid up to which it tells whether there is a way: in larger ones doors are lost."""

FINE, USUAL, MOST_FINE = 0.025, 0.1, 1_000_000
"""[m] Cells of the clearance grid where it has at most so many vertices, and of larger scenes. In finer ones
narrower doors are told apart, and it takes longer to measure them."""

REACH = 0.5
"""[m] How far the middle of a body may be from where the scene says it is: it leans, or stands beside it."""

MOST_SEARCHED = 20
"""Warnings for which the narrowest place is looked for; each takes as long as ten looks at all the ground."""


MOST_KEPT = 8
"""Sizes of bodies whose regions are kept: 4 bytes for each vertex of the clearance grid."""


@dataclass(frozen=True)
class SceneRemark:
    """Something about one character. kind: a problem keeps it from being planned, a warning may."""

    kind: Literal["problem", "warning"]
    character: str
    message: str


def check_people(scene: Scene, *, folder: Path | None = None) -> list[SceneRemark]:
    """Everything that is wrong with who is in a scene and where they are to go; nothing is planned.

    Those who follow a script are left out: their motion comes from recordings.
    """
    people = [character for character in scene.characters if not character.script]
    found, graphs = _cast(people, scene, folder)
    if not graphs:
        return found
    world = build_world(scene, cell=_cell(scene), footing=footing_of(graphs.values()))
    if world.clearance.cell > COARSEST:
        return found
    ways = _Ways(world)
    for character in people:
        if character.name in graphs:
            found += ways.remarks(character, graphs[character.name])
    return found


def _cell(scene: Scene) -> float:
    """[m] Of the clearance grid in which ways are looked for."""
    left, near, right, far = scene.bounds
    return min(max(FINE, math.sqrt((right - left) * (far - near) / MOST_FINE)), USUAL)


def _cast(
    people: Sequence[Character], scene: Scene, folder: Path | None
) -> tuple[list[SceneRemark], Mapping[str, BehaviorGraph]]:
    """What is wrong with libraries, poses and tastes; and the graphs, by name, of those with whom nothing is."""
    found, graphs, performers, wrong = [], {}, {}, {}
    for character in people:
        key = (character.library, character.performer)
        try:
            if key in wrong:
                raise LibraryError(wrong[key])
            if key not in performers:
                alone = Scene(scene.name, scene.bounds, scene.terrain, (), (character,), fps=scene.fps)
                try:
                    performers |= load_performers(alone, folder=folder)
                except (LibraryError, SceneError) as error:
                    wrong[key] = _without_name(str(error), character)
                    raise
            graph = cast_character(character, performers)
            starting_pose(character, graph)
            graphs[character.name] = graph
        except (LibraryError, SceneError) as error:
            found.append(SceneRemark("problem", character.name, _without_name(str(error), character)))
    return found, graphs


def _without_name(message: str, character: Character) -> str:
    return message.removeprefix(f"character {character.name!r}: ")


class _Ways:
    """Which places of a world are joined, for bodies of any size."""

    def __init__(self, world: World) -> None:
        self.world, self.searched = world, 0

    def remarks(self, character: Character, graph: BehaviorGraph) -> Iterator[SceneRemark]:
        """What is in the way of one character."""
        world = world_for(self.world, footing_of([graph]).steepest)
        needed = round(_half_breadth(graph, world.scene.bodies) + world.scene.clearance, 2)
        start = Goal(character.start.x, character.start.z, 0.0)
        for here, there in zip((start, *character.goals), character.goals, strict=False):
            if _joined(world, here, there, needed):
                continue
            what = f"from ({here.x:.2f}, {here.z:.2f}) to the goal at ({there.x:.2f}, {there.z:.2f})"
            if not _joined(world, here, there, POINT):
                beside = nearest_obstacle(world, *_edge(world, here, there))
                yield SceneRemark("problem", character.name, f"there is no way {what}, because of {beside}")
            else:
                where = self._narrowest(world, here, there, needed)
                wide = f"{2.0 * needed:.2f} m"
                yield SceneRemark(
                    "warning", character.name, f"the way {what} is too narrow for a body that needs {wide}{where}"
                )
            return

    def _narrowest(self, world: World, here: Goal, there: Goal, needed: float) -> str:
        """The narrowest place of the widest way, in words."""
        self.searched += 1
        if self.searched > MOST_SEARCHED:
            return ""
        low, high = POINT, needed
        while high - low > 0.2 * world.clearance.cell:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if _joined(world, here, there, middle) else (low, middle)
        where = _neck(world, here, there, low, high)
        if where is None:
            return ""
        beside = nearest_obstacle(world, *where)
        return f": it is about {2.0 * low:.1f} m wide at ({where[0]:.1f}, {where[1]:.1f}), beside {beside}"


@once_per_object
def _half_breadth(graph: BehaviorGraph, level: BodyLevel) -> float:
    """[m] Half of the least room between two walls in which somebody is ever seen to fit, whatever it does."""
    clips = range(len(graph.durations))
    if level in ("outline", "body"):
        tables = (clip_figures(graph.clip(clip)).supports.max(axis=1) for clip in clips)
        return min(0.5 * float((table + np.roll(table, DIRECTIONS // 2, axis=1)).min()) for table in tables)
    radii = [graph.circles[graph.frame_starts[clip] : graph.frame_starts[clip + 1], 2] for clip in clips]
    return min(float(own.max() if level == "one-circle" else own.min()) for own in radii)


def _neck(world: World, here: Goal, there: Goal, low: float, high: float) -> tuple[float, float] | None:
    """Where two places are joined for a disc of one radius [m], but not for one of a larger."""
    from scipy.ndimage import binary_dilation, label

    grid, regions = world.clearance, _regions(world, high)
    near, far = (
        np.asarray(binary_dilation(np.isin(regions, list(_around(world, goal, regions))), np.ones((3, 3))), bool)
        for goal in (here, there)
    )
    necks = np.asarray(label((_regions(world, low) > 0) & (regions == 0), np.ones((3, 3)))[0])  # type: ignore[index]
    joining = list((set(np.unique(necks[near])) & set(np.unique(necks[far]))) - {0})
    if not joining:
        return None
    row, column = np.unravel_index(np.where(necks == joining[0], grid.values, -np.inf).argmax(), necks.shape)
    return grid.origin_x + float(column) * grid.cell, grid.origin_z + float(row) * grid.cell


def _edge(world: World, here: Goal, there: Goal) -> tuple[float, float]:
    """Where the straight line to a goal leaves what a point can get to."""
    regions = _regions(world, POINT)
    own = _around(world, here, regions)
    for share in np.linspace(0.0, 1.0, 400):
        x, z = here.x + share * (there.x - here.x), here.z + share * (there.z - here.z)
        if regions[_vertex(world, x, z)] not in own:
            return x, z
    return there.x, there.z


def _joined(world: World, here: Goal, there: Goal, radius: float) -> bool:
    """Whether a disc could get from near one place to near another."""
    regions = _regions(world, radius)
    return bool(_around(world, here, regions) & _around(world, there, regions))


@once_per_object
def _kept(world: World) -> dict[float, NDArray[np.int32]]:
    """Room for the regions of a world that were asked for last."""
    return {}


def _regions(world: World, radius: float) -> NDArray[np.int32]:
    """Which vertices (Nz, Nx) a disc of this radius [m] can go between, by numbers from 1; 0 where it cannot be.

    As generous as the grid is coarse: between vertices there may be more room than at any, but none is in a wall.
    """
    from scipy.ndimage import label

    grid, kept = world.clearance, _kept(world)
    if radius not in kept:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        free = grid.values >= max(radius - math.sqrt(0.5) * grid.cell, POINT)
        kept[radius] = np.asarray(label(free, np.ones((3, 3)))[0], dtype=np.int32)  # type: ignore[index]
    return kept[radius]


def _around(world: World, goal: Goal, regions: NDArray[np.int32]) -> set[int]:
    """The regions within reach of a place."""
    grid, reach = world.clearance, goal.tolerance + REACH
    row, column = _vertex(world, goal.x, goal.z)
    size = math.ceil(reach / grid.cell)
    rows = np.arange(max(row - size, 0), min(row + size + 1, regions.shape[0]))
    columns = np.arange(max(column - size, 0), min(column + size + 1, regions.shape[1]))
    away = np.hypot(
        grid.origin_x + columns[None, :] * grid.cell - goal.x, grid.origin_z + rows[:, None] * grid.cell - goal.z
    )
    return set(np.unique(regions[np.ix_(rows, columns)][away <= reach]).tolist()) - {0}


def _vertex(world: World, x: float, z: float) -> tuple[int, int]:
    """Row and column of the vertex nearest to a place."""
    grid = world.clearance
    rows, columns = grid.values.shape
    row, column = round((z - grid.origin_z) / grid.cell), round((x - grid.origin_x) / grid.cell)
    return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)
