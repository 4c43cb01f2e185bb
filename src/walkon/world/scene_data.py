"""A scene as data: objects that JSON can hold, and back. Takes, logs of live crowds and the studio use it.

Arrays go wherever the caller keeps them: a take has them as members of its file, a log as lists in their places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.errors import SceneError
from walkon.records import JsonObject
from walkon.rotations import Placement
from walkon.world.bodies import LEVEL_BEFORE, check_level
from walkon.world.places import Choice
from walkon.world.scene import Character, Goal, HeightField, Obstacle, Scene
from walkon.world.script import VERBS, ScriptStep, verb_of
from walkon.world.shapes import SHAPES, Shape

Numbers = TypeVar("Numbers", Goal, Placement)
"""Dataclasses of numbers."""


class ArrayKeeper(Protocol):
    """Keeps arrays; what `add` returns stands for the array in the record."""

    def add(self, values: ArrayLike, dtype: str) -> Any:
        """Keep values as `dtype`."""
        ...


class ArraySource(Protocol):
    """Hands out arrays that were kept."""

    def get(self, record: JsonObject, key: str, dtype: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """The array that stands under a key of a record; None in the shape stands for any number."""
        ...


@dataclass(frozen=True)
class InlineArrays:
    """Arrays as lists, in the record itself. digits: how many decimals are kept; None keeps them all."""

    digits: int | None = None

    def add(self, values: ArrayLike, dtype: str) -> list[Any]:
        """The values as a list."""
        array = np.asarray(values, dtype=dtype)
        return (array if self.digits is None else array.round(self.digits)).tolist()

    def get(self, record: JsonObject, key: str, dtype: str, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """The list under a key as an array."""
        try:
            array = np.array(record.listed(key), dtype=dtype)
        except (ValueError, TypeError, OverflowError):
            raise record.error(f"{record.place}.{key} should be an array of numbers") from None
        if array.ndim != len(shape) or any(b not in (None, a) for a, b in zip(array.shape, shape, strict=True)):
            raise record.error(f"{record.place}.{key} should be an array {shape}, not {array.shape}")
        return array


INLINE = InlineArrays()


def describe_scene(scene: Scene, arrays: ArrayKeeper) -> dict[str, Any]:
    """All of a scene."""
    return {
        "name": scene.name,
        "bounds": dict(zip(("x0", "z0", "x1", "z1"), map(float, scene.bounds), strict=True)),
        "duration": float(scene.duration),
        "fps": float(scene.fps),
        "clearance": float(scene.clearance),
        "bodies": str(scene.bodies),
        "terrain": describe_terrain(scene.terrain, arrays),
        "obstacles": [describe_obstacle(obstacle, arrays) for obstacle in scene.obstacles],
        "characters": [describe_character(character) for character in scene.characters],
        **_describe_demand(scene),
    }


def _describe_demand(scene: Scene) -> dict[str, Any]:
    """Places, doors with hours and stairs as tables, as files have them; nothing where there are none."""
    from walkon.world.document_places import describe_door, describe_place, describe_stairs

    described = {
        "places": [describe_place(place) for place in scene.places],
        "doors": [describe_door(door) for door in scene.doors],
        "stairs": [describe_stairs(stairs) for stairs in scene.stairs],
    }
    return {key: tables for key, tables in described.items() if tables}


def _build_demand(record: JsonObject) -> dict[str, Any]:
    from walkon.world import document_places as tables

    def made(key: str, kind: Any, make: Callable[[Any], Any]) -> tuple[Any, ...]:
        try:
            listed = record.records(key) if record.has(key) else ()
            return tuple(make(tables.read_table(kind, dict(one.items()))) for one in listed)
        except SceneError as error:
            raise record.error(f"{record.place}.{key}: {error}") from None

    return {
        "places": made("places", tables.PlaceTable, tables.make_place),
        "doors": made("doors", tables.DoorTable, tables.make_door),
        "stairs": made("stairs", tables.StairsTable, lambda table: tables.make_stairs(table, "stairs")),
    }


def build_scene(record: JsonObject, arrays: ArraySource) -> Scene:
    """The scene that was described."""
    bounds, terrain = record.record("bounds"), record.record("terrain")
    return Scene(
        name=record.text("name"),
        bounds=(bounds.number("x0"), bounds.number("z0"), bounds.number("x1"), bounds.number("z1")),
        duration=record.number("duration"),
        fps=record.number("fps"),
        clearance=record.number("clearance"),
        bodies=check_level(record.text("bodies")) if record.has("bodies") else LEVEL_BEFORE,
        terrain=HeightField(
            terrain.number("origin_x"),
            terrain.number("origin_z"),
            terrain.number("cell"),
            arrays.get(terrain, "heights", "<f8", (None, None)),
        ),
        obstacles=tuple(build_obstacle(item, arrays) for item in record.records("obstacles")),
        characters=tuple(build_character(item) for item in record.records("characters")),
        **_build_demand(record),
    )


def describe_terrain(terrain: HeightField, arrays: ArrayKeeper, *, stride: int = 1) -> dict[str, Any]:
    """The heights of the ground, of every n-th row and column if a stride is given."""
    return {
        "origin_x": float(terrain.origin_x),
        "origin_z": float(terrain.origin_z),
        "cell": float(terrain.cell) * stride,
        "heights": arrays.add(terrain.heights[::stride, ::stride], "<f8"),
    }


def describe_obstacle(obstacle: Obstacle, arrays: ArrayKeeper) -> dict[str, Any]:
    """All of an obstacle."""
    return {
        "name": obstacle.name,
        "shape": describe_shape(obstacle.shape, arrays),
        "positions": arrays.add(obstacle.positions, "<f8"),
        "rotations": arrays.add(obstacle.rotations, "<f8"),
        "passes": list(obstacle.passes),
        "known": bool(obstacle.known),
    }


def build_obstacle(record: JsonObject, arrays: ArraySource) -> Obstacle:
    """The obstacle that was described."""
    return Obstacle(
        name=record.text("name"),
        shape=build_shape(record.record("shape"), arrays),
        positions=arrays.get(record, "positions", "<f8", (None, 3)),
        rotations=arrays.get(record, "rotations", "<f8", (None, 4)),
        passes=record.texts("passes"),
        known=record.flag("known"),
    )


def describe_shape(shape: Shape, arrays: ArrayKeeper) -> dict[str, Any]:
    """The kind of a shape and its fields."""
    described: dict[str, Any] = {"kind": shape.kind}
    for name in shape.field_names():
        value, array = getattr(shape, name), shape.ARRAYS.get(name)
        described[name] = float(value) if array is None else arrays.add(value, array[0])
    return described


def build_shape(record: JsonObject, arrays: ArraySource) -> Shape:
    """The shape that was described."""
    kind = record.text("kind")
    if kind not in SHAPES:
        raise record.error(f"{record.place}: no shape {kind!r:.40}")
    shape = SHAPES[kind]
    values: dict[str, Any] = {name: arrays.get(record, name, *array) for name, array in shape.ARRAYS.items()}
    lengths = {name: record.number(name) for name in shape.field_names() if name not in values}
    return shape(**values, **lengths)


def describe_character(character: Character) -> dict[str, Any]:
    """All of a character; no script if it has none."""
    described = {
        "name": character.name,
        "start": _describe_numbers(character.start),
        "goals": [describe_goal(goal) for goal in character.goals],
        "library": character.library,
        "performer": int(character.performer),
        "pose": character.pose,
        "start_time": float(character.start_time),
        "at_goal": character.at_goal,
        # Factors multiply, so their order means nothing: equal scenes give equal bytes.
        "weights": {name: float(character.weights[name]) for name in sorted(character.weights)},
        "without": list(character.without),
        "climb": float(character.climb),
        "priority": int(character.priority),
    }
    # What was added to scenes later is left out where it says nothing: takes of before stay as they are.
    if character.speed is not None:
        described["speed"] = float(character.speed)
    if character.premovement:
        described["premovement"] = float(character.premovement)
    if character.exits:
        described |= {"exits": list(character.exits), "choose": character.choose}
    if character.group:
        described["group"] = character.group
    if character.script:
        described["script"] = [describe_step(step) for step in character.script]
    return described


def build_character(record: JsonObject) -> Character:
    """The character that was described."""
    weights, at_goal = record.record("weights"), record.text("at_goal")
    if at_goal not in ("stay", "leave"):
        raise record.error(f"{record.place}.at_goal should be stay or leave")
    return Character(
        name=record.text("name"),
        start=_build_numbers(Placement, record.record("start")),
        goals=tuple(build_goal(goal) for goal in record.records("goals")),
        library=record.text("library"),
        performer=record.integer("performer"),
        pose=record.text("pose") if record.has("pose") else None,
        start_time=record.number("start_time"),
        at_goal="leave" if at_goal == "leave" else "stay",
        weights=MappingProxyType({name: weights.number(name) for name, _ in weights.items()}),
        without=record.texts("without"),
        climb=record.number("climb"),
        priority=record.integer("priority"),
        script=tuple(build_step(step) for step in record.records("script")) if record.has("script") else (),
        speed=record.number("speed") if record.has("speed") else None,
        premovement=record.number("premovement") if record.has("premovement") else 0.0,
        exits=record.texts("exits") if record.has("exits") else (),
        choose=_build_choice(record),
        group=record.text("group") if record.has("group") else "",
    )


def _build_choice(record: JsonObject) -> Choice:
    said = record.text("choose") if record.has("choose") else "nearest"
    for choice in get_args(Choice):
        if said == choice:
            return choice
    raise record.error(f"{record.place}.choose should be one of {', '.join(get_args(Choice))}")


def describe_goal(goal: Goal) -> dict[str, Any]:
    """All of a goal."""
    return _describe_numbers(goal) | ({"place": goal.place} if goal.place else {})


def build_goal(record: JsonObject) -> Goal:
    """The goal that was described."""
    return replace(_build_numbers(Goal, record), place=record.text("place") if record.has("place") else "")


def describe_step(step: ScriptStep) -> dict[str, Any]:
    """The verb of a step of a script, and its fields."""
    described: dict[str, Any] = {"verb": verb_of(step)}
    for field in fields(step):
        value = getattr(step, field.name)
        described[field.name] = None if value is None else _STEP_FIELDS[str(field.type)][0](value)
    return described


def build_step(record: JsonObject) -> ScriptStep:
    """The step that was described."""
    verb = record.text("verb")
    if verb not in VERBS:
        raise record.error(f"{record.place}: no step {verb!r:.40} of a script")
    values = {field.name: _STEP_FIELDS[str(field.type)][1](record, field.name) for field in fields(VERBS[verb])}
    return VERBS[verb](**values)


def _describe_numbers(thing: Any) -> dict[str, float | None]:
    """The fields of a dataclass of numbers, some of which may be None."""
    values = ((field.name, getattr(thing, field.name)) for field in fields(thing))
    return {name: None if value is None else float(value) for name, value in values if not isinstance(value, str)}


def _build_numbers(kind: type[Numbers], record: JsonObject) -> Numbers:
    """A dataclass of numbers; those whose default is None may be null."""
    values: dict[str, Any] = {}
    for field in fields(kind):
        if isinstance(field.default, str):
            continue
        optional = field.default is None
        values[field.name] = None if optional and not record.has(field.name) else record.number(field.name)
    return kind(**values)


def _points(record: JsonObject, key: str) -> tuple[tuple[float, float], ...]:
    return tuple((point.number("x"), point.number("z")) for point in record.records(key))


_STEP_FIELDS: dict[str, tuple[Callable[[Any], Any], Callable[[JsonObject, str], Any]]] = {
    "bool": (bool, JsonObject.flag),
    "int": (int, JsonObject.integer),
    "float": (float, JsonObject.number),
    "float | None": (float, lambda record, key: record.number(key) if record.has(key) else None),
    "str": (str, JsonObject.text),
    "tuple[tuple[float, float], ...]": (lambda points: [{"x": x, "z": z} for x, z in points], _points),
}
"""How the fields of steps are written and read, by their type."""
