"""The HIERARCHY section of a BVH file: a tree of joints and a list of channels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from walkon.errors import ClipError
from walkon.motion.readers.source import parse_count, parse_number, shown, unique_name
from walkon.skeleton.skeleton import MAX_JOINTS

_TOKEN = re.compile(r"[{}]|[^\s{}]+")
_CHANNEL = re.compile(r"([XYZ])(position|rotation)", re.IGNORECASE)

MAX_CHANNELS = 99
"""Of one joint: six are usual, nine known."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One number of every row: which joint it moves, how, about or along which axis (0, 1, 2)."""

    joint: int
    kind: str
    axis: int


@dataclass
class Hierarchy:
    """Joints in file order, parents before children, and the channels in the order of a row's numbers.

    Channels that are neither position nor rotation hold their place with the kind "ignored".
    """

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[tuple[float, float, float] | None] = field(default_factory=list)
    tips: list[bool] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def parse_hierarchy(header: bytes, path: Path) -> Hierarchy:
    """Read everything before the MOTION keyword. Iterative: nesting may be as deep as a file likes."""
    return _HierarchyParser(header, path).parse()


class _Tokens:
    """Tokens of the header with the line each stands on; names run to the end of their line."""

    def __init__(self, header: bytes, path: Path) -> None:
        self.path = path
        self.line = 1
        self._lines = self._numbered_lines(header)
        self._text = ""
        self._at = 0

    def _numbered_lines(self, header: bytes) -> Iterator[str]:
        for self.line, raw in enumerate(header.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
            yield raw.decode("utf-8", "replace")

    def next(self) -> str | None:
        """The next token, or None at the end."""
        while (match := _TOKEN.search(self._text, self._at)) is None:
            text = next(self._lines, None)
            if text is None:
                return None
            self._text, self._at = text, 0
        self._at = match.end()
        return match.group()

    def need(self, what: str) -> str:
        """The next token, which must be there."""
        token = self.next()
        if token is None:
            raise self.error(f"the hierarchy breaks off where {what} should follow")
        return token

    def name(self) -> str:
        """The rest of the line up to a brace, inner spaces included."""
        stop = len(self._text)
        for brace in "{}":
            found = self._text.find(brace, self._at)
            stop = stop if found < 0 else min(stop, found)
        name = self._text[self._at : stop].strip()
        self._at = stop
        return name

    def error(self, what: str) -> ClipError:
        return ClipError(what, path=self.path, line=self.line)


class _HierarchyParser:
    """A stack machine over the tokens: `open_joints` are those whose braces are open."""

    def __init__(self, header: bytes, path: Path) -> None:
        self.tokens = _Tokens(header, path)
        self.result = Hierarchy()
        self.used: dict[str, int] = {}
        self.ignored: dict[str, None] = {}
        self.open_joints: list[int] = []
        self.announced: int | None = None
        self.statements = {
            "ROOT": self._root,
            "JOINT": self._joint,
            "END": self._end_site,
            "OFFSET": self._offset,
            "CHANNELS": self._channels,
            "{": self._open,
            "}": self._close,
        }

    def parse(self) -> Hierarchy:
        first = self.tokens.next()
        if first is None or first.upper() != "HIERARCHY":
            raise self.tokens.error(f"a BVH file starts with HIERARCHY, not {shown(first or '')}")
        while (token := self.tokens.next()) is not None:
            statement = self.statements.get(token.upper())
            if statement is None:
                raise self.tokens.error(f"{shown(token)} is none of {', '.join(self.statements)}")
            if self.announced is not None and statement != self._open:
                raise self.tokens.error(f"{{ expected after {shown(self._announced_name())}, not {shown(token)}")
            statement()
        if self.open_joints or self.announced is not None:
            raise self.tokens.error(f"{len(self.open_joints)} braces are still open where the hierarchy ends")
        if not self.result.names:
            raise self.tokens.error("the hierarchy has no ROOT")
        if self.ignored:
            self.result.warnings.append(f"channels of unknown kind are ignored: {', '.join([*self.ignored][:5])}")
        return self.result

    def _announced_name(self) -> str:
        return "" if self.announced is None else self.result.names[self.announced]

    def _root(self) -> None:
        if self.result.names:
            raise self.tokens.error("a second ROOT: several figures in one file are not read; split it")
        self._add(self.tokens.name(), tip=False)

    def _joint(self) -> None:
        if not self.result.names:
            raise self.tokens.error("a JOINT before the ROOT")
        self._add(self.tokens.name(), tip=False)

    def _end_site(self) -> None:
        if self.tokens.name().split(maxsplit=1)[:1] not in (["Site"], ["site"], ["SITE"]):
            raise self.tokens.error("End without Site")
        self._add("", tip=True)

    def _add(self, name: str, *, tip: bool) -> None:
        result = self.result
        if not self.open_joints and (result.names or tip):
            raise self.tokens.error("a joint outside the root's braces")
        parent = self.open_joints[-1] if self.open_joints else -1
        if parent >= 0 and result.tips[parent]:
            raise self.tokens.error("an End Site has no children")
        if len(result.names) >= MAX_JOINTS:
            raise self.tokens.error(f"more than {MAX_JOINTS} joints")
        wanted = f"{result.names[parent]}_end" if tip else name
        if not wanted:
            raise self.tokens.error("a joint without a name")
        given = unique_name(wanted, self.used)
        if given != wanted and not tip:
            result.warnings.append(f"line {self.tokens.line}: a second joint {shown(wanted)} is called {given!r}")
        self.announced = len(result.names)
        result.names.append(given)
        result.parents.append(parent)
        result.offsets.append(None)
        result.tips.append(tip)

    def _open(self) -> None:
        if self.announced is None:
            raise self.tokens.error("{ without a joint before it")
        self.open_joints.append(self.announced)
        self.announced = None

    def _close(self) -> None:
        joint = self._current("}")
        if self.result.offsets[joint] is None:
            raise self.tokens.error(f"joint {shown(self.result.names[joint])} has no OFFSET")
        self.open_joints.pop()

    def _current(self, what: str) -> int:
        if not self.open_joints:
            raise self.tokens.error(f"{what} outside any joint's braces")
        return self.open_joints[-1]

    def _offset(self) -> None:
        joint = self._current("OFFSET")
        x, y, z = (parse_number(self.tokens.need("OFFSET"), self.tokens.path, self.tokens.line) for _ in range(3))
        self.result.offsets[joint] = (x, y, z)

    def _channels(self) -> None:
        joint = self._current("CHANNELS")
        if self.result.tips[joint]:
            raise self.tokens.error("an End Site has no channels")
        count = parse_count(self.tokens.need("a channel count"), self.tokens.path, self.tokens.line)
        if not 0 <= count <= MAX_CHANNELS:
            raise self.tokens.error(f"a joint has 0 to {MAX_CHANNELS} channels, not {count}")
        for _ in range(count):
            token = self.tokens.need(f"one of {count} channels")
            match = _CHANNEL.fullmatch(token)
            if match is not None:
                channel = Channel(joint, match[2].lower(), "XYZ".index(match[1].upper()))
            elif "{" in token or "}" in token or token.upper() in self.statements:
                raise self.tokens.error(f"fewer channels than the {count} announced")
            else:
                channel = Channel(joint, "ignored", 0)
                self.ignored[shown(token)] = None
            self.result.channels.append(channel)
