"""What a classic scene consists of, and how it is written down: one line for every obstacle and person."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from walkon.world.toml_text import pair_text, value_text

Point = tuple[float, float]
"""x, z on the ground [m]."""

JITTER = 0.1
"""How far at most starts and goals are moved along x and z with a seed other than 0 [m]."""

PERFORMERS = 3
"""People of the built-in cast who take turns."""

TOLERANCE = 0.25
"""How near to a goal is there [m]; less than usual, so that nobody gains by stopping short."""

WIDTH = 110
"""Letters in a line of comment."""


@dataclass(frozen=True)
class Person:
    """Someone from here to there; more: further keys of a character in a scene file."""

    start: Point
    goal: Point
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Layout:
    """Bounds (x0, z0, x1, z1) [m], seconds that plans may take at most, obstacle tables, and people.

    drawn: the seed has said where people are; they are not moved about again, which might bring them too close.
    """

    bounds: tuple[float, float, float, float]
    people: Sequence[Person]
    obstacles: Sequence[Mapping[str, Any]] = ()
    duration: float = 60.0
    drawn: bool = False


def box(name: str, at: Point, width: float, depth: float, *, height: float = 2.5, heading: float = 0.0) -> dict:
    """The table of a box: width along x and depth along z [m] unless it is turned by a heading [degrees]."""
    table = {"name": name, "shape": "box", "at": at, "width": width, "depth": depth, "height": height}
    return {**table, "heading": heading} if heading else table


def dice(name: str, seed: int) -> random.Random:
    """Random numbers that are the same for the same scene and seed, on every machine."""
    return random.Random(f"walkon classic {name} {seed}")


def layout_text(name: str, title: str, origin: str, layout: Layout, seed: int) -> str:
    """The scene file, beginning with what it is and where it comes from."""
    remake = f"Made by: walkon scene classic {name} -o {name}.toml" + (f" --seed {seed}" if seed else "")
    head = [line for part in (title, f"After: {origin}", remake) for line in _comment(part)]
    pairs = {"name": name, "bounds": layout.bounds, "duration": layout.duration}
    head += [pair_text(key, _rounded(value)) for key, value in pairs.items()]
    parts = ["\n".join(head)]
    if layout.obstacles:
        parts.append(_rows("obstacles", layout.obstacles))
    parts.append(_rows("characters", _characters(name, layout, seed)))
    return "\n\n".join(parts) + "\n"


def _characters(name: str, layout: Layout, seed: int) -> list[dict[str, Any]]:
    rng, digits = dice(f"{name} people", seed), len(str(len(layout.people)))
    moved = seed and not layout.drawn
    rows = []
    for number, person in enumerate(layout.people):
        start, goal = (_moved(place, rng) if moved else place for place in (person.start, person.goal))
        row = {"name": f"p{number + 1:0{digits}d}", "start": start, "goal": goal}
        rows.append({**row, "performer": number % PERFORMERS, "tolerance": TOLERANCE, **person.more})
    return rows


def _moved(place: Point, rng: random.Random) -> Point:
    return place[0] + rng.uniform(-JITTER, JITTER), place[1] + rng.uniform(-JITTER, JITTER)


def _rows(key: str, tables: Sequence[Mapping[str, Any]]) -> str:
    """A list of tables, one in a line."""
    return "\n".join([f"{key} = [", *(f"  {value_text(_rounded(table))}," for table in tables), "]"])


def _rounded(value: Any) -> Any:
    """Numbers to the centimetre: nobody reads more, and no last bit of a sine depends on the machine."""
    if isinstance(value, float):
        return round(value, 2) + 0.0
    if isinstance(value, Mapping):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_rounded(part) for part in value]
    return value


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
