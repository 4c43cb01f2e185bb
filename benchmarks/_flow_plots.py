"""The pictures of `walkon bench flow`: what was measured of real people faint in the background, ours in front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from _bodies_data import door_points, walking_points, weidmann
from _flow_rows import Row, number
from numpy.typing import NDArray

Array = NDArray[np.float64]
Colour = tuple[int, ...]

OURS, OTHER, PEOPLE, RING, CURVE = (214, 92, 36), (30, 120, 190), (120, 128, 140), (120, 170, 120), (58, 64, 74)
"""Of our crowd, of our second one, of real people, of those in a ring, and of Weidmann's curve."""

WIDE, HIGH, HEAD = 860, 520, 84
"""[px] Of a picture, and of its title and legend."""

SHOWN = {"one_way": ("walkon, one way", OURS), "both_ways": ("walkon, both ways", OTHER)}


@dataclass(frozen=True)
class Series:
    """Something with a name in the legend: points (K, 2) as dots, joined by a line, or both."""

    name: str
    colour: Colour
    points: Array
    dots: float = 0.0
    line: float = 0.0


def draw_flow(rows: Sequence[Row], folder: Path) -> list[Path]:
    """Pictures for the questions that rows answer; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    if any(row["question"] in SHOWN for row in rows):
        dense, flow = "people per square metre", "people per metre and second"
        drawn.append(draw(folder / "speed.png", "Speed by density", _speeds(rows), (dense, "m/s"), (3.2, 2.0)))
        drawn.append(draw(folder / "flow.png", "Flow by density", _flows(rows), (dense, flow), (3.2, 2.2)))
    single = points_of(rows, "single_file", "density", "value")
    if len(single):
        series, names = [people("single_file", "people"), ours("walkon", single)], ("people per metre", "m/s")
        drawn.append(draw(folder / "single-file.png", "Speed single file", series, names, (2.5, 1.6)))
    if any(row["question"] == "doors" for row in rows):
        names = ("width [m]", "people a second")
        drawn.append(draw(folder / "doors.png", "Flow through doors", _doors(rows), names, (2.2, 5.0)))
    return drawn


def points_of(rows: Sequence[Row], question: str, across: str, up: str) -> Array:
    """What rows answer to a question, two of their figures (K, 2), by the first."""
    found = [(number(row, across), number(row, up)) for row in rows if row["question"] == question]
    return np.array(sorted(pair for pair in found if np.isfinite(pair).all())).reshape(-1, 2)


def people(folder: str, name: str, colour: Colour = PEOPLE) -> Series:
    """The speeds of real people."""
    return Series(name, (*colour, 90), walking_points(folder), dots=1.8)


def ours(name: str, points: Array, colour: Colour = OURS) -> Series:
    """Of our crowd."""
    return Series(name, colour, points, dots=4.5, line=2.2)


def weidmann_curve() -> Array:
    """Densities and speeds (K, 2) of Weidmann (1993)."""
    return np.array([(density, weidmann(density)) for density in np.linspace(0.05, 5.3, 200)])


def _speeds(rows: Sequence[Row]) -> list[Series]:
    asked = {question: points_of(rows, question, "density", "value") for question in SHOWN}
    return [
        people("one_way_open", "people, open ends"),
        people("one_way_1.8m", "people, 1.8 m ring", RING),
        Series("Weidmann", CURVE, weidmann_curve(), line=1.6),
        *(ours(name, asked[question], colour) for question, (name, colour) in SHOWN.items()),
    ]


def _doors(rows: Sequence[Row]) -> list[Series]:
    return [
        Series("people, measured", (*PEOPLE, 200), door_points(), dots=3.0),
        Series("mean of experiments", CURVE, points_of(rows, "doors", "width", "measured"), line=1.6),
        ours("walkon, live", points_of(rows, "doors", "width", "value")),
    ]


def _flows(rows: Sequence[Row]) -> list[Series]:
    found = []
    for one in _speeds(rows):
        points = one.points * (1.0, 1.0)
        points[:, 1] *= points[:, 0]
        found.append(Series(one.name, one.colour, points, one.dots, one.line))
    return found


def draw(
    path: Path, title: str, series: Sequence[Series], axes_names: tuple[str, str], most: tuple[float, float]
) -> Path:
    """A picture with one panel from 0 to the most that is shown; what is beyond is left out."""
    from walkon.render.page import Page
    from walkon.render.plot_axes import Axes, draw_axes

    page = Page(WIDE, HIGH)
    axes = Axes(64.0, float(HEAD), WIDE - 24.0, HIGH - 46.0, (0.0, most[0]), (0.0, most[1]))
    draw_axes(page, axes, *axes_names)
    for one in series:
        inside = one.points[(one.points >= 0.0).all(axis=1) & (one.points <= most).all(axis=1)]
        if one.line:
            axes.curve(page, inside, one.colour, one.line)
        for x, y in axes.places(inside) if one.dots else ():
            page.blob((float(x), float(y)), one.dots, one.colour, rim=(255, 255, 255) if one.line else ())
    page.text((24, 24), title, size=18)
    left = 24.0
    for one in (one for one in series if len(one.points)):
        page.swatch((left, 50), one.colour[:3])
        left += 22 + page.text((left + 22, 50), one.name, size=12) + 20
    page.save(path)
    return path
