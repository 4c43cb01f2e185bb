"""Files as bytes and tokens as numbers: what every reader checks in the same way."""

from __future__ import annotations

import math
from pathlib import Path

from walkon.confining import check_inside, open_input
from walkon.errors import ClipError

MAX_MAGNITUDE = 1e9
"""Angles and distances beyond this are damage: squared, scaled and summed they must stay finite."""

FEWEST_POSE_BYTES = 5
"""Bytes of a file that each joint pose needs at least; real files have 15 and more. A pose takes 150 bytes of
memory while it is read: fewer bytes in the file would let it take more than forty times its size."""

SMALL_CLIP = 500_000
"""Joint poses that any file may have, however terse: 75 MB while they are read. More would let a few bytes take
more memory than that."""


def load_bytes(path: Path | str) -> bytes:
    """The whole content of a regular file that is not empty; anything else is a ClipError."""
    path = Path(path)
    try:
        check_inside(path)
        if path.is_dir():
            raise ClipError("this is a folder, not a motion file", path=path)
        if not path.exists():
            raise ClipError("there is no such file", path=path)
        if not path.is_file():
            raise ClipError("this is not a regular file", path=path)
        with open_input(path) as stream:
            data = stream.read()
    except (OSError, ValueError) as error:
        if isinstance(error, ClipError):
            raise
        raise ClipError(f"cannot be read: {error}", path=path) from error
    if not data or data.isspace():
        raise ClipError("the file is empty", path=path)
    return data


def count_line_ends(data: bytes) -> int:
    """Line ends in `data`, be they LF, CRLF or CR."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def shown(token: str | bytes) -> str:
    """A token as an error message quotes it: printable and short."""
    text = token.decode("utf-8", "replace") if isinstance(token, bytes) else token
    return repr(text if len(text) <= 40 else text[:37] + "...")


def parse_number(token: str | bytes, path: Path, line: int) -> float:
    """A finite decimal number of sane magnitude."""
    try:
        value = float(token) if len(token) <= 1000 and "_" not in str(token) else math.nan
    except ValueError:
        raise ClipError(f"{shown(token)} is not a number", path=path, line=line) from None
    if not abs(value) <= MAX_MAGNITUDE:
        raise ClipError(f"{shown(token)} is not a finite number below {MAX_MAGNITUDE:g}", path=path, line=line)
    return value


def parse_count(token: str | bytes, path: Path, line: int) -> int:
    """A whole number of sane magnitude."""
    value = parse_number(token, path, line)
    if value != int(value):
        raise ClipError(f"{shown(token)} is not a whole number", path=path, line=line)
    return int(value)


def check_unfolding(frames: int, joints: int, size: int, path: Path) -> None:
    """Refuse a file of `size` bytes that would unfold into absurdly many joint poses."""
    if frames * joints > size // FEWEST_POSE_BYTES + SMALL_CLIP:
        raise ClipError(
            f"{frames} frames of {joints} joints from only {size} bytes: most joints have no channel", path=path
        )


def unique_name(name: str, used: dict[str, int]) -> str:
    """`name`, or `name_2`, `name_3`, ... when it is taken.

    `used` holds every name handed out with the last number tried for it; the one returned is added.
    """
    candidate = name
    while candidate in used:
        used[name] += 1
        candidate = f"{name}_{used[name]}"
    used[candidate] = 1
    return candidate
