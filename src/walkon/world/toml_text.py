"""Plain values as TOML that people like to read: short numbers, long lists over several lines."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

WIDEST = 110
"""Letters in a line; longer lists are broken."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def value_text(value: Any) -> str:
    """A value in one line. Numbers are written so that they are read as exactly the same."""
    if isinstance(value, str):
        # JSON escapes what TOML wants escaped, but for one control character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key_text(key)} = {value_text(part)}" for key, part in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(value_text, value))}]"
    number = float(value)
    whole = isinstance(value, int) or (number.is_integer() and abs(number) < 1e15)
    return str(int(value)) if whole else repr(number)


def key_text(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if _BARE.fullmatch(key) else value_text(key)


def pair_text(key: str, value: Any) -> str:
    """`key = value`, with the elements of a list in several lines where they do not fit into one."""
    line = f"{key_text(key)} = {value_text(value)}"
    if len(line) <= WIDEST or isinstance(value, str) or not isinstance(value, Sequence):
        return line
    lines = [""]
    for element in map(value_text, value):
        if lines[-1] and len(lines[-1]) + len(element) + 5 > WIDEST:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{element},"
    return "\n".join([f"{key_text(key)} = [", *(f"  {line}" for line in lines), "]"])


def table_text(header: str, table: Mapping[str, Any]) -> str:
    """A table under its header, `[terrain]` or `[[obstacles]]`; none for the keys of the file itself."""
    return "\n".join([header] * bool(header) + [pair_text(key, value) for key, value in table.items()]) + "\n"
