"""Curves whose value, speed and acceleration are given where they begin and end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.keyframes import Curve, Keys, clamped_spline


def quintic(knots: ArrayLike, values: ArrayLike, speeds: ArrayLike, bends: ArrayLike) -> Curve:
    """The C2 curve of quintic pieces with values, speeds and accelerations (N, ...) at knots (N,) in time.

    Before the first knot and after the last it stays at the value there.
    """
    knots = np.asarray(knots, dtype=np.float64)
    given = [np.asarray(column, dtype=np.float64) for column in (values, speeds, bends)]

    def curve(times: ArrayLike) -> Array:
        times = np.clip(times, knots[0], knots[-1])
        piece = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
        span = knots[piece + 1] - knots[piece]
        s = (times - knots[piece]) / span
        total = 0.0
        for end, sign, x in ((0, 1.0, s), (1, -1.0, 1.0 - s)):
            weights = _basis(x)
            for order, (weight, column) in enumerate(zip(weights, given, strict=True)):
                scale = weight * (sign * span) ** order
                total = total + _along(scale, column[piece + end])
        return np.asarray(total)

    return curve


def held(stretches: Sequence[Keys]) -> Curve:
    """The C2 curve through stretches of keys, each of which it enters and leaves at rest; held between them."""
    knots, columns = [], []
    for keys in stretches:
        times = np.array(sorted(keys))
        spline = clamped_spline(times, [keys[time] for time in times], 0.0, 0.0)
        bends = spline(times, 2)
        bends[[0, -1]] = 0.0
        knots.append(times)
        columns.append(np.stack([spline(times), spline(times, 1), bends]))
    if not knots:
        raise ValueError("a curve needs at least one stretch of keys")
    return quintic(np.concatenate(knots), *np.concatenate(columns, axis=1))


def _basis(x: Array) -> tuple[Array, Array, Array]:
    """Weights of value, speed and acceleration at the end of a piece that lies at x = 0 (the other at 1)."""
    left = (1.0 - x) ** 3
    return left * (1.0 + x * (3.0 + 6.0 * x)), left * x * (1.0 + 3.0 * x), 0.5 * left * x * x


def _along(weight: Array, column: Array) -> Array:
    return weight.reshape(weight.shape + (1,) * (column.ndim - weight.ndim)) * column
