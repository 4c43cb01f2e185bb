"""What bodies can do on slopes, from their legs and from how they step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from walkon.basics import once_per_object
from walkon.behaviors import BEHAVIOR_KINDS, BehaviorGraph, BehaviorLibrary
from walkon.motion import Clip
from walkon.motion.feet.holding import MAX_SLOPE_DROP
from walkon.skeleton import build_body, find_roles
from walkon.world import Footing, Goal, World, slope_room

MOST_WALKED = 0.4
"""Rise over run that nobody walks beyond, however long its legs: on planes people are clean up to here, and sink
into the slope from 0.42 on, because their thighs come too near to it."""

MOST_CARRIED = 0.1
"""The same for whoever does not stand on two feet of its own: horses, whose hooves sink in by 22 mm at 0.15, and
riders of boards, whose knees jump at 0.2."""

SWAY, SWAY_CARRIED = 0.317, 0.475
"""By what share of its height a body leaves its outline on a slope, for each unit of a gentle one (`Footing.room`
says how that levels off), if it walks on two feet of its own, and else: people by 0.027 m at 0.05, 0.045 m at 0.1,
0.069 m at 0.2 and 0.144 m at 0.4, horses by 0.066 m and skateboarders by 0.057 m at 0.1. With less, bodies may
touch; with more, people keep further apart on hills."""


def footing_of(graphs: Iterable[BehaviorGraph]) -> Footing:
    """What all of these bodies can do on slopes; that of adults if there are none."""
    found = [_footing(graph.library) for graph in graphs]
    if not found:
        return Footing()
    return Footing(min(one.steepest for one in found), max(one.sway for one in found))


def goals_on_slopes(world: World, goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Goals with as much less tolerance as hips may go back on slopes there, so that whoever arrives is seen to:
    as much as bodies leave their outlines. Half of the tolerance always stays."""
    turns = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    found = []
    for goal in goals:
        x, z = (
            np.append(0.0, goal.tolerance * way(turns)) + at for way, at in ((np.sin, goal.x), (np.cos, goal.z))
        )
        back = float(slope_room(world, x, z).max())
        found.append(replace(goal, tolerance=max(goal.tolerance - back, 0.5 * goal.tolerance)))
    return tuple(found)


@once_per_object
def _footing(library: BehaviorLibrary) -> Footing:
    clips = [
        shown.clip for behavior in library if not BEHAVIOR_KINDS[behavior.kind].special for shown in behavior.clips
    ]
    clips = clips or [shown.clip for behavior in library for shown in behavior.clips]
    skeleton = clips[0].skeleton
    steepest, sway = MOST_CARRIED, SWAY_CARRIED
    stride = max(map(_stride, clips))
    if find_roles(skeleton).is_biped and stride > 0.0:
        # One foot may be as far below the other as the hips can come down.
        steepest = min(MOST_WALKED, MAX_SLOPE_DROP * _leg_length(clips[0]) / stride)
        sway = SWAY
    return Footing(steepest, sway * build_body(skeleton).height)


def _leg_length(clip: Clip) -> float:
    """[m] Thigh and shin of the shortest leg."""
    points, legs = clip.positions[0], find_roles(clip.skeleton).legs
    return min(
        float(np.linalg.norm(points[knee] - points[hip]) + np.linalg.norm(points[ankle] - points[knee]))
        for _, (hip, knee, ankle) in legs
    )


def _stride(clip: Clip) -> float:
    """[m] How far apart on the ground both feet are at most while they stand; 0 if they never do."""
    roles, contacts = find_roles(clip.skeleton), clip.contacts
    if not roles.is_biped or len(roles.legs) < 2:
        return 0.0
    stands = np.ones(len(clip), dtype=bool)
    if contacts is not None:
        for foot, _ in roles.legs:
            names = {clip.skeleton.names[joint] for joint in foot.joints}
            columns = [column for column, name in enumerate(contacts.joints) if name in names]
            stands &= contacts.planted[:, columns].any(axis=1)
    (_, left), (_, right) = roles.legs[:2]
    apart = clip.positions[stands, left[2]] - clip.positions[stands, right[2]]
    return float(np.hypot(apart[:, 0], apart[:, 2]).max(initial=0.0))
