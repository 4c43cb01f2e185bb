"""The bodies that the built-in motion moves: a human, a skateboarder with a board, a dog, a horse.

All face +z with +y up and the left side at +x, in metres. The human rests in a T pose, palms down; the animals
rest standing square. The root is the pelvis. Names follow the habit of motion capture ("LeftUpLeg" is the
joint at the hip, "LeftLeg" the one at the knee), so that tools which know recordings know these bodies too.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from walkon.errors import SkeletonError
from walkon.skeleton import Skeleton

Vector = tuple[float, float, float]
Tree = Mapping[str, tuple[str | None, Vector]]
"""Joint name -> (parent's name, where it rests in the body's frame)."""

HUMAN_HEIGHT = 1.75
"""Stature [m] for which `human_skeleton` is built when none is given."""

DOG_HEIGHT = 0.56
"""Height at the withers [m] of the default dog, about that of a pointer."""

HORSE_HEIGHT = 1.60
"""Height at the withers [m] of the default horse, about that of a thoroughbred."""

SOLE, TOE = 0.022, 0.018
"""Heights of heel and ball, and of the toe tip, above the ground in shares of stature: they are the centres of
the flesh around them, as every joint is."""

# Shares of stature after Drillis and Contini (1966) as printed by Winter, "Biomechanics and Motor Control
# of Human Movement": ankle .039, knee .285, hip .530, shoulder .818 above ground; upper arm .186,
# forearm .146, hand .108; foot length .152; biacromial breadth .259.
HUMAN_LEFT_HALF: Tree = {
    "Hips": (None, (0, 0.552, 0)),
    "Spine": ("Hips", (0, 0.600, -0.008)),
    "Spine1": ("Spine", (0, 0.672, -0.012)),
    "Spine2": ("Spine1", (0, 0.745, -0.016)),
    "Neck": ("Spine2", (0, 0.842, -0.014)),
    "Head": ("Neck", (0, 0.902, 0.000)),
    "HeadTip": ("Head", (0, 1.000, 0.004)),
    "LeftShoulder": ("Spine2", (0.022, 0.818, -0.006)),
    "LeftArm": ("LeftShoulder", (0.108, 0.818, -0.010)),
    "LeftForeArm": ("LeftArm", (0.108 + 0.186, 0.818, -0.010)),
    "LeftHand": ("LeftForeArm", (0.108 + 0.332, 0.818, -0.010)),
    "LeftHandTip": ("LeftHand", (0.108 + 0.332 + 0.085, 0.818, -0.010)),
    "LeftUpLeg": ("Hips", (0.049, 0.530, 0)),
    "LeftLeg": ("LeftUpLeg", (0.049, 0.285, 0)),
    "LeftFoot": ("LeftLeg", (0.049, 0.039, 0)),
    "LeftHeel": ("LeftFoot", (0.049, SOLE, -0.022)),
    "LeftToeBase": ("LeftFoot", (0.049, SOLE, 0.068)),
    "LeftToeTip": ("LeftToeBase", (0.049, TOE, 0.100)),
}

# Metres. The deck hangs below the arch of the left foot, which never leaves it: the foot may turn on the spot
# at the front bolts, so rotations alone move the board and every file format can carry it.
DECK_HEIGHT = 0.105
DECK_THICKNESS = 0.02
DECK_EDGE = 0.06
WHEEL_RADIUS = 0.03
WHEELBASE = 0.44
WHEEL_TRACK = 0.17
TRUCK_DROP = 0.03
ARCH = 0.04
"""Where the front bolts are below the left foot, before the ankle, in shares of stature."""

# Shares of the height at the withers, read off a standing pointer: legs bent as they carry it.
DOG_LEFT_HALF: Tree = {
    "Hips": (None, (0, 0.93, 0)),
    "Spine": ("Hips", (0, 0.955, 0.24)),
    "Spine1": ("Spine", (0, 0.945, 0.52)),
    "Chest": ("Spine1", (0, 0.930, 0.76)),
    "Neck": ("Chest", (0, 0.985, 0.98)),
    "Neck1": ("Neck", (0, 1.130, 1.12)),
    "Head": ("Neck1", (0, 1.265, 1.235)),
    "Nose": ("Head", (0, 1.175, 1.460)),
    "LeftEar": ("Head", (0.095, 1.430, 1.165)),
    "Tail": ("Hips", (0, 0.940, -0.17)),
    "Tail1": ("Tail", (0, 0.900, -0.34)),
    "Tail2": ("Tail1", (0, 0.880, -0.51)),
    "TailTip": ("Tail2", (0, 0.890, -0.68)),
    "LeftShoulder": ("Chest", (0.08, 0.900, 0.80)),
    "LeftArm": ("LeftShoulder", (0.13, 0.650, 0.97)),
    "LeftForeArm": ("LeftArm", (0.13, 0.510, 0.73)),
    "LeftHand": ("LeftForeArm", (0.13, 0.170, 0.80)),
    "LeftFingerBase": ("LeftHand", (0.13, 0.040, 0.83)),
    "LeftFingerTip": ("LeftFingerBase", (0.13, 0.035, 0.92)),
    "LeftUpLeg": ("Hips", (0.12, 0.850, -0.04)),
    "LeftLeg": ("LeftUpLeg", (0.12, 0.520, 0.12)),
    "LeftFoot": ("LeftLeg", (0.12, 0.270, -0.20)),
    "LeftToeBase": ("LeftFoot", (0.12, 0.040, -0.13)),
    "LeftToeTip": ("LeftToeBase", (0.12, 0.035, -0.04)),
}

# Shares of the height at the withers, read off a standing thoroughbred: as long as it is high, the elbow a good
# half up, knee and hock well above the middle of the leg. "Hand" is the carpus, which horsemen call the knee;
# "Leg" the stifle, "Foot" the hock. The hoof's joints are centres of its flesh.
HOOF = 0.036
"""Height of the tip of a hoof above the ground."""

HORSE_LEFT_HALF: Tree = {
    "Hips": (None, (0, 0.800, 0.02)),
    "Spine": ("Hips", (0, 0.790, 0.17)),
    "Spine1": ("Spine", (0, 0.770, 0.34)),
    "Chest": ("Spine1", (0, 0.765, 0.51)),
    "Neck": ("Chest", (0, 0.850, 0.69)),
    "Neck1": ("Neck", (0, 0.990, 0.83)),
    "Neck2": ("Neck1", (0, 1.120, 0.95)),
    "Head": ("Neck2", (0, 1.225, 1.04)),
    "Face": ("Head", (0, 1.105, 1.15)),
    "Muzzle": ("Face", (0, 0.975, 1.26)),
    "LeftEar": ("Head", (0.045, 1.345, 1.035)),
    "Mane": ("Neck", (0, 1.000, 0.63)),
    "Mane1": ("Mane", (0, 1.110, 0.755)),
    "Mane2": ("Mane1", (0, 1.215, 0.87)),
    "ManeTip": ("Mane2", (0, 1.310, 0.99)),
    "Tail": ("Hips", (0, 0.890, -0.15)),
    "Tail1": ("Tail", (0, 0.830, -0.26)),
    "Tail2": ("Tail1", (0, 0.720, -0.33)),
    "Tail3": ("Tail2", (0, 0.590, -0.36)),
    "TailTip": ("Tail3", (0, 0.450, -0.37)),
    "LeftShoulder": ("Chest", (0.05, 0.870, 0.54)),
    "LeftArm": ("LeftShoulder", (0.11, 0.660, 0.71)),
    "LeftForeArm": ("LeftArm", (0.11, 0.570, 0.55)),
    "LeftHand": ("LeftForeArm", (0.105, 0.315, 0.57)),
    "LeftForeFetlock": ("LeftHand", (0.10, 0.140, 0.57)),
    "LeftForeHoof": ("LeftForeFetlock", (0.10, 0.060, 0.63)),
    "LeftForeHoofTip": ("LeftForeHoof", (0.10, HOOF, 0.66)),
    "LeftUpLeg": ("Hips", (0.10, 0.770, 0.00)),
    "LeftLeg": ("LeftUpLeg", (0.13, 0.575, 0.10)),
    "LeftFoot": ("LeftLeg", (0.105, 0.365, -0.10)),
    "LeftHindFetlock": ("LeftFoot", (0.10, 0.140, -0.08)),
    "LeftHindHoof": ("LeftHindFetlock", (0.10, 0.060, -0.02)),
    "LeftHindHoofTip": ("LeftHindHoof", (0.10, HOOF, 0.01)),
}


def human_skeleton(height: float = HUMAN_HEIGHT) -> Skeleton:
    """A person of stature `height` [m] in T pose: 24 joints and 9 tips, anatomical proportions."""
    return _grow(_both_sides(HUMAN_LEFT_HALF), _positive("height", height))


def skateboarder_skeleton(height: float = HUMAN_HEIGHT) -> Skeleton:
    """A person of stature `height` [m] with a skateboard under the left foot.

    The joint "Board" is in the deck at the front bolts, "BoardRear" at the rear ones. The trucks are joints, so
    that the deck may tilt while the wheels stay level; nose, tail, edges and wheels end in tips. The board keeps
    its size whoever stands on it.
    """
    rider = human_skeleton(height)
    x, _, ankle_z = rider.rest_positions[rider.index("LeftFoot")] + rider.offsets[0]
    y, front = -DECK_THICKNESS / 2, ankle_z + ARCH * height
    rear, half_track, edge = front - WHEELBASE, WHEEL_TRACK / 2, DECK_EDGE
    axle = y - (DECK_HEIGHT - WHEEL_RADIUS)
    board: Tree = {
        "Board": ("LeftFoot", (x, y, front)),
        "BoardNose": ("Board", (x, y + 0.03, front + 0.17)),
        "DeckLeft": ("Board", (x + edge, y, front)),
        "DeckLeftRear": ("DeckLeft", (x + edge, y, rear)),
        "DeckRight": ("Board", (x - edge, y, front)),
        "DeckRightRear": ("DeckRight", (x - edge, y, rear)),
        "TruckFront": ("Board", (x, y - TRUCK_DROP, front)),
        "WheelFrontLeft": ("TruckFront", (x + half_track, axle, front)),
        "WheelFrontRight": ("TruckFront", (x - half_track, axle, front)),
        "BoardRear": ("Board", (x, y, rear)),
        "BoardTail": ("BoardRear", (x, y + 0.03, rear - 0.17)),
        "TruckRear": ("BoardRear", (x, y - TRUCK_DROP, rear)),
        "WheelRearLeft": ("TruckRear", (x + half_track, axle, rear)),
        "WheelRearRight": ("TruckRear", (x - half_track, axle, rear)),
    }
    joined = _grow(_both_sides(HUMAN_LEFT_HALF), height, board)
    lift = np.zeros_like(joined.offsets)
    lift[0, 1] = DECK_HEIGHT + DECK_THICKNESS / 2
    return Skeleton(joined.names, joined.parents, joined.offsets + lift, joined.tips)


def with_board(rider: Skeleton) -> Skeleton:
    """A built-in person of any proportions, with the skateboard of `skateboarder_skeleton` under the left foot."""
    average = skateboarder_skeleton(stature_ratio(rider) * HUMAN_HEIGHT)
    offsets = average.offsets.copy()
    offsets[[average.index(name) for name in rider.names]] = rider.offsets
    offsets[0, 1] += DECK_HEIGHT + DECK_THICKNESS / 2
    return Skeleton(average.names, average.parents, offsets, average.tips)


def dog_skeleton(height: float = DOG_HEIGHT) -> Skeleton:
    """A standing dog of `height` [m] at the withers: four legs, spine, neck, head with ears, tail."""
    return _grow(_both_sides(DOG_LEFT_HALF), _positive("height", height))


def horse_skeleton(height: float = HORSE_HEIGHT) -> Skeleton:
    """A standing horse of `height` [m] at the withers: four legs to the hooves, spine, neck, head, mane, tail."""
    return _grow(_both_sides(HORSE_LEFT_HALF), _positive("height", height))


def stature_ratio(skeleton: Skeleton) -> float:
    """How much taller a built-in person is than the one the keys were written for."""
    crown, toe = (skeleton.rest_positions[skeleton.index(tip), 1] for tip in ("HeadTip", "LeftToeTip"))
    return float((crown - toe) / ((1.0 - TOE) * HUMAN_HEIGHT))


def withers_ratio(skeleton: Skeleton) -> float:
    """How much taller a built-in dog is than the default one."""
    return float(skeleton.offsets[0, 1] / (DOG_LEFT_HALF["Hips"][1][1] * DOG_HEIGHT))


def withers_height(skeleton: Skeleton) -> float:
    """Height [m] at the withers of a built-in horse."""
    return float(skeleton.offsets[0, 1] / HORSE_LEFT_HALF["Hips"][1][1])


def _both_sides(left_half: Tree) -> Tree:
    """The tree with the mirror image of every "Left..." joint."""
    right = {
        _other_side(name): (_other_side(parent or ""), (-x, y, z))
        for name, (parent, (x, y, z)) in left_half.items()
        if name.startswith("Left")
    }
    return {**left_half, **right}


def _other_side(name: str) -> str:
    return name.replace("Left", "Right", 1) if name.startswith("Left") else name


def _grow(tree: Tree, scale: float, extra: Tree | None = None) -> Skeleton:
    """The skeleton of a tree whose positions are multiplied by `scale`; `extra` joints are in metres already.

    Joints come depth first, as motion files list them, so that indices survive a journey through one.
    """
    rest = {name: (parent, np.multiply(position, scale)) for name, (parent, position) in tree.items()}
    rest |= {name: (parent, np.array(position)) for name, (parent, position) in (extra or {}).items()}
    order = _depth_first({name: parent for name, (parent, _) in rest.items()}, None)
    parents = [-1 if rest[name][0] is None else order.index(str(rest[name][0])) for name in order]
    positions = np.array([rest[name][1] for name in order])
    offsets = positions - np.where(np.array(parents)[:, None] < 0, 0.0, positions[parents])
    tips = [index not in parents for index in range(len(order))]
    return Skeleton(order, parents, offsets, tips)


def _depth_first(parents: Mapping[str, str | None], root: str | None) -> list[str]:
    """Names below `root`, each followed by its own branch."""
    children = [name for name, parent in parents.items() if parent == root]
    return [name for child in children for name in (child, *_depth_first(parents, child))]


def _positive(what: str, value: float) -> float:
    if not (np.isfinite(value) and value > 0):
        raise SkeletonError(f"{what} must be positive metres, not {value}")
    return float(value)
