"""From the sampled path of a joint to where it is held and back: curves without jumps in place, speed or push."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.variation.plants import Hold

Array = NDArray[np.float64]


def shift_curve(places: Array, holds: Sequence[Hold], ease: int) -> tuple[Array, Array]:
    """How far a joint at `places` (F, 3) [m] is shifted (F, 3) [m], and how firmly it is held (F,), 0 to 1.

    holds: of this joint, in order, apart from each other. While held the shift is exact. Before and after, it goes
    on as it comes (value, first and second difference) and fades to nothing within `ease` frames, alike on both
    sides; between two holds closer than that it goes from the one to the other.
    """
    frames = len(places)
    shift, firmness = np.zeros((frames, 3)), np.zeros(frames)
    states = []
    for hold in holds:
        inside = slice(hold.start, hold.stop)
        shift[inside], firmness[inside] = hold.path - places[inside], 1.0
        states.append((_state(places, hold, 0), _state(places, hold, len(hold.path) - 1)))
    nothing = np.zeros((3, 3))
    for i, hold in enumerate(holds):
        begin, end = states[i]
        if i == 0 or hold.start - holds[i - 1].stop + 1 >= 2 * ease:
            _lay(shift, firmness, hold.start - ease, hold.start, nothing, begin, (0.0, 1.0))
        if i + 1 == len(holds) or holds[i + 1].start - hold.stop + 1 >= 2 * ease:
            _lay(shift, firmness, hold.stop - 1, hold.stop - 1 + ease, end, nothing, (1.0, 0.0))
        else:
            _lay(shift, firmness, hold.stop - 1, holds[i + 1].start, end, states[i + 1][0], (1.0, 1.0))
    return shift, firmness


def _state(places: Array, hold: Hold, at: int) -> Array:
    """The shift at a frame of a hold, and its first and second difference there: (3, 3)."""
    frame = hold.start + at
    early, late = max(frame - 1, 0), min(frame + 1, len(places) - 1)
    speed = (places[late] - places[early]) / max(late - early, 1)
    bend = places[late] - 2 * places[frame] + places[early] if late - early == 2 else np.zeros(3)
    inner = int(np.clip(at, 1, max(len(hold.path) - 2, 1)))
    own = np.zeros(3) if len(hold.path) < 3 else 0.5 * (hold.path[inner + 1] - hold.path[inner - 1])
    return np.stack([hold.path[at] - places[frame], own - speed, -bend])


def _lay(shift: Array, firmness: Array, start: int, stop: int, begin: Array, end: Array, firm: tuple) -> None:
    """Fill what lies between two frames by the curve of fifth degree from one state to the other."""
    length = stop - start
    frames = np.arange(max(start + 1, 0), min(stop, len(shift)))
    if length < 2 or len(frames) == 0:
        return
    s = (frames - start) / length
    shift[frames] = _quintic(s, length, begin) + _quintic(1.0 - s, length, end * [[1.0], [-1.0], [1.0]])
    steps = smoothest_step(s)
    # Between two holds the joint is let go in the middle.
    firmness[frames] = firm[0] * (1.0 - steps) + firm[1] * steps - (16.0 * (s * (1.0 - s)) ** 2 if min(firm) else 0.0)


def _quintic(s: Array, length: float, state: Array) -> Array:
    """The curve (N, 3) that has the given state at s = 0 and is flat and nothing at s = 1."""
    left = (1.0 - s) ** 3
    value = left * (1.0 + 3.0 * s + 6.0 * s * s)
    slope = left * (s + 3.0 * s * s) * length
    bend = left * 0.5 * s * s * length**2
    return value[:, None] * state[0] + slope[:, None] * state[1] + bend[:, None] * state[2]


def smoothest_step(s: Array) -> Array:
    """From 0 to 1 with no slope and no bend at either end."""
    return s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
