"""How exactly planners see bodies: the levels that a scene can choose from.

A coarser level is quicker to ask and keeps people farther apart. At none of them do bodies touch: the audit looks
at the capsules themselves, whatever was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from walkon.errors import SceneError

BodyLevel = Literal["one-circle", "circle", "outline", "body"]
"""A level by its name, from coarse to fine."""

BODY_LEVELS: tuple[BodyLevel, ...] = get_args(BodyLevel)
"""All levels, from coarse to fine."""

OUTLINED: tuple[BodyLevel, ...] = ("outline", "body")
"""The levels at which planners see outlines."""

DEFAULT_BODIES: BodyLevel = "outline"
"""The level of scenes that say nothing: circles are too wide for the doors of houses, and bodies take long to
compare."""

LEVEL_BEFORE: BodyLevel = "circle"
"""The level of takes that say nothing: they were planned before there was a choice."""

LEVELS_ABOUT: Mapping[BodyLevel, str] = MappingProxyType(
    {
        "one-circle": "one circle that holds the body in all frames of a clip",
        "circle": "a circle in every frame",
        "outline": "the convex outline on the ground in every frame",
        "body": "outlines, and where those of two people come too near, their capsules; live crowds see outlines",
    }
)
"""What planners see of a body at each level, in a few words."""


def seen_live(level: BodyLevel) -> BodyLevel:
    """The level at which a live crowd sees bodies if that is asked for: it looks no closer than outlines."""
    return "outline" if level == "body" else level


def check_level(name: str) -> BodyLevel:
    """The level of that name; raises SceneError, which lists the levels there are."""
    for level in BODY_LEVELS:
        if name == level:
            return level
    raise SceneError(f"no level of bodies {name!r:.40}; there are: {', '.join(BODY_LEVELS)}")
