"""A clip checks what it is given and computes its poses once."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion import Clip, Contacts, Label
from walkon.rotations import IDENTITY
from walkon.skeleton import Skeleton

ARM = Skeleton(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])


def still(frames=4, **changes):
    fields = {
        "name": "still",
        "skeleton": ARM,
        "fps": 30.0,
        "root_positions": np.zeros((frames, 3)),
        "rotations": np.tile(IDENTITY, (frames, 2, 1)),
    }
    return Clip(**(fields | changes))


def test_a_clip_knows_its_length_and_poses():
    clip = still(frames=31)
    assert len(clip) == 31
    assert clip.duration == 1.0
    np.testing.assert_array_equal(clip.positions[:, 1], np.tile([0, 1, 0], (31, 1)))
    assert clip.positions is clip.positions
    with pytest.raises(ValueError, match="read-only"):
        clip.positions[0] = 0


def test_writing_to_the_given_array_is_not_forbidden_but_to_the_clip_is():
    roots = np.zeros((4, 3))
    clip = still(root_positions=roots)
    roots[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        clip.root_positions[0] = 1.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"fps": 0.0}, "fps must be positive"),
        ({"fps": float("nan")}, "fps must be positive"),
        ({"root_positions": np.zeros((0, 3))}, "no frames"),
        ({"rotations": np.zeros((4, 3, 4))}, r"rotations is \(4, 3, 4\), expected \(4, 2, 4\)"),
        ({"rotations": np.zeros((4, 2, 4))}, "rotation of a at frame 0 is not unit"),
        ({"root_positions": np.array([[0, 0, 0], [0, np.nan, 0], [0, 0, 0], [0, 0, 0]])}, "finite at frame 1"),
        ({"labels": [Label("jump", 2, 5)]}, "outside its 4 frames"),
        ({"labels": [Label("jump", 2, 2)]}, "outside its 4 frames"),
        ({"contacts": Contacts(("a",), np.zeros((4, 2), bool))}, r"expected \(4, 1\)"),
        ({"bone_offsets": np.zeros((1, 2, 3))}, "bone_offsets"),
    ],
)
def test_what_does_not_fit_is_an_error(changes, message):
    with pytest.raises(ClipError, match=message):
        still(**changes)


def test_bones_that_stretch_move_the_joints():
    stretch = np.zeros((4, 2, 3))
    stretch[:, 1, 1] = [1, 2, 3, 4]
    np.testing.assert_array_equal(still(bone_offsets=stretch).positions[:, 1, 1], [1, 2, 3, 4])


def test_build_normalises_and_keeps_signs_together():
    rough = np.tile(2.0 * IDENTITY, (4, 2, 1))
    rough[2] *= -1
    np.testing.assert_array_equal(Clip.build("b", ARM, 30, np.zeros((4, 3)), rough).rotations, still().rotations)
