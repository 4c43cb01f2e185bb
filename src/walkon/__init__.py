"""walkon directs virtual actors: clips, a scene and goals become collision-free full-body animation.

Importing the package does no work: names are looked up in their rooms when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from walkon.lazy import lazy_names

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorLibrary, read_library
    from walkon.directing import plan_scene
    from walkon.errors import ClipError, WalkonError
    from walkon.export import export_take
    from walkon.metrics import audit
    from walkon.motion import Clip, ClipLibrary, read_clip
    from walkon.rotations import Placement
    from walkon.skeleton import Body, Skeleton
    from walkon.take import Take, read_take, write_take
    from walkon.world import Scene, read_scene

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
    "BehaviorLibrary": "walkon.behaviors",
    "read_library": "walkon.behaviors",
    "Scene": "walkon.world",
    "read_scene": "walkon.world",
    "plan_scene": "walkon.directing",
    "Take": "walkon.take",
    "read_take": "walkon.take",
    "write_take": "walkon.take",
    "audit": "walkon.metrics",
    "export_take": "walkon.export",
}

__all__ = [
    "BehaviorLibrary",
    "Body",
    "Clip",
    "ClipError",
    "ClipLibrary",
    "Placement",
    "Scene",
    "Skeleton",
    "Take",
    "WalkonError",
    "__version__",
    "audit",
    "export_take",
    "plan_scene",
    "read_clip",
    "read_library",
    "read_scene",
    "read_take",
    "write_take",
]

__getattr__ = lazy_names(__name__, _ROOMS)


def __dir__() -> list[str]:
    return sorted(__all__)
