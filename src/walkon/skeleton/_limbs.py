"""Arms and legs: found by the words of their names, or as mirrored branches of the trunk."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from walkon.skeleton._tree import COINCIDENT, between, branch_of, longest_path
from walkon.skeleton.naming import Side, is_end_name, is_helper_name, name_words, named_sides, spelled_side
from walkon.skeleton.skeleton import Skeleton
from walkon.skeleton.symmetry import mirror_pairs

Kind = Literal["leg", "arm"]
LEG: Kind = "leg"
ARM: Kind = "arm"

Limbs = dict[tuple[Side, Kind], dict[str, int]]
"""Joint index by part ("hip", "knee", …) of every limb found."""

MIN_LIMB = 0.1
"""A limb's two main bones together are at least this share of the skeleton's size: ears and fins are less."""

SPUR_FAVOUR = 0.75
"""Bones two and three of a limb that begins at the midline are the main ones if this share of one and two."""

# Parts by the words that mean them and nothing else; then words that mean the first of two parts still open:
# LeftLeg is a knee beside LeftUpLeg and a hip alone, LeftShoulder a clavicle beside LeftArm.
_CERTAIN: dict[Kind, dict[str, tuple[str, ...]]] = {
    LEG: {
        "hip": ("upleg", "upperleg", "thigh", "femur", "legupper", "legup"),
        "knee": ("lowleg", "lowerleg", "knee", "calf", "shin", "tibia", "shank", "leglower", "leglow"),
        "ankle": ("ankle",),
        "toe": ("toe", "toes", "toebase", "ball", "forefoot", "football"),
    },
    ARM: {
        "clavicle": ("clavicle", "collar", "collarbone", "scapula"),
        "shoulder": ("uparm", "upperarm", "humerus", "armupper", "armup"),
        "elbow": ("lowarm", "lowerarm", "forearm", "elbow", "radius", "armlower", "armlow"),
        "wrist": ("wrist",),
    },
}
_DEPENDING: dict[Kind, tuple[tuple[str, tuple[str, ...]], ...]] = {
    LEG: (("hip", ("hip",)), ("leg", ("hip", "knee")), ("foot", ("ankle", "toe"))),
    ARM: (("arm", ("shoulder",)), ("shoulder", ("shoulder", "clavicle")), ("hand", ("wrist",))),
}


def limbs_by_name(skeleton: Skeleton) -> Limbs:
    """Limbs whose parts have telling names; a limb is left out when two branches claim the same part."""
    sides: dict[int, Side] = {joint: side for joint, (_, side) in named_sides(skeleton.names).items()}
    stems: dict[Side, dict[str, list[int]]] = {"left": {}, "right": {}}
    for joint, name in enumerate(skeleton.names):
        side = sides.get(joint) or spelled_side(name)
        if side and not skeleton.tips[joint] and not is_end_name(name) and not is_helper_name(name):
            stems[side].setdefault("".join(name_words(name)), []).append(joint)
    limbs: Limbs = {}
    for side, by_stem in stems.items():
        for kind in (LEG, ARM):
            parts = _parts_by_stem(skeleton, _sideless(by_stem), kind)
            if parts:
                limbs[side, kind] = parts
    return limbs


def _sideless(by_stem: dict[str, list[int]]) -> dict[str, list[int]]:
    """The same table with a glued side letter taken off where a known word is left: "lfemur" means "femur"."""
    known = {word for kind in (LEG, ARM) for words in _CERTAIN[kind].values() for word in words}
    known |= {word for kind in (LEG, ARM) for word, _ in _DEPENDING[kind]}
    table: dict[str, list[int]] = {}
    for stem, joints in by_stem.items():
        bare = stem[1:] if stem not in known and stem[:1] in ("l", "r") and stem[1:] in known else stem
        table.setdefault(bare, []).extend(joints)
    return {stem: sorted(joints) for stem, joints in table.items()}


def _parts_by_stem(skeleton: Skeleton, by_stem: dict[str, list[int]], kind: Kind) -> dict[str, int]:
    """Parts of one limb; empty when a word names joints of different branches, as four alike legs do."""
    parts: dict[str, int] = {}
    for part, words in _CERTAIN[kind].items():
        joints = sorted(joint for word in words for joint in by_stem.get(word, ()))
        if part not in ("toe", "clavicle") and not _on_one_chain(skeleton, joints):
            return {}
        if joints:
            parts[part] = joints[0]
    for word, candidates in _DEPENDING[kind]:
        joints = by_stem.get(word, [])
        if not _on_one_chain(skeleton, joints):
            return {}
        part = next((part for part in candidates if part not in parts), None)
        if joints and part:
            # "LHipJoint" leads to "LeftHip": of several hips the lowest one swings the leg.
            parts[part] = joints[-1] if word == "hip" else joints[0]
    return parts


def _on_one_chain(skeleton: Skeleton, joints: list[int]) -> bool:
    return not joints or set(joints) <= set(skeleton.chain(joints[-1]))


def limbs_by_shape(skeleton: Skeleton) -> Limbs:
    """The one or two largest pairs of mirrored branches of the trunk: legs nearest the root, then arms."""
    twins = mirror_pairs(skeleton)
    pairs = [
        (joint, int(twins[joint]))
        for joint in range(1, len(skeleton))
        if joint < twins[joint] and skeleton.parents[joint] == skeleton.parents[twins[joint]]
    ]
    sized = [(_main_bones(skeleton, a)[1], a, b) for a, b in pairs]
    sized = sorted((found for found in sized if found[0] > MIN_LIMB * skeleton.size), reverse=True)[:2]
    ordered = sorted(sized, key=lambda found: _leg_order(skeleton, found[1]))
    left_axis = _left_axis(skeleton, [(a, b) for _, a, b in ordered])
    limbs: Limbs = {}
    for kind, (_, a, b) in zip((LEG, ARM), ordered, strict=False):
        left, right = _left_first(skeleton, a, b, left_axis)
        limbs["left", kind] = _parts_by_shape(skeleton, left, kind)
        limbs["right", kind] = _parts_by_shape(skeleton, right, kind)
    return limbs


def _main_bones(skeleton: Skeleton, joint: int) -> tuple[int, float]:
    """Where on the longest path below `joint` its two longest neighbouring bones begin, and their length [m]."""
    lengths = skeleton.lengths[longest_path(skeleton, joint)[1:]]
    if len(lengths) < 2:
        return 0, 0.0
    sums = lengths[:-1] + lengths[1:]
    start = int(np.argmax(sums))
    # A limb that begins at the midline itself begins with a spur to the real hip or shoulder, however long.
    spur = start == 0 and skeleton.lengths[joint] <= COINCIDENT * skeleton.size
    if spur and len(sums) > 1 and sums[1] > SPUR_FAVOUR * sums[0]:
        start = 1
    return start, float(sums[start])


def _parts_by_shape(skeleton: Skeleton, joint: int, kind: Kind) -> dict[str, int]:
    """The two main bones of a limb end at its three main joints; a clavicle is what comes before them."""
    path = longest_path(skeleton, joint)
    start, _ = _main_bones(skeleton, joint)
    names = ("hip", "knee", "ankle") if kind == LEG else ("shoulder", "elbow", "wrist")
    parts: dict[str, int] = dict(zip(names, path[start : start + 3], strict=True))
    before = between(skeleton, int(skeleton.parents[joint]), path[start])
    if kind == ARM and before:
        parts["clavicle"] = before[-1]
    return parts


def _leg_order(skeleton: Skeleton, joint: int) -> tuple[int, float]:
    """Legs sort first: they hang nearest the root or, from the same joint as the arms, lowest."""
    end = longest_path(skeleton, joint)[-1]
    return len(skeleton.chain(joint)), float(skeleton.rest_positions[end, 1])


def _left_axis(skeleton: Skeleton, pairs: list[tuple[int, int]]) -> NDArray[np.float64]:
    """The direction (3,) of the body's left in the rest pose: up × forward, or +x when these are unclear."""
    if not pairs:
        return np.array([1.0, 0.0, 0.0])
    rest = skeleton.rest_positions
    feet = [longest_path(skeleton, joint) for joint in pairs[0]]
    up = rest[list(pairs[0])].mean(axis=0) - np.mean([rest[path[-1]] for path in feet], axis=0)
    toes = np.mean([rest[path[-1]] - rest[path[max(len(path) - 3, 0)]] for path in feet], axis=0)
    left = np.cross(up, toes)
    size = float(np.linalg.norm(left))
    return left / size if size > 1e-3 * skeleton.size**2 else np.array([1.0, 0.0, 0.0])


def _left_first(skeleton: Skeleton, a: int, b: int, left_axis: NDArray[np.float64]) -> tuple[int, int]:
    """The pair with its left joint first: by name, else by place in the rest pose."""
    named = named_sides(skeleton.names).get(a)
    if named:
        return (a, b) if named[1] == "left" else (b, a)
    rest = skeleton.rest_positions
    apart = rest[branch_of(skeleton, a)].mean(axis=0) - rest[branch_of(skeleton, b)].mean(axis=0)
    return (a, b) if float(apart @ left_axis) >= 0 else (b, a)
