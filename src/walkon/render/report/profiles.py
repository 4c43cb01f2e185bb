"""How fast people go over time, and how synchronous pairs are: small plots, one for each thing measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array
from walkon.metrics import Trajectories
from walkon.metrics.plausibility import HIGH_SYNCHRONICITY, HYPER_SYNCHRONICITY, speeds
from walkon.metrics.plausibility.resistance import BEST_SPEED
from walkon.metrics.trajectories import until_arrival
from walkon.render.report.entries import Entry
from walkon.render.report.style import PLOT_WIDTH
from walkon.render.svg import drawing, element, line, track, words
from walkon.render.ticks import ticks

LEFT, TOP, HEIGHT, BOTTOM = 34.0, 24.0, 130.0, 34.0
PROFILE_COLUMNS = 160
"""Moments of a profile at most: more cannot be told apart at the width of a plot."""

MOST_OWN_LINES = 12
"""Where there are no more people than this, everybody's own line is drawn as well."""


def draw_speeds(entries: Sequence[Entry]) -> list[str]:
    """Speed profiles (one for each entry) on the same axes: the middle, half and nine tenths of the people under
    way."""
    moving = [until_arrival(entry.measures.trajectories) for entry in entries]
    rates = [speeds(paths) for paths in moving]
    tables = [_table(paths, own) for paths, own in zip(moving, rates, strict=True)]
    longest = max((float(times[-1]) for times, _ in tables if len(times)), default=1.0) or 1.0
    fastest = [np.nanpercentile(table, 99.0) for _, table in tables if np.isfinite(table).any()]
    highest = max([1.6, *map(float, fastest)]) * 1.05
    return [_profile(k, *table, longest, highest) for k, table in enumerate(tables)]


def _table(paths: Trajectories, rates: Array) -> tuple[Array, Array]:
    """Moments (T,) [s] and everybody's speeds then (T, N) [m/s]; nan where they are not under way."""
    frames = np.unique(
        np.linspace(0, max(paths.frames - 1, 0), min(max(paths.frames, 1), PROFILE_COLUMNS)).astype(int)
    )
    table = np.full((len(frames), len(paths)), np.nan, dtype=np.float64)
    for person in range(len(paths)):
        own = frames + paths.first - paths.starts[person]
        there = (own >= 0) & (own < paths.counts[person])
        table[there, person] = rates[paths.offsets[person] + own[there]]
    return frames / paths.fps, table


def _profile(number: int, times: Array, table: Array, longest: float, highest: float) -> str:
    across = PLOT_WIDTH - LEFT - 6

    def at(time: float, speed: float) -> tuple[float, float]:
        return LEFT + across * time / longest, TOP + HEIGHT * (1.0 - min(speed, highest) / highest)

    parts = _axes(longest, highest, at)
    known = np.isfinite(table).any(axis=1)
    times, table = times[known], table[known]
    if len(times):
        quantiles = np.nanpercentile(table, [5, 25, 50, 75, 95], axis=1)
        for low, high, cls in ((0, 4, "band"), (1, 3, "band")):
            edge = [at(t, v) for t, v in zip(times, quantiles[high], strict=True)]
            back = [at(t, v) for t, v in zip(times, quantiles[low], strict=True)][::-1]
            parts.append(element("path", d=track(edge + back, closed=True), cls=cls))
        for person in range(table.shape[1] if table.shape[1] <= MOST_OWN_LINES else 0):
            own = [at(t, v) for t, v in zip(times, table[:, person], strict=True) if np.isfinite(v)]
            parts.append(element("path", d=track(own), cls="thin"))
        middle = [at(t, v) for t, v in zip(times, quantiles[2], strict=True)]
        parts.append(element("path", d=track(middle), cls="curve"))
    group = element("g", *parts, cls=f"c{number}")
    return drawing(PLOT_WIDTH, TOP + HEIGHT + BOTTOM, group, label="speed over time")


def _axes(longest: float, highest: float, at) -> list[str]:
    parts = []
    for tick in ticks(0.0, longest, 6):
        x, y = at(tick, 0.0)
        parts.append(line(x, TOP, x, y, "grid"))
        parts.append(words(x, y + 14, f"{tick:g}", "tick", text_anchor="middle"))
    for tick in ticks(0.0, highest, 4):
        x, y = at(0.0, tick)
        parts.append(line(x, y, PLOT_WIDTH - 6, y, "grid"))
        parts.append(words(x - 5, y + 4, f"{tick:g}", "tick", text_anchor="end"))
    x, y = at(0.0, BEST_SPEED)
    parts.append(line(x, y, PLOT_WIDTH - 6, y, "bench"))
    parts.append(words(PLOT_WIDTH - 6, y - 4, "least effort, 1.33 m/s", "benchname", text_anchor="end"))
    parts.append(words(PLOT_WIDTH - 6, TOP + HEIGHT + 29, "time [s]", "tick", text_anchor="end"))
    parts.append(words(0, 9, "speed [m/s]", "tick"))
    return parts


def draw_histograms(entries: Sequence[Entry]) -> list[str]:
    """Histograms of the synchronicity of pairs, on the same axes: the share of pairs in each of twenty bins."""
    shares = [_shares(entry) for entry in entries]
    highest = max(0.05, max((float(share.max()) for share in shares if share is not None), default=0.05)) * 1.08
    return [_histogram(k, share, highest) for k, share in enumerate(shares)]


def _shares(entry: Entry) -> Array | None:
    bins = entry.measures.synchronicity.histogram
    return bins / bins.sum() if bins.sum() else None


def _histogram(number: int, shares: Array | None, highest: float) -> str:
    across = PLOT_WIDTH - LEFT - 6
    ground = TOP + HEIGHT
    parts = []
    for tick in ticks(0.0, highest, 4):
        y = ground - HEIGHT * tick / highest
        parts.append(line(LEFT, y, PLOT_WIDTH - 6, y, "grid"))
        parts.append(words(LEFT - 5, y + 4, f"{100 * tick:g}", "tick", text_anchor="end"))
    for tick in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        parts.append(words(LEFT + across * tick, ground + 14, f"{tick:g}", "tick", text_anchor="middle"))
    if shares is None:
        parts.append(words(LEFT + 0.5 * across, TOP + 0.5 * HEIGHT, "no pairs", "tick", text_anchor="middle"))
    else:
        wide = across / len(shares)
        for k, share in enumerate(shares.tolist()):
            tall = HEIGHT * share / highest
            parts.append(
                element("rect", x=LEFT + k * wide + 1, y=ground - tall, width=wide - 2, height=tall, cls="bar")
            )
    for value, name, anchor in (
        (HIGH_SYNCHRONICITY, "in step 0.6", "middle"),
        (HYPER_SYNCHRONICITY, "unison 0.95", "end"),
    ):
        x = LEFT + across * value
        parts.append(line(x, TOP, x, ground, "bench"))
        parts.append(words(x + (8 if anchor == "end" else 0), TOP - 4, name, "benchname", text_anchor=anchor))
    parts.append(words(0, 9, "pairs [%]", "tick"))
    parts.append(words(PLOT_WIDTH - 6, ground + 29, "mean synchronicity of a pair", "tick", text_anchor="end"))
    return drawing(
        PLOT_WIDTH, ground + BOTTOM, element("g", *parts, cls=f"c{number}"), label="synchronicity of pairs"
    )
