"""The audit itself: everything is computed again from the poses that people will see."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from walkon.basics import Progress
from walkon.metrics.audit.bodies import Each, Played, gather
from walkon.metrics.audit.goals import check_goals, check_presence
from walkon.metrics.audit.motions import MotionFindings, MotionJudge
from walkon.metrics.audit.obstacles import check_bounds, check_obstacles
from walkon.metrics.audit.people import Encounters, PeopleFindings
from walkon.metrics.audit.places import places_of
from walkon.metrics.audit.report import VIOLATIONS, AuditFigures, AuditReport, Least, Violation
from walkon.metrics.audit.scenes import check_scene
from walkon.metrics.audit.shown import GivenPoses, MadePoses, PoseSource, window, windows
from walkon.metrics.audit.things import Things, lay_out
from walkon.metrics.audit.transitions import check_poses, check_specials, check_transitions
from walkon.take import Take
from walkon.world import Scene

MOST_THREADS = 8
"""Threads at most: each holds the poses of one person, and more would wait for the interpreter."""

ALONE = 70
"""Percents of the work that are done when everybody was looked at alone."""


def audit(take: Take, *, scene: Scene | None = None, progress: Progress | None = None) -> AuditReport:
    """Check everything about a take, from the poses that synthesis makes of it.

    scene: what the take should be of, to be compared with the scene that it carries. progress: called with how
    much is done and how much there is.
    """
    return _judge(take, MadePoses(take), scene, progress)


def audit_performances(
    take: Take,
    performances: Sequence[Played],
    *,
    scene: Scene | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Check a take against poses that somebody made of it."""
    return _judge(take, GivenPoses(performances), scene, progress)


def _judge(take: Take, shown: PoseSource, scene: Scene | None, progress: Progress | None) -> AuditReport:
    things = lay_out(take.scene, take.fps)
    with ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_THREADS)) as pool:
        judge = MotionJudge(take, pool.map)
        alone = _look_at_each(take, shown, things, judge, pool.map, progress)
        met = _look_at_meetings(take, shown, pool.map, progress)
    wrong = [*met.violations, *(found for one in alone for found in one.violations)]
    wrong += [*check_presence(take, shown.names), *check_transitions(take), *judge.clips()]
    wrong += [] if scene is None else check_scene(take, scene)
    if progress is not None:
        progress(100, 100)
    order = list(VIOLATIONS)
    wrong.sort(key=lambda found: (order.index(found.kind), found.first_frame, found.who, found.other))
    return AuditReport(tuple(wrong), _figures(take, shown, things, alone, met))


class _Alone(NamedTuple):
    """What was found about somebody by themselves."""

    violations: list[Violation]
    pairs: int
    obstacle_gap: Least | None
    bounds_gap: Least
    moved: MotionFindings


def _look_at_each(
    take: Take, shown: PoseSource, things: Things, judge: MotionJudge, each: Each, progress: Progress | None
) -> list[_Alone]:
    """Everybody by themselves: against obstacles and the edge, on their way and on their feet."""
    characters = {character.name: character for character in take.scene.characters}
    roles = {role.character: role for role in take.roles}

    def look(number: int) -> _Alone:
        bodies = gather([shown.whole(number)])
        shown.keep(number, bodies.positions(0))
        name, start = bodies.names[0], int(bodies.arrays.first[0])
        wrong, obstacle_gap, pairs = check_obstacles(bodies, 0, things, take.fps)
        left, bounds_gap = check_bounds(bodies, 0, take.scene.bounds, take.fps)
        wrong, moved = wrong + left, MotionFindings([], None, None, None)
        if name in roles:
            places = places_of(bodies.clips[0].skeleton, bodies.positions(0))
            if name in characters:
                wrong += check_goals(take, characters[name], roles[name], places, start)
            wrong += check_poses(take, roles[name], places, start)
            wrong += check_specials(take, bodies, 0, roles[name], things)
            moved = judge.person(bodies, 0, roles[name])
        return _Alone(wrong + moved.violations, pairs, obstacle_gap, bounds_gap, moved)

    found = []
    for one in each(look, range(len(shown.names))):
        found.append(one)
        if progress is not None:
            progress(ALONE * len(found) // len(shown.names), 100)
    return found


def _look_at_meetings(take: Take, shown: PoseSource, each: Each, progress: Progress | None) -> PeopleFindings:
    """Everybody together, in windows of time."""
    seen = Encounters(shown.names, take.fps)
    parts = windows(shown)
    for done, (first, stop) in enumerate(parts, 1):
        # With the frame after: people are looked at on their way there too.
        seen.look(*window(shown, first, stop + 1, each), first, stop, each)
        if progress is not None:
            progress(ALONE + (100 - ALONE) * done // len(parts), 100)
    return seen.findings()


def _figures(
    take: Take, shown: PoseSource, things: Things, alone: list[_Alone], met: PeopleFindings
) -> AuditFigures:
    present = {role.character for role in take.roles}
    return AuditFigures(
        people=len(shown.names),
        frames=take.frames,
        seconds=take.frames / take.fps,
        obstacles=len(things),
        unplanned=len(take.unplanned),
        pairs=met.pairs + sum(one.pairs for one in alone),
        planned_with=take.scene.bodies,
        people_gap=met.people_gap,
        overlap_pairs=met.overlap_pairs,
        overlap_seconds=met.overlap_seconds,
        body_gap=met.body_gap,
        obstacle_gap=_least(one.obstacle_gap for one in alone),
        bounds_gap=_least(one.bounds_gap for one in alone),
        slide=_most(one.moved.slide for one in alone),
        jump=_most(one.moved.jump for one in alone),
        depth=_most(one.moved.depth for one in alone),
        missing=tuple(name for name in (one.name for one in take.scene.characters) if name not in present),
    )


def _least(found: Iterable[Least | None]) -> Least | None:
    """The least gap; the first of equal ones."""
    return min((one for one in found if one is not None), key=lambda one: one.gap, default=None)


def _most(found: Iterable[Least | None]) -> Least | None:
    """The largest; the first of equal ones."""
    return max((one for one in found if one is not None), key=lambda one: one.gap, default=None)
