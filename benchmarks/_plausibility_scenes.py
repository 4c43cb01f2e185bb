"""The scenes and casts of `walkon bench plausibility`, and what the motion of their people can do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkon.graphs import MotionGraph
    from walkon.metrics import Benchmarks
    from walkon.world import Scene

SESSIONS = 2
"""Of built-in motion in the graph whose walks follow the rivals' trajectories."""

WALKS = ("walk_about", "walk_slowly", "walk_in_loops", "stop_and_go")
"""Clips of a session in which nobody runs or jumps: Chen (2014) followed with walking alone, too."""


@dataclass(frozen=True, eq=False)
class Setting:
    """A scene as it is, and with everybody walking already; lines: of their motion.

    steady: [m/s] mean speed of people who walk straight on. usual, most: [m/s] mean and largest speed in all clips
    that walk, which is what Chen gave the rivals.
    """

    scene: Scene
    walking: Scene
    lines: Benchmarks
    steady: float
    usual: float
    most: float


def read_setting(name: str) -> Setting:
    """One of the classic scenes."""
    from walkon.crowd import load_performers
    from walkon.rivals.comparing import cast_benchmarks
    from walkon.rivals.cycles import choose_cycle
    from walkon.world import read_scene
    from walkon.world.classics import classic_scene_text

    scene = read_scene(classic_scene_text(name))
    graphs = load_performers(scene)
    lines = cast_benchmarks(scene)
    assert lines is not None
    assert lines.walking is not None
    cycles = [(choose_cycle(graph), graph.fps) for graph in graphs.values()]
    steady = float(np.mean([cycle.length * fps / (len(cycle.heights) - 1) for cycle, fps in cycles]))
    people = tuple(replace(one, pose="walk") for one in scene.characters)
    return Setting(
        scene,
        replace(scene, characters=people),
        lines,
        steady,
        lines.walking.mean_speed,
        lines.walking.most_speed,
    )


def graph_to_follow() -> MotionGraph:
    """A motion graph of built-in sessions with their mirror images."""
    from walkon.builtin.session import make_session
    from walkon.graphs.building import build_motion_graph

    clips = [
        clip.with_changes(name=f"{clip.name} {seed}")
        for seed in range(SESSIONS)
        for clip in make_session(seed)
        if clip.name.startswith(WALKS)
    ]
    return build_motion_graph(clips, mirrored=True).graph
