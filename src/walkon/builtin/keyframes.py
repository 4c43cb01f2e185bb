"""Curves through authored keys: the animator's side of the built-in motion.

Three ways to join keys, each twice continuously differentiable where a body could feel the difference:
`cycle` for motion that repeats, `sequence` for poses held and left at will, `bridge` for a limb that leaves
one support and arrives at the next with the speed each imposes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import BPoly, CubicSpline, PchipInterpolator

from walkon.basics import Array

Curve = Callable[[ArrayLike], Array]
"""Times (or phases) of any shape in, values of the same shape out."""

Keys = Mapping[float, float]
"""Time [s] or phase [cycles] -> value."""

NO_KEY = "."
"""Written in a table where a channel has no key at that time."""


def scaled(keys: Keys, factor: float) -> dict[float, float]:
    """The same keys with all values multiplied."""
    return {time: factor * value for time, value in keys.items()}


def cycle(keys: Keys) -> Curve:
    """The periodic C2 spline through keys at phases in [0, 1); any phase may be asked."""
    phases = np.array(sorted(keys))
    if len(phases) < 2 or phases[0] < 0 or phases[-1] >= 1:
        raise ValueError(f"a cycle needs at least two keys at phases in [0, 1), not {list(phases)}")
    values = np.array([keys[phase] for phase in phases])
    spline = CubicSpline(np.append(phases, phases[0] + 1.0), np.append(values, values[0]), bc_type="periodic")
    return lambda phase: spline(phases[0] + np.mod(np.asarray(phase) - phases[0], 1.0))


def held_cycle(keys: Keys) -> Curve:
    """The periodic C2 curve through keys at phases in [0, 1) that never overshoots: equal neighbours are held."""
    phases = sorted(keys)
    repeated = {phase + turn: keys[phase] for turn in (-1, 0, 1, 2) for phase in phases}
    curve = sequence(repeated)
    return lambda phase: curve(np.mod(phase, 1.0))


def sequence(keys: Keys) -> Curve:
    """The C2 curve through keys in time that never overshoots them; at rest before the first and after the last.

    Two equal neighbours are held exactly, which a C2 cubic spline cannot promise: slopes are those of the
    monotone cubic, and quintic pieces meet with zero acceleration at every key.
    """
    times = np.array(sorted(keys))
    values = np.array([keys[time] for time in times])
    if len(times) == 1:
        return lambda time: np.full(np.shape(time), values[0])
    slopes = PchipInterpolator(times, values).derivative()(times)
    slopes[[0, -1]] = 0.0
    pieces = BPoly.from_derivatives(times, np.stack([values, slopes, np.zeros_like(values)], axis=1))
    return lambda time: pieces(np.clip(time, times[0], times[-1]))


def bridge(start: float, stop: float, ends: Array, speeds: Array, via: Keys | None = None) -> Curve:
    """From ends[0] at time `start` to ends[1] at `stop`, leaving and arriving at the given speeds [1/s].

    ends, speeds: (2,) of one coordinate. `via` gives values on the way at fractions in (0, 1) of the time;
    without it the curve is the one cubic that fits.
    """
    via = via or {}
    fractions = np.array([0.0, *sorted(via), 1.0])
    values = np.array([ends[0], *(via[fraction] for fraction in sorted(via)), ends[1]])
    times = start + fractions * (stop - start)
    return clamped_spline(times, values, speeds[0], speeds[1])


def clamped_spline(times: ArrayLike, values: ArrayLike, first: ArrayLike, last: ArrayLike) -> CubicSpline:
    """The C2 cubic spline through values (N, ...) that begins and ends at the given speeds (...)."""
    ends = ((1, first), (1, last))
    return CubicSpline(times, values, bc_type=ends)  # pyright: ignore[reportArgumentType]  (stubs know names only)


def ease(fraction: ArrayLike) -> Array:
    """0 before 0, 1 after 1, and between them the smoothest way from rest to rest (minimum jerk)."""
    s = np.clip(fraction, 0.0, 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


@cache
def read_table(text: str) -> Mapping[str, Keys]:
    """Keys by channel from a table as animators write it.

    The first line names the columns, the first of which is the time or phase; one line a key pose follows.
    A "." leaves the channel without a key there. Text after "#" is for the reader.
    """
    lines = [line.split("#")[0].split() for line in text.splitlines()]
    (_, *channels), *rows = [words for words in lines if words]
    table: dict[str, dict[float, float]] = {channel: {} for channel in channels}
    for time, *values in rows:
        if len(values) != len(channels):
            raise ValueError(f"the row at {time} has {len(values)} values for {len(channels)} channels")
        for channel, value in zip(channels, values, strict=True):
            if value != NO_KEY:
                table[channel][float(time)] = float(value)
    return MappingProxyType(table)


def cycle_channels(text: str, phase: ArrayLike) -> dict[str, Array]:
    """Every channel of a table of phases, joined by `cycle`, at the given phases."""
    return {channel: cycle(keys)(phase) for channel, keys in read_table(text).items()}


def sequence_channels(text: str, times: ArrayLike) -> dict[str, Array]:
    """Every channel of a table of times, joined by `sequence`, at the given times [s]."""
    return {channel: sequence(keys)(times) for channel, keys in read_table(text).items()}
