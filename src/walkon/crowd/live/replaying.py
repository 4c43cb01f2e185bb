"""The same run again, from its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from walkon.behaviors import BehaviorLibrary
from walkon.crowd.live.live import Live
from walkon.crowd.live.logbook import Log
from walkon.errors import SceneError
from walkon.records import JsonObject
from walkon.trees import Forest
from walkon.world import Scene
from walkon.world.scene_data import INLINE, build_character, build_goal, build_obstacle


def _part(values: Any, what: str) -> JsonObject:
    return JsonObject(values, what, SceneError)


_DOINGS: dict[str, Callable[[Live, dict[str, Any]], object]] = {
    "add": lambda live, given: live.add(build_character(_part(given["character"], "character"))),
    "remove": lambda live, given: live.remove(given["who"]),
    "set_agenda": lambda live, given: live.set_agenda(
        given["who"], [build_goal(_part(goal, "goal")) for goal in given["goals"]]
    ),
    "add_obstacle": lambda live, given: live.add_obstacle(
        build_obstacle(_part(given["obstacle"], "obstacle"), INLINE)
    ),
    "move_obstacle": lambda live, given: live.move_obstacle(**given),
    "remove_obstacle": lambda live, given: live.remove_obstacle(given["name"]),
    "planner": lambda live, given: setattr(live, "planner", given["name"]),
    "bodies": lambda live, given: setattr(live, "bodies", given["level"]),
}


def replay(
    scene: Scene,
    log: Log,
    library: BehaviorLibrary | None = None,
    tree: Forest | Sequence[Forest] | None = None,
    *,
    workers: int = 2,
    folder: Path | None = None,
    until: int | None = None,
) -> Live:
    """The live crowd of a log, played to the frame in which the log ends, or to `until`.

    scene, library, tree: as they were given to the first run; with other trees it is another run.
    Raises SceneError for a log that does not fit them.
    """
    live = Live(scene, library, tree, seed=log.seed, planner=log.planner, workers=workers, folder=folder)
    last = log.frames - 1 if until is None else min(until, log.frames - 1)
    for entry in log:
        if entry.frame > last:
            break
        while live.frame < entry.frame:
            live.step()
        if entry.what not in _DOINGS:
            raise SceneError(f"log, frame {entry.frame}: nothing is called {entry.what!r}")
        try:
            _DOINGS[entry.what](live, entry.arguments)
        except (KeyError, TypeError, ValueError) as error:
            raise SceneError(f"log, frame {entry.frame}, {entry.what}: {error}") from error
    while live.frame < last:
        live.step()
    return live
