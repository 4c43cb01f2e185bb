"""What joint names say: which side of the body, which part of it, in any rig's dialect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

Side = Literal["left", "right"]

_SWAPPED = {"left": "right", "right": "left", "l": "r", "r": "l"}

# Dialects of left and right, most explicit first. Every match is believed only if the swapped name exists too,
# so that "lowerback" and "Upright" stay in the middle.
_SIDE_PATTERNS = (
    re.compile(r"left|right", re.IGNORECASE),  # LeftFoot, foot_right
    re.compile(r"(?<![A-Za-z0-9])[lr](?![A-Za-z0-9])", re.IGNORECASE),  # L_foot, foot.l, Bip01 L Foot
    re.compile(r"(?<![A-Za-z0-9])[LR](?=[A-Z])|(?<=[a-z0-9])[LR](?![A-Za-z0-9])"),  # LThumb, FemurL
    re.compile(r"(?<![A-Za-z0-9])[lr](?=[A-Za-z])"),  # lfemur
    re.compile(r"(?<=[FHB])[LR](?![A-Za-z])|(?<![A-Za-z0-9])[LR](?=[FHB](?![A-Za-z]))"),  # FL_hip, RF_paw
    re.compile(r"(?<=R)[LR](?![A-Za-z])"),  # RL_hip and RR_hip: rear left, rear right
)

_NOISE = frozenset(
    {"jnt", "joint", "jt", "bone", "bn", "node", "bip", "biped", "mixamorig", "character", "rig", "skel"}
    | {"def", "org", "fk", "ik", "ctrl", "l", "r", "left", "right"}
)
_ENDS = frozenset(["end", "tip", "nub", "site", "effector", "top"])
_HELPERS = frozenset({"twist", "roll", "pole", "target", "helper", "corrective"})


def named_sides(names: Sequence[str]) -> dict[int, tuple[int, Side]]:
    """For every joint whose name tells its side: the index of its twin, and that side."""
    index = {name: i for i, name in enumerate(names)}
    sides: dict[int, tuple[int, Side]] = {}
    for joint, name in enumerate(names):
        if joint in sides:
            continue
        for swapped, side in _mirrored_names(name):
            twin = index.get(swapped)
            if twin is not None and twin not in sides:
                sides[joint] = (twin, side)
                sides[twin] = (joint, "right" if side == "left" else "left")
                break
    return sides


def spelled_side(name: str) -> Side | None:
    """The side a name spells out in full, even where it has no twin; None when it does not."""
    match = _SIDE_PATTERNS[0].search(name)
    return _side(match.group()) if match else None


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[str, ...]:
    """Lower-case words of a name without its namespace, digits, side and rigging noise: ("up", "leg")."""
    bare = name.rsplit(":", 1)[-1]
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", bare)
    return tuple(word for word in (part.lower() for part in parts) if word not in _NOISE)


def is_end_name(name: str) -> bool:
    """Whether the name marks the end of a bone rather than a joint that moves."""
    return any(word in _ENDS for word in name_words(name))


def is_helper_name(name: str) -> bool:
    """Whether the name marks a helper of the rig, such as a twist bone, that is no part of the body's chain."""
    return any(word in _HELPERS for word in name_words(name))


def _mirrored_names(name: str) -> list[tuple[str, Side]]:
    """Names the twin of `name` could have, each with the side that `name` would then be on."""
    candidates: list[tuple[str, Side]] = []
    for pattern in _SIDE_PATTERNS:
        matches = list(pattern.finditer(name))
        if len(matches) > 1:
            candidates.append((pattern.sub(_swap, name), _side(matches[0].group())))
        for match in matches:
            swapped = name[: match.start()] + _swap(match) + name[match.end() :]
            candidates.append((swapped, _side(match.group())))
    return candidates


def _swap(match: re.Match[str]) -> str:
    found = match.group()
    other = _SWAPPED[found.lower()]
    if found.isupper():
        return other.upper()
    return other.capitalize() if found[0].isupper() else other


def _side(found: str) -> Side:
    return "left" if found[0] in "lL" else "right"
