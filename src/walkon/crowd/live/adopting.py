"""A live crowd becomes what a scene says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from walkon.errors import SceneError
from walkon.world import Scene

if TYPE_CHECKING:
    from walkon.crowd.live.live import Live


def adopt_scene(live: Live, scene: Scene) -> None:
    """See `Live.adopt`."""
    _adopt_obstacles(live, scene)
    characters = {character.name: character for character in scene.characters}
    for person in list(live.people.values()):
        if person.name not in characters:
            live.remove(person.number)
            continue
        goals = characters.pop(person.name).goals
        if goals != person.goals:
            live.set_agenda(person.number, goals)
    for character in live.coming:
        characters.pop(character.name, None)
    refused = []
    for character in characters.values():
        try:
            live.add(character)
        except SceneError as error:
            refused.append(str(error))
    if refused:
        raise SceneError("; ".join(refused[:5]))


def _adopt_obstacles(live: Live, scene: Scene) -> None:
    wanted = {obstacle.name: obstacle for obstacle in scene.obstacles}
    doors = {door.name for door in live.scene.doors}  # these open and shut by themselves
    for name in [name for name in live.obstacles if name not in wanted and name not in doors]:
        live.remove_obstacle(name)
    for name, obstacle in wanted.items():
        live.set_obstacle(name, obstacle)
