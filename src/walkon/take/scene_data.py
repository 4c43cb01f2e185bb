"""A scene as JSON and arrays, and back."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from walkon.errors import TakeError
from walkon.rotations import Placement
from walkon.take.arrays import ArrayReader, ArrayWriter
from walkon.take.records import Record
from walkon.take.script_data import build_step, describe_step
from walkon.world import SHAPES, Character, Goal, HeightField, Obstacle, Scene, Shape


def describe_scene(scene: Scene, arrays: ArrayWriter) -> dict[str, Any]:
    """All of a scene; its arrays go to `arrays`, and their names here."""
    terrain = scene.terrain
    return {
        "name": scene.name,
        "bounds": dict(zip(("x0", "z0", "x1", "z1"), map(float, scene.bounds), strict=True)),
        "duration": float(scene.duration),
        "fps": float(scene.fps),
        "clearance": float(scene.clearance),
        "terrain": {
            "origin_x": float(terrain.origin_x),
            "origin_z": float(terrain.origin_z),
            "cell": float(terrain.cell),
            "heights": arrays.add(terrain.heights, "<f8"),
        },
        "obstacles": [_describe_obstacle(obstacle, arrays) for obstacle in scene.obstacles],
        "characters": [_describe_character(character) for character in scene.characters],
    }


def build_scene(record: Record, arrays: ArrayReader) -> Scene:
    """The scene that was described."""
    bounds, terrain = record.record("bounds"), record.record("terrain")
    return Scene(
        name=record.text("name"),
        bounds=(bounds.number("x0"), bounds.number("z0"), bounds.number("x1"), bounds.number("z1")),
        duration=record.number("duration"),
        fps=record.number("fps"),
        clearance=record.number("clearance"),
        terrain=HeightField(
            terrain.number("origin_x"),
            terrain.number("origin_z"),
            terrain.number("cell"),
            arrays.get(terrain.text("heights"), "<f8", (None, None)),
        ),
        obstacles=tuple(_build_obstacle(item, arrays) for item in record.records("obstacles")),
        characters=tuple(_build_character(item) for item in record.records("characters")),
    )


def _describe_obstacle(obstacle: Obstacle, arrays: ArrayWriter) -> dict[str, Any]:
    return {
        "name": obstacle.name,
        "shape": _describe_shape(obstacle.shape, arrays),
        "positions": arrays.add(obstacle.positions, "<f8"),
        "rotations": arrays.add(obstacle.rotations, "<f8"),
        "passes": list(obstacle.passes),
        "known": bool(obstacle.known),
    }


def _build_obstacle(record: Record, arrays: ArrayReader) -> Obstacle:
    return Obstacle(
        name=record.text("name"),
        shape=_build_shape(record.record("shape"), arrays),
        positions=arrays.get(record.text("positions"), "<f8", (None, 3)),
        rotations=arrays.get(record.text("rotations"), "<f8", (None, 4)),
        passes=record.texts("passes"),
        known=record.flag("known"),
    )


def _describe_shape(shape: Shape, arrays: ArrayWriter) -> dict[str, Any]:
    described: dict[str, Any] = {"kind": shape.kind}
    for name in shape.field_names():
        value, array = getattr(shape, name), shape.ARRAYS.get(name)
        described[name] = float(value) if array is None else arrays.add(value, array[0])
    return described


def _build_shape(record: Record, arrays: ArrayReader) -> Shape:
    kind = record.text("kind")
    if kind not in SHAPES:
        raise TakeError(f"{record.place}: no shape {kind!r:.40}")
    made = SHAPES[kind]
    arrayed = {name: arrays.get(record.text(name), *array) for name, array in made.ARRAYS.items()}
    return made(**{name: arrayed[name] if name in arrayed else record.number(name) for name in made.field_names()})


def _describe_character(character: Character) -> dict[str, Any]:
    described = {
        "name": character.name,
        "start": _describe_numbers(character.start, ("x", "z", "heading")),
        "goals": [
            _describe_numbers(goal, ("x", "z", "tolerance", "heading", "heading_tolerance"))
            for goal in character.goals
        ],
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
    if character.script:
        described["script"] = [describe_step(step) for step in character.script]
    return described


def _describe_numbers(thing: object, names: tuple[str, ...]) -> dict[str, float | None]:
    values = ((name, getattr(thing, name)) for name in names)
    return {name: None if value is None else float(value) for name, value in values}


def _build_character(record: Record) -> Character:
    start, weights = record.record("start"), record.record("weights")
    at_goal = record.text("at_goal")
    if at_goal not in ("stay", "leave"):
        raise TakeError(f"{record.place}.at_goal should be stay or leave")
    return Character(
        name=record.text("name"),
        start=Placement(start.number("x"), start.number("z"), start.number("heading")),
        goals=tuple(_build_goal(goal) for goal in record.records("goals")),
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
    )


def _build_goal(record: Record) -> Goal:
    return Goal(
        x=record.number("x"),
        z=record.number("z"),
        tolerance=record.number("tolerance"),
        heading=record.number("heading") if record.has("heading") else None,
        heading_tolerance=record.number("heading_tolerance"),
    )
