"""Classic scenes, on which crowds have been compared for years: written by us, as text for `read_scene`."""

from __future__ import annotations

from walkon.errors import SceneError
from walkon.world.classics.catalogue import CLASSICS, Classic

__all__ = ["Classic", "classic", "classic_names", "classic_scene_text"]


def classic_names() -> tuple[str, ...]:
    """The names of all classic scenes, in the order in which they are listed."""
    return tuple(CLASSICS)


def classic(name: str) -> Classic:
    """The classic scene of this name; raises SceneError if there is none."""
    if name not in CLASSICS:
        raise SceneError(f"no classic scene {name!r}; there are: {', '.join(CLASSICS)}")
    return CLASSICS[name]


def classic_scene_text(name: str, seed: int = 0) -> str:
    """The scene file of a classic scene (TOML), the same for the same name and seed.

    Seed 0 is the layout as it is known; any other moves starts and goals by up to 10 cm along x and z, and draws
    anew what is random in the scene.
    """
    return classic(name).text(seed)
