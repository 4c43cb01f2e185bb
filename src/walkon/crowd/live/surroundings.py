"""What a live crowd knows about the place: the compiled world, and the ground in cells for routes."""

from __future__ import annotations

import numpy as np

from walkon.behaviors import BehaviorGraph
from walkon.crowd.live._kernels_checks import Around, gather_scenery
from walkon.crowd.live._kernels_doors import find_doors, is_gap, mark_doors
from walkon.crowd.live._kernels_land import Land, survey
from walkon.crowd.live._kernels_people import Cells
from walkon.crowd.live._kernels_routes import Scouting
from walkon.crowd.live.repertoire import Repertoire
from walkon.errors import SceneError
from walkon.planning import footing_of
from walkon.planning.ground import compile_world, least_radius
from walkon.planning.moves import Moves
from walkon.world import Character, Scene, World, build_world, rebuild_world

SLIMMEST = 0.12
"""[m] Room on both sides below which nothing is a door: nobody we know of sidles through less."""

ROUTE_CELL, MOST_ROUTE_CELLS = 0.3, 4_000_000
"""[m] Side of the cells that routes lead over: each holds the place in it with the most room, so that the middle
of a door is one. Larger where there would be more cells than this, which take 200 MB for each thread."""

MEETING_CELL, MOST_MEETING_CELLS = 4.0, 250_000
"""[m] Side of the cells in which people find each other: about as far as somebody goes in what it has committed
to. Larger where there would be more cells than this."""


class Surroundings:
    """A world, and everything that kernels read of it."""

    def __init__(self, world: World, moves: Moves) -> None:
        self.world = world
        ground, solids = compile_world(world, least_radius(moves))
        self.around = Around(
            ground.clearance, ground.raster, len(solids.passes) > 0, gather_scenery(moves, ground, solids)
        )
        self.land = _land(world)

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

    def changed(self, scene: Scene, moves: Moves) -> Surroundings:
        """The surroundings after obstacles came, went or moved."""
        return Surroundings(rebuild_world(self.world, scene), moves)


def surround(scene: Scene, repertoire: Repertoire) -> Surroundings:
    """The surroundings of a scene for those who can do this: they are as steep as all of them can walk."""
    footing = footing_of(performer.graph for performer in repertoire.performers)
    return Surroundings(build_world(scene, footing=footing), repertoire.moves)


def _land(world: World) -> Land:
    fine = world.clearance
    rows, columns = fine.values.shape
    step = max(round(ROUTE_CELL / fine.cell), int(np.ceil(np.sqrt(rows * columns / MOST_ROUTE_CELLS))), 1)
    shape = (-(-(rows - 1) // step), -(-(columns - 1) // step))
    grid = float(fine.origin_x), float(fine.origin_z), float(fine.cell)
    doors = find_doors(grid, np.array(fine.values), SLIMMEST)
    land = Land(
        float(fine.origin_x),
        float(fine.origin_z),
        float(step * fine.cell),
        np.zeros(shape),
        np.zeros((*shape, 2)),
        np.zeros(shape),
        doors,
        np.full(shape, -1, dtype=np.int64),
        np.zeros(len(doors), dtype=np.bool_),
    )
    survey(grid, np.array(fine.values), step, land)
    kept = [number for number in range(len(doors)) if not is_gap(land, number)]
    land = land._replace(doors=doors[kept], busy=land.busy[kept])
    mark_doors(land)
    return land


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
