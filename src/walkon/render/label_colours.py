"""A colour for everything that is done: the same in every picture of a motion graph."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np

Colour = tuple[int, int, int]

KNOWN: dict[str, Colour] = {
    "walk": (54, 126, 164),
    "run": (214, 92, 72),
    "stand": (120, 150, 112),
    "jump": (222, 160, 52),
    "turn": (104, 184, 176),
    "wave": (132, 104, 178),
    "cheer": (206, 108, 150),
    "sit": (150, 116, 84),
    "duck": (84, 98, 154),
}
"""Motions that everybody has."""

OTHERS: tuple[Colour, ...] = (
    (86, 156, 140),
    (188, 132, 92),
    (116, 132, 190),
    (176, 92, 112),
    (148, 158, 76),
    (96, 124, 132),
)
"""For all other labels; which of them gets which follows from its letters."""

NOTHING: Colour = (168, 172, 178)
"""Of motion without a label."""


def label_colour(name: str) -> Colour:
    """The colour 0..255 of a label."""
    # Not hash(): that differs from run to run.
    return KNOWN.get(name) or OTHERS[zlib.crc32(name.encode()) % len(OTHERS)]


def labels_colour(names: Iterable[str]) -> Colour:
    """The colour of a set of labels: the mean of theirs."""
    colours = [label_colour(name) for name in sorted(names)]
    if not colours:
        return NOTHING
    red, green, blue = np.mean(colours, axis=0).round().astype(int).tolist()
    return red, green, blue


def labels_name(names: Iterable[str]) -> str:
    """What to call a set of labels."""
    return " + ".join(sorted(names)) or "no label"
