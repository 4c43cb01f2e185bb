"""Forged clips: the take is true to its clips, and the clips are lies. All who play them are set to follow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.motion import Clip, Contacts
from walkon.skeleton import Skeleton
from walkon.take import TakeClip

from .poses import _trembling
from .stage import Forged, Honest, about, ahead, follow, moved, reclipped, turned

WALK = "walk_forward"


def _after(honest: Honest, change, which: str = WALK) -> Forged:
    return Forged(reclipped(honest.take, change, which))


def _renamed(honest: Honest, **fields: str) -> Forged:
    clips = [replace(shown, **fields) if shown.behavior == WALK else shown for shown in honest.take.clips]
    return Forged(replace(honest.take, clips=tuple(clips)))


def from_another_library(honest: Honest) -> Forged:
    return _renamed(honest, library="somebody else's")


def entry_and_exit_swapped(honest: Honest) -> Forged:
    clips = [replace(shown, entry=shown.exit, exit=shown.entry) for shown in honest.take.clips]
    return Forged(replace(honest.take, clips=tuple(clips)))


def jumps_over_nothing(honest: Honest) -> Forged:
    return _renamed(honest, kind="jump_over")


def a_forbidden_gesture(honest: Honest) -> Forged:
    return _renamed(honest, kind="gesture")


def all_lowered_by_5_cm(honest: Honest) -> Forged:
    return _after(honest, lambda clip: moved(clip, np.array([0.0, -0.05, 0.0])), "")


def all_lowered_by_3_cm(honest: Honest) -> Forged:
    return _after(honest, lambda clip: moved(clip, np.array([0.0, -0.03, 0.0])), "")


def all_raised_by_5_cm(honest: Honest) -> Forged:
    return _after(honest, lambda clip: moved(clip, np.array([0.0, 0.05, 0.0])), "")


def one_lowered_by_5_cm(honest: Honest) -> Forged:
    return _after(honest, lambda clip: moved(clip, np.array([0.0, -0.05, 0.0])))


def spine_turned_for_a_frame_in_a_clip(honest: Honest) -> Forged:
    return _after(honest, lambda clip: turned(clip, "Spine", about(1, 180.0), slice(20, 21)))


def knee_bent_backwards_for_a_frame_in_a_clip(honest: Honest) -> Forged:
    return _after(honest, lambda clip: turned(clip, "LeftLeg", about(0, -100.0), slice(20, 21)))


def _knees_back(clip: Clip) -> Clip:
    """Every knee bends by as much as it did, the other way."""
    rotations = clip.rotations.copy()
    for side in ("Left", "Right"):
        knee = clip.skeleton.index(f"{side}Leg")
        rotations[:, knee, 1:] *= -1.0
    return clip.with_changes(rotations=rotations)


def knees_bend_backwards_in_all_clips(honest: Honest) -> Forged:
    return _after(honest, _knees_back, "")


def chest_faces_backwards_in_all_clips(honest: Honest) -> Forged:
    return _after(honest, lambda clip: turned(clip, "Spine", about(1, 180.0)), "")


def trunk_wrung_in_all_clips(honest: Honest) -> Forged:
    """Half a turn between hips and shoulders, a third of it in each joint of the spine."""

    def wrung(clip: Clip) -> Clip:
        for joint in ("Spine", "Spine1", "Spine2"):
            clip = turned(clip, joint, about(1, 60.0))
        return clip

    return _after(honest, wrung, "")


def head_on_backwards_in_all_clips(honest: Honest) -> Forged:
    return _after(honest, lambda clip: turned(clip, "Head", about(1, 180.0)), "")


def hand_trembles_in_all_clips(honest: Honest) -> Forged:
    def tremble(clip: Clip) -> Clip:
        longer = clip.with_changes(contacts=None, labels=())
        length = clip.skeleton.lengths[clip.skeleton.index("LeftForeArm")]
        swing = np.degrees(0.05 / length)
        for frame in range(len(clip)):
            longer = turned(longer, "LeftArm", about(0, swing if frame % 2 else -swing), slice(frame, frame + 1))
        return longer.with_changes(contacts=clip.contacts, labels=clip.labels)

    return _after(honest, tremble, "")


def _slid(clip: Clip, speed: float) -> Clip:
    way = speed * np.arange(len(clip))[:, None] / clip.fps * ahead(clip)
    return moved(clip, way)


def waiting_slides(honest: Honest) -> Forged:
    """Whoever waits is carried away standing, as on a moving walkway."""
    return _after(honest, lambda clip: _slid(clip, 0.15), "pause")


def walking_slides(honest: Honest) -> Forged:
    """A walk that is faster than its steps, in every clip."""
    return _after(honest, lambda clip: _slid(clip, 0.4))


def walking_slides_without_labels(honest: Honest) -> Forged:
    return _after(honest, lambda clip: _slid(clip, 0.4).with_changes(contacts=None))


def nothing_is_said_to_be_planted(honest: Honest) -> Forged:
    """No label of any clip is True, and the walk slides."""

    def unlabelled(clip: Clip) -> Clip:
        assert clip.contacts is not None
        none = Contacts(clip.contacts.joints, np.zeros_like(clip.contacts.planted))
        return _slid(clip, 0.4).with_changes(contacts=none)

    return _after(honest, unlabelled, "")


def moonwalk(honest: Honest) -> Forged:
    """The legs walk forward, the body goes back."""
    return _after(honest, lambda clip: _slid(clip, -2.0))


def glides_in_a_clip(honest: Honest) -> Forged:
    def frozen(clip: Clip) -> Clip:
        still = np.full(len(clip), 10)
        roots = clip.root_positions.copy()
        roots[:, 1] = roots[10, 1]
        return clip.with_changes(rotations=clip.rotations[still], root_positions=roots, contacts=None)

    return _after(honest, frozen)


def root_jumps_in_a_clip(honest: Honest) -> Forged:
    """Twenty centimetres between two frames, and no way back."""

    def jump(clip: Clip) -> Clip:
        way = np.zeros((len(clip), 3))
        way[20:] = 0.2 * ahead(clip)
        return moved(clip, way)

    return _after(honest, jump)


def three_times_as_fast(honest: Honest) -> Forged:
    """Two of three frames are left out of every walk."""

    def faster(clip: Clip) -> Clip:
        contacts = clip.contacts
        return clip.with_changes(
            root_positions=clip.root_positions[::3],
            rotations=clip.rotations[::3],
            contacts=None if contacts is None else Contacts(contacts.joints, contacts.planted[::3]),
            labels=(),
        )

    take = honest.take
    clips = tuple(
        replace(shown, clip=faster(shown.clip), margin=shown.margin // 3) if "walk" in shown.behavior else shown
        for shown in take.clips
    )
    return Forged(follow(replace(take, clips=(), roles=()), clips, take.roles))


def _on(shown: TakeClip, skeleton: Skeleton) -> TakeClip:
    return replace(shown, clip=shown.clip.with_changes(skeleton=skeleton))


def _resized(honest: Honest, factors: dict[str, float]) -> Forged:
    """All clips on a skeleton with other bones."""
    made: dict[int, Skeleton] = {}

    def other(skeleton: Skeleton) -> Skeleton:
        if id(skeleton) not in made:
            offsets = skeleton.offsets.copy()
            for joint, factor in factors.items():
                offsets[skeleton.index(joint)] *= factor
            made[id(skeleton)] = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.tips)
        return made[id(skeleton)]

    clips = tuple(_on(shown, other(shown.clip.skeleton)) for shown in honest.take.clips)
    return Forged(follow(replace(honest.take, clips=(), roles=()), clips, honest.take.roles))


def one_arm_longer(honest: Honest) -> Forged:
    return _resized(honest, {"LeftForeArm": 1.8, "LeftHand": 1.8})


def head_far_above(honest: Honest) -> Forged:
    return _resized(honest, {"Head": 6.0})


def shins_lengthened(honest: Honest) -> Forged:
    return _resized(honest, {"LeftFoot": 1.2, "RightFoot": 1.2})


def levitates_in_a_clip(honest: Honest) -> Forged:
    def lift(clip: Clip) -> Clip:
        way = np.zeros((len(clip), 3))
        way[:, 1] = 0.1 * (1.0 - np.cos(np.linspace(0.0, 2.0 * np.pi, len(clip))))
        return moved(clip, way)

    return _after(honest, lift)


CLIPS = {
    from_another_library: {"transition"},
    entry_and_exit_swapped: {"transition"},
    jumps_over_nothing: {"special"},
    a_forbidden_gesture: {"transition"},
    all_lowered_by_5_cm: {"ground", "clip"},
    all_lowered_by_3_cm: {"clip"},
    all_raised_by_5_cm: {"floating", "clip"},
    one_lowered_by_5_cm: {"ground", "clip"},
    spine_turned_for_a_frame_in_a_clip: {"haste", "clip"},
    knee_bent_backwards_for_a_frame_in_a_clip: {"haste", "clip"},
    knees_bend_backwards_in_all_clips: {"pose", "clip"},
    chest_faces_backwards_in_all_clips: {"pose", "clip"},
    trunk_wrung_in_all_clips: {"pose", "clip"},
    head_on_backwards_in_all_clips: {"pose", "clip"},
    hand_trembles_in_all_clips: {"haste", "clip"},
    waiting_slides: {"slide", "clip"},
    walking_slides: {"slide", "clip"},
    walking_slides_without_labels: {"slide", "clip"},
    nothing_is_said_to_be_planted: {"slide", "clip"},
    moonwalk: {"slide", "clip"},
    glides_in_a_clip: {"slide", "clip"},
    root_jumps_in_a_clip: {"haste", "clip"},
    three_times_as_fast: {"clip"},
    one_arm_longer: {"pose", "clip"},
    head_far_above: {"pose", "clip"},
    shins_lengthened: {"ground"},
    levitates_in_a_clip: {"floating", "clip"},
}
__all__ = ["CLIPS", "_trembling"]
