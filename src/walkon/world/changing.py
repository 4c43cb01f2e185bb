"""A world after an edit: what did not change is taken over from the world before it, not measured again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

import numpy as np

from walkon.basics import Array
from walkon.world.building import build_world, last_frame, solids_of, stack_solids
from walkon.world.clearance import (
    CLEARANCE_REACH,
    Closed,
    closed_by,
    inside_bounds,
    measure_clearance,
    standing,
)
from walkon.world.scene import HeightField, Scene
from walkon.world.world import Gridmap, Solids, World

Window = tuple[int, int, int, int]
"""Of a grid: first row, row after the last, first column, column after the last."""

PER_SOLID = ("passes", "near", "within")


def rebuild_world(old: World, scene: Scene) -> World:
    """The world of a scene that differs from `old.scene` by some of its obstacles.

    It is equal, to the last bit, to `build_world` with the cell and the footing of `old`, which stays as it is.
    Obstacles that are the same objects in both scenes keep their solids; distances are measured again only around
    what stands still and came, went or changed. Other bounds, another terrain or another rate make a new world.
    old: made by `build_world` or by this function.
    """
    before = old.scene
    same_place = before.bounds == scene.bounds and before.fps == scene.fps
    if not same_place or not _same_terrain(before.terrain, scene.terrain):
        return build_world(scene, cell=old.clearance.cell, footing=old.footing)
    solids = _rebuilt_solids(old, scene)
    frames = old.frames if solids.starts is old.solids.starts else last_frame(solids)
    return replace(old, scene=scene, clearance=_rebuilt_clearance(old, scene), solids=solids, frames=frames)


def _same_terrain(one: HeightField, other: HeightField) -> bool:
    if one is other:
        return True
    where = (one.origin_x, one.origin_z, one.cell) == (other.origin_x, other.origin_z, other.cell)
    return where and np.array_equal(one.heights, other.heights)


def _rebuilt_solids(old: World, scene: Scene) -> Solids:
    """Solids of obstacles that were there before are slices of the old ones; nothing is copied if all were."""
    rows = _solid_ranges(old)
    numbers = {obstacle: number for number, obstacle in enumerate(scene.obstacles)}
    wanted = [obstacle for obstacle in scene.obstacles if obstacle.moves or obstacle.passes]
    if wanted == [old.scene.obstacles[index] for index in rows]:
        indices = [numbers[obstacle] for obstacle in wanted]
        column = np.repeat(np.array(indices, dtype=np.int64), [stop - first for first, stop in rows.values()])
        column.flags.writeable = False
        return replace(old.solids, obstacle=column)
    places = {old.scene.obstacles[index]: place for index, place in rows.items()}
    return stack_solids(
        [
            _taken(old.solids, *places[obstacle], numbers[obstacle])
            if obstacle in places
            else solids_of(scene, numbers[obstacle], old.clearance, old.slopes)
            for obstacle in wanted
        ]
    )


def _solid_ranges(world: World) -> dict[int, tuple[int, int]]:
    """For every obstacle that has solids: the first of them, and the one after the last."""
    indices, firsts, counts = np.unique(world.solids.obstacle, return_index=True, return_counts=True)
    ranges = zip(firsts.tolist(), (firsts + counts).tolist(), strict=True)
    return dict(zip(indices.tolist(), ranges, strict=True))


def _taken(solids: Solids, first: int, stop: int, index: int) -> Solids:
    """Solids `first` to `stop` as those of the obstacle `index`: views, no copies."""
    start, end = int(solids.starts[first]), int(solids.starts[stop])
    per_solid = {name: getattr(solids, name)[first:stop] for name in PER_SOLID}
    per_frame = {
        field.name: getattr(solids, field.name)[start:end]
        for field in fields(solids)
        if field.name not in (*PER_SOLID, "obstacle", "starts")
    }
    starts = solids.starts[first : stop + 1] - start
    return Solids(obstacle=np.full(stop - first, index), starts=starts, **per_solid, **per_frame)


def changed_windows(old: World, scene: Scene) -> list[Window] | None:
    """The windows of `old.clearance` outside of which no distance differs in `rebuild_world(old, scene)`; None
    where any may. What stands still and came, went or changed is inside, with all within `CLEARANCE_REACH`."""
    before, after = standing(old.scene), standing(scene)
    kept = set(before) & set(after)
    if [obstacle for obstacle in before if obstacle in kept] != [
        obstacle for obstacle in after if obstacle in kept
    ]:
        # Where two are equally near, the order decides about the last bit.
        return None
    grid, reach = old.clearance, _reach(old.clearance)
    changed = [obstacle for obstacle in (*before, *after) if obstacle not in kept]
    boxes = [closed_by(obstacle, scene.terrain).box for obstacle in changed]
    windows = _merged(window for box in boxes if (window := _window_around(grid, box, reach)) is not None)
    return None if sum(map(_area, windows)) > grid.values.size else windows


def _reach(grid: Gridmap) -> float:
    return max(CLEARANCE_REACH, 4.0 * grid.cell)


def _rebuilt_clearance(old: World, scene: Scene) -> Gridmap:
    """The old grid, measured again in windows around what changed."""
    grid, terrain, windows = old.clearance, scene.terrain, changed_windows(old, scene)
    if windows is None:
        return measure_clearance(scene, cell=grid.cell, slopes=old.slopes)
    if not windows:
        return grid
    values, after = grid.values.copy(), standing(scene)
    for window in windows:
        _measure_window(values, grid, scene, _reach(grid), window, [closed_by(one, terrain) for one in after])
        if old.slopes is not None:
            rows, columns = slice(*window[:2]), slice(*window[2:])
            old.slopes.lower(values[rows, columns], rows, columns)
    values.flags.writeable = False
    return Gridmap(grid.origin_x, grid.origin_z, grid.cell, values)


def _window_around(grid: Gridmap, box: tuple[float, ...], reach: float) -> Window | None:
    """The vertices within `reach` [m] of a box, and one more on each side; None where there are none."""
    rows, columns = grid.values.shape
    low = np.array([box[1] - reach - grid.origin_z, box[0] - reach - grid.origin_x]) / grid.cell
    high = np.array([box[3] + reach - grid.origin_z, box[2] + reach - grid.origin_x]) / grid.cell
    # Cut off before they become whole numbers: an obstacle may be anywhere.
    row, column = np.clip(np.floor(low) - 1.0, 0.0, [rows, columns]).astype(int).tolist()
    row_stop, column_stop = np.clip(np.ceil(high) + 2.0, 0.0, [rows, columns]).astype(int).tolist()
    return (row, row_stop, column, column_stop) if row < row_stop and column < column_stop else None


def _merged(windows: Iterable[Window]) -> list[Window]:
    """Windows, two of them made one where that is not more to measure."""
    found: list[Window] = []
    for window in windows:
        other = next((one for one in found if _area(_around(one, window)) <= _area(one) + _area(window)), None)
        if other is not None:
            found.remove(other)
        found.append(window if other is None else _around(other, window))
    return found


def _around(one: Window, other: Window) -> Window:
    return min(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), max(one[3], other[3])


def _area(window: Window) -> int:
    return (window[1] - window[0]) * (window[3] - window[2])


def _measure_window(
    values: Array, grid: Gridmap, scene: Scene, reach: float, window: Window, closed: list[Closed]
) -> None:
    """Measure the values of one window again, from everything near it, in the order of the scene."""
    from walkon.world.kernels import lower_window

    row, row_stop, column, column_stop = window
    rows, columns = np.arange(row, row_stop), np.arange(column, column_stop)
    values[row:row_stop, column:column_stop] = inside_bounds(grid, scene.bounds, reach, rows, columns)
    x0, x1 = grid.origin_x + column * grid.cell - reach, grid.origin_x + column_stop * grid.cell + reach
    z0, z1 = grid.origin_z + row * grid.cell - reach, grid.origin_z + row_stop * grid.cell + reach
    for near in closed:
        left, low, right, high = near.box
        if left <= x1 and right >= x0 and low <= z1 and high >= z0:
            where = (grid.origin_x, grid.origin_z, grid.cell, reach)
            lower_window(values, *where, near.edges, near.starts, near.rounding, *window)
