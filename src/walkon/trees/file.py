"""Forest files: the arrays of a forest in one file, mapped into memory, so that many processes share one copy.

A file that was cut short or altered is refused (see `array_files`). That every number leads somewhere is checked
besides (see `checking`), since kernels follow them without looking.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from walkon.array_files import ArrayFormat, map_file, parse_arrays, write_arrays
from walkon.errors import TreeError
from walkon.trees.checking import check_forest
from walkon.trees.forest import Forest

FORMAT = 2
"""Version of the file format that is written, and the only one that is read: version 1 knew circles alone."""

MOST_HEADER = 1 << 16
MOST_TEXT, MOST_TEXTS = 1000, 1000

FOREST_FILE = ArrayFormat(
    b"walkon tree\r\n\x1a\n\0", FORMAT, "forest of search trees", TreeError, MOST_HEADER, oldest=FORMAT
)


def write_forest(forest: Forest, path: Path | str) -> None:
    """Write a forest, whole or not at all; by custom the file is called *.tree. Equal forests give equal bytes."""
    check_forest(forest)
    write_arrays(path, FOREST_FILE, forest.settings(), forest.arrays())


def read_forest(path: Path | str) -> Forest:
    """The forest in a file, mapped into memory: its arrays are read from the disk as they are used, and shared
    with all processes that read the same file. Raises TreeError if it was cut short, altered, or is too new."""
    mapped = map_file(path, FOREST_FILE)
    try:
        return parse_forest(mapped)
    except ValueError as error:
        raise TreeError(f"{path}: {error}") from None


def parse_forest(data: NDArray[np.uint8]) -> Forest:
    """The forest in the bytes of a file; its arrays are views of them."""
    _, expected = _kinds()
    given, arrays = parse_arrays(data, FOREST_FILE, expected)
    values: dict[str, Any] = {**_settings(given), **arrays}
    forest = Forest(**values)
    check_forest(forest)
    return forest


@cache
def _kinds() -> tuple[dict[str, Any], dict[str, tuple[str, ...]]]:
    """The settings of a forest with their types, and its arrays with the types of numbers they may hold."""
    settings, arrays = {}, {}
    for name, hint in get_type_hints(Forest).items():
        choices = get_args(hint) if get_origin(hint) is UnionType else (hint,)
        if get_origin(choices[0]) is np.ndarray:
            arrays[name] = tuple(np.dtype(get_args(get_args(choice)[1])[0]).str for choice in choices)
        else:
            settings[name] = hint
    return settings, arrays


def _settings(given: Any) -> dict[str, Any]:
    expected, _ = _kinds()
    if not isinstance(given, dict) or set(given) != set(expected):
        raise TreeError(f"the settings should be {', '.join(expected)}, no more and no less")
    return {name: _setting(name, given[name], kind) for name, kind in expected.items()}


def _setting(name: str, value: Any, kind: Any) -> Any:
    if kind is float and type(value) in (int, float) and abs(value) < 1e12:
        return float(value)
    if kind is int and type(value) is int and abs(value) < 2**63:
        return value
    if kind is str and type(value) is str and len(value) <= MOST_TEXT:
        return value
    if kind not in (float, int, str) and isinstance(value, list) and len(value) <= MOST_TEXTS:
        return tuple(_setting(name, item, str) for item in value)
    raise TreeError(f"setting {name} cannot be {str(value)[:40]!r}")
