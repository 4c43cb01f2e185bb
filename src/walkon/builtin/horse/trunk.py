"""A galloping horse but for its legs: back, neck, head, mane, tail and shoulder blades."""

from __future__ import annotations

from collections.abc import Mapping

from walkon.basics import Array
from walkon.builtin.footwork import SIDES
from walkon.builtin.horse.stride import FOOTFALLS, FORE, body_channels
from walkon.builtin.posing import Poser, turned
from walkon.rotations import multiply

BACK = {"Spine": 0.65, "Spine1": 0.35, "Chest": 0.0}
"""How the back takes back the tuck of the pelvis, so that the withers feel little of it."""

NECK = {"Neck": 0.45, "Neck1": 0.35, "Neck2": 0.2}
"""How a lowered neck is spread over its joints."""

INWARD = {"Spine": 0.10, "Spine1": 0.12, "Chest": 0.08, "Neck": 0.25, "Neck1": 0.25, "Neck2": 0.15, "Head": 0.10}
"""Share of each lean that a joint turns into the curve, so that the horse bends along it."""

NECK_LEVELLING = 0.4
"""Share of the body's lean that neck and head take back, to see the world upright."""

TAIL_SHARES = {"Tail": 0.55, "Tail1": 0.30, "Tail2": 0.20, "Tail3": 0.10}
"""How a raised tail streams out joint by joint; each follows the one before a little later."""

TAIL_DELAY = 0.09
"""Phase by which each joint of the tail is later than the one before."""

MANE = {"Mane1": "Neck1", "Mane2": "Neck2"}
"""Locks of the mane, and the joint of the neck each lies on."""


def pose_back(poser: Poser, phase: Array, frames: Array, lean: Array, changes: Mapping[str, Array]) -> None:
    """Pose what carries the legs: pelvis, back and shoulder blades.

    phase: (F,). frames: (F, 4) of the leaning body. lean: (F,) degrees to the right. changes: degrees (F,) added
    to channels of the stride's table.
    """
    body = _changed(phase, changes)
    poser.turn("Hips", multiply(frames, turned(body["pitch"] - body["tuck"], body["yaw"], body["list"])))
    for joint, share in BACK.items():
        poser.turn(joint, turned(share * body["tuck"], -INWARD[joint] * lean - 0.3 * body["yaw"]))
    for side in SIDES:
        blade = FORE.angle("blade")(phase - FOOTFALLS["fore", side])
        poser.turn(f"{side}Shoulder", turned(bend=-blade))


def pose_neck_and_tail(poser: Poser, phase: Array, lean: Array, changes: Mapping[str, Array]) -> None:
    """Pose neck, head, mane and tail; arguments as in `pose_back`, which comes first."""
    body = _changed(phase, changes)
    for joint, share in NECK.items():
        level = -share * (body["list"] + NECK_LEVELLING * lean)
        poser.turn(joint, turned(share * body["neck"], -INWARD[joint] * lean, level))
    poser.turn("Head", turned(-body["face"], -INWARD["Head"] * lean - body["yaw"]))
    for lock, vertebra in MANE.items():
        poser.face(lock, poser.frame(vertebra)[1])
    for late, (joint, share) in enumerate(TAIL_SHARES.items()):
        raised = _changed(phase - late * TAIL_DELAY, changes)
        poser.turn(joint, turned(share * raised["tail"] + raised["whip"], 0.08 * late * lean))


def _changed(phase: Array, changes: Mapping[str, Array]) -> dict[str, Array]:
    body = body_channels(phase)
    for channel, change in changes.items():
        body[channel] = body[channel] + change
    return body
