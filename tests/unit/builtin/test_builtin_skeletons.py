"""The bodies we ship: proportions, symmetry, and names that the rest of walkon understands."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import dog_skeleton, human_skeleton, skateboarder_skeleton
from walkon.builtin.skeletons import DECK_HEIGHT, WHEEL_RADIUS, stature_ratio, withers_ratio
from walkon.errors import SkeletonError
from walkon.skeleton import Skeleton, find_roles

MAKERS = {"human": human_skeleton, "skateboarder": skateboarder_skeleton, "dog": dog_skeleton}


def standing(skeleton: Skeleton) -> np.ndarray:
    return skeleton.rest_positions + skeleton.offsets[0]


@pytest.mark.parametrize("height", [1.2, 1.75, 2.0])
def test_a_human_is_as_tall_as_asked_and_stands_on_the_ground(height):
    rest = standing(human_skeleton(height))
    assert rest[:, 1].max() == pytest.approx(height)
    assert 0.015 * height < rest[:, 1].min() < 0.025 * height


def test_human_limbs_have_the_published_shares_of_stature():
    skeleton = human_skeleton(1.0)
    shares = {"LeftLeg": 0.245, "LeftFoot": 0.246, "LeftForeArm": 0.186, "LeftHand": 0.146}
    for joint, share in shares.items():
        assert skeleton.lengths[skeleton.index(joint)] == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize("name", ["human", "dog"])
def test_left_and_right_are_mirror_images(name):
    skeleton = MAKERS[name]()
    for joint, left in enumerate(skeleton.names):
        if left.startswith("Left"):
            right = skeleton.index(left.replace("Left", "Right"))
            np.testing.assert_array_equal(skeleton.offsets[joint], skeleton.offsets[right] * [-1, 1, 1])


@pytest.mark.parametrize("name", MAKERS)
def test_every_limb_is_recognised_by_its_role(name):
    roles = find_roles(MAKERS[name]())
    limbs = ("hip", "knee", "ankle", "toe", "shoulder", "elbow", "wrist")
    assert all(roles.get(f"{side}_{limb}") is not None for side in ("left", "right") for limb in limbs)
    assert len(roles.feet) == (4 if name == "dog" else 2)


def test_the_board_rests_on_its_wheels_below_the_rider():
    skeleton = skateboarder_skeleton()
    rest = standing(skeleton)
    wheels = [joint for joint, name in enumerate(skeleton.names) if name.startswith("Wheel")]
    assert len(wheels) == 4
    np.testing.assert_allclose(rest[wheels, 1], WHEEL_RADIUS, atol=1e-12)
    assert rest[skeleton.index("Board"), 1] == pytest.approx(DECK_HEIGHT)
    assert rest[skeleton.index("LeftToeTip"), 1] > DECK_HEIGHT


def test_ratios_tell_the_size_they_were_built_with():
    assert stature_ratio(human_skeleton(1.4)) == pytest.approx(0.8)
    assert stature_ratio(skateboarder_skeleton(2.1)) == pytest.approx(1.2)
    assert withers_ratio(dog_skeleton(0.28)) == pytest.approx(0.5)


@pytest.mark.parametrize("height", [0.0, -1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("name", MAKERS)
def test_impossible_heights_are_refused(name, height):
    with pytest.raises(SkeletonError, match="height"):
        MAKERS[name](height)
