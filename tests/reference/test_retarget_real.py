"""Retargeting real recordings between the rigs people have: CMU's, a 78-joint one and a 23-joint one.

The bounds are what was measured, rounded up. Limbs: arms agree exactly; legs differ by what it takes to keep the
feet on the ground of a body with other proportions.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from walkon.basics import runs
from walkon.motion import Clip
from walkon.motion.editing import crop, mirror, retarget, scale
from walkon.motion.editing.grounding import carry_contacts_over
from walkon.motion.feet.contacts import find_contacts
from walkon.motion.feet.soles import leg_length, sole_clearances
from walkon.motion.readers import read_clip
from walkon.skeleton import Skeleton, find_roles
from walkon.skeleton.stance import limb_segments

RIGS = {
    "78 joints": "other/anim_utils_mit/custom_skeleton_walk_example.bvh",
    "23 joints": "other/pymo_mit/AV_8Walk_Meredith_HVHA_Rep1.bvh",
    "arms down": "other/pybvh_mit/bvh_test2.bvh",
    "ASF": "cmu/asfamc/16/16_12.amc",
}
CLIPS = {"walk": "16_12", "jump": "16_01", "run": "09_01", "jog and stop": "127_25"}


@pytest.fixture(scope="module")
def recordings(mocap: Path) -> dict[str, Clip]:
    return {what: read_clip(mocap / "cmu" / "bvh" / f"{name}.bvh", trim="leading") for what, name in CLIPS.items()}


@pytest.fixture(scope="module")
def rigs(mocap: Path) -> dict[str, Clip]:
    return {what: read_clip(mocap / path) for what, path in RIGS.items()}


def limb_errors(clip: Clip, other: Clip, *, arms: bool) -> np.ndarray:
    """Angles [deg] between bones that play the same part, (F, 4)."""
    directions = []
    for each in (clip, other):
        roles = find_roles(each.skeleton)
        upper = [roles.joints[f"{side}_{'shoulder' if arms else 'hip'}"] for side in ("left", "right")]
        ends = dict(limb_segments(roles))
        starts = [joint for top in upper for joint in (top, ends[top])]
        bones = each.positions[:, [ends[joint] for joint in starts]] - each.positions[:, starts]
        directions.append(bones / np.linalg.norm(bones, axis=-1, keepdims=True))
    return np.degrees(np.arccos(np.clip(np.sum(directions[0] * directions[1], axis=-1), -1.0, 1.0)))


def added_slides(source: Clip, moved: Clip) -> np.ndarray:
    """How far [m] each planted joint strays from the way the source's joint moves, for every contact."""
    contacts, leaders = carry_contacts_over(find_contacts(source), source.skeleton, moved.skeleton)
    ratio = leg_length(moved.skeleton) / leg_length(source.skeleton)
    slides = []
    for column, (name, leader) in enumerate(zip(contacts.joints, leaders, strict=True)):
        apart = moved.positions[:, moved.skeleton.index(name)] - ratio * source.positions[:, leader]
        for start, stop in runs(contacts.planted[:, column]):
            strayed = apart[start:stop, [0, 2]] - apart[start:stop, [0, 2]].mean(axis=0)
            slides.append(np.linalg.norm(strayed, axis=1).max())
    return np.array(slides)


def lowest_sole(clip: Clip) -> np.ndarray:
    return sole_clearances(clip.skeleton, clip.positions).min(axis=1)


def body_joints(skeleton: Skeleton) -> list[int]:
    """Joints with a part to play, without the tips: what a retarget is answerable for."""
    return [joint for role, joint in find_roles(skeleton).joints.items() if not role.endswith("_tip")]


def check(source: Clip, moved: Clip) -> None:
    assert limb_errors(source, moved, arms=True).max() < 1e-3
    legs = limb_errors(source, moved, arms=False)
    assert legs.mean() < 4.0
    assert np.percentile(legs, 95) < 11.0
    assert added_slides(source, moved).max() < 0.012
    ratio = leg_length(moved.skeleton) / leg_length(source.skeleton)
    wanted = ratio * lowest_sole(source)
    grounded = wanted < wanted.min() + 0.05
    np.testing.assert_allclose(lowest_sole(moved)[grounded], wanted[grounded], atol=0.01)
    assert lowest_sole(moved).min() > wanted.min() - 0.02


@pytest.mark.parametrize("rig", RIGS)
@pytest.mark.parametrize("what", CLIPS)
def test_cmu_onto_other_bodies(recordings: dict[str, Clip], rigs: dict[str, Clip], what: str, rig: str) -> None:
    check(recordings[what], retarget(recordings[what], rigs[rig].skeleton))


@pytest.mark.parametrize("rig", RIGS)
def test_other_recordings_onto_cmu(recordings: dict[str, Clip], rigs: dict[str, Clip], rig: str) -> None:
    check(rigs[rig], retarget(rigs[rig], recordings["walk"].skeleton))


@pytest.mark.parametrize(
    ("rig", "mean", "worst"), [("78 joints", 0.008, 0.06), ("23 joints", 0.035, 0.10), ("ASF", 0.007, 0.08)]
)
@pytest.mark.parametrize("what", CLIPS)
def test_there_and_back(
    recordings: dict[str, Clip], rigs: dict[str, Clip], what: str, rig: str, mean: float, worst: float
) -> None:
    source = recordings[what]
    back = retarget(retarget(source, rigs[rig].skeleton), source.skeleton)
    joints = body_joints(source.skeleton)
    apart = np.linalg.norm(back.positions[:, joints] - source.positions[:, joints], axis=-1)
    assert apart.mean() < mean
    assert apart.max() < worst


def test_one_subject_walks_like_another(recordings: dict[str, Clip]) -> None:
    walk, other = recordings["walk"], recordings["run"].skeleton
    scaled, retargeted = scale(walk, other), retarget(walk, other)
    check(walk, retargeted)
    assert added_slides(walk, scaled).max() < 0.01
    joints = body_joints(other)
    assert np.linalg.norm((scaled.positions - retargeted.positions)[:, joints], axis=-1).mean() < 0.05


@pytest.mark.parametrize("what", CLIPS)
def test_a_mirrored_recording_mirrored_again_is_itself(recordings: dict[str, Clip], what: str) -> None:
    clip = recordings[what]
    np.testing.assert_allclose(mirror(mirror(clip)).positions, clip.positions, atol=1e-9)


@pytest.mark.parametrize("rig", RIGS)
def test_rigs_are_mirrored_as_bodies_whatever_their_axes(rigs: dict[str, Clip], rig: str) -> None:
    clip = crop(rigs[rig], 0, 40)
    mirrored = mirror(clip)
    left, right = (find_roles(clip.skeleton).joints[f"{side}_wrist"] for side in ("left", "right"))
    seen = clip.positions[:, left] * [-1.0, 1.0, 1.0]
    assert np.linalg.norm(mirrored.positions[:, right] - seen, axis=1).max() < 0.05
