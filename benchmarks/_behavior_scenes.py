"""Scenes of `walkon bench behavior` and of others that measure how fast the search is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph
    from walkon.planning import Problem
    from walkon.world import Scene
    from walkon.world.bodies import BodyLevel

SECONDS = 60
"""That a plan may take."""


def crowd_scene(people: int) -> Scene:
    """People on the four sides of a square, on the way to the other side, among walls and two sliding gates."""
    from walkon.world import read_scene

    sides = {
        "east": ("[-25, -18, -19, 18]", "[19, -18, 25, 18]"),
        "west": ("[19, -18, 25, 18]", "[-25, -18, -19, 18]"),
        "north": ("[-18, -25, 18, -19]", "[-18, 19, 18, 25]"),
        "south": ("[-18, 19, 18, 25]", "[-18, -25, 18, -19]"),
    }
    text = "bounds = [-26, -26, 26, 26]\nduration = 90\n"
    for x, z, width, depth in (
        (-12, 12, 8, 0.5),
        (12, -12, 8, 0.5),
        (12, 12, 0.5, 8),
        (-12, -12, 0.5, 8),
        (0, 0, 3, 3),
    ):
        text += _table(
            "obstacles", f'shape = "box"\nat = [{x}, {z}]\nwidth = {width}\ndepth = {depth}\nheight = 1.6'
        )
    for x, ends in ((-6, (-5, 5)), (6, (5, -5))):
        keys = ", ".join(f"{{ t = {12 * k}, at = [{x}, {z}] }}" for k, z in enumerate(ends))
        text += _table(
            "obstacles",
            f'shape = "box"\nat = [{x}, {ends[0]}]\nwidth = 0.5\ndepth = 3\nheight = 1.4\n'
            f'motion = {{ repeat = "back", keyframes = [{keys}] }}',
        )
    for number, (name, (start, goal)) in enumerate(sides.items()):
        count = len(range(number, people, len(sides)))
        text += _table("crowds", f'kind = "flow"\nname = "{name}"\ncount = {count}\nfrom = {start}\nto = {goal}')
    return read_scene(text, seed=1)


def _table(name: str, lines: str) -> str:
    return f"\n[[{name}]]\n{lines}\n"


def figure_scene() -> Scene:
    """A scene like figure 4 of Lau and Kuffner (2005)."""
    from walkon.world import Scene, flat_terrain

    bounds = (-12.0, -12.0, 12.0, 12.0)
    obstacles = (
        _box("wall, near end", 5.0, -8.0, 0.4, 8.0),
        _box("crawl here", 5.0, -2.0, 0.4, 4.0, bottom=0.75, height=1.5, passes=("crawl_under",)),
        _box("jump here", 5.0, 2.0, 0.3, 4.0, height=0.35, passes=("jump_over",)),
        _box("wall, far end", 5.0, 8.0, 0.4, 8.0),
        _box("dead end", 0.0, 0.0, 0.4, 7.0),
        _box("dead end, left", -1.6, 3.3, 3.2, 0.4),
        _box("dead end, right", -1.6, -3.3, 3.2, 0.4),
        _box("block", -5.0, -6.5, 2.0, 2.0),
        _box("plank", -6.0, 5.0, 4.0, 0.6),
        _box("post", 1.5, 6.0, 1.0, 1.0),
        _box("crate", 2.0, -6.5, 1.6, 1.2),
        _box("bench", -2.5, -10.0, 5.0, 0.6),
    )
    return Scene("figure 4", bounds, flat_terrain(bounds), obstacles, duration=float(SECONDS))


def figure_problem(graph: BehaviorGraph, bodies: BodyLevel = "outline") -> Problem:
    """From before the dead end to behind the long wall."""
    from walkon.planning import Problem
    from walkon.rotations import Placement
    from walkon.world import Goal, build_world

    start = Placement(-10.0, 0.0, np.pi / 2)
    pose = graph.poses.index("stand")
    world = build_world(replace(figure_scene(), bodies=bodies))
    return Problem(graph, world, start, pose, (Goal(10.0, 0.5),), round(SECONDS * graph.fps))


def _box(
    name: str, x: float, z: float, width: float, depth: float, *, bottom: float = 0.0, height: float = 2.0,
    passes: tuple[str, ...] = (),
) -> Any:  # fmt: skip
    from walkon.world import Box, Obstacle

    return Obstacle(
        name, Box(width, height, depth), np.array([[x, bottom, z]]), np.array([[1.0, 0.0, 0.0, 0.0]]), passes
    )
