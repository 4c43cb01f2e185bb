"""Mirror images of joints, by name and by shape."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import dog_skeleton, human_skeleton
from walkon.skeleton import Skeleton, mirror_pairs


def nameless(skeleton: Skeleton) -> Skeleton:
    return Skeleton([f"joint{i}" for i in range(len(skeleton))], skeleton.parents, skeleton.offsets, skeleton.tips)


@pytest.mark.parametrize("skeleton", [human_skeleton(), dog_skeleton()], ids=["human", "dog"])
def test_names_and_shape_agree(skeleton):
    by_name, by_shape = mirror_pairs(skeleton), mirror_pairs(nameless(skeleton))
    np.testing.assert_array_equal(by_name, by_shape)
    np.testing.assert_array_equal(by_name[by_name], np.arange(len(skeleton)))
    for joint, twin in enumerate(by_name):
        name = skeleton.names[joint]
        expected = name.replace("Left", "?").replace("Right", "Left").replace("?", "Right")
        assert skeleton.names[twin] == expected


def test_slightly_uneven_limbs_still_pair():
    human = human_skeleton()
    offsets = human.offsets.copy()
    offsets[human.index("LeftLeg")] *= 1.05
    uneven = nameless(Skeleton(human.names, human.parents, offsets, human.tips))
    np.testing.assert_array_equal(mirror_pairs(uneven), mirror_pairs(human))


def test_alike_branches_on_the_midline_do_not_pair():
    """A crown and a nose are both one bone of the same length, but neither is left of the other."""
    names = ["root", "a", "b", "c", "d"]
    offsets = [[0, 0, 0], [0.5, 0, 0], [-0.5, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]
    np.testing.assert_array_equal(mirror_pairs(Skeleton(names, [-1, 0, 0, 0, 0], offsets)), [0, 2, 1, 3, 4])


def test_different_trees_do_not_pair():
    skeleton = Skeleton(
        ["root", "a", "a1", "b"], [-1, 0, 1, 0], [[0, 0, 0], [0.5, 0, 0], [0.1, 0, 0], [-0.5, 0, 0]]
    )
    np.testing.assert_array_equal(mirror_pairs(skeleton), np.arange(4))


def test_a_chain_and_a_star_take_no_time_and_map_to_themselves():
    count = 3000
    chain = Skeleton([str(i) for i in range(count)], np.arange(count) - 1, np.ones((count, 3)))
    np.testing.assert_array_equal(mirror_pairs(chain), np.arange(count))
    parents = np.zeros(count, int)
    parents[0] = -1
    star = Skeleton([str(i) for i in range(count)], parents, np.ones((count, 3)))
    np.testing.assert_array_equal(mirror_pairs(star), np.arange(count))
