"""Files that a scene file names: found beside it, regular, and no larger than we want to read."""

from __future__ import annotations

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
    rows = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line.strip() and line.lstrip()[0] != "#"]
    if not rows:
        raise SceneError(f"{name!r} is empty")
    header = [] if _is_numbers(rows[0][1]) else [cell.strip().strip('"').lower() for cell in _cells(rows[0][1])]
    rows = rows[1:] if header else rows
    if not rows:
        raise SceneError(f"{name!r} has no rows of numbers")
    width = len(header) or len(_cells(rows[0][1]))
    if len(rows) > most_rows or len(rows) * width > most_values:
        raise SceneError(
            f"{name!r} has {len(rows)} rows of {width}: more than {most_rows} rows, {most_values} values"
        )
    values = np.empty((len(rows), width))
    for row, (number, line) in enumerate(rows):
        cells = _cells(line)
        if len(cells) != width or not _is_numbers(line):
            raise SceneError(f"{name!r} line {number}: needs {width} finite numbers, not {line[:60]!r}")
        values[row] = [float(cell) for cell in cells]
    return header, values


def _cells(line: str) -> list[str]:
    return line.replace(";", ",").split(",") if "," in line or ";" in line else line.split()


def _is_numbers(line: str) -> bool:
    try:
        return all(np.isfinite(float(cell)) for cell in _cells(line))
    except ValueError:
        return False
