"""The two characters DeepMimic's motion files are made for; the files themselves do not describe them.

Joint order, parents, kinds and offsets are facts of the DeepMimic character definitions (`dog3d`, `humanoid3d`).
They are given here in that project's axes: metres, Y up, looking along +x, the right-hand side towards +z. The
tips are ours, set where the bodies of those characters end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["ball", "hinge", "fixed"]
Vector = tuple[float, float, float]

NUMBERS_OF: dict[Kind, int] = {"ball": 4, "hinge": 1, "fixed": 0}
"""Numbers a frame holds for a joint: a quaternion wxyz, an angle about z, nothing."""


@dataclass(frozen=True)
class CharacterJoint:
    """A joint of a character: its parent's name ("" for the root), how it moves, where it sits [m]."""

    name: str
    parent: str
    kind: Kind
    offset: Vector


@dataclass(frozen=True)
class DeepMimicFigure:
    """Joints in the order of a frame's numbers, and the ends of the chains."""

    name: str
    joints: tuple[CharacterJoint, ...]
    tips: tuple[tuple[str, Vector], ...]

    @property
    def frame_length(self) -> int:
        """Numbers in a frame: its duration, the root's position, then every joint's rotation."""
        return 4 + sum(NUMBERS_OF[joint.kind] for joint in self.joints)


def _root() -> CharacterJoint:
    return CharacterJoint("root", "", "ball", (0.0, 0.0, 0.0))


def _dog_foreleg(side: str, z: float) -> tuple[CharacterJoint, ...]:
    return (
        CharacterJoint(f"{side}_shoulder", "spine1", "ball", (0.304074, -0.109983, z)),
        CharacterJoint(f"{side}_forearm", f"{side}_shoulder", "hinge", (0.0, -0.19, 0.0)),
        CharacterJoint(f"{side}_hand", f"{side}_forearm", "ball", (0.0, -0.2225, 0.0)),
        CharacterJoint(f"{side}_finger", f"{side}_hand", "ball", (0.0, -0.09, 0.0)),
    )


def _dog_hind_leg(side: str, z: float) -> tuple[CharacterJoint, ...]:
    return (
        CharacterJoint(f"{side}_upper_leg", "root", "ball", (-0.074803, -0.095825, z)),
        CharacterJoint(f"{side}_leg", f"{side}_upper_leg", "hinge", (0.0, -0.2, 0.0)),
        CharacterJoint(f"{side}_foot", f"{side}_leg", "ball", (0.0, -0.225, 0.0)),
        CharacterJoint(f"{side}_toe", f"{side}_foot", "ball", (0.0, -0.135, 0.0)),
    )


DOG = DeepMimicFigure(
    "dog3d",
    (
        _root(),
        CharacterJoint("spine0", "root", "ball", (0.0, 0.0, 0.0)),
        CharacterJoint("spine1", "spine0", "ball", (0.2375, 0.0, 0.0)),
        CharacterJoint("neck", "spine1", "ball", (0.28135, 0.0, 0.0)),
        CharacterJoint("head", "neck", "ball", (0.175, 0.0, 0.0)),
        *_dog_foreleg("left", -0.106071),
        *_dog_foreleg("right", 0.106071),
        *_dog_hind_leg("left", -0.05986),
        *_dog_hind_leg("right", 0.05986),
        CharacterJoint("tail0", "root", "ball", (-0.086, 0.0, 0.0)),
        CharacterJoint("tail1", "tail0", "ball", (-0.2, 0.0, 0.0)),
    ),
    (
        ("head", (0.14, -0.04, 0.0)),
        ("left_finger", (0.052, -0.04, 0.0)),
        ("right_finger", (0.052, -0.04, 0.0)),
        ("left_toe", (0.06, -0.04, 0.0)),
        ("right_toe", (0.06, -0.04, 0.0)),
        ("tail1", (-0.215, 0.0, 0.0)),
    ),
)


def _human_limbs(side: str, sign: float) -> tuple[CharacterJoint, ...]:
    return (
        CharacterJoint(f"{side}_hip", "root", "ball", (0.0, 0.0, sign * 0.084887)),
        CharacterJoint(f"{side}_knee", f"{side}_hip", "hinge", (0.0, -0.421546, 0.0)),
        CharacterJoint(f"{side}_ankle", f"{side}_knee", "ball", (0.0, -0.40987, 0.0)),
        CharacterJoint(f"{side}_shoulder", "chest", "ball", (-0.02405, 0.2435, sign * 0.18311)),
        CharacterJoint(f"{side}_elbow", f"{side}_shoulder", "hinge", (0.0, -0.274788, 0.0)),
        CharacterJoint(f"{side}_wrist", f"{side}_elbow", "fixed", (0.0, -0.258947, 0.0)),
    )


HUMANOID = DeepMimicFigure(
    "humanoid3d",
    (
        _root(),
        CharacterJoint("chest", "root", "ball", (0.0, 0.236151, 0.0)),
        CharacterJoint("neck", "chest", "ball", (0.0, 0.223894, 0.0)),
        *_human_limbs("right", 1.0),
        *_human_limbs("left", -1.0),
    ),
    (
        ("neck", (0.0, 0.278, 0.0)),
        ("right_ankle", (0.1335, -0.05, 0.0)),
        ("right_wrist", (0.0, -0.08, 0.0)),
        ("left_ankle", (0.1335, -0.05, 0.0)),
        ("left_wrist", (0.0, -0.08, 0.0)),
    ),
)

CHARACTERS = (DOG, HUMANOID)
