"""Which joint plays which part of the body, whatever the rig calls it.

Names speak first; where they say nothing, or contradict each other, the shape of the tree does: limbs are the
mirrored branches, the trunk is what lies between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from walkon.basics import once_per_object
from walkon.skeleton._limbs import ARM, LEG, Kind, Limbs, limbs_by_name, limbs_by_shape
from walkon.skeleton._tree import between, branch_of, longest_path, meeting_joint, path_length
from walkon.skeleton.naming import Side, is_end_name, name_words
from walkon.skeleton.skeleton import Skeleton

SIDES: tuple[Side, Side] = ("left", "right")

_TRUNK = ("pelvis", "spine", "chest", "neck", "head", "head_tip")
_LEG = ("hip", "knee", "ankle", "toe", "toe_tip")
_ARM = ("clavicle", "shoulder", "elbow", "wrist", "hand_tip")

LEG_PARTS, ARM_PARTS = ("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist")
"""The three joints of a leg and of an arm, whose two bones fold."""

ROLE_NAMES: tuple[str, ...] = (*_TRUNK, *(f"{side}_{part}" for side in SIDES for part in (*_LEG, *_ARM)))
"""Every role a joint can play; a skeleton may lack any of them."""

_ANIMAL_WORDS = frozenset({"paw", "hoof", "hock", "forepaw", "hindpaw"})


@dataclass(frozen=True)
class Foot:
    """What touches the ground: joint indices from the heel side to the front, any of which may coincide.

    name: "left" or "right" for a biped; "left_fore", "left_hind", … for a quadruped.
    heel: the rig's own heel joint, or the ankle where there is none.
    """

    name: str
    ankle: int
    toe: int
    tip: int
    heel: int

    @property
    def joints(self) -> tuple[int, ...]:
        """The distinct joints of the foot, heel first."""
        return tuple(dict.fromkeys((self.heel, self.ankle, self.toe, self.tip)))


@dataclass(frozen=True)
class Roles:
    """The parts of one skeleton.

    joints:   joint index by role name (see ROLE_NAMES); a role nobody plays is missing.
    feet:     two for a biped, four for a quadruped, none when there is nothing like a leg.
    """

    joints: Mapping[str, int]
    feet: tuple[Foot, ...]

    @property
    def is_biped(self) -> bool:
        """Whether the body stands on exactly two feet."""
        return len(self.feet) == len(SIDES)

    def get(self, role: str) -> int | None:
        """Joint index of a role, or None when the skeleton lacks it."""
        return self.joints.get(role)

    def pair(self, part: str) -> tuple[int, int] | None:
        """Left and right joint of a part such as "hip", or None unless both are there."""
        left, right = self.joints.get(f"left_{part}"), self.joints.get(f"right_{part}")
        return None if left is None or right is None else (left, right)

    def limb(self, side: str, parts: tuple[str, str, str]) -> tuple[int, int, int] | None:
        """The three joints of a limb, `LEG_PARTS` or `ARM_PARTS` of a side, or None unless all are there."""
        start, middle, end = (self.joints.get(f"{side}_{part}") for part in parts)
        return None if start is None or middle is None or end is None else (start, middle, end)

    def leg_above(self, foot: Foot) -> tuple[int, int, int] | None:
        """Hip, knee and ankle of the leg above a foot (shoulder, elbow and wrist above a forefoot)."""
        side, _, end = foot.name.partition("_")
        return self.limb(side, ARM_PARTS if end == "fore" else LEG_PARTS)

    @property
    def legs(self) -> list[tuple[Foot, tuple[int, int, int]]]:
        """The feet that stand below a whole leg, each with its hip, knee and ankle."""
        return [(foot, leg) for foot in self.feet if (leg := self.leg_above(foot)) is not None]


@once_per_object
def find_roles(skeleton: Skeleton) -> Roles:
    """The part every joint of `skeleton` plays, found by name and by shape; computed once a skeleton."""
    joints: dict[str, int] = {}
    for (side, kind), parts in _limbs(skeleton).items():
        joints.update({f"{side}_{part}": joint for part, joint in parts.items()})
        joints.update(_extremity(skeleton, joints, side, kind))
    joints.update(_trunk(skeleton, joints))
    ordered = {role: joints[role] for role in ROLE_NAMES if role in joints}
    return Roles(MappingProxyType(ordered), _feet(skeleton, ordered))


def _limbs(skeleton: Skeleton) -> Limbs:
    """Limbs by name where names give a whole pair, by shape where they do not."""
    named = limbs_by_name(skeleton)
    needed: dict[Kind, set[str]] = {LEG: {"hip", "knee"}, ARM: {"shoulder", "elbow"}}
    whole = {
        kind
        for kind, parts in needed.items()
        if all(parts <= named.get((side, kind), {}).keys() for side in SIDES)
    }
    shaped = {} if len(whole) == len(needed) else limbs_by_shape(skeleton)
    known_by_shape = {kind for _, kind in shaped} - whole
    return {
        **{key: parts for key, parts in named.items() if key[1] not in known_by_shape},
        **{key: parts for key, parts in shaped.items() if key[1] in known_by_shape},
    }


def _extremity(skeleton: Skeleton, joints: Mapping[str, int], side: Side, kind: Kind) -> dict[str, int]:
    """What lies beyond the ankle (toe, toe_tip) or the wrist (hand_tip)."""
    last = joints.get(f"{side}_{'ankle' if kind == LEG else 'wrist'}")
    if last is None:
        return {}
    if kind == ARM:
        paths = [longest_path(skeleton, joint) for joint in _fingers(skeleton, last)]
        ends = [path[-1] for path in paths if skeleton.lengths[path].sum() > 0]
        return {f"{side}_hand_tip": ends[0]} if ends else {}
    found: dict[str, int] = {}
    toe = joints.get(f"{side}_toe")
    path = _toe_path(skeleton, last if toe is None else toe)
    if toe is None and len(path) > 2:
        found[f"{side}_toe"] = path[1]
    if len(path) > 1:
        found[f"{side}_toe_tip"] = path[-1]
    return found


def _toe_path(skeleton: Skeleton, joint: int) -> list[int]:
    """The longest path down a foot; where some of its children are called toes, things it stands on are not."""
    toes = [kid for kid in skeleton.children[joint] if "toe" in name_words(skeleton.names[kid])]
    paths = [[joint, *longest_path(skeleton, toe)] for toe in toes] or [longest_path(skeleton, joint)]
    return max(paths, key=lambda path: path_length(skeleton, path))


def _fingers(skeleton: Skeleton, wrist: int) -> list[int]:
    """Children of the wrist, those that reach farthest first, thumbs last."""

    def order(kid: int) -> tuple[bool, float]:
        reach = path_length(skeleton, [wrist, *longest_path(skeleton, kid)])
        return "thumb" in name_words(skeleton.names[kid]), -reach

    return sorted(skeleton.children[wrist], key=order)


def _trunk(skeleton: Skeleton, limbs: Mapping[str, int]) -> dict[str, int]:
    """Pelvis, spine, chest, neck, head and head_tip, from where the limbs meet."""
    hips, shoulders = (
        [limbs[f"{side}_{part}"] for side in SIDES if f"{side}_{part}" in limbs] for part in ("hip", "shoulder")
    )
    pelvis = meeting_joint(skeleton, hips)
    base = meeting_joint(skeleton, shoulders) if shoulders else pelvis
    trunk = {"pelvis": pelvis}
    if base != pelvis and shoulders:
        trunk["chest"] = base
    trunk.update(_head_roles(skeleton, _head_path(skeleton, base, limbs), has_chest="chest" in trunk))
    top = next((trunk[role] for role in ("chest", "neck", "head") if role in trunk), pelvis)
    vertebrae = between(skeleton, pelvis, top)
    if vertebrae:
        trunk["spine"] = vertebrae[0]
    return trunk


def _head_path(skeleton: Skeleton, base: int, limbs: Mapping[str, int]) -> list[int]:
    """Joints from after `base` to the top of the head; empty when there is nothing like a head."""
    for head in filter(lambda joint: _is_head(skeleton, joint), range(len(skeleton))):
        if base in skeleton.chain(head)[:-1]:
            return [*between(skeleton, base, head), *longest_path(skeleton, head)]
    limb_joints = set(limbs.values())
    paths = [
        longest_path(skeleton, kid)
        for kid in skeleton.children[base]
        if not limb_joints.intersection(branch_of(skeleton, kid)) and "tail" not in name_words(skeleton.names[kid])
    ]
    return max(paths, key=lambda path: path_length(skeleton, path) + skeleton.lengths[path[0]], default=[])


def _head_roles(skeleton: Skeleton, path: list[int], *, has_chest: bool) -> dict[str, int]:
    """Name the joints of the path from the chest, or without arms from the pelvis, to the top of the head."""
    movable = [j for j in path if not skeleton.tips[j] and not is_end_name(skeleton.names[j])]
    necks = [j for j in movable if any("neck" in word for word in name_words(skeleton.names[j]))]
    # The last joint of a nameless path is the crown of the head, unless nothing but it moves.
    nameless = movable[:-1] if len(movable) > 1 and movable[-1] == path[-1] else movable
    head = next((j for j in movable if _is_head(skeleton, j)), nameless[-1] if nameless else None)
    roles: dict[str, int] = {}
    if head is not None and head not in necks:
        roles["head"] = head
    if path and path[-1] not in (head, *necks):
        roles["head_tip"] = path[-1]
    before = movable[: movable.index(roles["head"])] if has_chest and "head" in roles else []
    neck = next(iter([*necks, *before]), None)
    if neck is not None:
        roles["neck"] = neck
    return roles


def _is_head(skeleton: Skeleton, joint: int) -> bool:
    name = skeleton.names[joint]
    return "head" in name_words(name) and not skeleton.tips[joint] and not is_end_name(name)


def _feet(skeleton: Skeleton, joints: Mapping[str, int]) -> tuple[Foot, ...]:
    """The feet the roles tell: of the legs, and of the forelegs when the body goes on four; none of one leg."""
    hind = {side: _foot_joints(skeleton, joints, side, LEG) for side in SIDES}
    if not all(hind.values()):
        return ()
    if not _walks_on_four(skeleton, joints):
        return tuple(Foot(side, *found) for side, found in hind.items() if found)
    fore = {side: _foot_joints(skeleton, joints, side, ARM) for side in SIDES}
    return tuple(
        Foot(f"{side}_{end}", *found)
        for end, feet in (("fore", fore), ("hind", hind))
        for side, found in feet.items()
        if found
    )


def _foot_joints(
    skeleton: Skeleton, joints: Mapping[str, int], side: Side, kind: Kind
) -> tuple[int, int, int, int] | None:
    """Ankle, toe, tip and heel of a limb of two joints or more; one without an ankle stands on its last joint."""
    parts = _LEG[:3] if kind == LEG else _ARM[1:4]
    found = [joints[f"{side}_{part}"] for part in parts if f"{side}_{part}" in joints]
    if len(found) < 2:
        return None
    path = longest_path(skeleton, found[-1])
    ankle = joints.get(f"{side}_{parts[-1]}", path[-1])
    heel = next((kid for kid in skeleton.children[ankle] if "heel" in name_words(skeleton.names[kid])), ankle)
    if ankle == path[-1]:
        return ankle, ankle, ankle, heel
    tip = joints.get(f"{side}_toe_tip", path[-1]) if kind == LEG else path[-1]
    toe = joints.get(f"{side}_toe") if kind == LEG else None
    return ankle, toe if toe is not None else path[1], tip, heel


def _walks_on_four(skeleton: Skeleton, joints: Mapping[str, int]) -> bool:
    """Whether the arms are forelegs: they rest as low as the legs, or the names speak of an animal."""
    if any(f"{side}_{part}" not in joints for side in SIDES for part in ("hip", "shoulder")):
        return False
    words = [set(name_words(name)) for name in skeleton.names]
    has_tail = any("tail" in words[kid] for kid in skeleton.children[joints["pelvis"]])
    if has_tail or any(_ANIMAL_WORDS & found for found in words):
        return True
    heights = skeleton.rest_positions[:, 1]
    leg, arm = (longest_path(skeleton, joints[role]) for role in ("left_hip", "left_shoulder"))
    hang = all(heights[path[0]] - heights[path[-1]] > 0.5 * path_length(skeleton, path) for path in (leg, arm))
    return hang and abs(heights[leg[-1]] - heights[arm[-1]]) < 0.25 * path_length(skeleton, leg)
