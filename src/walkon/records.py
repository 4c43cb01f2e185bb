"""Fields of JSON objects, fetched by type: what is missing or wrong is named with its place."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from walkon.errors import WalkonError

_TABLE = re.compile(r"^[ \t]*\[(?!\[)[^\n]*", re.MULTILINE)
_DOTTED = re.compile(r"\.[ \t]*[\w\"'-]+[ \t]*(?=[=.])")

MAX_INTEGER = 2**53
"""Larger whole numbers are not safe in JSON."""


class JsonObject:
    """One JSON object, read.

    place: where it stands, for messages such as `take.json: roles[3].frames`. error: what is raised where
    something is missing or wrong.
    """

    def __init__(self, values: Any, place: str, error: type[WalkonError]) -> None:
        if not isinstance(values, dict):
            raise error(f"{place} should be an object")
        self._values: dict[str, Any] = values
        self.place = place
        self.error = error

    def _get(self, key: str, kinds: type | tuple[type, ...], what: str) -> Any:
        value = self._values.get(key)
        if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
            raise self.error(f"{self.place}.{key} should be {what}")
        return value

    def has(self, key: str) -> bool:
        """Whether the field is there and not null."""
        return self._values.get(key) is not None

    def text(self, key: str) -> str:
        """A string."""
        return self._get(key, str, "a text")

    def flag(self, key: str) -> bool:
        """A truth value."""
        return self._get(key, bool, "true or false")

    def integer(self, key: str) -> int:
        """A whole number."""
        value = self._get(key, int, "a whole number")
        if abs(value) > MAX_INTEGER:
            raise self.error(f"{self.place}.{key} is too large")
        return value

    def number(self, key: str) -> float:
        """A finite number."""
        value = self._get(key, (int, float), "a number")
        if (isinstance(value, int) and abs(value) > MAX_INTEGER) or not math.isfinite(value):
            raise self.error(f"{self.place}.{key} should be a finite number")
        return float(value)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        values = self._get(key, list, "a list of texts")
        if not all(isinstance(value, str) for value in values):
            raise self.error(f"{self.place}.{key} should be a list of texts")
        return tuple(values)

    def integers(self, key: str) -> list[int]:
        """A list of whole numbers."""
        values = self._get(key, list, "a list of whole numbers")
        if not all(type(value) is int and abs(value) <= MAX_INTEGER for value in values):
            raise self.error(f"{self.place}.{key} should be a list of whole numbers")
        return values

    def listed(self, key: str) -> list[Any]:
        """A list of anything."""
        return self._get(key, list, "a list")

    def record(self, key: str) -> JsonObject:
        """An object within this one."""
        return JsonObject(self._values.get(key), f"{self.place}.{key}", self.error)

    def records(self, key: str) -> Iterator[JsonObject]:
        """The objects of a list within this one."""
        values = self.listed(key)
        return (
            JsonObject(value, f"{self.place}.{key}[{index}]", self.error) for index, value in enumerate(values)
        )

    def items(self) -> list[tuple[str, Any]]:
        """All fields."""
        return list(self._values.items())


def parse_record(content: bytes, name: str, error: type[WalkonError], most: float = math.inf) -> JsonObject:
    """The JSON object in a member. most: bytes of memory that it may take; more is an error."""
    if json_memory(content) > most:
        raise error(f"{name} holds more things than a file of this size may")
    try:
        values = json.loads(content)
    except (ValueError, RecursionError) as problem:
        raise error(f"{name} is not JSON: {problem}") from None
    return JsonObject(values, f"{name}:", error)


def json_memory(content: bytes) -> int:
    """[bytes] of memory that a JSON text takes at most once it is read, by its brackets, commas and quotes."""
    weights = {b"[": 72, b"{": 200, b",": 32, b'"': 30}
    return 5 * len(content) + sum(weight * content.count(mark) for mark, weight in weights.items())


def too_many_tables(text: str) -> bool:
    """Whether a TOML text names so many tables that reading it would take more than 40 times its size and 150 MB.

    A part of a table's name costs `tomllib` 900 bytes, wherever it stands; all else costs 30 times its size.
    """
    headers = sum(header[0].count(".") + 1 for header in _TABLE.finditer(text))
    parts = headers + sum(1 for _ in _DOTTED.finditer(text))
    return 900 * parts > 10 * len(text) + 150_000_000


def json_bytes(values: dict[str, Any], name: str, error: type[WalkonError]) -> bytes:
    """JSON text of an object; always the same for the same values."""
    try:
        return json.dumps(values, indent=1, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, TypeError) as problem:
        raise error(f"{name} cannot be written: {problem}") from None
