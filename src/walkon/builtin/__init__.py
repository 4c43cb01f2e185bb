"""Motion that ships with walkon: made by its own keys and rules, on its own bodies; no recordings.

`make("walk")` gives a clip; `BUILTIN` lists what there is. Importing the room does no work: makers are looked up
when first used, as whoever fetches a cast from the shelf needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from walkon.builtin.crawl import make_crawl
    from walkon.builtin.dog import make_dog
    from walkon.builtin.horse.clip import make_horse
    from walkon.builtin.jump import make_jump
    from walkon.builtin.motions import BUILTIN, make
    from walkon.builtin.skateboard.clip import make_skateboarder
    from walkon.builtin.skeletons import dog_skeleton, horse_skeleton, human_skeleton, skateboarder_skeleton
    from walkon.builtin.walk import make_run, make_walk

_HOMES = {
    "BUILTIN": "walkon.builtin.motions",
    "dog_skeleton": "walkon.builtin.skeletons",
    "horse_skeleton": "walkon.builtin.skeletons",
    "human_skeleton": "walkon.builtin.skeletons",
    "make": "walkon.builtin.motions",
    "make_crawl": "walkon.builtin.crawl",
    "make_dog": "walkon.builtin.dog",
    "make_horse": "walkon.builtin.horse.clip",
    "make_jump": "walkon.builtin.jump",
    "make_run": "walkon.builtin.walk",
    "make_skateboarder": "walkon.builtin.skateboard.clip",
    "make_walk": "walkon.builtin.walk",
    "skateboarder_skeleton": "walkon.builtin.skeletons",
}

__all__ = [
    "BUILTIN",
    "dog_skeleton",
    "horse_skeleton",
    "human_skeleton",
    "make",
    "make_crawl",
    "make_dog",
    "make_horse",
    "make_jump",
    "make_run",
    "make_skateboarder",
    "make_walk",
    "skateboarder_skeleton",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'walkon.builtin' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
