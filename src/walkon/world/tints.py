"""What obstacles look like, in pictures and in files: calm colours that say what can be done about each."""

from __future__ import annotations

from walkon.world.scene import Obstacle

Colour = tuple[float, float, float]

CLAY: Colour = (206.0, 196.0, 184.0)
"""What is just in the way. All colours are red, green and blue from 0 to 255."""

KIND_TINTS: dict[str, Colour] = {
    "step_over": (226.0, 190.0, 122.0),  # sand
    "jump_over": (220.0, 148.0, 108.0),  # apricot
    "duck_under": (126.0, 164.0, 196.0),  # sky
    "crawl_under": (158.0, 144.0, 190.0),  # lilac
}
"""What can be passed; the first way that an obstacle allows decides."""

MOVING_TINTS: tuple[Colour, ...] = (
    (104.0, 152.0, 150.0),
    (126.0, 146.0, 178.0),
    (164.0, 142.0, 116.0),
    (132.0, 160.0, 122.0),
)
"""What moves; neighbours in number look different."""


def obstacle_tint(obstacle: Obstacle, index: int) -> Colour:
    """The colour of the obstacle with that number in its scene."""
    if obstacle.passes:
        return KIND_TINTS[obstacle.passes[0]]
    return MOVING_TINTS[index % len(MOVING_TINTS)] if obstacle.moves else CLAY
