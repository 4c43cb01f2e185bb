"""Who is in the file: one clip per character, their names, their colours and the skeletons they share."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable, Sequence

import numpy as np

from walkon.errors import ExportError
from walkon.motion import Clip

GOLDEN_TURN = 0.618033988749895
"""Stepping round the colour wheel by this share keeps any number of neighbours apart."""

FIRST_HUE = 0.58

DISPLAY_GAMMA = 2.2


def as_cast(clips: Clip | Sequence[Clip]) -> tuple[Clip, ...]:
    """The clips as a tuple, one per character; at least one, and all at the same rate."""
    cast = (clips,) if isinstance(clips, Clip) else tuple(clips)
    if not cast:
        raise ExportError("there is no clip to write")
    for clip in cast:
        if not np.isclose(clip.fps, cast[0].fps, rtol=1e-6, atol=0):
            raise ExportError(
                f"characters in one file share one frame rate: {cast[0].name!r} has {cast[0].fps:g} Hz, "
                f"{clip.name!r} has {clip.fps:g} Hz; resample them first"
            )
    return cast


def entrances(cast: Sequence[Clip], starts: Sequence[int] | None) -> tuple[int, ...]:
    """The frame in which each character appears: those given, or 0 for all."""
    found = (0,) * len(cast) if starts is None else tuple(int(start) for start in starts)
    if len(found) != len(cast) or min(found) < 0:
        raise ExportError(
            f"{len(cast)} characters need as many start frames, none before 0; got {list(found)[:10]}"
        )
    return found


def the_only(clips: Clip | Sequence[Clip], what: str) -> Clip:
    """The one clip of a file that holds one character; `what` names the kind of file."""
    clip, *others = as_cast(clips)
    if others:
        raise ExportError(
            f"a {what} file holds one character, not {1 + len(others)}; write one for each, or choose GLB or USD"
        )
    return clip


def unique_names(names: Iterable[str], taken: Iterable[str] = (), separator: str = "_") -> list[str]:
    """The names in order, with a number appended to those already used: walk, walk_2, walk_3."""
    used = set(taken)
    next_number: dict[str, int] = {}
    unique = []
    for name in names:
        candidate, number = name, next_number.get(name, 2)
        while candidate in used:
            candidate = f"{name}{separator}{number}"
            number += 1
        next_number[name] = number
        used.add(candidate)
        unique.append(candidate)
    return unique


def group_by_skeleton(cast: Sequence[Clip]) -> tuple[list[Clip], list[int]]:
    """For every different skeleton the first clip that has it, and for every clip the index of its group."""
    indices: dict[tuple[tuple[str, ...], bytes, bytes], int] = {}
    firsts: list[Clip] = []
    groups = []
    for clip in cast:
        skeleton = clip.skeleton
        key = (skeleton.names, skeleton.parents.tobytes(), skeleton.offsets.tobytes())
        if key not in indices:
            indices[key] = len(firsts)
            firsts.append(clip)
        groups.append(indices[key])
    return firsts, groups


def character_colour(index: int) -> tuple[float, float, float]:
    """Linear red, green and blue (0 to 1) of the character at `index`: friendly, and unlike its neighbours'."""
    hue = (FIRST_HUE + index * GOLDEN_TURN) % 1.0
    red, green, blue = (channel**DISPLAY_GAMMA for channel in colorsys.hsv_to_rgb(hue, 0.55, 0.85))
    return red, green, blue
