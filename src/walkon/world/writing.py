"""From a `Scene` back to a scene file: what people can read stands in it, arrays lie in a folder beside it."""

from __future__ import annotations

import io
import os
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from walkon.errors import SceneError
from walkon.files import write_bytes
from walkon.formats import SCENE_SUFFIX
from walkon.world.document import SceneDocument
from walkon.world.document_places import describe_door, describe_place, describe_stairs
from walkon.world.problems import Problems
from walkon.world.reading import MOST_BYTES
from walkon.world.scene import Character, Goal, HeightField, Scene
from walkon.world.script_goals import follows_script
from walkon.world.script_tables import describe_script
from walkon.world.sheets import Sheets
from walkon.world.terrain import HIGHEST, MOST_CELLS
from walkon.world.toml_lines import find_lines
from walkon.world.toml_text import table_text
from walkon.world.writing_obstacles import describe_obstacle, in_degrees

_AS_THEY_ARE = (
    "performer", "pose", "start_time", "premovement", "speed", "at_goal", "without", "climb", "priority",
)  # fmt: skip
"""What characters and their tables have under the same names."""

HEADING = "# A scene for walkon. Metres, seconds, degrees; docs/scenes.md says what can be said here."


def write_scene(scene: Scene, path: Path | str) -> tuple[Path, ...]:
    """Write a scene as a .toml file, and what people do not type (ground heights, meshes, motion) as files in a
    folder beside it: `park.toml` and `park.files/`. Returns what was written, the scene file last.

    `read_scene` makes the same scene of it: numbers are the same to the last bit, but angles, rotations and the
    heights of obstacles, which are the same to within 1e-9. Rotations may change their sign. What cannot be said:
    frames after the scene's duration are left out; someone without a goal gets the place it starts at; a level
    ground has no grid of its own; the lowest point of a mesh is put at the height 0 of its frame.

    Raises SceneError, and writes nothing, where something is larger than a scene file may have it. Whether people
    stand in walls is not asked: `read_scene` says so when the file is read.
    """
    path = Path(path)
    files = scene_files(scene, stem=path.stem, folder=path.parent, suffix=path.suffix or SCENE_SUFFIX)
    for name, data in files.items():
        write_bytes(path.parent / name, data)
    return tuple(path.parent / name for name in files)


def scene_text(scene: Scene, *, stem: str = "scene", folder: Path | str = ".") -> str:
    """The text of the scene file that `write_scene` would write to `folder` under the name `stem`."""
    *_, data = scene_files(scene, stem=stem, folder=folder).values()
    return data.decode()


def scene_files(
    scene: Scene, *, stem: str = "scene", folder: Path | str = ".", suffix: str = SCENE_SUFFIX
) -> dict[str, bytes]:
    """All files of a scene by their names relative to `folder`, the scene file last."""
    sheets = Sheets(f"{stem}.files")
    parts = [f"{HEADING}\n{table_text('', _describe_scene(scene))}"]
    terrain = _describe_terrain(scene, sheets)
    if terrain:
        parts.append(table_text("[terrain]", terrain))
    for obstacle in scene.obstacles:
        table, motion = describe_obstacle(obstacle, scene, sheets)
        moving = table_text("[obstacles.motion]", motion) if motion else ""
        parts.append(table_text("[[obstacles]]", table) + moving)
    for place in scene.places:
        parts.append(table_text("[[places]]", describe_place(place)))
    for door in scene.doors:
        parts.append(table_text("[[doors]]", describe_door(door)))
    for stairs in scene.stairs:
        parts.append(table_text("[[stairs]]", describe_stairs(stairs)))
    parts += [_character_text(character, Path(folder)) for character in scene.characters]
    text = "\n".join(parts)
    _check(text, scene.name)
    return {**sheets.files, f"{stem}{suffix}": text.encode()}


def _check(text: str, name: str) -> None:
    """Raise unless the schema of scene files accepts the text."""
    if len(text) > MOST_BYTES:
        raise SceneError(f"scene {name!r}: more than {MOST_BYTES / 1e6:g} MB as a scene file")
    try:
        text.encode()
        SceneDocument.model_validate(_tuples(tomllib.loads(text)))
    except UnicodeEncodeError:
        raise SceneError(f"scene {name!r}: holds a text that cannot be written as UTF-8") from None
    except ValidationError as error:
        problems = Problems(f"scene {name!r} as a file", find_lines(text))
        problems.add_all(error, {})
        problems.raise_if_any()


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_tuples, value))
    return {key: _tuples(part) for key, part in value.items()} if isinstance(value, dict) else value


def _describe_scene(scene: Scene) -> dict[str, Any]:
    return {
        "name": scene.name,
        "bounds": scene.bounds,
        "duration": scene.duration,
        "fps": scene.fps,
        "clearance": scene.clearance,
        "bodies": scene.bodies,
    }


def _describe_terrain(scene: Scene, sheets: Sheets) -> dict[str, Any]:
    """Nothing for level ground at height 0."""
    terrain = scene.terrain
    if terrain.is_flat:
        return {}
    if terrain.heights.size > MOST_CELLS or np.abs(terrain.heights).max() > HIGHEST:
        raise SceneError(
            f"scene {scene.name!r}: a scene file holds {MOST_CELLS} ground heights of at most {HIGHEST:g} m"
        )
    stream = io.BytesIO()
    np.save(stream, terrain.heights, allow_pickle=False)
    name = sheets.add("terrain.npy", stream.getvalue())
    table: dict[str, Any] = {"array": name, "area": _area_of(terrain)}
    if 0.01 <= terrain.cell <= 100.0:
        table["cell"] = terrain.cell
    return table


def _area_of(terrain: HeightField) -> tuple[float, float, float, float]:
    rows, columns = terrain.heights.shape
    x, z, cell = terrain.origin_x, terrain.origin_z, terrain.cell
    return x, z, x + cell * (columns - 1), z + cell * (rows - 1)


def _character_text(character: Character, folder: Path) -> str:
    """The table of a character, and those of its script."""
    goals = character.goals or (Goal(character.start.x, character.start.z),)
    table = _describe_character(character, goals, folder)
    steps = describe_script(character, goals[-1])
    return table_text("[[characters]]", table) + "".join(table_text("[[characters.script]]", one) for one in steps)


def _describe_character(character: Character, goals: tuple[Goal, ...], folder: Path) -> dict[str, Any]:
    """What differs from the defaults; `tolerance` is that of the goal, and of way-points that say nothing."""
    start = character.start
    *via, goal = goals
    usual = Character("", start, ())
    table: dict[str, Any] = {
        "name": character.name,
        "start": (start.x, start.z),
        "heading": in_degrees(start.heading),
    }
    arrival = _describe_arrival(goal, Goal.tolerance, "goal_heading")
    if follows_script(character):
        arrival.pop("goal_heading", None)
    else:
        table["goal"] = (goal.x, goal.z)
        if via:
            table["via"] = [_describe_waypoint(one, goal.tolerance) for one in via]
    table |= arrival
    if character.library != usual.library:
        table["library"] = _beside(character.library, folder)
    for key in _AS_THEY_ARE:
        if getattr(character, key) != getattr(usual, key):
            table[key] = getattr(character, key)
    if character.exits:
        table |= {"to": character.exits, "choose": character.choose}
    if character.group:
        table["group"] = character.group
    if character.weights:
        table["weights"] = dict(character.weights)
    return table


def _describe_waypoint(goal: Goal, tolerance: float) -> Any:
    """A place alone, or a table of what else is wanted there."""
    more = _describe_arrival(goal, tolerance, "heading") | ({"place": goal.place} if goal.place else {})
    return {"at": (goal.x, goal.z), **more} if more else (goal.x, goal.z)


def _describe_arrival(goal: Goal, tolerance: float, heading: str) -> dict[str, Any]:
    """How near to a goal and looking where, if that is not as usual."""
    table: dict[str, Any] = {}
    if goal.tolerance != tolerance:
        table["tolerance"] = goal.tolerance
    if goal.heading is not None:
        table[heading] = in_degrees(goal.heading)
    if goal.heading_tolerance != Goal.heading_tolerance:
        table["heading_tolerance"] = in_degrees(goal.heading_tolerance)
    return table


def _beside(library: str, folder: Path) -> str:
    """A folder as seen from that of the scene file; the name of a cast as it is."""
    if "/" not in library and "\\" not in library:
        return library
    path = Path(library)
    if path.is_absolute() and not path.is_relative_to(folder.absolute()):
        return path.as_posix()
    beside = Path(os.path.relpath(path.absolute(), folder.absolute())).as_posix()
    return beside if "/" in beside else f"./{beside}"
