"""Path following: the walks of a motion graph that come nearest to trajectories."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from walkon.basics import Array
from walkon.directing.clip_takes import take_of_clips
from walkon.errors import GraphError
from walkon.graphs.graph import MotionGraph
from walkon.graphs.performing.walks import Walk, perform_walk
from walkon.metrics import Trajectories
from walkon.take import Take
from walkon.world import Scene

Fit = Callable[[MotionGraph, Array, int], Walk]
"""A graph, points (P, 2) [m] and a seed -> a walk along them."""

PATH_SPACING = 0.2
"""Least distance [m] between two points of a trajectory that is followed: shorter steps are no part of the way."""

PATH_FOLLOWING = "path following"
"""What takes call this way to fit a body to a trajectory."""


def follow_trajectories(
    scene: Scene,
    trajectories: Trajectories,
    graph: MotionGraph,
    *,
    fit: Fit | None = None,
    seed: int = 0,
    planner: str = "",
) -> Take:
    """The take in which everybody walks through a motion graph along the way of their trajectory.

    fit: how; by default `graphs.searching.fitting.fit_path`. Ways are followed, speeds are not: that is how
    Chen (2014) found it to fail. Whoever goes too short a way for a walk, or for whom none is found, is unplanned.
    """
    fit = fit or _fit_path
    clips, starts, reasons = {}, {}, {}
    for person, name in enumerate(trajectories.names):
        points = thin(trajectories.path(person), PATH_SPACING)
        if len(points) < 2:
            reasons[name] = f"the way is shorter than {PATH_SPACING:g} m: nothing to follow"
            continue
        try:
            walk = fit(graph, points, seed + person)
        except GraphError as error:
            reasons[name] = str(error)
            continue
        clips[name] = perform_walk(walk, name=name)
        starts[name] = round(trajectories.starts[person] / trajectories.fps * scene.fps)
    return take_of_clips(
        scene,
        clips,
        starts,
        behavior=PATH_FOLLOWING,
        seed=seed,
        planner=planner or PATH_FOLLOWING,
        reasons=reasons,
    )


def thin(path: Array, spacing: float) -> Array:
    """Points (P, 2) of a path (F, 2), each at least `spacing` [m] from the one before; the first is its first."""
    kept = [path[0]]
    for point in path[1:]:
        if np.hypot(*(point - kept[-1])) >= spacing:
            kept.append(point)
    return np.array(kept)


def _fit_path(graph: MotionGraph, points: Array, seed: int) -> Walk:
    from walkon.graphs.searching.fitting import fit_path  # pyright: ignore[reportMissingImports]

    return fit_path(graph, points, seed=seed).walk
