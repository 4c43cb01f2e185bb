"""What people wear: a colour for every capsule of a body, by character."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.skeleton import Body
from walkon.skeleton.naming import name_words
from walkon.skeleton.roles import Roles, find_roles
from walkon.world.tints import Colour

# Muted, evenly bright, and apart from each other also in small pictures.
SHIRTS: tuple[Colour, ...] = (
    (226, 109, 90),  # coral
    (61, 133, 168),  # lake
    (233, 179, 76),  # ochre
    (91, 156, 120),  # sage
    (135, 110, 176),  # violet
    (214, 132, 158),  # rose
    (74, 98, 148),  # denim
    (190, 196, 204),  # silver
    (160, 82, 73),  # brick
    (120, 178, 184),  # aqua
    (238, 226, 204),  # cream
    (104, 120, 84),  # olive
)
TROUSERS: tuple[Colour, ...] = ((62, 72, 92), (84, 84, 92), (118, 106, 92), (52, 58, 68), (88, 104, 128))
SKINS: tuple[Colour, ...] = ((236, 196, 170), (205, 156, 122), (150, 103, 76), (112, 76, 58), (224, 178, 146))
SHOES: tuple[Colour, ...] = ((58, 56, 60), (104, 76, 60), (226, 224, 220))
COATS: tuple[Colour, ...] = ((176, 130, 92), (120, 104, 92), (206, 178, 138), (92, 84, 82))
"""What people are dressed in, and animals; everybody's number decides which."""

DARK = 0.45
"""How much darker mane, tail and hooves are than the coat."""

_DARK_PARTS = frozenset({"mane", "tail", "hoof"})

_WORN = {
    "hip": "trousers",
    "knee": "trousers",
    "ankle": "shoes",
    "toe": "shoes",
    "toe_tip": "shoes",
    "clavicle": "shirt",
    "shoulder": "shirt",
    "elbow": "skin",
    "wrist": "skin",
    "hand_tip": "skin",
    "pelvis": "shirt",
    "spine": "shirt",
    "chest": "shirt",
    "neck": "skin",
    "head": "skin",
    "head_tip": "skin",
}


def character_colour(index: int) -> Colour:
    """The colour (3,) 0..255 a character is known by: that of its shirt."""
    return SHIRTS[index % len(SHIRTS)]


def dress(body: Body, index: int = 0, *, shirt: Colour | None = None) -> NDArray[np.float64]:
    """Colours (C, 3) 0..255 of a body's capsules; characters with different `index` look different.

    A human wears shirt, trousers and shoes; an animal has a coat, darker towards its paws; anything else one
    colour.
    """
    roles = find_roles(body.skeleton)
    if roles.pair("hip") is None:
        return np.tile(np.array(shirt or character_colour(index), dtype=np.float64), (len(body), 1))
    # Strides without a common factor: neighbours in number share as little as possible.
    wardrobe = {
        "shirt": shirt or character_colour(index),
        "trousers": TROUSERS[(index * 3 + index // 12) % len(TROUSERS)],
        "skin": SKINS[(index * 2 + index // 5) % len(SKINS)],
        "shoes": SHOES[(index + index // 3) % len(SHOES)],
    }
    worn = _worn(body, roles)
    if not roles.is_biped:
        coat = np.array(shirt or COATS[index % len(COATS)], dtype=np.float64)
        shades = {"shirt": 1.0, "trousers": 0.92, "skin": 0.95, "shoes": 0.72}
        starts = [name_words(body.skeleton.names[joint]) for joint in body.starts]
        darker = [DARK if _DARK_PARTS.intersection(words) else 1.0 for words in starts]
        return np.array([coat * shades[piece] * dark for piece, dark in zip(worn, darker, strict=True)])
    return np.array([wardrobe[piece] for piece in worn], dtype=np.float64)


def _worn(body: Body, roles: Roles) -> Sequence[str]:
    """What covers each capsule, by the part of the body it starts in."""
    part_of = {joint: role.removeprefix("left_").removeprefix("right_") for role, joint in roles.joints.items()}
    limb_of = {joint: role.rsplit("_", 1)[0] for role, joint in roles.joints.items()}
    parents = body.skeleton.parents
    parts, limbs = ["pelvis"] * len(parents), [""] * len(parents)
    for joint in range(len(parents)):
        above = parents[joint]
        parts[joint] = part_of.get(joint, parts[above] if above >= 0 else "pelvis")
        limbs[joint] = limb_of.get(joint, limbs[above] if above >= 0 else "")
    worn = []
    for start, end in zip(body.starts, body.ends, strict=True):
        start_part, end_part = parts[start], parts[end]
        if start_part == end_part == "hip" and start != end:
            worn.append("trousers")  # the bar across the pelvis
        elif {start_part, end_part} & {"head", "head_tip"}:
            worn.append("skin")
        elif "shoulder" in (start_part, end_part) and start_part in ("hip", "shoulder") and end_part != "elbow":
            worn.append("shirt")
        else:
            worn.append(_WORN.get(start_part, "shirt"))
    return worn
