"""A skeleton is a tree or an error that says why not."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import SkeletonError
from walkon.skeleton import Skeleton

NAMES = ["hips", "spine", "head", "head_tip", "leg"]
PARENTS = [-1, 0, 1, 2, 0]
OFFSETS = [[0, 0.9, 0], [0, 0.3, 0], [0, 0.3, 0], [0, 0.1, 0], [0.1, -0.9, 0]]
TIPS = [False, False, False, True, False]


@pytest.fixture
def skeleton():
    return Skeleton(NAMES, PARENTS, OFFSETS, TIPS)


def test_what_a_skeleton_knows_of_itself(skeleton):
    assert len(skeleton) == 5
    assert skeleton.children == ((1, 4), (2,), (3,), (), ())
    assert skeleton.chain(3) == [0, 1, 2, 3]
    assert skeleton.index("head") == 2
    np.testing.assert_allclose(skeleton.rest_positions[3], [0, 0.7, 0])
    np.testing.assert_allclose(skeleton.size, 0.7 + np.hypot(0.1, 0.9))
    np.testing.assert_allclose(skeleton.scaled(2).lengths, 2 * skeleton.lengths)
    assert skeleton.same_topology(skeleton.scaled(2))
    assert not skeleton.matches(skeleton.scaled(2))


def test_its_arrays_cannot_be_changed(skeleton):
    with pytest.raises(ValueError, match="read-only"):
        skeleton.offsets[0] = 1.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"names": ["a", "b", "c", "d", "a"]}, "unique.*: a"),
        ({"parents": [-1, 0, 3, 2, 0]}, "'head' comes before its parent"),
        ({"parents": [-1, 0, 1, -1, 0]}, "one root"),
        ({"parents": [0, 0, 1, 2, 0]}, "one root"),
        ({"parents": [-1, 0]}, "expected"),
        ({"offsets": np.full((5, 3), np.nan)}, "finite"),
        ({"tips": [False, False, True, True, False]}, "tip"),
        ({"names": []}, "1 to"),
    ],
)
def test_what_is_not_a_tree_is_an_error(changes, message):
    fields = {"names": NAMES, "parents": PARENTS, "offsets": OFFSETS, "tips": TIPS} | changes
    with pytest.raises(SkeletonError, match=message):
        Skeleton(**fields)


def test_an_unknown_joint_lists_the_known_ones(skeleton):
    with pytest.raises(SkeletonError, match="no joint 'tail'; there are: hips, spine"):
        skeleton.index("tail")
