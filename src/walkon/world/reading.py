"""From a scene file to a `Scene`: read, checked, files fetched, simulations run, crowds drawn.

Whatever is wrong is collected and said at once: what the schema refuses, and what does not make sense in the parts
that it accepts.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from walkon.confining import check_inside, open_input
from walkon.errors import SceneError
from walkon.formats import SCENE_SUFFIX
from walkon.records import too_many_tables
from walkon.world.assembly import Assembly
from walkon.world.document import LISTS, SceneDocument
from walkon.world.document_messages import place_of
from walkon.world.problems import Problems, SceneFileError, SceneProblem
from walkon.world.scene import Scene
from walkon.world.toml_lines import find_lines

MOST_BYTES = 5_000_000
"""Size of a scene file. TOML takes seventy times its size to read: more would break the promise about memory."""

DEEPEST = 20
"""Lists in lists of a scene file; a valid one needs five."""

_PART = r"""(?>[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
LONG_KEY = re.compile(rf"""(?<![\w-]){_PART}(?>[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST},}}""")
"""A dotted key of more than DEEPEST parts: `a.b.c`, quoted or not. Nothing in it is tried twice, so looking
for it takes time in proportion to the text."""


def read_scene(path_or_text: Path | str, *, seed: int = 0, folder: Path | str | None = None) -> Scene:
    """The scene in a .toml file, or in TOML text; the same seed gives the same scene.

    A string is text if it has a line end or an equals sign in it and does not end in `.toml`. Files that the scene
    names are sought beside the scene file, or in `folder` (for text: the current folder unless told).

    Raises SceneError, whose message lists everything wrong with the place and line of each; MissingExtraError
    where a mesh or a simulation needs a package that is not there.
    """
    path = _path_in(path_or_text)
    source = "scene" if path is None else str(path)
    text = str(path_or_text) if path is None else _read_text(path)
    if folder is None:
        folder = Path() if path is None else path.parent
    name = "scene" if path is None else path.stem
    return _scene_from(text, source, name, Path(folder), seed)


def scene_schema() -> dict[str, Any]:
    """JSON schema of a scene file, for editors that complete and check TOML."""
    schema = SceneDocument.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "walkon scene"}


def _path_in(path_or_text: Path | str) -> Path | None:
    """The path, if it is one."""
    if isinstance(path_or_text, Path):
        return path_or_text
    is_text = "\n" in path_or_text or "=" in path_or_text or not path_or_text.strip()
    return None if is_text and not path_or_text.endswith(SCENE_SUFFIX) else Path(path_or_text)


def _read_text(path: Path) -> str:
    try:
        check_inside(path)
        if not path.is_file():
            raise SceneError(f"{path}: is no file" if path.exists() else f"{path}: no such file")
        with open_input(path) as stream:
            data = stream.read(MOST_BYTES + 1)
        return data.decode("utf-8-sig")
    except SceneError:
        raise
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SceneFileError(str(path), [SceneProblem("", line, "is not UTF-8 text")]) from None
    except (OSError, ValueError) as error:
        raise SceneError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _scene_from(text: str, source: str, name: str, folder: Path, seed: int) -> Scene:
    data = _parse(text, source)
    problems = Problems(source, find_lines(text))
    document, origins = _validate(data, problems)
    scene = None
    if document is not None:
        try:
            scene = Assembly(document, origins, folder, seed, problems).make_scene(name)
        except SceneError as error:
            problems.add((), str(error))
    problems.raise_if_any()
    if scene is None:
        raise SceneError(f"{source}: makes no scene")
    return scene


def _parse(text: str, source: str) -> dict[str, Any]:
    """The TOML as plain data, lists as tuples."""
    if len(text) > MOST_BYTES:
        raise SceneError(f"{source}: larger than {MOST_BYTES / 1e6:g} MB, the most that is read")
    if too_many_tables(text):
        raise SceneError(f"{source}: names more tables than any scene")
    deep = LONG_KEY.search(text)
    if deep is not None:
        # tomllib takes time that grows with the square of a key's length.
        problem = SceneProblem("", text.count("\n", 0, deep.start()) + 1, f"a key of more than {DEEPEST} parts")
        raise SceneFileError(source, [problem])
    try:
        return _tuples(tomllib.loads(text), 0)
    except tomllib.TOMLDecodeError as error:
        raise SceneFileError(source, [_syntax_problem(str(error), text)]) from None
    except (RecursionError, ValueError) as error:
        # Numbers of thousands of digits, impossible dates, or lists in lists without end.
        message = "tables or lists too deep in each other" if isinstance(error, RecursionError) else str(error)
        raise SceneFileError(source, [SceneProblem("", None, f"no valid TOML: {message}")]) from None


def _syntax_problem(message: str, text: str) -> SceneProblem:
    """A complaint of tomllib, its `(at line 3, column 5)` taken apart."""
    what, _, where = message.partition(" (at ")
    line = None
    if where.startswith("line "):
        line = int(where[5:].split(",")[0])
    elif where.startswith("end of document"):
        line = text.count("\n") + 1
        what += " at the end of the file"
    return SceneProblem("", line, f"no valid TOML: {what[:1].lower()}{what[1:]}")


def _tuples(value: Any, depth: int) -> Any:
    if depth > DEEPEST:
        raise ValueError(f"tables or lists more than {DEEPEST} deep in each other")
    if isinstance(value, list):
        return tuple(_tuples(part, depth + 1) for part in value)
    if isinstance(value, dict):
        return {key: _tuples(part, depth + 1) for key, part in value.items()}
    return value


def _validate(data: dict[str, Any], problems: Problems) -> tuple[SceneDocument | None, dict[str, list[int]]]:
    """The document, or what is left of it without its wrong parts; and where the elements of its lists were."""
    origins = {key: list(range(len(data[key]))) for key in LISTS if isinstance(data.get(key), tuple)}
    for _ in range(3):
        try:
            return SceneDocument.model_validate(data), origins
        except ValidationError as error:
            problems.add_all(error, origins)
            places = [place_of(detail) for detail in error.errors(include_url=False)]
        data, origins = _without(data, origins, places)
        if "bounds" not in data:
            break
    return None, origins


def _without(
    data: dict[str, Any], origins: dict[str, list[int]], places: list[tuple[str | int, ...]]
) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """The data without the elements of lists, or the keys, in which these places are."""
    dropped = {place[:2] if place[0] in LISTS else place[:1] for place in places if place}
    kept, kept_origins = {}, {}
    for key, value in data.items():
        if (key,) in dropped:
            continue
        if key in origins:
            numbers = [number for number in range(len(value)) if (key, number) not in dropped]
            kept[key] = tuple(value[number] for number in numbers)
            kept_origins[key] = [origins[key][number] for number in numbers]
        else:
            kept[key] = value
    return kept, kept_origins
