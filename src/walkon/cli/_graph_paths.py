"""Paths and styles as they are written on the command line."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from walkon.world.script import ScriptStep

MOST_PATH_POINTS = 1_000_000
"""Points that a path file may have; a longer one is refused rather than read for minutes."""


def read_path(given: str) -> NDArray[np.float64]:
    """Points (P, 2) x, z [m] of a path: a shape by name, or a file with two numbers in every line."""
    import numpy as np

    from walkon.graphs.searching.shapes import SHAPES

    if given in SHAPES:
        return SHAPES[given]()
    file = Path(given)
    if not file.is_file():
        raise typer.BadParameter(f"no path file {given!r}, and no such shape; there are: {', '.join(SHAPES)}")
    points = []
    with file.open(newline="", encoding="utf-8", errors="replace") as lines:
        for number, row in enumerate(csv.reader(lines), start=1):
            if not row or row[0].lstrip().startswith("#"):
                continue
            point = _point(row)
            if point is not None:
                points.append(point)
            elif points or number > 1:
                # The first line may say what the columns are.
                raise typer.BadParameter(
                    f"{file}, line {number}: two numbers x,z are needed, not {','.join(row)!r}"
                )
            if len(points) > MOST_PATH_POINTS:
                raise typer.BadParameter(f"{file} has more than {MOST_PATH_POINTS} points")
    if len(points) < 2:
        raise typer.BadParameter(f"{file}: a path has two points or more, not {len(points)}")
    return np.array(points)


def _point(row: list[str]) -> tuple[float, float] | None:
    cells = row if len(row) > 1 else row[0].replace(";", " ").replace("\t", " ").split()
    try:
        x, z = (float(cell) for cell in cells[:2])
    except ValueError:
        return None
    return (x, z) if math.isfinite(x) and math.isfinite(z) else None


def parse_styles(given: list[str]) -> list[tuple[float, str | None]]:
    """Labels and the metres from which they are wanted: `walk@0 run@12`, in any number of options."""
    styles: list[tuple[float, str | None]] = []
    for word in (word for text in given for word in text.replace(",", " ").split()):
        label, _, begin = word.partition("@")
        try:
            metres = float(begin) if begin else 0.0
        except ValueError:
            metres = math.nan
        if not label or not (math.isfinite(metres) and metres >= 0.0):
            raise typer.BadParameter(f"a style is LABEL or LABEL@METRES, such as run@12, not {word!r}")
        styles.append((metres, None if label == "any" else label))
    styles.sort(key=lambda style: style[0])
    if styles and styles[0][0] > 0.0:
        styles.insert(0, (0.0, None))
    return styles


def parse_places(given: list[str]) -> list[tuple[float, float]]:
    """Places x, z [m], each written as `4,-2.5`."""
    places = []
    for text in given:
        place = _point(text.split(",")) if text.count(",") == 1 else None
        if place is None:
            raise typer.BadParameter(f"a place is x,z [m] such as 4,-2.5, not {text!r}")
        places.append(place)
    return places


def parse_directions(given: str) -> list[tuple[float, float]]:
    """Seconds, and the direction [degrees] from then on: `0,90@5,180@12`; the first counts from the beginning."""
    directions = []
    for word in given.replace(",", " ").split():
        degrees, _, begin = word.partition("@")
        try:
            one = (float(begin) if begin else 0.0, float(degrees))
        except ValueError:
            one = (math.nan, math.nan)
        if not (all(map(math.isfinite, one)) and one[0] >= 0.0):
            raise typer.BadParameter(f"a direction is DEGREES or DEGREES@SECONDS, such as 90@5, not {word!r}")
        directions.append(one)
    directions.sort()
    if not directions or directions[0][0] > 0.0:
        raise typer.BadParameter("say which direction to begin with, such as 0,90@5")
    return directions


def parse_numbers(given: list[str], what: str) -> list[int]:
    """Numbers and ranges: `3`, `3,7`, `10-14`, in any number of options."""
    numbers: list[int] = []
    for word in (word for text in given for word in text.replace(",", " ").split()):
        first, dash, last = word.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or (dash and int(last) - int(first) > 100_000):
            raise typer.BadParameter(f"{what} takes numbers such as 3, 3,7 or 10-14, not {word!r}")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def parse_labels(text: str, known: Iterable[frozenset[str]] | None = None) -> frozenset[str]:
    """A set of labels: `walk`, `walk+carry`, or `-` for none; refused if it is not among those known."""
    labels = frozenset() if text.strip() == "-" else frozenset(word.strip() for word in text.split("+"))
    if "" in labels:
        raise typer.BadParameter(f"labels are such as walk or walk+carry, not {text!r}")
    if known is not None and labels not in set(known):
        there = ", ".join(sorted("+".join(sorted(own)) or "-" for own in known))
        raise typer.BadParameter(f"nothing has exactly the labels {text!r}; there are: {there}")
    return labels


def parse_threshold(text: str) -> tuple[frozenset[str], frozenset[str], float]:
    """From labels, to labels, and the distance [m] up to which transitions are taken: `walk:run=0.08`."""
    pair, _, distance = text.partition("=")
    ends = pair.split(":")
    try:
        metres = float(distance)
    except ValueError:
        metres = math.nan
    if len(ends) != 2 or not metres >= 0.0:
        raise typer.BadParameter(f"a threshold is FROM:TO=METRES, such as walk:run=0.08, not {text!r}")
    return parse_labels(ends[0]), parse_labels(ends[1]), metres


def script_marks(
    steps: Iterable[ScriptStep],
) -> tuple[list[NDArray[np.float64]], list[tuple[float, float, str]]]:
    """Lines (P, 2) [m] that a script says to follow, and the places it names: for a picture."""
    import numpy as np

    from walkon.world.script import Follow, Go, Via

    lines, marks = [], []
    for number, step in enumerate(steps, start=1):
        if isinstance(step, Follow):
            lines.append(np.array(step.points))
        elif isinstance(step, Go | Via):
            marks.append((step.x, step.z, f"{number} {'go' if isinstance(step, Go) else 'via'}"))
    return lines, marks
