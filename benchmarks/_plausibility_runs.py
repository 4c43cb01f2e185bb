"""The runs of `walkon bench plausibility`: our planners and the rivals on one scene, measured alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from _plausibility_scenes import Setting

    from walkon.graphs import MotionGraph
    from walkon.metrics import Measures
    from walkon.take import Take
    from walkon.world import Scene

PATIENCE = 120.0
"""[s] after which the live crowd is not waited for any longer."""


@dataclass
class Run:
    """What was measured of one way to play a scene, for every seed.

    measures: under the same conditions for all. touching: frames in which two bodies touch, summed over pairs: of
    ours; of rivals, with walks that follow their trajectories. fixed: of rivals, with their roots fixed.
    resistances: under other conditions, by name. seconds: of planning, or of simulating. missing: who has no
    motion.
    """

    who: str
    ours: bool
    measures: list[Measures] = field(default_factory=list)
    touching: list[int] = field(default_factory=list)
    fixed: list[int] = field(default_factory=list)
    resistances: dict[str, list[float]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    missing: int = 0

    def mean(self, figure: str) -> float:
        """Of one of the figures of the summary, over seeds."""
        return float(np.mean([found.summary()[figure] for found in self.measures]))

    def resistance(self, condition: str = "") -> float | None:
        """Mean over seeds; under another condition if one is named, None if it was not tried."""
        values = self.resistances.get(condition) if condition else [self.mean("resistance")]
        return float(np.mean(values)) if values else None

    def note(self, condition: str, found: Measures) -> None:
        """Resistance under another condition."""
        self.resistances.setdefault(condition, []).append(found.summary()["resistance"])


Planning = Callable[["Scene", int], "Take"]


def planners(names: tuple[str, ...]) -> dict[str, Planning]:
    """Ways of ours to play a scene, by name."""
    from walkon.directing import plan_scene
    from walkon.planning import AStar
    from walkon.trees import TreePlanner

    tree = TreePlanner()
    ways: dict[str, Planning] = {
        "auto": lambda scene, seed: plan_scene(scene, seed=seed),
        "astar": lambda scene, seed: plan_scene(scene, seed=seed, planner=AStar(max_expansions=400_000)),
        "inflated": lambda scene, seed: plan_scene(scene, seed=seed, planner=AStar(inflation=2.0)),
        "tree": lambda scene, seed: plan_scene(scene, seed=seed, planner=tree),
        "live": play_live,
    }
    return {name: ways[name] for name in names}


def play_live(scene: Scene, seed: int) -> Take:
    """The live crowd, until all have arrived."""
    from walkon.crowd.live import Live

    live = Live(scene, seed=seed)
    while live.time < PATIENCE:
        live.step()
        state = live.state()
        gone = len(scene.characters) - len(state.who)
        late = max(one.start_time for one in scene.characters) >= live.time
        if not late and state.arrived.all() and (gone == 0 or scene.characters[0].at_goal == "leave"):
            break
    return live.take()


def run_ours(who: str, way: Planning, setting: Setting, seeds: tuple[int, ...]) -> Run:
    """One of our planners."""
    from walkon.metrics import audit, measure
    from walkon.rivals import count_collisions

    run = Run(who, ours=True)
    way(setting.walking, seeds[0])  # compiles, and grows trees
    for seed in seeds:
        begun = time.perf_counter()
        take = way(setting.walking, seed)
        run.seconds.append(time.perf_counter() - begun)
        report = audit(take)
        run.measures.append(measure(take, setting.lines, audited=report))
        run.touching.append(count_collisions(take, report).frames)
        run.missing += len(take.unplanned)
        run.note("standing", measure(way(setting.scene, seed), setting.lines, audited=False))
        run.note("full body", run.measures[-1])
    return run


def run_rival(who: str, setting: Setting, seeds: tuple[int, ...], graph: MotionGraph | None) -> Run:
    """One of the rivals: its trajectories, and motion fitted to them; walks are looked for with the first seed."""
    from walkon.metrics import audit, measure
    from walkon.rivals import MODELS, count_collisions, fix_roots, follow_trajectories, simulate

    run, scene = Run(who, ours=False), setting.walking
    level = replace(MODELS[who](), speed=setting.steady, most_speed=setting.most)  # type: ignore[type-var]
    others = {
        "thesis": replace(level, speed=setting.usual),
        "optimum": MODELS[who](),
    }
    simulate(scene, level, fps=scene.fps)
    for seed in seeds:
        begun = time.perf_counter()
        played = simulate(scene, level, fps=scene.fps, seed=seed)
        run.seconds.append(time.perf_counter() - begun)
        run.measures.append(measure(played, setting.lines))
        run.fixed.append(count_collisions(fix_roots(scene, played, seed=seed)).frames)
        for condition, other in others.items():
            run.note(condition, measure(simulate(scene, other, fps=scene.fps, seed=seed), setting.lines))
        if graph is not None and seed == seeds[0]:
            take = follow_trajectories(scene, played, graph, seed=seed)
            report = audit(take)
            run.touching.append(count_collisions(take, report).frames)
            run.missing += len(take.unplanned)
            run.note("full body", measure(take, setting.lines, audited=report))
    return run
