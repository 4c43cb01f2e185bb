"""The audit itself: everything is computed again from the poses that people will see."""

from __future__ import annotations

from collections.abc import Sequence

from walkon.basics import Progress
from walkon.metrics.audit.bodies import Bodies, Played, gather
from walkon.metrics.audit.goals import check_goals, check_presence
from walkon.metrics.audit.motions import check_motion
from walkon.metrics.audit.obstacles import check_bounds, check_obstacles
from walkon.metrics.audit.people import check_people
from walkon.metrics.audit.report import VIOLATIONS, AuditFigures, AuditReport
from walkon.metrics.audit.scenes import check_scene
from walkon.metrics.audit.things import lay_out
from walkon.metrics.audit.transitions import check_transitions
from walkon.synthesis import perform_all
from walkon.take import Take
from walkon.world import Scene

PARTS = 5
"""Parts of the work that progress is reported in: poses, people, obstacles (which count twice, as they take as
long), the rest."""


def audit(take: Take, *, scene: Scene | None = None, progress: Progress | None = None) -> AuditReport:
    """Check everything about a take, from the poses that synthesis makes of it.

    scene: what the take should be of, to be compared with the scene that it carries. progress: called with how
    much is done and how much there is.
    """
    performances = perform_all(take, progress=_part(progress, 0, 1))
    return audit_performances(take, performances, scene=scene, progress=progress)


def audit_performances(
    take: Take,
    performances: Sequence[Played],
    *,
    scene: Scene | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Check a take against poses that somebody made of it."""
    bodies = gather(performances)
    things = lay_out(take.scene, take.fps)
    fps = take.fps
    met = check_people(bodies, fps, _part(progress, 1, 1))
    bumped, obstacle_gap, more = check_obstacles(bodies, things, fps, _part(progress, 2, 2))
    left, bounds_gap = check_bounds(bodies, take.scene.bounds, fps)
    wrong = [*met.violations, *bumped, *left, *check_presence(take, bodies), *check_goals(take, bodies)]
    wrong += check_transitions(take, bodies, things)
    moved = check_motion(take, _with_roles(take, bodies, performances))
    wrong += moved.violations
    wrong += [] if scene is None else check_scene(take, scene)
    if progress is not None:
        progress(100 * PARTS, 100 * PARTS)
    order, present = list(VIOLATIONS), {role.character for role in take.roles}
    wrong.sort(key=lambda found: (order.index(found.kind), found.first_frame, found.who, found.other))
    figures = AuditFigures(
        people=len(bodies),
        frames=take.frames,
        seconds=take.frames / fps,
        obstacles=len(things),
        unplanned=len(take.unplanned),
        pairs=met.pairs + more,
        planned_with=take.scene.bodies,
        people_gap=met.people_gap,
        overlap_pairs=met.overlap_pairs,
        overlap_seconds=met.overlap_seconds,
        body_gap=met.body_gap,
        obstacle_gap=obstacle_gap,
        bounds_gap=bounds_gap,
        slide=moved.slide,
        jump=moved.jump,
        depth=moved.depth,
        missing=tuple(name for name in (one.name for one in take.scene.characters) if name not in present),
    )
    return AuditReport(tuple(wrong), figures)


def _with_roles(take: Take, bodies: Bodies, performances: Sequence[Played]) -> Bodies:
    """Those of the bodies whose clips are known from a role; the others were complained about."""
    roles = {role.character for role in take.roles}
    if all(name in roles for name in bodies.names):
        return bodies
    return gather([performance for performance in performances if performance.character in roles])


def _part(progress: Progress | None, start: int, share: int) -> Progress | None:
    """Progress of a part of the work, in hundredths of a part, as progress of the whole."""
    if progress is None:
        return None
    return lambda done, total: progress(100 * start + 100 * share * done // max(total, 1), 100 * PARTS)
