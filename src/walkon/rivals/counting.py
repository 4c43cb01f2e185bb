"""Collisions of rivals, before and after root fixing: what table 4.1 of Chen (2014) counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from walkon.graphs.graph import MotionGraph
from walkon.metrics import AuditReport, audit
from walkon.rivals.following import Fit, follow_trajectories
from walkon.rivals.models import Model, choose_model
from walkon.rivals.root_fixing import fix_roots
from walkon.rivals.simulating import simulate
from walkon.take import Take
from walkon.world import Scene


@dataclass(frozen=True)
class CollisionCount:
    """Full-body collisions of a take.

    frames: summed over pairs of people, frames in which the two touch. events: how often two come to touch.
    walls: summed over people, frames in which one touches an obstacle. unplanned: people who have no motion.
    """

    frames: int
    events: int
    walls: int
    unplanned: int


@dataclass(frozen=True)
class CollisionRow:
    """A row of the table: before is None where there was no graph to follow trajectories with."""

    model: str
    before: CollisionCount | None
    after: CollisionCount


def count_collisions(take: Take, report: AuditReport | None = None) -> CollisionCount:
    """Of a take; report: of its audit, if it is at hand."""
    report = audit(take) if report is None else report
    touched = [found for found in report.violations if found.kind == "bodies"]
    bumped = [found for found in report.violations if found.kind == "obstacle"]
    return CollisionCount(
        frames=sum(found.last_frame - found.first_frame + 1 for found in touched),
        events=len(touched),
        walls=sum(found.last_frame - found.first_frame + 1 for found in bumped),
        unplanned=len(take.unplanned),
    )


def count_rivals(
    scene: Scene,
    models: Iterable[str | Model],
    graph: MotionGraph | None = None,
    *,
    fit: Fit | None = None,
    folder: Path | None = None,
    seed: int = 0,
) -> tuple[CollisionRow, ...]:
    """The table for one scene: every model, its motion fitted by path following on a graph, and by root fixing."""
    rows = []
    for one in models:
        model = choose_model(one)
        played = simulate(scene, model, fps=scene.fps, seed=seed)
        before = None
        if graph is not None:
            before = count_collisions(
                follow_trajectories(scene, played, graph, fit=fit, seed=seed, planner=model.name)
            )
        after = count_collisions(fix_roots(scene, played, folder=folder, seed=seed, planner=model.name))
        rows.append(CollisionRow(model.name, before, after))
    return tuple(rows)
