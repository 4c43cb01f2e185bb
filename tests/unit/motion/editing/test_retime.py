from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion import Clip, Label
from walkon.motion.editing import retime, warp_times


def test_its_own_times_change_nothing(walk: Clip) -> None:
    same = retime(walk, np.arange(len(walk)) / walk.fps)
    np.testing.assert_array_equal(same.rotations, walk.rotations)
    np.testing.assert_array_equal(same.contacts.planted, walk.contacts.planted)
    assert same.labels == walk.labels


def test_half_speed_doubles_the_time_and_halves_the_velocity(walk: Clip) -> None:
    slow = retime(walk, warp_times([(0, 0), (2 * walk.duration, walk.duration)], walk.fps))
    assert slow.duration == pytest.approx(2 * walk.duration)
    np.testing.assert_allclose(slow.root_positions[::2], walk.root_positions, atol=1e-12)
    assert slow.labels[0] == Label("left turn", 5, 79)


def test_a_pause_holds_the_pose(walk: Clip) -> None:
    paused = retime(walk, warp_times([(0, 0), (1, 1), (2, 1), (3, 2)], walk.fps))
    np.testing.assert_allclose(
        paused.positions[60:121], np.broadcast_to(walk.positions[60], (61, *walk.positions[60].shape))
    )


def test_a_part_of_the_clip_loses_the_labels_elsewhere(walk: Clip) -> None:
    part = retime(walk, np.linspace(0.9, 1.1, 13))
    assert [label.name for label in part.labels] == ["strike"]


def test_warped_time_passes_through_its_keys_and_never_runs_back() -> None:
    keys = [(0, 0.2), (0.5, 0.25), (0.6, 1.5), (2.0, 1.5), (2.5, 3.0)]
    times = warp_times(keys, 100.0)
    np.testing.assert_allclose(times[[0, 50, 60, 200, 250]], [0.2, 0.25, 1.5, 1.5, 3.0])
    assert np.all(np.diff(times) >= 0)


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([], "finite"),
        ([0, np.nan], "finite"),
        ([0.2, 0.1], "backwards at new frame 1"),
        ([0, 99], "leave"),
        ([-1, 0], "leave"),
    ],
)
def test_times_that_make_no_sense_are_refused(walk: Clip, times: list[float], message: str) -> None:
    with pytest.raises(ClipError, match=message):
        retime(walk, times)


@pytest.mark.parametrize(
    "keys", [[], [(0, 0)], [(0, 0, 0), (1, 1, 1)], [(0.5, 0), (1, 1)], [(0, 1), (1, 0)], [(0, 0), (0, 1)]]
)
def test_keys_that_make_no_sense_are_refused(keys: list) -> None:
    with pytest.raises(ClipError, match="key"):
        warp_times(keys, 30.0)
