"""Is the take of the scene that it is said to be of?

A take carries its scene with it, and is judged by it. Whoever has the scene that was asked for can have the two
compared: an obstacle that was taken away is missed by nobody who only sees the take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass

import numpy as np

from walkon.metrics.audit.events import violation
from walkon.metrics.audit.report import Violation
from walkon.take import Take
from walkon.world import Scene

SAME = 1e-9
"""How much numbers may differ [m], [s], [rad]: what a scene that was written and read again is off by."""

UNCHECKED = ("name", "duration", "clearance", "bodies")
"""What a scene may be called, and how long and how carefully planners work, is no matter of what is shown."""


def check_scene(take: Take, asked: Scene) -> list[Violation]:
    """A violation for everything that differs between the scene of a take and the one that was asked for."""
    shown, frames = take.scene, (0, max(take.frames - 1, 0))
    differing = []
    for own in fields(Scene):
        if own.name in UNCHECKED:
            continue
        is_, should = getattr(shown, own.name), getattr(asked, own.name)
        if own.name in ("obstacles", "characters"):
            differing += list(_things(own.name, is_, should))
        elif not _same(is_, should):
            differing.append((own.name, "", f"the {own.name} of the scene are not those that were asked for"))
    return [violation("scene", who, message, fps=take.fps, frames=frames) for _, who, message in differing]


def _things(what: str, shown: Sequence, asked: Sequence) -> Iterator[tuple[str, str, str]]:
    """What differs between obstacles or characters, by name."""
    here, there = ({thing.name: thing for thing in things} for things in (shown, asked))
    for name in sorted(set(here) | set(there)):
        if name not in here:
            yield what, name, "was asked for, and is not in the take's scene"
        elif name not in there:
            yield what, name, "is in the take's scene, and was not asked for"
        else:
            wrong = [
                own.name for own in fields(here[name])
                if not _same(getattr(here[name], own.name), getattr(there[name], own.name))
            ]  # fmt: skip
            if wrong:
                yield what, name, f"is not as it was asked for: {', '.join(wrong)}"


def _same(one: object, other: object) -> bool:
    """Whether two values are equal, all the way down, numbers to `SAME`."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.shape == other.shape and bool(np.allclose(one, other, rtol=0.0, atol=SAME))
    if is_dataclass(one) and type(one) is type(other):
        return all(_same(getattr(one, own.name), getattr(other, own.name)) for own in fields(one))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) <= SAME
    return one == other
