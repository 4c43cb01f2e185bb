"""Choices as text: TOML with one decision a line, read strictly and written back with its comments."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeVar

from walkon.errors import GraphError
from walkon.graphs.choosing.choices import RULES, Choices, ThresholdChoice, TransitionChoice

SCALARS = ("supports", "slide", "jump")
LISTS = ("thresholds", "accepted", "rejected")

LARGEST = 4_000_000
"""Characters: more is no file that a person has written."""

FILE_HEAD = (
    "# What a person decided about the transitions of a motion graph. Change it, and build the graph again.",
    "# Frames are those of the graph: the last frame shown before a blend, and the frame that the blend ends in.",
)

Choice = TypeVar("Choice", ThresholdChoice, TransitionChoice)

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')


class _Notes:
    """Comments of a file: lines before a place, and what stands beside it; and on which line every place is."""

    def __init__(self, text: str) -> None:
        self.above: dict[str, tuple[str, ...]] = {}
        self.beside: dict[str, str] = {}
        self.lines: dict[str, int] = {}
        pending: list[str] = []
        section, count = "", 0
        for number, line in enumerate(text.split("\n"), 1):
            bare, comment = _split_comment(line)
            if not bare:
                pending += [comment] if comment else []
                continue
            place = ""
            if section and bare.startswith("{"):
                place, count = f"{section}[{count}]", count + 1
            elif section and bare.startswith("]"):
                place, section = f"{section}]", ""
            elif "=" in bare and not section:
                place = bare.split("=", 1)[0].strip()
                if place in LISTS and not bare.endswith("]"):
                    section, count = place, 0
            self.lines[place] = number
            self.above[place], self.beside[place] = tuple(pending), comment
            pending = []
        self.above[""] = tuple(pending)

    def forget_entries(self, key: str) -> None:
        """Give the comments of a list's entries to the list: entries that share lines cannot have their own."""
        for place in [place for place in self.lines if place.startswith(f"{key}[")]:
            beside = self.beside.pop(place)
            lines = (*self.above.pop(place), *([beside] if beside else []))
            self.above[key] = (*self.above.get(key, ()), *lines)
            del self.lines[place]

    def outside_entries(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """All comments that belong to no entry: lines by place, and what stands beside a place by place + "#"."""
        above = [(place, lines) for place, lines in self.above.items() if lines and "[" not in place]
        beside = [(f"{place}#", (text,)) for place, text in self.beside.items() if text and "[" not in place]
        return (*above, *beside)


def _split_comment(line: str) -> tuple[str, str]:
    """A line without its comment, and the comment, both bare of blanks."""
    masked = _STRING.sub(lambda found: "x" * len(found.group()), line)
    at = masked.find("#")
    return (line.strip(), "") if at < 0 else (line[:at].strip(), line[at:].strip())


def parse_choices(text: str, where: str = "choices") -> Choices:
    """The choices in a text. Everything wrong with it is named, with its line and key, in one GraphError."""
    if len(text) > LARGEST:
        raise GraphError(f"{where}: more than {LARGEST} characters; this is no file of choices")
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise GraphError(f"{where}: {error}") from None
    return _Reader(table, _Notes(text), where).choices()


class _Reader:
    """Turns a parsed table into choices, and gathers what is wrong on the way."""

    def __init__(self, table: dict[str, Any], notes: _Notes, where: str) -> None:
        self._table, self._notes, self._where = table, notes, where
        self._wrong: list[str] = []

    def choices(self) -> Choices:
        for key in self._table:
            if key not in (*SCALARS, *LISTS):
                self._complain(key, f"unknown key; expected: {', '.join((*SCALARS, *LISTS))}")
        supports = self._table.get("supports", "same")
        if supports not in RULES:
            self._complain("supports", f"is one of {', '.join(RULES)}, not {supports!r}")
        thresholds = self._list("thresholds", self._threshold)
        accepted = self._list("accepted", self._transition)
        rejected = self._list("rejected", self._transition)
        self._refuse_doubles(thresholds, [*accepted, *rejected])
        slide, jump = (
            self._size(key, self._table.get(key)) if key in self._table else None for key in SCALARS[1:]
        )
        if self._wrong:
            raise GraphError("\n".join(self._wrong))
        kept = self._notes.outside_entries()
        return Choices(supports, slide, jump, tuple(thresholds), tuple(accepted), tuple(rejected), kept)

    def _complain(self, place: str, what: str) -> None:
        ways = (place, place.split(".", maxsplit=1)[0], place.split("[", maxsplit=1)[0])
        line = next((self._notes.lines[way] for way in ways if way in self._notes.lines), None)
        self._wrong.append(f"{self._where}{'' if line is None else f':{line}'}: {place}: {what}")

    def _list(self, key: str, read: Callable[[str, dict[str, Any]], Choice | None]) -> list[Choice]:
        entries = self._table.get(key, [])
        if not isinstance(entries, list):
            self._complain(key, f"is a list of tables in brackets, not {entries!r}")
            return []
        if sum(place.startswith(f"{key}[") for place in self._notes.lines) != len(entries):
            self._notes.forget_entries(key)
        found = []
        for number, entry in enumerate(entries):
            place = f"{key}[{number}]"
            if isinstance(entry, dict):
                found.append(read(place, entry))
            else:
                self._complain(place, f"is a table in braces, not {entry!r}")
        return [choice for choice in found if choice is not None]

    def _threshold(self, place: str, entry: dict[str, Any]) -> ThresholdChoice | None:
        by_clip = "from_clip" in entry or "to_clip" in entry
        ends = ("from_clip", "to_clip") if by_clip else ("from", "to")
        if not self._has_keys(place, entry, (*ends, "distance")):
            return None
        distance = self._size(place + ".distance", entry["distance"])
        if by_clip:
            clips = tuple(self._text(f"{place}.{end}", entry[end]) for end in ends)
            return ThresholdChoice(distance, clips=(clips[0], clips[1]), **self._comments(place))
        labels = tuple(self._labels(f"{place}.{end}", entry[end]) for end in ends)
        return ThresholdChoice(distance, labels=(labels[0], labels[1]), **self._comments(place))

    def _transition(self, place: str, entry: dict[str, Any]) -> TransitionChoice | None:
        if not self._has_keys(place, entry, ("from", "from_frame", "to", "to_frame")):
            return None
        source, target = (self._text(f"{place}.{key}", entry[key]) for key in ("from", "to"))
        before, after = (self._frame(f"{place}.{key}", entry[key]) for key in ("from_frame", "to_frame"))
        return TransitionChoice(source, before, target, after, **self._comments(place))

    def _comments(self, place: str) -> dict[str, Any]:
        return {"note": self._notes.above.get(place, ()), "aside": self._notes.beside.get(place, "")}

    def _has_keys(self, place: str, entry: dict[str, Any], keys: tuple[str, ...]) -> bool:
        unknown = [key for key in entry if key not in keys]
        missing = [key for key in keys if key not in entry]
        for key in unknown:
            self._complain(place, f"unknown key {key!r}; expected: {', '.join(keys)}")
        for key in missing:
            self._complain(place, f"lacks {key!r}")
        return not unknown and not missing

    def _size(self, place: str, value: Any) -> float:
        right = isinstance(value, int | float) and not isinstance(value, bool)
        if not right or math.isnan(value) or value < 0:
            self._complain(place, f"is a number of at least 0, not {value!r}")
            return 0.0
        return float(value)

    def _frame(self, place: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
            self._complain(place, f"is the number of a frame, from 0 on, not {value!r}")
            return 0
        return value

    def _text(self, place: str, value: Any) -> str:
        if not isinstance(value, str) or not value:
            self._complain(place, f"is the name of a clip, not {value!r}")
            return ""
        return value

    def _labels(self, place: str, value: Any) -> frozenset[str]:
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
            self._complain(place, f"is a label or a list of labels, not {value!r}")
            return frozenset()
        return frozenset(names)

    def _refuse_doubles(self, thresholds: list[ThresholdChoice], transitions: list[TransitionChoice]) -> None:
        pairs = [choice.labels or choice.clips for choice in thresholds]
        for what, entries in (("threshold", pairs), ("transition", transitions)):
            seen = set()
            for entry in entries:
                if entry in seen:
                    named = (
                        str(entry) if isinstance(entry, TransitionChoice) else " → ".join(map(_named, entry or ()))
                    )
                    self._wrong.append(f"{self._where}: {what} {named} is decided twice")
                seen.add(entry)


def _named(end: frozenset[str] | str) -> str:
    return end if isinstance(end, str) else "+".join(sorted(end)) or "no label"


def format_choices(choices: Choices) -> str:
    """The text of choices; `parse_choices` gives them back."""
    notes = dict(choices.notes)
    lines = [] if any(FILE_HEAD[0] in above for above in notes.values()) else [*FILE_HEAD]

    def put(place: str, text: str) -> None:
        lines.extend([*notes.get(place, ()), "  ".join([text, *notes.get(f"{place}#", ())])])

    for key in SCALARS:
        value = getattr(choices, key)
        if value is not None:
            put(key, f"{key} = {json.dumps(value) if key == 'supports' else _number(value)}")
    for key in LISTS:
        lines.append("")
        put(key, f"{key} = [")
        for entry in getattr(choices, key):
            text = _threshold_text(entry) if isinstance(entry, ThresholdChoice) else _transition_text(entry)
            lines += [f"    {note}" for note in entry.note]
            lines.append(f"    {text},{'  ' + entry.aside if entry.aside else ''}")
        put(f"{key}]", "]")
    return "\n".join([*lines, *notes.get("", ()), ""])


def _threshold_text(choice: ThresholdChoice) -> str:
    if choice.clips is not None:
        ends = [f"from_clip = {_string(choice.clips[0])}", f"to_clip = {_string(choice.clips[1])}"]
    else:
        ends = [
            f"{key} = [{', '.join(_string(name) for name in sorted(labels))}]"
            for key, labels in zip(("from", "to"), choice.labels or (), strict=True)
        ]
    return "{ " + ", ".join([*ends, f"distance = {_number(choice.distance)}"]) + " }"


def _transition_text(choice: TransitionChoice) -> str:
    return (
        f"{{ from = {_string(choice.source)}, from_frame = {choice.source_frame}, "
        f"to = {_string(choice.target)}, to_frame = {choice.target_frame} }}"
    )


def _string(text: str) -> str:
    """A TOML string: JSON's, but for the delete character, which TOML wants escaped as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _number(value: float) -> str:
    return "inf" if math.isinf(value) else repr(float(value))
