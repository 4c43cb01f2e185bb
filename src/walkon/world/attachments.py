"""Files that a scene file names: found beside it, regular, and no larger than we want to read."""

from __future__ import annotations

import io
import math
from array import array
from pathlib import Path

import numpy as np

from walkon.basics import Array
from walkon.confining import check_inside, open_input
from walkon.errors import SceneError

MOST_CSV_BYTES = 64_000_000


def read_attachment(folder: Path, name: str, most: int) -> bytes:
    """Bytes of the file `name`, relative to `folder`. most: bytes that are read; a longer file is refused.

    Devices, pipes and folders are refused: reading one might never end.
    """
    path = folder / name
    try:
        check_inside(path)
        if not path.is_file():
            raise SceneError(f"no file {str(path)!r}" if not path.exists() else f"{str(path)!r} is no file")
        with open_input(path) as stream:
            data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, SceneError):
            raise
        raise SceneError(f"cannot read {str(path)!r}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise SceneError(f"{str(path)!r} is larger than {most / 1e6:g} MB, the most that is read")
    return data


def parse_numbers(data: bytes, name: str, *, most_rows: int, most_values: int) -> tuple[list[str], Array]:
    """A CSV of numbers: names of its columns (none if its first line is numbers), and values (R, C)."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SceneError(f"{name!r} is no UTF-8 text") from None
    header, values, width = [], array("d"), 0
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        cells = _cells(line.rstrip("\n"))
        if not line.strip() or line.lstrip()[0] == "#":
            continue
        if not width:
            width = len(cells)
            if _numbers(cells) is None:
                header = [cell.strip().strip('"').lower() for cell in cells]
                continue
        found = _numbers(cells)
        if len(cells) != width or found is None:
            raise SceneError(f"{name!r} line {number}: needs {width} finite numbers, not {line.rstrip()[:60]!r}")
        values.extend(found)
        if len(values) > min(most_values, most_rows * width):
            raise SceneError(f"{name!r} has more than {most_rows} rows or {most_values} values: {width} in a row")
    if not width:
        raise SceneError(f"{name!r} is empty")
    if not values:
        raise SceneError(f"{name!r} has no rows of numbers")
    return header, np.array(values).reshape(-1, width)


def _cells(line: str) -> list[str]:
    return line.replace(";", ",").split(",") if "," in line or ";" in line else line.split()


def _numbers(cells: list[str]) -> list[float] | None:
    """The cells as finite numbers; None if one is none."""
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        return None
    return values if all(map(math.isfinite, values)) else None
