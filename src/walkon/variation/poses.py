"""Poses as the character itself sees them: where its joints are, and how they are bent, wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion import Clip, ground_placements
from walkon.rotations import multiply, rotate, rotation_about_y

RATE_TOLERANCE = 1e-6
"""Rates [Hz] that differ by less are the same: files round them."""


def own_positions(clip: Clip) -> Array:
    """Joints (F, J, 3) [m]: left, up and ahead of the place on the ground that the body stands at, as it faces."""
    x, z, heading = ground_placements(clip).T
    origin = np.stack([x, np.zeros_like(x), z], axis=1)
    return rotate(rotation_about_y(-heading)[:, None], clip.positions - origin[:, None])


def own_rotations(clip: Clip) -> Array:
    """Local rotations (F, J, 4), the root's without its heading; tips are left out."""
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_y(-ground_placements(clip)[:, 2]), rotations[:, 0])
    return rotations[:, ~clip.skeleton.tips]


def check_alike(sets: Sequence[Sequence[Clip]], names: Sequence[str], *, least: int = 3) -> None:
    """Refuse sets of clips that are empty, of different skeletons or rates, or shorter than `least` frames."""
    for clips, name in zip(sets, names, strict=True):
        if not clips:
            raise ClipError(f"there is no clip among the {name}")
    first = sets[0][0]
    for clips, name in zip(sets, names, strict=True):
        for clip in clips:
            if not clip.skeleton.matches(first.skeleton, tolerance=1e-4):
                raise ClipError(f"{clip.name!r}, one of the {name}, has another skeleton than {first.name!r}")
            if abs(clip.fps - first.fps) > RATE_TOLERANCE:
                raise ClipError(
                    f"{clip.name!r}, one of the {name}, has {clip.fps:g} frames a second, "
                    f"not {first.fps:g} as {first.name!r} has"
                )
            if len(clip) < least:
                raise ClipError(f"{clip.name!r}, one of the {name}, has {len(clip)} frames; {least} is the least")
