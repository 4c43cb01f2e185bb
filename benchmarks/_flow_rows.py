"""The rows of `walkon bench flow`, and what was aimed at."""

from __future__ import annotations

import math
from collections.abc import Iterable

Row = dict[str, object]

TO_MIDDLE, WITHIN_MIDDLE = 1.5, 15.0
TO_HIGH, WITHIN_HIGH = 2.0, 25.0
"""One way: up to these densities [1/m²] speeds are within this share [%] of Weidmann's."""

PEAK = 1.1
"""Least [1/(m s)] of the highest flow for each metre of width. Weidmann's is 1.22."""

BOTH, BOTH_AT = 80.0, (0.5, 1.0)
"""Both ways: least share [%] of the speed one way, at these densities [1/m²]."""

SINGLE_TO, WITHIN_SINGLE = 1.5, 25.0
"""Single file: up to this density [1/m] speeds are within this share [%] of the measured ones."""

DOOR_SHARE = 80.0
"""Doors: least share [%] of the mean of the experiments, for those below the slowest of them."""


def blank(question: str, scene: str) -> Row:
    """A row that says nothing yet."""
    numbers = ("width", "people", "density", "value")
    after = ("flow", "measured", "%", "least", "most", "violations", "s")
    return {
        "question": question, "scene": scene, **dict.fromkeys(numbers), "unit": "", **dict.fromkeys(after),
        "remark": "",
    }  # fmt: skip


def number(row: Row, key: str) -> float:
    """A figure of a row; nan where there is none."""
    value = row[key]
    return float(value) if isinstance(value, int | float) else math.nan


def rounded(value: float | None, digits: int = 3) -> float | None:
    """For a cell; None for what is no number."""
    return round(float(value), digits) if value is not None and math.isfinite(value) else None


def aim_rows(rows: list[Row]) -> list[Row]:
    """What was aimed at, of the questions that were asked, and whether it was met."""
    said = [*_one_way(rows), *_both_ways(rows), *_single_file(rows), *_doors(rows)]
    audited = [row for row in rows if row["violations"] is not None]
    if audited:
        wrong = sum(int(number(row, "violations")) for row in audited)
        said.append((f"violations in all takes: {wrong} (aim 0)", wrong == 0))
    return [blank("aim", "") | {"remark": f"{text}: {'met' if met else 'missed'}"} for text, met in said]


def _of(rows: Iterable[Row], question: str) -> list[Row]:
    return [row for row in rows if row["question"] == question and row["value"] is not None]


def _one_way(rows: list[Row]) -> list[tuple[str, bool]]:
    said, asked = [], _of(rows, "one_way")
    for least, most, within in ((0.0, TO_MIDDLE, WITHIN_MIDDLE), (TO_MIDDLE, TO_HIGH, WITHIN_HIGH)):
        part = [row for row in asked if least < number(row, "density") <= most]
        if part:
            off = max(part, key=lambda row: abs(number(row, "%") - 100.0))
            text = (
                f"one way to {most:g} per m²: {number(off, '%'):.0f} % of Weidmann's speed at worst, at "
                f"{number(off, 'density'):.2f} (aim within {within:g} %)"
            )
            said.append((text, abs(number(off, "%") - 100.0) <= within))
    if asked:
        peak = max(asked, key=lambda row: number(row, "flow"))
        text = f"one way: most flow {number(peak, 'flow'):.2f} /m/s at {number(peak, 'density'):.2f} per m²"
        said.append((f"{text} (aim {PEAK:g})", number(peak, "flow") >= PEAK))
    return said


def _both_ways(rows: list[Row]) -> list[tuple[str, bool]]:
    said = []
    for row in _of(rows, "both_ways"):
        one = next((other for other in _of(rows, "one_way") if other["scene"] == row["scene"]), None)
        if one is not None and any(row["scene"] == f"{density:g} per m²" for density in BOTH_AT):
            share = 100.0 * number(row, "value") / number(one, "value")
            said.append((f"both ways at {row['scene']}: {share:.0f} % of one way (aim {BOTH:g})", share >= BOTH))
    return said


def _single_file(rows: list[Row]) -> list[tuple[str, bool]]:
    known = [
        row for row in _of(rows, "single_file") if row["%"] is not None and number(row, "density") <= SINGLE_TO
    ]
    if not known:
        return []
    off = max(known, key=lambda row: abs(number(row, "%") - 100.0))
    text = f"single file to {SINGLE_TO:g} per m: {number(off, '%'):.0f} % of people's speed at worst, at "
    return [
        (
            f"{text}{number(off, 'density'):.2f} (aim within {WITHIN_SINGLE:g} %)",
            abs(number(off, "%") - 100.0) <= WITHIN_SINGLE,
        )
    ]


def _doors(rows: list[Row]) -> list[tuple[str, bool]]:
    said = []
    for row in _of(rows, "doors"):
        if row["%"] is not None:
            in_band = number(row, "value") >= number(row, "least")
            text = f"door of {row['scene']}: {number(row, '%'):.0f} % of people's flow"
            said.append(
                (f"{text} (aim {DOOR_SHARE:g}, or as the slowest)", in_band or number(row, "%") >= DOOR_SHARE)
            )
    return said
