"""The volume of a skeleton: one capsule per bone, and a few more that give the trunk its breadth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import once_per_object
from walkon.skeleton._segments import HOOFED, HUMAN, QUADRUPED, Segment, bone_segments
from walkon.skeleton._tree import between, longest_path, path_length
from walkon.skeleton.naming import name_words
from walkon.skeleton.roles import SIDES, Roles, find_roles
from walkon.skeleton.skeleton import Skeleton

MIN_BONE = 0.006
"""Bones shorter than this share of the skeleton's size get no capsule of their own."""

LEG_SHARE = 0.491
"""Thigh and shin as a share of stature (Drillis and Contini 1966)."""

FORELEG_SHARE = 0.92
"""Length of an animal's bent foreleg along its bones, times this, is its height at the shoulder."""

NAPE = 0.35
"""How far up the last bone of the trunk its bulk goes."""

HEAD_STRETCH = 0.024
"""How much taller than broad a head is, as a share of stature."""

HIPS, SHOULDERS, FLANKS, CROSS = 0.92, 0.66, 0.68, 0.88
"""Thickness against the trunk's of the bars from hip to hip and shoulder to shoulder, and of those from a shoulder
to the hip below it and to the opposite one."""


@dataclass(frozen=True, eq=False)
class Body:
    """Capsules that follow the bones.

    skeleton: whose bones they are.
    starts, ends: (C,) joint indices a capsule lies between; equal for a ball.
    radii: (C,) [m].
    spans: (C, 2) where on the line from start to end the two centres lie; (0, 1) is from joint to joint.
    masses: (C,) shares of the body's mass; they sum to 1.
    height: of the standing body [m]: stature of a biped, height at the shoulder of a quadruped.
    """

    skeleton: Skeleton
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    radii: NDArray[np.float64]
    spans: NDArray[np.float64]
    masses: NDArray[np.float64]
    height: float

    def __len__(self) -> int:
        return len(self.radii)

    def capsules(self, positions: ArrayLike) -> NDArray[np.float64]:
        """The two centres (..., C, 2, 3) [m] of every capsule, for joint positions (..., J, 3) [m]."""
        positions = np.asarray(positions, dtype=np.float64)
        start, end = positions[..., self.starts, None, :], positions[..., self.ends, None, :]
        return start + self.spans[:, :, None] * (end - start)


class _Capsule(NamedTuple):
    start: int
    end: int
    kind: str
    thickness: float = 1.0
    span: tuple[float, float] = (0.0, 1.0)


class _Parts(NamedTuple):
    """All of a body but its skeleton, which a cache by skeleton must not keep alive."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    radii: NDArray[np.float64]
    spans: NDArray[np.float64]
    masses: NDArray[np.float64]
    height: float


def build_body(skeleton: Skeleton, roles: Roles | None = None) -> Body:
    """A body for any skeleton: anatomical for humans, stout trunk and slender legs for animals.

    `roles` overrides the parts that `find_roles` finds; without it a skeleton's body is computed only once.
    """
    if roles is not None:
        return Body(skeleton, *_parts(skeleton, roles))
    return Body(skeleton, *_usual_parts(skeleton))


@once_per_object
def _usual_parts(skeleton: Skeleton) -> _Parts:
    return _parts(skeleton, find_roles(skeleton))


def _parts(skeleton: Skeleton, roles: Roles) -> _Parts:
    height = _standing_height(skeleton, roles)
    table = _segment_table(skeleton, roles)
    capsules = _bone_capsules(skeleton, bone_segments(skeleton, roles), table)
    if table is HUMAN:
        capsules += [*_trunk_breadth(roles), *_head(skeleton, roles, height)]
    starts, ends = (np.array(joints, dtype=np.int64) for joints in zip(*(c[:2] for c in capsules), strict=True))
    spans = np.array([capsule.span for capsule in capsules])
    radii = np.array([_radius(skeleton, capsule, table, height) for capsule in capsules])
    apart = np.linalg.norm(skeleton.rest_positions[ends] - skeleton.rest_positions[starts], axis=1)
    volumes = np.pi * radii**2 * (4 / 3 * radii + apart * (spans[:, 1] - spans[:, 0]))
    masses = _masses([capsule.kind for capsule in capsules], volumes, table)
    for shared in (starts, ends, radii, spans, masses):
        shared.flags.writeable = False
    return _Parts(starts, ends, radii, spans, masses, height)


def _standing_height(skeleton: Skeleton, roles: Roles) -> float:
    """Height [m] of the standing body, from bone lengths alone: a rest pose may be no pose at all."""
    lengths = []
    for side in SIDES:
        if roles.is_biped:
            first, last = roles.get(f"{side}_hip"), roles.get(f"{side}_ankle")
        else:
            first = roles.get(f"{side}_clavicle") or roles.get(f"{side}_shoulder")
            last = roles.get(f"{side}_hand_tip") or roles.get(f"{side}_wrist")
        if first is not None and last is not None:
            lengths.append(path_length(skeleton, [first, *between(skeleton, first, last), last]))
    if not lengths:
        return skeleton.size
    return float(np.mean(lengths)) * (1 / LEG_SHARE if roles.is_biped else FORELEG_SHARE)


def _segment_table(skeleton: Skeleton, roles: Roles) -> dict[str, Segment] | None:
    """Thickness by kind of segment; None for a body that is like neither a human nor an animal."""
    if roles.pair("hip") is None or roles.pair("knee") is None:
        return None
    if roles.is_biped:
        return HUMAN
    return HOOFED if any("hoof" in name_words(name) for name in skeleton.names) else QUADRUPED


def _bone_capsules(skeleton: Skeleton, kinds: list[str], table: dict[str, Segment] | None) -> list[_Capsule]:
    """One capsule for every bone that is long enough to show, except where others take its place."""
    skipped = {"", "girdle", "head"} if table is HUMAN else {""}
    bones = [
        joint
        for joint in range(1, len(skeleton))
        if kinds[joint] not in skipped and skeleton.lengths[joint] > MIN_BONE * skeleton.size
    ]
    # Below the neck a human trunk ends in shoulders: its last bone stops short, and lets the neck be seen.
    last = {skeleton.parents[joint] for joint in bones if kinds[joint] == "neck"} if table is HUMAN else set()
    return [
        _Capsule(
            int(skeleton.parents[joint]),
            joint,
            kinds[joint],
            _taper(skeleton, kinds, table, joint),
            (0.0, NAPE if joint in last else 1.0),
        )
        for joint in bones
    ] or [_Capsule(0, 0, "other")]


def _taper(skeleton: Skeleton, kinds: list[str], table: dict[str, Segment] | None, joint: int) -> float:
    """Thickness of a bone against its kind's: chains of bones of one kind may narrow or widen."""
    kind = kinds[joint]
    if table is None or table[kind].taper == 1.0:
        return 1.0
    above = sum(kinds[other] == kind for other in skeleton.chain(joint)[:-1])
    below = sum(kinds[other] == kind for other in longest_path(skeleton, joint)[1:])
    return 1.0 + (table[kind].taper - 1.0) * (above + 0.5) / (above + 1 + below)


def _trunk_breadth(roles: Roles) -> list[_Capsule]:
    """A human trunk is broader than deep: bars across hips and shoulders, two flanks, and a cross between."""
    capsules = []
    hips, shoulders = roles.pair("hip"), roles.pair("shoulder")
    if hips:
        capsules.append(_Capsule(*hips, "trunk", HIPS))
    if shoulders:
        capsules.append(_Capsule(*shoulders, "trunk", SHOULDERS))
    if hips and shoulders:
        capsules += [
            _Capsule(shoulder, hip, "trunk", thickness, span)
            for hips_met, thickness, span in ((hips, FLANKS, (0.1, 0.95)), (hips[::-1], CROSS, (0.08, 1.0)))
            for shoulder, hip in zip(shoulders, hips_met, strict=True)
        ]
    return capsules


def _head(skeleton: Skeleton, roles: Roles, height: float) -> list[_Capsule]:
    """The head, its crown at the tip where the rig has one, else the head joint in its lower half."""
    radius, stretch = HUMAN["head"].radius * height, HEAD_STRETCH * height
    base, crown = roles.get("head"), roles.get("head_tip")
    if base is not None and crown is not None:
        length = path_length(skeleton, [base, *between(skeleton, base, crown), crown])
        top = length - radius
    else:
        crown = roles.get("neck") if base is None else base
        if crown is None:
            return []
        base = int(skeleton.parents[crown])
        length = float(skeleton.lengths[crown])
        top = length + stretch + (0.3 if base == roles.get("neck") else 0.8) * radius
    if base < 0 or length < 0.2 * radius:
        return [_Capsule(crown, crown, "head")]
    return [_Capsule(base, crown, "head", 1.0, ((top - stretch) / length, top / length))]


def _radius(skeleton: Skeleton, capsule: _Capsule, table: dict[str, Segment] | None, height: float) -> float:
    """Radius [m] by kind of segment; by its length for a bone that no table knows."""
    if table is None:
        size = skeleton.size or 1.0
        return float(np.clip(0.25 * skeleton.lengths[capsule.end], 0.02 * size, 0.06 * size))
    return table[capsule.kind].radius * capsule.thickness * height


def _masses(
    kinds: list[str], volumes: NDArray[np.float64], table: dict[str, Segment] | None
) -> NDArray[np.float64]:
    """Shares (C,) of the body's mass: by volume, but every human segment has its known share."""
    masses = volumes.copy()
    if table is HUMAN:
        for kind, segment in HUMAN.items():
            members = [i for i, other in enumerate(kinds) if other == kind]
            masses[members] *= segment.mass / max(volumes[members].sum(), np.finfo(float).tiny)
    return masses / masses.sum()
