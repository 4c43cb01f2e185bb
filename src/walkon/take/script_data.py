"""Steps of a script as JSON, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from walkon.errors import TakeError
from walkon.take.records import Record
from walkon.world import Do, Face, Follow, Go, Step, Style, Via, Wait
from walkon.world.script import step_data


def describe_step(step: Step) -> dict[str, Any]:
    """All of a step; numbers are what they should be, whoever made it."""
    described = step_data(step)
    for key in ("x", "z", "tolerance", "heading", "weight"):
        if key in described:
            described[key] = float(described[key])
    if described.get("seconds") is not None:
        described["seconds"] = float(described["seconds"])
    if isinstance(step, Follow):
        described["points"] = [{"x": x, "z": z} for x, z in step.points]
    return described


def build_step(record: Record) -> Step:
    """The step that was described."""
    match record.text("verb"):
        case "go":
            step = Go(record.number("x"), record.number("z"), record.number("tolerance"))
        case "via":
            step = Via(record.number("x"), record.number("z"), record.number("tolerance"))
        case "path":
            points = tuple((point.number("x"), point.number("z")) for point in record.records("points"))
            step = Follow(points, record.number("tolerance"))
        case "do":
            seconds = record.number("seconds") if record.has("seconds") else None
            step = Do(record.text("label"), record.integer("times"), seconds)
        case "face":
            step = Face(record.number("heading"), record.number("tolerance"))
        case "style":
            step = Style(record.text("label"))
        case "wait":
            step = Wait(record.number("seconds"))
        case verb:
            raise TakeError(f"{record.place}: no step {verb!r:.40} of a script")
    return replace(step, soft=record.flag("soft"), weight=record.number("weight"))
