"""What was done to a live crowd, and when: enough to do it all again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from walkon.errors import SceneError

VERSION = 2
"""Of the log that is written. Version 1, from before scenes had one form as data, is read as well."""


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
            {"version": VERSION, "seed": self.seed, "planner": self.planner, "frames": self.frames,
             "entries": [asdict(entry) for entry in self.entries]},
            default=lambda value: value.item(),  # numbers of numpy
        )  # fmt: skip

    @staticmethod
    def from_json(text: str) -> Log:
        """The log that a text holds. Raises SceneError if it is none."""
        try:
            data = json.loads(text)
            if data["version"] not in (1, VERSION):
                raise SceneError(f"this log has version {data['version']}; 1 to {VERSION} are known")
            entries = [Entry(int(e["frame"]), str(e["what"]), dict(e["arguments"])) for e in data["entries"]]
            if data["version"] == 1:
                entries = [replace(entry, arguments=_renewed(entry.arguments)) for entry in entries]
            return Log(int(data["seed"]), str(data["planner"]), entries, int(data["frames"]))
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise SceneError(f"not a log of a live crowd: {error}") from error


def _renewed(arguments: dict[str, Any]) -> dict[str, Any]:
    """What version 1 of the log held, as `walkon.world.scene_data` has it since."""
    if "character" in arguments:
        character = dict(arguments["character"])
        x, z, heading = character["start"]
        character["start"] = {"x": x, "z": z, "heading": heading}
        for step in character.get("script", ()):
            if "points" in step:
                step["points"] = [{"x": x, "z": z} for x, z in step["points"]]
        return {**arguments, "character": character}
    if "obstacle" in arguments:
        obstacle = dict(arguments["obstacle"])
        obstacle["shape"] = {"kind": obstacle["shape"], **obstacle.pop("size")}
        return {**arguments, "obstacle": obstacle}
    return arguments
