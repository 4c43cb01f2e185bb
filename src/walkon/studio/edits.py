"""Edits: what a message asks for, done to the live crowd. What cannot be raises SceneError and changes nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.studio.changes import Change, remember_people
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
    SetGoal,
)

if TYPE_CHECKING:
    from walkon.crowd.live import Live
    from walkon.studio.crowding import Crowding
    from walkon.studio.props import Props


def apply_edit(  # noqa: PLR0911 - one for each kind of edit
    live: Live, props: Props, crowding: Crowding, edit: Edit
) -> Change | None:
    """Do it; None where there is nothing to do yet, such as for a person who is still being dragged."""
    match edit:
        case AddObstacle():
            return _add_obstacle(props, edit)
        case MoveObstacle():
            before = props[edit.name]
            return Change(obstacles={edit.name: (before, props.move(edit.name, edit.x, edit.z, edit.heading))})
        case Remove():
            return _remove(live, props, crowding, edit)
        case SetGoal():
            return _set_goal(live, crowding, edit)
        case MovePerson():
            return _move_person(live, crowding, edit) if edit.final else None
        case AddPeople():
            return crowding.add_group(edit.x, edit.z, edit.radius, edit.count, edit.goal)
        case AddFlow():
            return crowding.add_flow(edit.origin, edit.to, edit.count, edit.over)
    raise SceneError(f"no edit of the kind {type(edit).__name__}")


def _add_obstacle(props: Props, edit: AddObstacle) -> Change:
    if len(props) >= MOST_OBSTACLES:
        raise SceneError(f"the studio takes {MOST_OBSTACLES} obstacles")
    kind = edit.obstacle.shape.kind
    name = edit.obstacle.name or next(name for n in count(1) if (name := f"{kind} {n}") not in props)
    obstacle = make_obstacle(edit.obstacle, name, props.terrain)
    if obstacle.moves:
        moving = sum(len(other.positions) for other in props if other.moves)
        if moving + len(obstacle.positions) > MOST_MOVING_FRAMES:
            raise SceneError("too many long ways of moving obstacles; remove one first")
    props.add(obstacle)
    return Change(obstacles={name: (None, obstacle)})


def _remove(live: Live, props: Props, crowding: Crowding, edit: Remove) -> Change:
    things = {name: props[name] for name in edit.obstacles}
    # Somebody may have left since the page was drawn: that is no mistake.
    people = [who for who in dict.fromkeys(edit.people) if who in live.people]
    if not things and not people:
        raise SceneError("nobody and nothing of that is there any more")
    characters = remember_people(live, people) if people else {}
    for name in things:
        props.remove(name)
    for who in people:
        live.remove(who)
        crowding.wanderers.discard(who)
    return Change(
        {name: (obstacle, None) for name, obstacle in things.items()},
        {character.name: (character, None) for character in characters.values()},
    )


def _set_goal(live: Live, crowding: Crowding, edit: SetGoal) -> Change:
    people = [who for who in dict.fromkeys(edit.people) if who in live.people]
    if not people:
        raise SceneError("nobody of these is there any more")
    before = remember_people(live, people)
    if edit.x is None or edit.z is None:
        goals = [None] * len(people)
    else:
        goals = crowding.goals_around(len(people), edit.x, edit.z, edit.spread)
    live.set_goals(people, goals)
    crowding.wanderers.difference_update(people)
    after = remember_people(live, people)
    return Change(people={before[who].name: (before[who], after[who]) for who in people}, who=frozenset(people))


def _move_person(live: Live, crowding: Crowding, edit: MovePerson) -> Change:
    """Someone is put elsewhere: gone here, there under the same name and another number."""
    if edit.who not in live.people:
        raise SceneError("this person is not there any more")
    before = remember_people(live, [edit.who])[edit.who]
    after = replace(before, start=Placement(edit.x, edit.z, before.start.heading))
    live.remove(edit.who)
    try:
        who = live.add(after)
    except SceneError:
        crowding.replace(edit.who, live.add(before))
        raise
    crowding.replace(edit.who, who)
    return Change(people={before.name: (before, after)}, moved={before.name}, who=frozenset([who]))
