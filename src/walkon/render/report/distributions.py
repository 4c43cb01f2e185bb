"""How a measure is spread over people: a row of dots and a box for everything that was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from walkon.basics import Array
from walkon.render.report.catalogue import Panel, format_number
from walkon.render.report.entries import Entry
from walkon.render.report.style import PLOT_WIDTH
from walkon.render.svg import dots, drawing, element, line, shorten, track, words
from walkon.render.ticks import ticks

LEFT, RIGHT, TOP, ROW, BOTTOM = 76.0, 50.0, 34.0, 25.0, 20.0
MOST_DOTS = 240
"""People drawn in a row at most; of more, as many, evenly spread by value."""

FAR_OUT = 4.0
"""Values this many times as large as the 95th percentile are drawn at the edge, so that the others have room."""

CLOSE = 0.55
"""An axis does not begin at 0 if the least is more than this share of the most."""

LEAST_FOR_BOX = 5
"""People that a box is drawn for at least: the quartiles of fewer say nothing."""


def draw_panel(panel: Panel, entries: Sequence[Entry]) -> str | None:
    """The plot of a measure; None if nothing was measured."""
    rows = [panel_values(panel, entry) for entry in entries]
    if not any(len(row) for row in rows):
        return None
    lines = [panel.lines(entry) for entry in entries]
    low, high = _limits(rows, lines)
    bottom = TOP + ROW * len(entries)
    across = PLOT_WIDTH - LEFT - RIGHT

    def place(value: float) -> float:
        return LEFT + across * (min(max(value, low), high) - low) / (high - low)

    parts = []
    for tick in ticks(low, high, 5):
        parts.append(line(place(tick), TOP, place(tick), bottom, "grid"))
        parts.append(words(place(tick), bottom + 14, f"{tick:g}", "tick", text_anchor="middle"))
    parts.append(words(PLOT_WIDTH, TOP - 6, "mean", "tick", text_anchor="end"))
    for number, (entry, row) in enumerate(zip(entries, rows, strict=True)):
        middle = TOP + ROW * (number + 0.5)
        parts.append(words(0, middle + 4, shorten(entry.name, 11), "name"))
        if len(row):
            parts.append(element("g", *_row(row, middle, place, low, high), cls=f"c{number}"))
            mean = format_number(float(row.mean()), panel.digits)
            parts.append(words(PLOT_WIDTH, middle + 4, mean, "value", text_anchor="end"))
        else:
            parts.append(words(LEFT, middle + 4, "not measured", "tick"))
    parts += _lines(lines, place, low, high)
    return drawing(PLOT_WIDTH, bottom + BOTTOM, *parts, label=f"{panel.title} of everybody")


def panel_values(panel: Panel, entry: Entry) -> Array:
    """What everybody has, in the unit of the plot; those without are left out."""
    found = entry.measures.per_person().get(panel.key)
    if found is None:
        return np.empty(0)
    return found[np.isfinite(found)] * panel.factor


def _limits(rows: Sequence[Array], lines: Sequence[list[tuple[str, float]]]) -> tuple[float, float]:
    """Of the axis: from 0 to the most there is, unless that is far beyond all others, or all are far from 0."""
    everything = np.concatenate(list(rows))
    most, usual = float(everything.max()), float(np.percentile(everything, 95.0))
    high = most if most <= FAR_OUT * usual or usual <= 0.0 else 1.5 * usual
    marks = [value for own in lines for _, value in own if math.isfinite(value) and value <= 3.0 * high]
    high = max([high, *marks]) * 1.04
    least = min([float(everything.min()), *marks])
    low = min(0.0, least) if least < CLOSE * high else least - 0.5 * (high - least)
    return low, high if high > low else low + 1.0


def _row(values: Array, middle: float, place, low: float, high: float) -> list[str]:
    parts = []
    if len(values) >= LEAST_FOR_BOX:
        first, median, third = np.percentile(values, [25, 50, 75])
        x0, x1 = place(first), place(third)
        parts.append(element("rect", x=x0, y=middle - 8, width=max(x1 - x0, 1.0), height=16.0, rx=2, cls="box"))
        parts.append(line(place(median), middle - 8, place(median), middle + 8, "median"))
    shown = np.sort(values)
    if len(shown) > MOST_DOTS:
        shown = shown[np.linspace(0, len(shown) - 1, MOST_DOTS).astype(int)]
    inside = shown[shown <= high]
    # The golden section puts neighbours in value far apart in height.
    heights = (np.arange(len(inside)) * 0.618 % 1.0 - 0.5) * 12.0
    points = [(place(value), middle + height) for value, height in zip(inside, heights, strict=True)]
    parts.append(element("path", d=dots(points), cls="dots"))
    beyond = shown[shown > high]
    if len(beyond):
        x = place(high)
        arrow = track([(x, middle - 4), (x + 6, middle), (x, middle + 4)], closed=True)
        said = f"{len(beyond)} beyond the axis, up to {beyond.max():.3g}"
        parts.append(element("path", element("title", said), d=arrow, cls="beyond"))
    return parts


def _lines(lines: Sequence[list[tuple[str, float]]], place, low: float, high: float) -> list[str]:
    """Lines to compare with, each across the rows it belongs to, named once."""
    spans: dict[tuple[str, float], list[int]] = {}
    for number, own in enumerate(lines):
        for name, value in own:
            if math.isfinite(value) and low <= value <= high:
                spans.setdefault((name, round(value, 6)), []).append(number)
    parts, named, taken = [], set(), []
    for (name, value), rows in sorted(spans.items(), key=lambda item: item[0][1]):
        x = place(value)
        for row in rows:
            parts.append(line(x, TOP + ROW * row, x, TOP + ROW * (row + 1), "bench"))
        if name in named:
            continue
        named.add(name)
        # Two names side by side need room; the second goes above the first.
        level = 1 if any(abs(x - other) < 62 for other in taken) else 0
        taken.append(x)
        anchor = "end" if x > PLOT_WIDTH - RIGHT - 40 else "middle" if x > LEFT + 20 else "start"
        parts.append(words(x, TOP - 6 - 12 * level, name, "benchname", text_anchor=anchor))
        parts.append(line(x, TOP - 4 - 12 * level, x, TOP, "bench"))
    return parts
