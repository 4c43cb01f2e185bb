from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion import Clip, Label
from walkon.motion.editing import crop


def test_keeps_the_frames_asked_for_without_copying_them(walk: Clip) -> None:
    part = crop(walk, 10, 40)
    assert len(part) == 30
    assert np.shares_memory(part.rotations, walk.rotations)
    np.testing.assert_array_equal(part.positions, walk.positions[10:40])
    np.testing.assert_array_equal(part.contacts.planted, walk.contacts.planted[10:40])


def test_negative_numbers_count_from_the_end(walk: Clip) -> None:
    np.testing.assert_array_equal(crop(walk, -5).root_positions, walk.root_positions[-5:])
    assert len(crop(walk, 5, -5)) == len(walk) - 10


def test_labels_are_cut_at_the_ends_or_dropped(walk: Clip) -> None:
    assert crop(walk, 10, 20).labels == (Label("left turn", 0, 10),)
    assert crop(walk, 39, 61).labels == (Label("left turn", 0, 1), Label("strike", 21, 22))
    assert crop(walk, 40, 60).labels == ()


def test_stretching_bones_are_carried(walk: Clip) -> None:
    stretching = np.random.default_rng(0).normal(size=(len(walk), len(walk.skeleton), 3))
    part = crop(walk.with_changes(bone_offsets=stretching), 7, 9)
    np.testing.assert_array_equal(part.bone_offsets, stretching[7:9])


@pytest.mark.parametrize(("start", "stop"), [(5, 5), (9, 3), (500, None)])
def test_an_empty_stretch_is_an_error_that_names_the_frames(walk: Clip, start: int, stop: int | None) -> None:
    with pytest.raises(ClipError, match=r"it has frames 0 to 180"):
        crop(walk, start, stop)
