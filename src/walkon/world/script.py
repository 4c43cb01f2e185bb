"""A script: what somebody is to do, step by step, when their motion is taken from a motion graph."""

from __future__ import annotations

import math
from dataclasses import dataclass

from walkon.errors import SceneError


@dataclass(frozen=True, kw_only=True)
class ScriptStep:
    """What all steps have. soft: it need only be met as nearly as possible, which counts `weight` times."""

    soft: bool = False
    weight: float = 1.0


@dataclass(frozen=True)
class Go(ScriptStep):
    """Go there: be within `tolerance` [m] of (x, z) when the next step begins."""

    x: float
    z: float
    tolerance: float = 0.5


@dataclass(frozen=True)
class Via(ScriptStep):
    """Pass by, without stopping: come within `tolerance` [m] of (x, z)."""

    x: float
    z: float
    tolerance: float = 0.5


@dataclass(frozen=True)
class Follow(ScriptStep):
    """Go along a line drawn by hand, points (x, z) [m], and never be further than `tolerance` [m] from it."""

    points: tuple[tuple[float, float], ...]
    tolerance: float = 0.5

    def __post_init__(self) -> None:
        points = tuple((float(x), float(z)) for x, z in self.points)
        if len(points) < 2:
            raise SceneError("a line to follow has two points or more")
        object.__setattr__(self, "points", points)


@dataclass(frozen=True)
class Do(ScriptStep):
    """Do what has this label: a number of times, or for a time [s] where that is given."""

    label: str
    times: int = 1
    seconds: float | None = None


@dataclass(frozen=True)
class Face(ScriptStep):
    """Look along `heading` ± `tolerance` [rad] when the next step begins."""

    heading: float
    tolerance: float = math.radians(30.0)


@dataclass(frozen=True)
class Style(ScriptStep):
    """From here on, get about in motion that has this label."""

    label: str


@dataclass(frozen=True)
class Wait(ScriptStep):
    """Stand for a time [s]."""

    seconds: float


VERBS: dict[str, type[ScriptStep]] = {
    "go": Go,
    "via": Via,
    "path": Follow,
    "do": Do,
    "face": Face,
    "style": Style,
    "wait": Wait,
}
"""What a scene file calls them."""


def verb_of(step: ScriptStep) -> str:
    """What a scene file calls a step."""
    return next(verb for verb, kind in VERBS.items() if isinstance(step, kind))
