"""Forged poses: what somebody shows is not what a body can do. Synthesis was honest; its result was changed."""

from __future__ import annotations

import numpy as np

from walkon.motion import Clip, Contacts
from walkon.motion.feet.holding import FootGoal, bend_legs
from walkon.skeleton import find_roles

from .stage import Forged, Honest, about, moved, reposed, turned


def spine_turned_for_a_frame(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: turned(clip, "Spine", about(1, 180.0), slice(100, 101)))


def head_turned_for_a_frame(honest: Honest) -> Forged:
    """Hardly anything moves, as the head is round."""
    return reposed(honest, "ann", lambda clip: turned(clip, "Neck", about(1, 180.0), slice(100, 101)))


def knee_bent_backwards_for_a_frame(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: turned(clip, "LeftLeg", about(0, -100.0), slice(100, 101)))


def chest_faces_backwards(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: turned(clip, "Spine", about(1, 180.0)))


def head_on_backwards(honest: Honest) -> Forged:
    """All the time, so nothing jumps, and no joint is elsewhere."""
    return reposed(honest, "ann", lambda clip: turned(clip, "Head", about(1, 180.0)))


def _trembling(clip: Clip, joint: str) -> Clip:
    """A joint's end is 10 cm to and fro, from frame to frame."""
    length = clip.skeleton.lengths[clip.skeleton.index(joint) + 1]
    swing = np.degrees(0.05 / length)
    for frame in range(100, 190):
        clip = turned(clip, joint, about(0, swing if frame % 2 else -swing), slice(frame, frame + 1))
    return clip


def hand_trembles_10_cm(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: _trembling(clip, "LeftArm"))


def body_trembles(honest: Honest) -> Forged:
    """All of it, 3 cm to and fro."""

    def shake(clip: Clip) -> Clip:
        way = np.zeros((len(clip), 3))
        way[100:130:2, 0] = 0.03
        return moved(clip, way)

    return reposed(honest, "ann", shake)


def _gliding(clip: Clip) -> Clip:
    still = np.full(len(clip), 100)
    return clip.with_changes(rotations=clip.rotations[still], root_positions=np.column_stack(
        [clip.root_positions[:, 0], clip.root_positions[still, 1], clip.root_positions[:, 2]]
    ))  # fmt: skip


def glides_in_one_pose(honest: Honest) -> Forged:
    """As a chess piece, and nobody says that a foot is planted."""
    return reposed(
        honest,
        "ann",
        lambda clip: _gliding(clip).with_changes(contacts=Contacts((), np.zeros((len(clip), 0), dtype=bool))),
    )


def feet_walk_on_the_spot(honest: Honest) -> Forged:
    """A moonwalk: the legs walk, but the ground moves under them at half the speed."""

    def slower(clip: Clip) -> Clip:
        roots = clip.root_positions.copy()
        roots[:, [0, 2]] = roots[0, [0, 2]] + 0.5 * (roots[:, [0, 2]] - roots[0, [0, 2]])
        return clip.with_changes(root_positions=roots)

    return reposed(honest, "ann", slower)


def slow_slide(honest: Honest) -> Forged:
    """Nine centimetres in the three seconds before the end, while standing."""

    def drift(clip: Clip) -> Clip:
        way = np.zeros((len(clip), 3))
        way[-90:, 0] = np.linspace(0.0, 0.09, 90)
        return moved(clip, way).with_changes(contacts=None)

    return reposed(honest, "bob", drift)


def one_foot_is_dragged(honest: Honest) -> Forged:
    """Bob has arrived and stands on one foot; the other goes to and fro on the ground, at up to 0.8 m/s."""

    def drag(clip: Clip) -> Clip:
        roles = find_roles(clip.skeleton)
        foot, leg = roles.legs[0]
        ankle = clip.positions[:, foot.ankle].copy()
        ankle[-30:, 0] += 0.12 * np.sin(np.arange(30) * 2.0 * np.pi / 30.0)
        still = np.tile(about(1, 0.0), (len(clip), 1))
        return bend_legs(clip, [FootGoal(leg, ankle, still)], np.zeros(len(clip)))

    return reposed(honest, "bob", drag)


def sunk_by_5_cm(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: moved(clip, np.array([0.0, -0.05, 0.0])))


def raised_by_5_cm(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: moved(clip, np.array([0.0, 0.05, 0.0])))


def levitates(honest: Honest) -> Forged:
    """Half a metre up and down again, slowly."""

    def lift(clip: Clip) -> Clip:
        way = np.zeros((len(clip), 3))
        way[100:190, 1] = 0.25 * (1.0 - np.cos(np.linspace(0.0, 2.0 * np.pi, 90)))
        return moved(clip, way)

    return reposed(honest, "ann", lift)


def _stretched(clip: Clip, joint: str, factor: float, frames: slice = slice(None)) -> Clip:
    offsets = np.tile(clip.skeleton.offsets, (len(clip), 1, 1))
    offsets[frames, clip.skeleton.index(joint)] *= factor
    return clip.with_changes(bone_offsets=offsets)


def arm_stretched(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: _stretched(clip, "LeftForeArm", 1.5))


def arm_shrunk_for_a_second(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: _stretched(clip, "RightHand", 0.5, slice(100, 130)))


def head_detached(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: _stretched(clip, "Head", 4.0))


def legs_stretched(honest: Honest) -> Forged:
    return reposed(honest, "ann", lambda clip: _stretched(clip, "LeftLeg", 1.2))


def root_jumps(honest: Honest) -> Forged:
    def jump(clip: Clip) -> Clip:
        way = np.zeros((len(clip), 3))
        way[100] = [0.15, 0.0, 0.0]
        return moved(clip, way)

    return reposed(honest, "ann", jump)


POSES = {
    spine_turned_for_a_frame: {"jump", "haste"},
    head_turned_for_a_frame: {"haste"},
    knee_bent_backwards_for_a_frame: {"jump", "haste", "pose"},
    chest_faces_backwards: {"pose"},
    head_on_backwards: {"pose"},
    hand_trembles_10_cm: {"haste"},
    body_trembles: {"haste"},
    glides_in_one_pose: {"slide"},
    feet_walk_on_the_spot: {"slide"},
    slow_slide: {"slide"},
    one_foot_is_dragged: {"slide"},
    sunk_by_5_cm: {"ground"},
    raised_by_5_cm: {"floating"},
    levitates: {"floating"},
    arm_stretched: {"pose"},
    arm_shrunk_for_a_second: {"pose"},
    head_detached: {"pose"},
    legs_stretched: {"pose"},
    root_jumps: {"jump"},
}
