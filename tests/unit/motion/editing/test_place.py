from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion import Clip
from walkon.motion.editing import place, place_at
from walkon.motion.features.placement import ground_placements
from walkon.rotations import Placement


def test_every_joint_is_carried_along(walk: Clip) -> None:
    placement = Placement(2.0, -3.0, 0.7)
    np.testing.assert_allclose(place(walk, placement).positions, placement.points(walk.positions), atol=1e-12)


def test_heading_zero_walks_on_along_z_and_a_quarter_turn_along_x(walk: Clip) -> None:
    travelled = np.diff(place(walk, Placement(heading=np.pi / 2)).root_positions[[0, -1]], axis=0)[0]
    np.testing.assert_allclose(travelled, [3.0, 0.0, 0.0], atol=0.05)


@pytest.mark.parametrize("frame", [0, 90, -1])
def test_the_character_stands_where_it_was_put(walk: Clip, frame: int) -> None:
    wanted = Placement(-1.0, 4.0, 2.0)
    there = ground_placements(place_at(walk, frame, wanted))[frame]
    np.testing.assert_allclose(there[:2], [wanted.x, wanted.z], atol=1e-9)
    assert np.cos(there[2] - wanted.heading) == pytest.approx(1.0)


@pytest.mark.parametrize("frame", [181, -182])
def test_a_frame_that_is_not_there_is_an_error(walk: Clip, frame: int) -> None:
    with pytest.raises(ClipError, match="0 to 180"):
        place_at(walk, frame, Placement())


def test_labels_contacts_and_stretch_stay(walk: Clip) -> None:
    stretching = np.broadcast_to(walk.skeleton.offsets * 1.1, (len(walk), len(walk.skeleton), 3))
    moved = place(walk.with_changes(bone_offsets=stretching), Placement(1.0, 1.0, 1.0))
    assert moved.labels == walk.labels
    assert moved.contacts is walk.contacts
    np.testing.assert_array_equal(moved.bone_offsets, stretching)
