"""The walks that `walkon graph walk` makes: at random, along a path, to a place, in directions, by a script."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._graph_walk import WalkOptions

if TYPE_CHECKING:
    from walkon.basics import Array
    from walkon.directing import Acted
    from walkon.graphs import MotionGraph
    from walkon.graphs.performing.seams import Seams
    from walkon.graphs.performing.walks import Walk
    from walkon.motion import Clip

WHO = "walker"
"""Who walks, where no scene says it."""

SECONDS = 60.0
"""How long a walk at random or steered is [s] if nobody says: long enough to see much of a graph."""


@dataclass(frozen=True, eq=False)
class Made:
    """A walk, its motion, how that moves, and how far (F,) [m] it is off the path, if there was one.

    off_goal: [m] between its end and the place that was asked for. acted: what became of a script.
    """

    take: Path
    walk: Walk
    clip: Clip
    seams: Seams
    deviations: Array | None = None
    off_goal: float | None = None
    acted: Acted | None = None


def make_walks(graph: MotionGraph, asked: WalkOptions) -> list[Made]:
    """All walks that are asked for, each written as a take."""
    if asked.script is not None:
        return _act(graph, asked, asked.script)
    if asked.path:
        return _follow(graph, asked)
    if asked.to:
        return _reach(graph, asked)
    if asked.steer:
        return _steer(graph, asked)
    return _wander(graph, asked)


def _wander(graph: MotionGraph, asked: WalkOptions) -> list[Made]:
    from walkon.graphs.searching.random_walks import random_walks

    walks = random_walks(graph, asked.seconds or SECONDS, asked.answers, seed=asked.seed, labels=_one_style(asked))
    return [_keep(walk, asked, number) for number, walk in enumerate(walks, start=1)]


def _follow(graph: MotionGraph, asked: WalkOptions) -> list[Made]:
    from walkon.cli._graph_paths import parse_styles, read_path
    from walkon.graphs.searching.fitting import fit_path

    wanted, styles = asked.scale * read_path(asked.path), parse_styles(asked.style) or None
    fit = fit_path(graph, wanted, styles=styles, answers=asked.answers, seed=asked.seed)
    fits = [fit, *fit.others]
    _say_if_few(len(fits), asked)
    return [_keep(one.walk, asked, number, deviations=one.deviations) for number, one in enumerate(fits, start=1)]


def _reach(graph: MotionGraph, asked: WalkOptions) -> list[Made]:
    from walkon.cli._graph_paths import parse_places
    from walkon.graphs.searching.mutating import LONGEST_WALK, search_walks
    from walkon.graphs.searching.walk_costs import WalkCost

    *waypoints, goal = parse_places([*asked.via, asked.to])
    facing = None if asked.facing is None else math.radians(asked.facing)
    ends = _one_style(asked) or range(graph.node_count)
    cost = WalkCost(goal=goal, facing=facing, waypoints=waypoints)
    longest = asked.seconds or LONGEST_WALK
    found = search_walks(graph, ends, ends, cost, seed=asked.seed, longest=longest, answers=asked.answers)
    _say_if_few(len(found), asked)
    made = []
    for number, one in enumerate(found, start=1):
        x, z, _ = one.walk.placements()[-1]
        made.append(_keep(one.walk, asked, number, off_goal=math.hypot(x - goal[0], z - goal[1])))
    return made


def _steer(graph: MotionGraph, asked: WalkOptions) -> list[Made]:
    import numpy as np

    from walkon.cli._graph_paths import parse_directions
    from walkon.graphs.searching.headings import steer, tabulate_headings

    directions = parse_directions(asked.steer)
    table = tabulate_headings(graph, style=_one_style(asked))
    starts = np.flatnonzero(table.edges[:, 0] >= 0)
    starts = np.random.default_rng(asked.seed).choice(starts, asked.answers)

    def wanted(seconds: float) -> float:
        return [math.radians(degrees) for begin, degrees in directions if begin <= seconds][-1]

    walks = [steer(graph, table, wanted, asked.seconds or SECONDS, start=int(start)) for start in starts]
    return [_keep(walk, asked, number) for number, walk in enumerate(walks, start=1)]


def _act(graph: MotionGraph, asked: WalkOptions, script: Path) -> list[Made]:
    """Everybody in the scene who has a script, in one take."""
    from walkon.cli._console import progress
    from walkon.directing import act_script, take_of_walks
    from walkon.errors import SceneError
    from walkon.graphs.performing.seams import measure_seams
    from walkon.take import write_take
    from walkon.world import read_scene

    scene = read_scene(script, seed=asked.seed)
    actors = [one for one in scene.characters if one.script and asked.of in ("", one.name)]
    if not actors:
        raise SceneError(f"{script}: " + (f"{asked.of!r} has no script" if asked.of else "nobody has a script"))
    acted = {
        one.name: act_script(graph, one, seed=asked.seed, bounds=scene.bounds)
        for one in progress(actors, "acting", total=len(actors))
    }
    write_take(take_of_walks(scene, acted, seed=asked.seed), asked.out)
    return [
        Made(asked.out, one.walk, one.clip, measure_seams(one.walk, one.clip), acted=one) for one in acted.values()
    ]


def _one_style(asked: WalkOptions) -> str | None:
    from walkon.cli._graph_paths import parse_styles

    styles = parse_styles(asked.style)
    if any(begin > 0.0 for begin, _ in styles):
        raise typer.BadParameter("only a walk along a path changes its style on the way")
    return styles[0][1] if styles else None


def _say_if_few(found: int, asked: WalkOptions) -> None:
    from walkon.cli._console import complain

    if found < asked.answers:
        complain(f"{found} of {asked.answers} walks: others are too much like these")


def _keep(
    walk: Walk,
    asked: WalkOptions,
    number: int,
    *,
    deviations: Array | None = None,
    off_goal: float | None = None,
) -> Made:
    """Perform a walk, write its take, and measure it."""
    from walkon.directing import take_of_walks
    from walkon.graphs.performing.seams import measure_seams
    from walkon.graphs.performing.walks import perform_walk
    from walkon.take import write_take

    out = asked.out if number == 1 else asked.out.with_name(f"{asked.out.stem}-{number}{asked.out.suffix}")
    clip = perform_walk(walk, name=WHO)
    write_take(take_of_walks(None, {WHO: clip}, seed=asked.seed), out)
    return Made(out, walk, clip, measure_seams(walk, clip), deviations, off_goal)
