"""Is everybody there, do they start as the scene says, do they reach their goals and stay?

Where somebody is, is read from the poses: the ground below the middle of the body, and where hips and shoulders
face.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.metrics.audit.events import violation
from walkon.metrics.audit.report import Violation
from walkon.take import Role, Take
from walkon.world import Character, Goal

POSE_SLACK, POSE_SLACK_ANGLE = 0.02, math.radians(3.0)
"""How far [m], [rad] poses may be from where the plan has the body: blending moves hips a little."""

WAITING_SWAY = 0.15
"""How far [m] outside the tolerance of its goal somebody who waits there may sway."""

START_SLACK, START_SLACK_ANGLE = 0.05, math.radians(10.0)
"""How far [m], [rad] the first pose may be from the start that the scene states."""


def check_presence(take: Take, shown: Sequence[str]) -> list[Violation]:
    """Everybody has one role and one performance, or is said to have no plan; nobody else plays.

    shown: names of those who play.
    """
    wrong = []
    named = {character.name for character in take.scene.characters}
    unplanned = Counter(name for name, _ in take.unplanned)
    roles, played = Counter(role.character for role in take.roles), Counter(shown)
    for name in sorted(named | set(roles) | set(played) | set(unplanned)):
        complaint = _complaint(name in named, unplanned[name], roles[name], played[name])
        if complaint:
            wrong.append(violation("presence", name, complaint, fps=take.fps, frames=(0, take.frames - 1)))
    if named and not roles and not wrong:
        first, reason = take.unplanned[0]
        message = f"nobody is in the take: no plan for any of {len(named)}; for {first}: {reason}"
        wrong.append(violation("presence", first, message, fps=take.fps, frames=(0, max(take.frames - 1, 0))))
    return wrong


def _complaint(known: bool, unplanned: int, roles: int, played: int) -> str:
    if not known:
        return "the scene has no such character"
    if roles + unplanned == 0:
        return "has no role, and is not listed as unplanned"
    if roles and unplanned:
        return "has a role although it is listed as unplanned"
    if roles > 1:
        return f"has {roles} roles"
    return "" if played == roles else f"is shown {played} times"


def check_goals(take: Take, character: Character, role: Role, places: Array, start: int) -> list[Violation]:
    """Start, times, way-points in order, the goal, and staying there, of one person.

    places: (F, 3) x, z, heading, from frame `start` of the take on.
    """
    return [
        *_start(take, character, role, places, start),
        *_times(take, character, role, len(places), start),
        *_way(take, character, role, places, start),
    ]


def _start(take: Take, character: Character, role: Role, places: Array, start: int) -> list[Violation]:
    wrong = []

    def complain(message: str, amount: float) -> None:
        where = (places[0, 0], 0.0, places[0, 1])
        wrong.append(
            violation(
                "start", character.name, message, fps=take.fps, frames=(start, start), place=where, amount=amount
            )
        )

    late = start - character.start_time * take.fps
    if abs(late) > 1.0:
        complain(f"appears at {start / take.fps:.2f} s instead of {character.start_time:.2f} s", late / take.fps)
    off = math.hypot(places[0, 0] - character.start.x, places[0, 1] - character.start.z)
    if off > START_SLACK:
        complain(f"starts {off * 100:.1f} cm from where the scene puts it", off)
    turn = _angle(places[0, 2] - character.start.heading)
    if turn > START_SLACK_ANGLE:
        complain(f"starts turned by {math.degrees(turn):.1f}° from its heading", turn)
    pose = take.clips[int(role.clips[0])].entry if len(role.clips) else ""
    if character.pose is not None and pose != character.pose:
        complain(f"starts in the pose {pose!r} instead of {character.pose!r}", 0.0)
    return wrong


def _times(take: Take, character: Character, role: Role, frames: int, start: int) -> list[Violation]:
    """Present from the first frame of the role to its end: the last of the take for whoever stays."""
    last = start + frames - 1
    message = ""
    if len(role.frames) and start != int(role.frames[0]):
        message = f"poses begin at frame {start}, the role at {int(role.frames[0])}"
    elif last > take.frames - 1:
        message = f"poses go on to frame {last}, the take to {take.frames - 1}"
    elif last < take.frames - 1 and not role.leaves:
        message = f"is gone after frame {last}, though it should stay to the end ({take.frames - 1})"
    elif role.leaves and role.arrival is not None and last < role.arrival:
        message = f"is gone after frame {last}, before it arrives ({role.arrival})"
    elif last < take.frames - 1 and character.goals and character.at_goal == "stay":
        message = f"is gone after frame {last}, though the scene says that it stays at its goal"
    if not message:
        return []
    return [violation("presence", role.character, message, fps=take.fps, frames=(start, last), worst=last)]


def _way(take: Take, character: Character, role: Role, places: Array, start: int) -> list[Violation]:
    """Way-points in order, each at or after the one before; then the goal, when the role says, and from then
    on."""
    end = start + len(places) - 1
    at = 0
    for number, goal in enumerate(character.goals[:-1], 1):
        near = np.flatnonzero(_is_at(places[at:], goal, POSE_SLACK))
        if not len(near):
            off = float(_distances(places[at:], goal).min())
            message = f"way-point {number} was missed: nearest {off:.2f} m, {goal.tolerance:.2f} m are allowed"
            return [_missed(take, character, goal, message, (start + at, end), off)]
        at += int(near[0])
    if not character.goals:
        return []
    goal = character.goals[-1]
    if role.arrival is None or not start <= role.arrival <= end:
        off = float(_distances(places[-1:], goal)[0])
        return [_missed(take, character, goal, f"the goal was not reached: {off:.2f} m away", (end, end), off)]
    arrival = role.arrival - start
    off = float(_distances(places[arrival:], goal)[0])
    if arrival < at or not _is_at(places[arrival : arrival + 1], goal, POSE_SLACK)[0]:
        turn = (
            math.degrees(_angle(places[arrival, 2] - (goal.heading or 0.0))) if goal.heading is not None else 0.0
        )
        message = f"not at the goal on arrival: {off:.2f} m away, {goal.tolerance:.2f} m are allowed"
        message += f", turned by {turn:.0f}°" if goal.heading is not None else ""
        message += ", before the last way-point" if arrival < at else ""
        return [_missed(take, character, goal, message, (role.arrival, role.arrival), off)]
    away = _distances(places[arrival:], goal)
    if not role.leaves and away.max() > goal.tolerance + WAITING_SWAY:
        message = f"leaves its goal after arriving: {away.max():.2f} m away"
        left = role.arrival + int(np.argmax(away > goal.tolerance + WAITING_SWAY))
        return [_missed(take, character, goal, message, (left, end), float(away.max()))]
    return []


def _missed(
    take: Take, character: Character, goal: Goal, message: str, frames: tuple[int, int], amount: float
) -> Violation:
    place = (goal.x, 0.0, goal.z)
    return violation("goal", character.name, message, fps=take.fps, frames=frames, place=place, amount=amount)


def _distances(places: Array, goal: Goal) -> Array:
    return np.hypot(places[:, 0] - goal.x, places[:, 1] - goal.z)


def _is_at(places: Array, goal: Goal, slack: float) -> NDArray[np.bool_]:
    """Whether places (F, 3) are where a goal asks, heading and all."""
    there = _distances(places, goal) <= goal.tolerance + slack
    if goal.heading is not None:
        turns = np.abs(np.angle(np.exp(1j * (places[:, 2] - goal.heading))))
        there &= turns <= goal.heading_tolerance + POSE_SLACK_ANGLE
    return there


def _angle(turn: float) -> float:
    """Size [rad] of a turn, the short way round."""
    return abs(math.atan2(math.sin(turn), math.cos(turn)))
