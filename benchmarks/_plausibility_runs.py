"""The runs of `walkon bench plausibility`: our planners and the rivals on one scene, measured alike."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from _plausibility_scenes import Setting

    from walkon.graphs import MotionGraph
    from walkon.metrics import Measures


@dataclass(eq=False)
class Run:
    """What was measured of one way to play a scene, for every seed.

    measures: under the same conditions for all. touching: frames in which two bodies touch, summed over pairs: of
    ours; of rivals, with walks that follow their trajectories. fixed: of rivals, with their roots fixed.
    resistances, collisions: under other conditions, by name; of rivals with their roots fixed, of the first seed.
    seconds: of planning, or of simulating. missing: who has no motion.
    """

    who: str
    ours: bool
    measures: list[Measures] = field(default_factory=list)
    touching: list[int] = field(default_factory=list)
    fixed: list[int] = field(default_factory=list)
    resistances: dict[str, list[float]] = field(default_factory=dict)
    collisions: dict[str, int] = field(default_factory=dict)
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


def run_ours(who: str, setting: Setting, seeds: tuple[int, ...]) -> Run:
    """One of our planners, or the live crowd."""
    from walkon.metrics import audit, measure
    from walkon.rivals import count_collisions
    from walkon.rivals.comparing import play

    run = Run(who, ours=True)
    play(setting.walking, who, seed=seeds[0])  # compiles, and grows trees
    for seed in seeds:
        begun = time.perf_counter()
        take = play(setting.walking, who, seed=seed)
        run.seconds.append(time.perf_counter() - begun)
        report = audit(take)
        run.measures.append(measure(take, setting.lines, audited=report))
        run.touching.append(count_collisions(take, report).frames)
        run.missing += len(take.unplanned)
        run.note("standing", measure(play(setting.scene, who, seed=seed), setting.lines, audited=False))
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
        run.collisions.setdefault("", run.fixed[-1])
        for condition, other in others.items():
            found = simulate(scene, other, fps=scene.fps, seed=seed)
            run.note(condition, measure(found, setting.lines))
            if seed == seeds[0]:
                run.collisions[condition] = count_collisions(fix_roots(scene, found, seed=seed)).frames
        if graph is not None and seed == seeds[0]:
            take = follow_trajectories(scene, played, graph, seed=seed)
            report = audit(take)
            run.touching.append(count_collisions(take, report).frames)
            run.collisions["full body"] = run.touching[-1]
            run.missing += len(take.unplanned)
            run.note("full body", measure(take, setting.lines, audited=report))
    return run
