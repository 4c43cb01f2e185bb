"""Steps of a script from the tables of a scene file, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from walkon.world.document_characters import CharacterTable
from walkon.world.document_parts import radians
from walkon.world.document_script import (
    DoTable,
    FaceTable,
    GoTable,
    PathTable,
    StepTable,
    StyleTable,
    ViaTable,
    WaitTable,
)
from walkon.world.scene import Character, Goal
from walkon.world.script import Do, Face, Follow, Go, ScriptStep, Style, Via, Wait, verb_of
from walkon.world.writing_obstacles import in_degrees


def make_script(table: CharacterTable) -> tuple[ScriptStep, ...]:
    """The script of a character."""
    return tuple(_make_step(step, table.tolerance, table.heading_tolerance) for step in table.script)


def _make_step(table: StepTable, tolerance: float, heading_tolerance: float) -> ScriptStep:
    """tolerance [m], heading_tolerance [degrees]: of steps that do not say."""
    match table:
        case GoTable():
            step = Go(*table.go, table.tolerance or tolerance)
        case ViaTable():
            step = Via(*table.via, table.tolerance or tolerance)
        case PathTable():
            step = Follow(table.path, table.tolerance or tolerance)
        case DoTable():
            step = Do(table.do, table.times or 1, table.seconds)
        case FaceTable():
            step = Face(radians(table.face), radians(table.tolerance or heading_tolerance))
        case StyleTable():
            step = Style(table.style)
        case WaitTable():
            step = Wait(table.wait)
        case _:
            raise TypeError(f"no step: {table!r}")
    return replace(step, soft=table.soft, weight=ScriptStep.weight if table.weight is None else table.weight)


def describe_script(character: Character, goal: Goal) -> list[dict[str, Any]]:
    """The tables of a script; goal: whose tolerances steps have that do not say."""
    return [_describe_step(step, goal) for step in character.script]


def _describe_step(step: ScriptStep, goal: Goal) -> dict[str, Any]:
    table = _describe_verb(step)
    if isinstance(step, Go | Via | Follow) and step.tolerance != goal.tolerance:
        table["tolerance"] = step.tolerance
    if isinstance(step, Face) and step.tolerance != goal.heading_tolerance:
        table["tolerance"] = in_degrees(step.tolerance)
    if step.soft:
        table["soft"] = True
        if step.weight != ScriptStep.weight:
            table["weight"] = step.weight
    return table


def _describe_verb(step: ScriptStep) -> dict[str, Any]:
    match step:
        case Go() | Via():
            value = (step.x, step.z)
        case Follow():
            value = step.points
        case Do() | Style():
            value = step.label
        case Face():
            value = in_degrees(step.heading)
        case Wait():
            value = step.seconds
        case _:
            raise TypeError(f"no step: {step!r}")
    table: dict[str, Any] = {verb_of(step): value}
    if isinstance(step, Do) and step.seconds is not None:
        table["seconds"] = step.seconds
    elif isinstance(step, Do) and step.times != 1:
        table["times"] = step.times
    return table
