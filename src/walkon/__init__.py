"""walkon directs virtual actors: clips, a scene and goals become collision-free full-body animation.

Importing the package does no work: names are looked up in their rooms when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from walkon.errors import ClipError, WalkonError
    from walkon.motion import Clip, ClipLibrary, read_clip
    from walkon.rotations import Placement
    from walkon.skeleton import Body, Skeleton

__version__ = "0.1.0"

_ROOMS = {
    "WalkonError": "walkon.errors",
    "ClipError": "walkon.errors",
    "Placement": "walkon.rotations",
    "Skeleton": "walkon.skeleton",
    "Body": "walkon.skeleton",
    "Clip": "walkon.motion",
    "ClipLibrary": "walkon.motion",
    "read_clip": "walkon.motion",
}

__all__ = [
    "Body",
    "Clip",
    "ClipError",
    "ClipLibrary",
    "Placement",
    "Skeleton",
    "WalkonError",
    "__version__",
    "read_clip",
]


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module 'walkon' has no attribute {name!r}")
    return getattr(import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
