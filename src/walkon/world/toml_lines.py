"""Which line of a TOML text says what: `tomllib` does not tell, and people want to know.

The text has been parsed already, so this scanner need not judge it: it only keeps count. Where it is at a loss it
stops, and what it found so far is right.
"""

from __future__ import annotations

import bisect
import tomllib
from collections import Counter
from contextlib import suppress

Place = tuple[str | int, ...]
"""Where in a document: keys and positions in lists, from the outside in."""

BARE_END = ",]}\n#"


def find_lines(text: str) -> dict[Place, int]:
    """Line numbers, from 1, of every key, table and list element of a valid TOML text."""
    scanner = _Scanner(text.replace("\r\n", "\n"))
    with suppress(IndexError, RecursionError, ValueError):  # a line number less, not a failure
        scanner.scan()
    return scanner.lines


def line_of(lines: dict[Place, int], place: Place) -> int | None:
    """Line of the place, or of the nearest thing around it that has one."""
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return lines[place[:length]]
    return None


def show_place(place: Place) -> str:
    """The place as people write it: `obstacles[2].size`."""
    shown = ""
    for part in place:
        shown += f"[{part}]" if isinstance(part, int) else f".{part}" if shown else part
    return shown


class _Scanner:
    def __init__(self, text: str) -> None:
        # A line end after the last line spares every loop the question whether the text is over.
        self.text = text + "\n"
        self.at = 0
        self.ends = [i for i, letter in enumerate(self.text) if letter == "\n"]
        self.lines: dict[Place, int] = {}
        self.tables: Counter[Place] = Counter()

    def scan(self) -> None:
        prefix: Place = ()
        while self._skip("\n"):
            if self.text[self.at] == "[":
                prefix = self._header()
            else:
                self._pair(prefix)

    def _note(self, place: Place) -> None:
        self.lines.setdefault(place, bisect.bisect_left(self.ends, self.at) + 1)

    def _skip(self, also: str = "") -> bool:
        """Go past blanks and comments (and line ends, if asked); whether anything is left."""
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter == "#":
                self.at = self.text.index("\n", self.at)
            elif letter in " \t" or (letter in also):
                self.at += 1
            else:
                return True
        return False

    def _header(self) -> Place:
        """`[a.b]` or `[[a.b]]`: what follows belongs there."""
        double = self.text.startswith("[[", self.at)
        self.at += 1 + double
        keys = self._keys("]")
        self.at += 1 + double
        place: Place = ()
        for number, key in enumerate(keys):
            place += (key,)
            self._note(place)
            if double and number == len(keys) - 1:
                self.tables[place] += 1
            if place in self.tables:
                place += (self.tables[place] - 1,)
                self._note(place)
        return place

    def _keys(self, end: str) -> list[str]:
        """A dotted key, up to the sign that ends it; the scanner stays on that sign."""
        keys = []
        while True:
            self._skip()
            start = self.at
            if self.text[start] in "\"'":
                self._string()
                keys.append(tomllib.loads(f"key = {self.text[start : self.at]}")["key"])
            else:
                while self.text[self.at] not in f". \t{end}":
                    self.at += 1
                keys.append(self.text[start : self.at])
            self._skip()
            if self.text[self.at] == end:
                return keys
            self.at += 1  # the dot

    def _pair(self, prefix: Place) -> None:
        start = self.at
        keys = self._keys("=")
        after, self.at = self.at + 1, start
        place = prefix
        for key in keys:
            place += (key,)
            self._note(place)
        self.at = after
        self._skip()
        self._value(place)

    def _value(self, place: Place) -> None:
        letter = self.text[self.at]
        if letter in "\"'":
            self._string()
        elif letter == "[":
            self._list(place)
        elif letter == "{":
            self._inline_table(place)
        else:
            while self.text[self.at] not in BARE_END:
                self.at += 1

    def _list(self, place: Place) -> None:
        self.at += 1
        number = 0
        while self._skip("\n,") and self.text[self.at] != "]":
            self._note((*place, number))
            self._value((*place, number))
            number += 1
        self.at += 1

    def _inline_table(self, place: Place) -> None:
        self.at += 1
        while self._skip("\n,") and self.text[self.at] != "}":
            self._pair(place)
        self.at += 1

    def _string(self) -> None:
        """Go past a string of any of the four kinds."""
        quote = self.text[self.at]
        long = self.text.startswith(quote * 3, self.at)
        end = quote * 3 if long else quote
        self.at += len(end)
        while not self.text.startswith(end, self.at):
            self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
        self.at += len(end)
        while long and self.text[self.at] == quote:  # """"four"""" ends in one that belongs to it
            self.at += 1
