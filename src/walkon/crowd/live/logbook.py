"""What was done to a live crowd, and when: enough to do it all again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.world import SHAPES, Character, Goal, Obstacle
from walkon.world.script import step_data, step_from


@dataclass(frozen=True)
class Entry:
    """At a frame, something was done: the name of a method of Live and what it was given, as JSON has it."""

    frame: int
    what: str
    arguments: dict[str, Any]


@dataclass
class Log:
    """All that was done, in order, and how many frames were played in the end."""

    seed: int
    planner: str
    entries: list[Entry] = field(default_factory=list)
    frames: int = 0

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def note(self, frame: int, what: str, **arguments: Any) -> None:
        """Write something down."""
        self.entries.append(Entry(frame, what, arguments))

    def to_json(self) -> str:
        """The log as text."""
        return json.dumps(
            {"version": 1, "seed": self.seed, "planner": self.planner, "frames": self.frames,
             "entries": [asdict(entry) for entry in self.entries]},
            default=lambda value: value.item(),  # numbers of numpy
        )  # fmt: skip

    @staticmethod
    def from_json(text: str) -> Log:
        """The log that a text holds. Raises SceneError if it is none."""
        try:
            data = json.loads(text)
            if data["version"] != 1:
                raise SceneError(f"this log has version {data['version']}; 1 is known")
            entries = [Entry(int(e["frame"]), str(e["what"]), dict(e["arguments"])) for e in data["entries"]]
            return Log(int(data["seed"]), str(data["planner"]), entries, int(data["frames"]))
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise SceneError(f"not a log of a live crowd: {error}") from error


def goal_data(goal: Goal) -> dict[str, Any]:
    """A goal as JSON has it."""
    return asdict(goal)


def goal_from(data: dict[str, Any]) -> Goal:
    """The goal that was written down."""
    return Goal(**data)


def character_data(character: Character) -> dict[str, Any]:
    """A character as JSON has it."""
    start = character.start
    data = {name: getattr(character, name) for name in Character.__dataclass_fields__}
    data |= {
        "start": [start.x, start.z, start.heading],
        "goals": [goal_data(goal) for goal in character.goals],
        "weights": dict(character.weights),
        "without": list(character.without),
        "script": [step_data(step) for step in character.script],
    }
    return data


def character_from(data: dict[str, Any]) -> Character:
    """The character that was written down."""
    data = dict(data)
    data["start"] = Placement(*data["start"])
    data["goals"] = tuple(Goal(**goal) for goal in data["goals"])
    data["without"] = tuple(data["without"])
    data["script"] = tuple(step_from(step) for step in data.get("script", ()))
    return Character(**data)


def obstacle_data(obstacle: Obstacle) -> dict[str, Any]:
    """An obstacle as JSON has it."""
    shape = obstacle.shape
    fields = {name: getattr(shape, name) for name in shape.field_names()}
    return {
        "name": obstacle.name,
        "shape": shape.kind,
        "size": {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in fields.items()},
        "positions": obstacle.positions.tolist(),
        "rotations": obstacle.rotations.tolist(),
        "passes": list(obstacle.passes),
        "known": obstacle.known,
    }


def obstacle_from(data: dict[str, Any]) -> Obstacle:
    """The obstacle that was written down."""
    size: dict[str, Any] = {name: np.array(v) if isinstance(v, list) else v for name, v in data["size"].items()}
    return Obstacle(
        data["name"],
        SHAPES[data["shape"]](**size),
        np.array(data["positions"]),
        np.array(data["rotations"]),
        tuple(data["passes"]),
        data["known"],
    )
