"""Classic scenes, on which crowds have been compared for years: written by us, as text for `read_scene`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from walkon.errors import SceneError
from walkon.world.classics import crossings
from walkon.world.classics.layout import Layout, layout_text

__all__ = ["Classic", "classic", "classic_names", "classic_scene_text"]

THESIS = "J.-R. Chen, Planning Plausible Human Motions for Navigation and Collision Avoidance, UCL 2014"


@dataclass(frozen=True)
class Classic:
    """A scene: its name, what happens in it, who thought of it, and how it is laid out for a seed."""

    name: str
    title: str
    origin: str
    layout: Callable[[int], Layout]

    def text(self, seed: int = 0) -> str:
        """The scene file for this seed."""
        return layout_text(self.name, self.title, self.origin, self.layout(seed), seed)

    @property
    def people(self) -> int:
        """How many, whatever the seed."""
        return len(self.layout(0).people)


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


def _locking(count: int) -> Classic:
    return Classic(
        f"locking-{count}",
        f"Central locking: {count} people on a circle, everybody through the middle to the opposite side.",
        f"{THESIS}, sections 4.5.3 and 5.3 (4, 8, 16 and 24 people; it gives no radius, ours is 6 m).",
        lambda seed: crossings.central_locking(count),
    )


CLASSICS = {
    scene.name: scene
    for scene in (
        Classic(
            "crossing-4",
            "Four-person crossing: from the four corners of a square to the corners opposite.",
            f"{THESIS}, section 4.5.1 (it gives no size, our square has sides of 10 m).",
            crossings.four_person_crossing,
        ),
        Classic(
            "crossing-multiple",
            "Multiple crossing: streams from the four corners of a square to the corners opposite; four people "
            "enter every 2 s, six times. They leave where they arrive.",
            f"{THESIS}, section 4.5.2 (24 people; that streams keep to their right is ours, so that nobody "
            "enters where others arrive).",
            crossings.multiple_crossing,
        ),
        *(_locking(count) for count in (4, 8, 16, 24)),
    )
}
"""All of them by name."""
