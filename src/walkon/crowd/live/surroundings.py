"""What a live crowd knows about the place: the compiled world, and the ground in cells for routes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.basics import Array
from walkon.behaviors import BehaviorGraph
from walkon.crowd.live._kernels_checks import Around, gather_scenery
from walkon.crowd.live._kernels_doors import DOOR_SEEN, is_gap, mark_doors, narrowest_doors, possible_doors
from walkon.crowd.live._kernels_land import Land, survey
from walkon.crowd.live._kernels_people import Cells
from walkon.crowd.live._kernels_routes import Scouting
from walkon.crowd.live.repertoire import Repertoire
from walkon.errors import SceneError
from walkon.planning import footing_of
from walkon.planning.ground import compile_world, least_radius, shared_array
from walkon.planning.moves import Moves
from walkon.world import Character, Scene, World, build_world, rebuild_world
from walkon.world.changing import Window, changed_windows

SLIMMEST = 0.12
"""[m] Room on both sides below which nothing is a door: nobody we know of sidles through less."""

ROUTE_CELL, MOST_ROUTE_CELLS = 0.3, 4_000_000
"""[m] Side of the cells that routes lead over: each holds the place in it with the most room, so that the middle
of a door is one. Larger where there would be more cells than this, which take 200 MB for each thread."""

MEETING_CELL, MOST_MEETING_CELLS = 4.0, 250_000
"""[m] Side of the cells in which people find each other: about as far as somebody goes in what it has committed
to. Larger where there would be more cells than this."""

NO_DOORS = np.zeros((0, 5))
"""Of land on which none were looked for yet."""


class Surroundings:
    """A world, and everything that kernels read of it.

    before, windows: what was there until now, and where in its clearance alone distances differ, if that is known.
    changed: (K, 4) first x, z, last x, z of rectangles outside of which nobody meets anything else than before;
    None where anybody may.
    """

    def __init__(
        self, world: World, moves: Moves, before: Surroundings | None = None, windows: list[Window] | None = None
    ) -> None:
        self.world = world
        ground, solids = compile_world(world, least_radius(moves))
        self.around = Around(
            ground.clearance, ground.raster, len(solids.passes) > 0, gather_scenery(moves, ground, solids)
        )
        kept = None if before is None or windows is None else before._survey
        self._survey = _survey(world, kept, windows or [])
        self.land = _land(self._survey)
        self.changed: Array | None = None
        if before is not None and windows is not None and world.solids.starts is before.world.solids.starts:
            self.changed = _rectangles(world, windows)

    @property
    def gap(self) -> float:
        """[m] That people keep between their circles: the scene's clearance, and what both may need on slopes."""
        slopes = self.world.slopes
        return self.world.scene.clearance + (0.0 if slopes is None else 2.0 * float(slopes.room.max()))

    def seen_by(self, moves: Moves) -> Surroundings:
        """The same for those who can do this."""
        return Surroundings(self.world, moves)

    def check_footing(self, character: Character, graph: BehaviorGraph) -> None:
        """Raises SceneError for somebody who cannot walk all the slopes that the others walk."""
        steepest, walked = footing_of([graph]).steepest, self.world.footing.steepest
        if self.world.slopes is not None and steepest < walked:
            raise SceneError(
                f"character {character.name!r}: walks slopes up to {steepest:.2f}, but this ground was made for "
                f"people who walk up to {walked:.2f}; it must be in the scene from the beginning"
            )

    def after(self, scene: Scene, moves: Moves) -> Surroundings:
        """The surroundings after obstacles came, went or moved: what is far from them is taken over."""
        return Surroundings(rebuild_world(self.world, scene), moves, self, changed_windows(self.world, scene))


def surround(scene: Scene, repertoire: Repertoire) -> Surroundings:
    """The surroundings of a scene for those who can do this: they are as steep as all of them can walk."""
    footing = footing_of(performer.graph for performer in repertoire.performers)
    return Surroundings(build_world(scene, footing=footing), repertoire.moves)


class _Survey(NamedTuple):
    """What is found about the ground by looking at all of it. land: without doors; found: (K, 5) all that could be
    doors, in order of rows and columns of the clearance."""

    land: Land
    found: Array


def _survey(world: World, known: _Survey | None, windows: list[Window]) -> _Survey:
    """The survey of a world; known: of one that differs from it in some windows of the clearance alone."""
    fine = world.clearance
    rows, columns = fine.values.shape
    step = max(round(ROUTE_CELL / fine.cell), int(np.ceil(np.sqrt(rows * columns / MOST_ROUTE_CELLS))), 1)
    shape = (-(-(rows - 1) // step), -(-(columns - 1) // step))
    grid, values = (float(fine.origin_x), float(fine.origin_z), float(fine.cell)), shared_array(fine.values)
    if known is None:
        windows, room, spots, found = [(0, rows, 0, columns)], np.zeros(shape), np.zeros((*shape, 2)), NO_DOORS
    else:
        room, spots, found = known.land.room.copy(), known.land.spots.copy(), known.found
    origin = float(fine.origin_x), float(fine.origin_z), float(step * fine.cell)
    land = Land(*origin, room, spots, np.zeros(shape), NO_DOORS, np.full(shape, -1), np.zeros(0, dtype=np.bool_))
    for window in windows:
        survey(grid, values, step, land, window)
        found = doors_found_again(grid, values, found, window)
    return _Survey(land, found)


def doors_found_again(grid: tuple[float, float, float], values: Array, known: Array, window: Window) -> Array:
    """All that could be doors (K, 5), if these were `known` before distances changed in a window."""
    beyond = int(np.ceil(DOOR_SEEN / grid[2])) + 2
    wider = window[0] - beyond, window[1] + beyond, window[2] - beyond, window[3] + beyond
    column, row = np.rint((known[:, :2] - grid[:2]) / grid[2]).T
    inside = (wider[0] <= row) & (row < wider[1]) & (wider[2] <= column) & (column < wider[3])
    found = np.concatenate([known[~inside], possible_doors(grid, values, SLIMMEST, wider)])
    # In the order in which they would have been found all at once: of two that are as narrow, the first counts.
    return found[np.lexsort((found[:, 0], found[:, 1]))]


def _land(surveyed: _Survey) -> Land:
    """The land with its doors."""
    doors = narrowest_doors(surveyed.found)
    land = surveyed.land._replace(doors=doors)
    kept = [number for number in range(len(doors)) if not is_gap(land, number)]
    land = land._replace(doors=doors[kept], busy=np.zeros(len(kept), dtype=np.bool_))
    mark_doors(land)
    return land


def _rectangles(world: World, windows: list[Window]) -> Array:
    """First x, z, last x, z (K, 4) of windows of the clearance."""
    rows, columns = np.array(windows, dtype=np.float64).reshape(-1, 2, 2).transpose(1, 0, 2)
    fine = world.clearance
    corners = np.stack([columns[:, 0], rows[:, 0], columns[:, 1], rows[:, 1]], axis=1)
    return np.array([fine.origin_x, fine.origin_z] * 2) + fine.cell * corners


def make_scouting(land: Land) -> Scouting:
    """Memory for one who looks for routes over this land."""
    cells = land.room.size
    return Scouting(
        lengths=np.zeros(cells),
        parents=np.zeros(cells, dtype=np.int64),
        marks=np.zeros(cells, dtype=np.int64),
        closed=np.zeros(cells, dtype=np.int64),
        keys=np.zeros(cells + 1),
        items=np.zeros(cells + 1, dtype=np.int64),
        stamp=np.zeros(1, dtype=np.int64),
    )


def make_cells(world: World, room: int) -> Cells:
    """Empty cells for this many people in the bounds of a world."""
    left, near, right, far = world.scene.bounds
    cell = max(MEETING_CELL, float(np.sqrt((right - left) * (far - near) / MOST_MEETING_CELLS)))
    shape = (int((far - near) / cell) + 1, int((right - left) / cell) + 1)
    return Cells(
        float(left),
        float(near),
        cell,
        np.full(shape, -1, dtype=np.int32),
        np.full(room, -1, dtype=np.int32),
        np.zeros((room, 2)),
        np.zeros(1),
    )
