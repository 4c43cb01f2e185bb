from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion import Clip, Label
from walkon.motion.editing import resample
from walkon.motion.editing._kernels import sample_rotations
from walkon.rotations import angle_between, normalize, slerp


def test_a_rate_that_divides_takes_the_very_same_poses(walk: Clip) -> None:
    thinned = resample(walk, 20.0)
    assert thinned.fps == 20.0
    np.testing.assert_array_equal(thinned.rotations, walk.rotations[::3])
    np.testing.assert_array_equal(thinned.root_positions, walk.root_positions[::3])
    np.testing.assert_array_equal(thinned.contacts.planted, walk.contacts.planted[::3])


def test_a_multiple_of_the_rate_keeps_every_old_pose(walk: Clip) -> None:
    denser = resample(walk, 240.0)
    np.testing.assert_array_equal(denser.rotations[::4], walk.rotations)
    assert len(denser) == 4 * (len(walk) - 1) + 1
    assert denser.duration == pytest.approx(walk.duration)


@pytest.mark.parametrize("fps", [23.976, 25.0, 47.0, 59.94, 61.0, 144.0])
def test_any_rate_lasts_as_long_to_within_a_frame(walk: Clip, fps: float) -> None:
    other = resample(walk, fps)
    assert 0 <= walk.duration - other.duration < 1 / fps
    np.testing.assert_array_equal(other.rotations[0], walk.rotations[0])


def test_between_frames_joints_turn_at_a_steady_rate(walk: Clip) -> None:
    denser = resample(walk, 180.0)
    first, last = walk.rotations[20], walk.rotations[21]
    third = denser.rotations[61]
    np.testing.assert_allclose(angle_between(first, third), angle_between(first, last) / 3, atol=1e-7)


def test_a_clumsily_written_frame_time_still_divides(walk: Clip) -> None:
    clumsy = walk.with_changes(fps=1 / 0.016666)
    np.testing.assert_array_equal(resample(clumsy, 30.0).rotations, walk.rotations[::2])


def test_labels_keep_their_times_and_at_least_a_frame(walk: Clip) -> None:
    assert resample(walk, 20.0).labels == (Label("left turn", 1, 14), Label("strike", 20, 21))
    missed = walk.with_changes(labels=(Label("strike", 61, 62),))
    assert resample(missed, 20.0).labels == (Label("strike", 21, 22),)


def test_a_single_pose_stays_one(walk: Clip) -> None:
    pose = walk.with_changes(
        root_positions=walk.root_positions[:1], rotations=walk.rotations[:1], labels=(), contacts=None
    )
    assert len(resample(pose, 7.0)) == 1


@pytest.mark.parametrize("fps", [0.0, -1.0, np.nan, np.inf])
def test_a_rate_must_be_positive(walk: Clip, fps: float) -> None:
    with pytest.raises(ClipError, match="positive"):
        resample(walk, fps)


def test_an_absurd_rate_is_refused_before_memory_is(walk: Clip) -> None:
    with pytest.raises(ClipError, match="frames"):
        resample(walk, 1e300)


def test_kernel_agrees_with_slerp() -> None:
    rng = np.random.default_rng(5)
    rotations = normalize(rng.normal(size=(9, 4, 4)))
    rotations[3] = rotations[2]
    rotations[5] = -rotations[4]
    frames, fractions = rng.integers(0, 8, 30), rng.random(30)
    fractions[:5] = 0.0
    result = np.empty((30, 4, 4))
    sample_rotations(rotations, frames, fractions, result)
    np.testing.assert_allclose(
        result, slerp(rotations[frames], rotations[frames + 1], fractions[:, None]), atol=1e-12
    )
