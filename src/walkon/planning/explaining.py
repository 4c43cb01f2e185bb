"""Why there is no plan, in words: what is in the way at the start or at the goal, or what the search ran into."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np

from walkon.basics import Array
from walkon.errors import PlanError
from walkon.planning import _kernels_memory as counting
from walkon.planning._kernels_goals import FOREVER
from walkon.planning._kernels_solids import distance_beside
from walkon.planning.body_tracks import standing_track
from walkon.planning.kernels_collision import beside_walls, discs_gap, room_at
from walkon.planning.moves import Moves
from walkon.planning.problem import Problem
from walkon.planning.steps import place_of, stand_of
from walkon.world import Goal, World, solid_frame, steep_distance
from walkon.world.kernels import lower_to_edges

if TYPE_CHECKING:
    from walkon.planning.searching import Search


def check_problem(problem: Problem) -> None:
    """Raises PlanError for a problem that makes no sense."""
    graph, scene = problem.graph, problem.world.scene
    if not problem.goals:
        raise PlanError("a problem needs a goal")
    if not 0 <= problem.pose < len(graph.poses):
        raise PlanError(f"no pose {problem.pose}; the library {graph.library.name!r} has {len(graph.poses)}")
    if problem.start_frame < 0 or problem.climb < 0.0:
        raise PlanError(f"start frame {problem.start_frame} and climb {problem.climb} must not be negative")
    if graph.fps != scene.fps:
        raise PlanError(f"library {graph.library.name!r} has {graph.fps:g} Hz, the scene {scene.fps:g} Hz")
    places = [problem.start.x, problem.start.z, problem.start.heading]
    places += [value for goal in problem.goals for value in (goal.x, goal.z, goal.tolerance)]
    if not all(map(math.isfinite, places)) or any(goal.tolerance < 0.0 for goal in problem.goals):
        raise PlanError("start and goals must be finite, and tolerances not negative")


def obstruction(search: Search) -> str:
    """What makes a search pointless before it begins, or nothing."""
    problem, graph = search.problem, search.problem.graph
    if problem.start_frame > problem.horizon:
        return f"starts at frame {problem.start_frame}, after the end at frame {problem.horizon}"
    what = _in_the_way(search)
    if what:
        return f"the start at ({problem.start.x:.2f}, {problem.start.z:.2f}) is blocked by {what}"
    starts = search.moves.follower_starts
    if starts[problem.pose] == starts[problem.pose + 1] and not _begins_at_goal(problem):
        return f"no allowed behavior begins in the pose {graph.poses[problem.pose]!r}"
    if problem.stays and not graph.rests.any():
        return f"library {graph.library.name!r} has no pose to rest in"
    reasons = (_goal_blocked(search, index) for index in range(len(problem.goals)))
    return next((reason for reason in reasons if reason), "") or _goal_taken(search)


def explain(search: Search) -> str:
    """Why a search found nothing."""
    problem = search.problem
    goal, start = problem.goals[-1], problem.start
    where = f"({goal.x:.2f}, {goal.z:.2f})"
    if search.estimate(start.x, start.z, 0) >= FOREVER:
        steep = steep_distance(problem.world) < math.inf
        what = f"obstacles and {_steep_ground(problem.world)}," if steep else "obstacles"
        return f"{what} leave no way from ({start.x:.2f}, {start.z:.2f}) to {_via(problem)}the goal at {where}"
    tried = f"after {search.count(counting.EXPANDED)} expansions"
    refused = [f"{search.count(counting.BLOCKED)} steps met obstacles"]
    if search.count(counting.OCCUPIED):
        refused.append(f"{search.count(counting.OCCUPIED)} steps met other people")
    if search.count(counting.BEYOND):
        seconds = problem.horizon / problem.graph.fps
        return (
            f"the goal at {where} is not reached by the end at {seconds:.1f} s: every way takes longer or is "
            f"blocked ({', '.join(refused)})"
        )
    return f"no way to {_via(problem)}the goal at {where}: nothing left to try {tried} ({', '.join(refused)})"


def _via(problem: Problem) -> str:
    count = len(problem.goals) - 1
    return "" if not count else f"{count} way-point{'s' if count > 1 else ''} and "


def _begins_at_goal(problem: Problem) -> bool:
    goal, start = problem.goals[-1], problem.start
    return math.hypot(goal.x - start.x, goal.z - start.z) <= goal.tolerance


def _in_the_way(search: Search) -> str:
    """What a body at the start meets, or nothing."""
    problem, solids = search.problem, search.solids
    begins = standing_track(problem)
    x, z, radius = begins.circles[0].tolist()
    figure = begins.sheets[0].figures if begins.sheets else None
    stand = stand_of(place_of(problem.start))
    room = room_at(x, z, search.ground.raster, search.ground.clearance)
    if room < radius and figure is not None:
        supports, cover = figure.supports[0], figure.covers[0]
        room = radius + beside_walls(stand, x, z, room, radius, supports, cover, search.ground)
    if room < radius:
        return nearest_obstacle(problem.world, x, z)
    for solid in range(len(solids.passes)):
        row = solid_frame(problem.world, solid, problem.start_frame)
        gap = distance_beside(x, z, row, solids) - radius - solids.gap
        if gap < 0.0 and figure is not None:
            gap = discs_gap(stand, figure.covers[0], row, solids)
        if gap < 0.0:
            return f"obstacle {problem.world.scene.obstacles[problem.world.solids.obstacle[solid]].name!r}"
    if problem.reservations is not None:
        others = problem.reservations.conflicts(problem.start_frame, begins, stays=False)
        if others:
            return ", ".join(_name(problem, key) for key in others[:3])
    return ""


def _name(problem: Problem, key: Hashable) -> str:
    """Crowds reserve by the number of a character; anybody else by whatever they like."""
    characters = problem.world.scene.characters
    if isinstance(key, int) and 0 <= key < len(characters):
        return characters[key].name
    return str(key)


def nearest_obstacle(world: World, x: float, z: float) -> str:
    """In words, what stands nearest to (x, z): an obstacle by its name, ground that is too steep, or the edge of
    the bounds."""
    left, near, right, far = world.scene.bounds
    nearest, what = min(x - left, right - x, z - near, far - z), "the edge of the bounds"
    for obstacle in world.scene.obstacles:
        if obstacle.moves or obstacle.passes:
            continue
        for edges, rounding in obstacle.shape.regions(obstacle, world.scene.terrain):
            here = np.full((1, 1), nearest)
            lower_to_edges(here, x, z, 1.0, 100.0, edges, np.array([0, len(edges)]), np.array([rounding]))
            if here[0, 0] < nearest:
                nearest, what = float(here[0, 0]), f"obstacle {obstacle.name!r}"
    return _steep_ground(world) if steep_distance(world, x, z) < nearest else what


def _steep_ground(world: World) -> str:
    return f"ground steeper than {world.footing.steepest:.2f}, which its people cannot walk"


def _goal_blocked(search: Search, index: int) -> str:
    """Why a goal cannot be reached by anybody of this size, as far as that can be seen at once."""
    problem = search.problem
    goal, moves = problem.goals[index], search.moves
    needed, reach = max(moves.inset, 0.0) + problem.world.scene.clearance, goal.tolerance
    if _most_room(problem.world, goal, reach) < needed:
        what = nearest_obstacle(problem.world, goal.x, goal.z)
        return f"the goal at ({goal.x:.2f}, {goal.z:.2f}) is blocked by {what}"
    if index + 1 < len(problem.goals) or not problem.stays:
        return ""
    circles = _filled(moves)
    room = [
        _most_room(problem.world, goal, reach + math.hypot(x, z)) - radius - search.ground.raster.margin
        for x, z, radius in circles
    ]
    if max(room, default=0.0) >= 0.0:
        return ""
    return (
        f"there is no room to stay at the goal at ({goal.x:.2f}, {goal.z:.2f}), next to "
        f"{nearest_obstacle(problem.world, goal.x, goal.z)}"
    )


def _filled(moves: Moves) -> Array:
    """Discs (N, 3) that bodies certainly fill while they rest."""
    discs = moves.rest_circles[moves.rests]
    if moves.outlined:
        discs = np.column_stack([discs[:, :2], moves.rest_supports[moves.rests].max(axis=1).min(axis=1)])
    return discs


def _goal_taken(search: Search) -> str:
    """Who rests where one was to stay, if they leave no room; nothing otherwise."""
    problem, moves, goal = search.problem, search.moves, search.problem.goals[-1]
    if not problem.stays or problem.reservations is None:
        return ""
    keys, resting = problem.reservations.resting()
    near = np.hypot(resting[:, 0] - goal.x, resting[:, 1] - goal.z) < goal.tolerance + resting[:, 2] + 2.0
    if not near.any():
        return ""
    resting, keys = resting[near], [key for key, is_near in zip(keys, near.tolist(), strict=True) if is_near]
    spacing = max(goal.tolerance / 10.0, 1e-3)
    u, v = np.meshgrid(*[np.arange(-goal.tolerance, goal.tolerance + spacing, spacing)] * 2)
    spots = np.stack([u, v], axis=-1)[np.hypot(u, v) <= goal.tolerance + spacing] + [goal.x, goal.z]
    # As generous as can be: the place between two spots, and the heading that leans away from everybody.
    own = min(radius - math.hypot(x, z) for x, z, radius in _filled(moves))
    away = np.linalg.norm(spots[:, None] - resting[None, :, :2], axis=2) - resting[None, :, 2] - own
    taken = away < problem.reservations.clearance - 0.75 * spacing
    if not taken.any(axis=1).all():
        return ""
    names = ", ".join(_name(problem, keys[other]) for other in np.flatnonzero(taken.any(axis=0))[:3])
    return f"the goal at ({goal.x:.2f}, {goal.z:.2f}) is taken by {names}"


def _most_room(world: World, goal: Goal, reach: float) -> float:
    """The greatest clearance [m] within `reach` of a goal: at the vertices of a cell around, no point has more."""
    grid = world.clearance
    rows, columns = grid.values.shape
    span = reach + 1.5 * grid.cell
    i0, i1 = (int((goal.x + side * span - grid.origin_x) / grid.cell) for side in (-1.0, 1.0))
    j0, j1 = (int((goal.z + side * span - grid.origin_z) / grid.cell) for side in (-1.0, 1.0))
    i0, j0, i1, j1 = max(i0, 0), max(j0, 0), min(i1 + 1, columns - 1), min(j1 + 1, rows - 1)
    if i1 < i0 or j1 < j0:
        return -math.inf
    x = grid.origin_x + grid.cell * np.arange(i0, i1 + 1)
    z = grid.origin_z + grid.cell * np.arange(j0, j1 + 1)
    near = np.hypot(x[None, :] - goal.x, z[:, None] - goal.z) <= span
    return float(np.max(grid.values[j0 : j1 + 1, i0 : i1 + 1][near], initial=-math.inf))
