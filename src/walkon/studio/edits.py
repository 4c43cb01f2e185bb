"""Edits: what a message asks for, done to the live crowd. What cannot be raises SceneError and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.studio.changes import SceneChange
from walkon.studio.limits import MOST_MOVING_FRAMES, MOST_OBSTACLES
from walkon.studio.obstacles_in import make_obstacle
from walkon.studio.protocol import (
    AddFlow,
    AddObstacle,
    AddPeople,
    Edit,
    MoveObstacle,
    MovePerson,
    Remove,
    SetBodies,
    SetGoal,
)

if TYPE_CHECKING:
    from walkon.studio.crowding import Crowding
    from walkon.studio.live_crowd import LiveCrowd


def apply_edit(live: LiveCrowd, crowding: Crowding, edit: Edit) -> SceneChange | None:
    """Do it; None where there is nothing to do yet, such as for a person who is still being dragged."""
    return _DOINGS[type(edit)](live, crowding, edit)


def _add_obstacle(live: LiveCrowd, _: Crowding, edit: AddObstacle) -> SceneChange:
    if len(live.obstacles) >= MOST_OBSTACLES:
        raise SceneError(f"the studio takes {MOST_OBSTACLES} obstacles")
    kind = edit.obstacle.shape.kind
    name = edit.obstacle.name or next(name for n in count(1) if (name := f"{kind} {n}") not in live.obstacles)
    obstacle = make_obstacle(edit.obstacle, name, live.world.scene.terrain)
    if obstacle.moves:
        moving = sum(len(other.positions) for other in live.obstacles.values() if other.moves)
        if moving + len(obstacle.positions) > MOST_MOVING_FRAMES:
            raise SceneError("too many long ways of moving obstacles; remove one first")
    live.add_obstacle(obstacle)
    return SceneChange(obstacles={name: (None, obstacle)})


def _move_obstacle(live: LiveCrowd, _: Crowding, edit: MoveObstacle) -> SceneChange:
    before = live.obstacles.find(edit.name)
    live.move_obstacle(edit.name, edit.x, edit.z, edit.heading)
    return SceneChange(obstacles={edit.name: (before, live.obstacles[edit.name])})


def _remove(live: LiveCrowd, crowding: Crowding, edit: Remove) -> SceneChange:
    things = {name: live.obstacles.find(name) for name in edit.obstacles}
    # Somebody may have left since the page was drawn: that is no mistake.
    people = [who for who in dict.fromkeys(edit.people) if who in live.people]
    if not things and not people:
        raise SceneError("nobody and nothing of that is there any more")
    characters = [live.character(who) for who in people]
    for name in things:
        live.set_obstacle(name, None)
    for who in people:
        live.remove(who)
        crowding.wanderers.discard(who)
    return SceneChange(
        {name: (obstacle, None) for name, obstacle in things.items()},
        {character.name: (character, None) for character in characters},
    )


def _set_goal(live: LiveCrowd, crowding: Crowding, edit: SetGoal) -> SceneChange:
    people = [who for who in dict.fromkeys(edit.people) if who in live.people]
    if not people:
        raise SceneError("nobody of these is there any more")
    before = [live.character(who) for who in people]
    if edit.x is None or edit.z is None:
        goals = [None] * len(people)
    else:
        goals = crowding.goals_around(len(people), edit.x, edit.z, edit.spread)
    live.set_goals(people, goals)
    crowding.wanderers.difference_update(people)
    now = [live.character(who) for who in people]
    return SceneChange(
        people={old.name: (old, new) for old, new in zip(before, now, strict=True)}, who=frozenset(people)
    )


def _move_person(live: LiveCrowd, crowding: Crowding, edit: MovePerson) -> SceneChange | None:
    """Someone is put elsewhere: gone here, there under the same name and another number."""
    if not edit.final:
        return None
    if edit.who not in live.people:
        raise SceneError("this person is not there any more")
    before = live.character(edit.who)
    after = replace(before, start=Placement(edit.x, edit.z, before.start.heading))
    live.remove(edit.who)
    try:
        who = live.add(after)
    except SceneError:
        crowding.replace(edit.who, live.add(before))
        raise
    crowding.replace(edit.who, who)
    return SceneChange(people={before.name: (before, after)}, moved={before.name}, who=frozenset([who]))


def _add_people(_: LiveCrowd, crowding: Crowding, edit: AddPeople) -> SceneChange:
    return crowding.add_group(edit.x, edit.z, edit.radius, edit.count, edit.goal)


def _add_flow(_: LiveCrowd, crowding: Crowding, edit: AddFlow) -> SceneChange:
    return crowding.add_flow(edit.origin, edit.to, edit.count, edit.over)


def _set_bodies(live: LiveCrowd, _: Crowding, edit: SetBodies) -> SceneChange | None:
    before = live.bodies
    if before == edit.level:
        return None
    live.bodies = edit.level
    return SceneChange(bodies=(before, edit.level))


_DOINGS: dict[type[Edit], Callable[[LiveCrowd, Crowding, Any], SceneChange | None]] = {
    AddObstacle: _add_obstacle,
    MoveObstacle: _move_obstacle,
    Remove: _remove,
    SetGoal: _set_goal,
    MovePerson: _move_person,
    AddPeople: _add_people,
    AddFlow: _add_flow,
    SetBodies: _set_bodies,
}
"""What each kind of edit does. Whoever adds one to `protocol.py` adds it here."""
