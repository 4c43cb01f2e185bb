"""From a scene to a take: cast it, plan it, and write down who does what."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from walkon.basics import Progress
from walkon.behaviors import BehaviorGraph
from walkon.crowd import (
    DEFAULT_BUDGET,
    CrowdBudget,
    CrowdPlan,
    cast_character,
    load_performers,
    plan_crowd,
    pose_problem,
    starting_pose,
)
from walkon.directing.understudy import Understudy, step_in
from walkon.errors import SceneError
from walkon.planning import AStar, InTurn, Plan, Planner, Replanning, footing_of
from walkon.take import Role, Take, TakeClip
from walkon.world import Character, Scene, build_world
from walkon.world.exits import choose_exits
from walkon.world.timed_doors import with_doors

TAIL = 1.0
"""[s] How long a take goes on after the last one has arrived, so that one sees them stand; chosen by eye."""

CROWD = 10
"""With more people than this, planners look at the world more coarsely: each may take less time."""

OPEN = 500
"""Expansions in which a crowd looks for good ways, as there are where it has room: 60 do where 24 people cross.
With less, people walk slower than they want to; with more, it takes longer where there is no room."""


def default_planner(people: int) -> InTurn:
    """A good way if it is found soon, else any way; the more people there are, the less is spent on each.

    Where one must wait for others, the many ways to pass the time drown a search that tells them all apart: crowds
    look at the world more coarsely, and the last search more coarsely still.
    """
    budget = max(16_000, min(400_000, 2_000_000 // max(people, 1)))
    good = AStar(inflation=1.1, max_expansions=budget // 4)
    fair = AStar(inflation=2.0, max_expansions=budget, cell=0.5, headings=16, time_bin=2.0)
    if people <= CROWD:
        return InTurn((good, fair))
    rough = replace(good, inflation=1.5, cell=0.5, headings=24, time_bin=1.0)
    return InTurn((replace(rough, inflation=good.inflation, max_expansions=OPEN), rough, fair))


def plan_scene(
    scene: Scene,
    *,
    seed: int = 0,
    planner: Planner | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Take:
    """Plan everybody in a scene; the same seed gives the same take.

    planner: see `default_planner`. folder: where relative library names are looked for. progress: called with
    (planned so far, all). Characters for whom there is no plan are in the take's `unplanned`, with the reason.
    """
    return rehearse(scene, seed=seed, planner=planner, folder=folder, progress=progress).take


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """A take, and how it came about. live: what came of it that a live crowd was asked to step in; None if none
    was."""

    take: Take
    crowd: CrowdPlan
    live: Understudy | None = None


def rehearse(
    scene: Scene,
    *,
    seed: int = 0,
    planner: Planner | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
    growing: Progress | None = None,
    budget: CrowdBudget = DEFAULT_BUDGET,
    live: bool = True,
) -> Rehearsal:
    """`plan_scene`, with the plans and their statistics. growing: progress of what the planner must
    prepare first, such as trees that are not grown yet. budget: what planning may cost; whoever is left when it
    is spent has no plan. live: whether a live crowd steps in where others leave somebody no way, see
    `understudy.py`."""
    planner = default_planner(len(scene.characters)) if planner is None else planner
    given, begun = scene, time.perf_counter()
    scene = with_doors(scene)
    performers = load_performers(scene, folder=folder)
    graphs = [cast_character(character, performers) for character in scene.characters]
    world = build_world(scene, footing=footing_of(graphs))
    scene = choose_exits(scene, world)
    world = replace(world, scene=scene)
    planner.prepare(graphs, world, growing)
    if any(obstacle.moves and not obstacle.known for obstacle in scene.obstacles):
        planner = Replanning(planner)
    crowd = plan_crowd(world, graphs, planner, seed=seed, progress=progress, budget=budget)
    take = _write_down(scene, graphs, crowd.plans, crowd.reasons, seed, repr(planner))
    crowded = {name for name, _ in take.unplanned} - crowd.hopeless
    left = math.inf if budget.seconds is None else budget.seconds - (time.perf_counter() - begun)
    if not live or not crowded or left <= 0.0:
        return Rehearsal(take, crowd)
    understudy = step_in(given, take, crowd.hopeless, folder=folder, progress=progress, seconds=left)
    return Rehearsal(take if understudy.take is None else understudy.take, crowd, understudy)


def explore(scene: Scene, name: str, planner: AStar | None = None, *, folder: Path | None = None) -> Plan:
    """One character's plan as if it were alone in the scene, with the whole search tree."""
    for character in scene.characters:
        if character.name == name:
            alone = replace(scene, characters=(character,))
            graph = cast_character(character, load_performers(alone, folder=folder))
            problem = pose_problem(build_world(alone, footing=footing_of([graph])), character, graph)
            return replace(planner or AStar(), keep_tree=True).plan(problem)
    raise SceneError(f"scene {scene.name!r} has nobody called {name!r}")


def _write_down(
    scene: Scene,
    graphs: list[BehaviorGraph],
    plans: tuple[Plan | None, ...],
    reasons: dict[str, str],
    seed: int,
    planner: str,
) -> Take:
    last = max((int(plan.frames[-1]) for plan in plans if plan is not None), default=0)
    frames = last + 1 + round(TAIL * scene.fps)
    book = _ClipBook()
    roles = []
    for index, (character, graph, plan) in enumerate(zip(scene.characters, graphs, plans, strict=True)):
        if plan is not None:
            rng = np.random.default_rng([seed, index])
            roles.append(_role(character, graph, plan, frames, book, rng))
    unplanned = tuple(
        (character.name, reasons.get(character.name, "not planned"))
        for character, plan in zip(scene.characters, plans, strict=True)
        if plan is None
    )
    return Take(scene, scene.fps, frames, tuple(book.clips), tuple(roles), unplanned, seed, planner)


class _ClipBook:
    """The clips in use, each once, in order of first use."""

    def __init__(self) -> None:
        self.clips: list[TakeClip] = []
        self._numbers: dict[int, int] = {}

    def number(self, graph: BehaviorGraph, clip: int, library: str) -> int:
        shown = graph.clip(clip)
        if id(shown) not in self._numbers:
            behavior = graph.library.behaviors[graph.behavior_of(clip)]
            self._numbers[id(shown)] = len(self.clips)
            self.clips.append(
                TakeClip(
                    shown.clip, shown.margin, behavior.name, behavior.kind, behavior.entry, behavior.exit, library
                )
            )
        return self._numbers[id(shown)]


def _role(
    character: Character,
    graph: BehaviorGraph,
    plan: Plan,
    frames: int,
    book: _ClipBook,
    rng: np.random.Generator,
) -> Role:
    """The plan's steps, and for those who stay, rests until the end of the take."""
    clips, starts, placements = list(plan.clips), list(plan.frames[:-1]), list(plan.placements[:-1])
    arrival, leaves = int(plan.frames[-1]), character.at_goal == "leave"
    if not leaves:
        pose = int(graph.exit[plan.behaviors[-1]]) if len(plan) else starting_pose(character, graph)
        rests = graph.resting(pose)
        frame = arrival
        while frame < frames - 1:
            clip = int(rng.choice(rests))
            clips.append(clip)
            starts.append(frame)
            placements.append(plan.placements[-1])
            frame += int(graph.durations[clip])
    numbers = [book.number(graph, int(clip), character.library) for clip in clips]
    return Role(
        character.name,
        np.array(numbers, dtype=np.int64),
        np.array(starts, dtype=np.int64),
        np.array(placements, dtype=np.float64).reshape(-1, 3),
        arrival if plan.status == "found" else None,
        leaves,
    )
