"""Bodies: capsules that suit their bones, masses, heights."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from walkon.builtin import dog_skeleton, human_skeleton, skateboarder_skeleton
from walkon.skeleton import Body, Skeleton, build_body, find_roles

SKELETONS = {
    "human": human_skeleton(),
    "child": human_skeleton(1.1),
    "skateboarder": skateboarder_skeleton(),
    "dog": dog_skeleton(),
    "chain": Skeleton(["a", "b", "c"], [-1, 0, 1], [[0, 0, 0], [0, 1, 0], [0, 1, 0]]),
    "point": Skeleton(["only"], [-1], [[0, 0, 0]]),
}


def mass_of(body: Body, joint: str) -> float:
    """Mass of the capsules that end at a joint."""
    return float(body.masses[body.ends == body.skeleton.index(joint)].sum())


@pytest.mark.parametrize("skeleton", SKELETONS.values(), ids=SKELETONS)
def test_every_skeleton_has_a_sound_body(skeleton):
    body = build_body(skeleton)
    assert len(body) >= 1
    assert (body.radii > 0).all()
    assert (body.masses >= 0).all()
    assert body.masses.sum() == pytest.approx(1)
    assert body.radii.max() < 0.25 * (skeleton.size or 1)
    assert build_body(skeleton).radii is body.radii
    assert not body.radii.flags.writeable


def test_remembered_bodies_do_not_keep_skeletons_alive():
    skeleton = human_skeleton()
    build_body(skeleton)
    gone = weakref.ref(skeleton)
    del skeleton
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("height", [1.5, 1.75, 2.0])
def test_height_is_the_stature(height):
    assert build_body(human_skeleton(height)).height == pytest.approx(height, rel=0.02)


def test_height_of_a_dog_is_at_its_shoulders():
    assert build_body(dog_skeleton(0.5)).height == pytest.approx(0.5, rel=0.1)


def test_a_body_scales_with_its_skeleton():
    one, two = build_body(human_skeleton(1.0)), build_body(human_skeleton(2.0))
    np.testing.assert_allclose(two.radii, 2 * one.radii)
    np.testing.assert_allclose(two.masses, one.masses)


def test_human_proportions():
    skeleton = human_skeleton(1.75)
    body = build_body(skeleton)
    capsules = body.capsules(skeleton.rest_positions + skeleton.offsets[0])
    low = (capsules - body.radii[:, None, None]).min(axis=(0, 1))
    high = (capsules + body.radii[:, None, None]).max(axis=(0, 1))
    assert high[1] == pytest.approx(1.75, abs=0.06)
    assert low[1] == pytest.approx(0, abs=0.03)
    trunk = (capsules[..., 1].max(axis=1) < 1.45) & (capsules[..., 1].min(axis=1) > 0.85)
    breadth = (np.abs(capsules[trunk][..., 0]) + body.radii[trunk, None]).max() * 2
    depth = (np.abs(capsules[trunk][..., 2]) + body.radii[trunk, None]).max() * 2
    assert breadth > 1.4 * depth
    radius = dict(zip(skeleton.names, np.zeros(len(skeleton)), strict=True))
    radius.update({skeleton.names[end]: r for end, r in zip(body.ends, body.radii, strict=True)})
    assert radius["LeftLeg"] > radius["LeftFoot"] > radius["LeftToeBase"]  # thigh, shin, foot
    assert radius["LeftForeArm"] > radius["LeftHand"] > radius["LeftHandTip"]


def test_human_masses_are_the_tables():
    body = build_body(human_skeleton())
    assert mass_of(body, "LeftLeg") == pytest.approx(0.100, abs=1e-3)
    assert mass_of(body, "LeftFoot") == pytest.approx(0.0465, abs=1e-3)
    assert mass_of(body, "RightForeArm") == pytest.approx(0.028, abs=1e-3)


def test_a_dog_is_stout_on_slender_legs():
    dog = dog_skeleton()
    body = build_body(dog)
    trunk = body.radii[body.ends == dog.index("Spine1")][0]
    assert trunk > 3 * body.radii[body.ends == dog.index("LeftToeBase")][0]
    assert trunk > 3 * body.radii[body.ends == dog.index("Tail1")][0]


def test_left_and_right_are_alike():
    skeleton = human_skeleton()
    body = build_body(skeleton)
    capsules = body.capsules(skeleton.rest_positions)
    middle = capsules.mean(axis=1)
    mirrored = middle * [-1, 1, 1]
    for own, mass in zip(mirrored, body.masses, strict=True):
        twin = np.argmin(np.linalg.norm(middle - own, axis=1) + np.abs(body.masses - mass))
        assert np.linalg.norm(middle[twin] - own) < 1e-9


def test_the_head_has_its_size_however_long_its_bone_is():
    human = human_skeleton()
    tops = []
    for length in (0.05, 0.1, 0.2):
        offsets = human.offsets.copy()
        offsets[human.index("HeadTip")] = [0, length, 0]
        skeleton = Skeleton(human.names, human.parents, offsets, human.tips)
        body = build_body(skeleton)
        head = int(np.flatnonzero(body.ends == skeleton.index("HeadTip"))[0])
        ends = body.capsules(skeleton.rest_positions)[head]
        assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(0.024 * body.height)
        tops.append(ends[..., 1].max() + body.radii[head] - skeleton.rest_positions[skeleton.index("HeadTip"), 1])
    np.testing.assert_allclose(tops, 0, atol=1e-9)


def test_a_head_without_a_tip_sits_on_its_joint():
    human = human_skeleton()
    keep = [i for i, name in enumerate(human.names) if name != "HeadTip"]
    index = {old: new for new, old in enumerate(keep)}
    parents = [-1 if human.parents[i] < 0 else index[int(human.parents[i])] for i in keep]
    skeleton = Skeleton([human.names[i] for i in keep], parents, human.offsets[keep], human.tips[keep])
    body = build_body(skeleton)
    ends = body.capsules(skeleton.rest_positions)[np.flatnonzero(body.ends == skeleton.index("Head"))]
    assert ends[..., 1].max() > skeleton.rest_positions[skeleton.index("Head"), 1]


def test_roles_can_be_given():
    skeleton = human_skeleton()
    roles = find_roles(skeleton)
    assert len(build_body(skeleton, roles)) == len(build_body(skeleton))


def test_capsules_of_many_frames_and_their_spans():
    skeleton = SKELETONS["chain"]
    body = Body(
        skeleton, np.array([0]), np.array([1]), np.array([0.1]), np.array([[0.25, 1.5]]), np.ones(1), height=1.0
    )
    positions = np.stack([skeleton.rest_positions, skeleton.rest_positions + 1])
    np.testing.assert_allclose(body.capsules(positions)[:, 0, :, 1], [[0.25, 1.5], [1.25, 2.5]])
