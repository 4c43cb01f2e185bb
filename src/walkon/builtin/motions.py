"""The table of built-in motions: each name with its maker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from walkon.builtin.crawl import make_crawl
from walkon.builtin.dog import make_dog
from walkon.builtin.horse.clip import make_horse
from walkon.builtin.jump import make_jump
from walkon.builtin.skateboard.clip import make_skateboarder
from walkon.builtin.walk import make_run, make_walk
from walkon.errors import ClipError
from walkon.motion import Clip

BUILTIN: Mapping[str, Callable[..., Clip]] = MappingProxyType(
    {
        "walk": make_walk,
        "run": make_run,
        "jump": make_jump,
        "crawl": make_crawl,
        "skateboarder": make_skateboarder,
        "dog": make_dog,
        "horse": make_horse,
    }
)
"""Name -> maker; every maker takes a skeleton or none, and `fps`."""


def make(name: str, **options: Any) -> Clip:
    """The built-in motion called `name`; `options` go to its maker, such as `speed` and `fps`."""
    maker = BUILTIN.get(name)
    if maker is None:
        raise ClipError(f"no built-in motion {name!r}; there are: {', '.join(BUILTIN)}")
    return maker(**options)
