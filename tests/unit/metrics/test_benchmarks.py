"""Benchmarks of motion libraries: what walks, what runs, how jerky it is and how much room it takes."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import LibraryError
from walkon.metrics.plausibility import measure_benchmarks, measure_kinematics
from walkon.metrics.trajectories import Trajectories, resample
from walkon.motion import Clip, ClipLibrary, bounding_circles, read_clip
from walkon.skeleton import Skeleton


def gliding(path, fps=30.0, name="gliding"):
    """A stick of one bone whose root goes along (F, 2)."""
    skeleton = Skeleton(["base", "top"], [-1, 0], [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    roots = np.stack([path[:, 0], np.zeros(len(path)), path[:, 1]], axis=1)
    return Clip(name, skeleton, fps, roots, np.tile([1.0, 0.0, 0.0, 0.0], (len(path), 2, 1)))


def test_a_glide_at_a_steady_speed_has_no_jerk():
    path = np.stack([np.zeros(90), 1.2 * np.arange(90) / 30.0], axis=1)
    found = measure_benchmarks([gliding(path)])
    assert found.running is None
    assert found.walking == found.whole
    np.testing.assert_allclose([*found.whole.normal_limits, *found.whole.tangential_limits], 0.0, atol=1e-9)
    assert found.whole.clips == 1
    assert found.whole.seconds == pytest.approx(89 / 30)
    assert found.whole.smallest_radius == found.whole.largest_radius > 0.0


def test_jerk_is_pooled_over_every_frame_a_clip_can_start_at():
    rng = np.random.default_rng(0)
    path = np.cumsum(rng.normal(size=(80, 2)) * 0.01 + [0.04, 0.0], axis=0)
    found = measure_benchmarks([gliding(path)]).whole
    jerks = []
    for phase in range(3):
        rows = path[phase::3]
        kinematics = measure_kinematics(Trajectories.build(10.0, [rows]))
        jerks.append(kinematics.tangential_jerk[np.isfinite(kinematics.tangential_jerk)])
    pooled = np.concatenate(jerks)
    assert found.tangential_jerkiness == pytest.approx(pooled.std())
    assert found.tangential_limits == pytest.approx((pooled.min(), pooled.max()))


def test_the_cast_that_ships_walks_and_runs(workshop):
    library = workshop.library
    found = measure_benchmarks(library)
    assert found.walking is not None
    assert found.running is not None
    assert found.whole.clips == sum(len(behavior.clips) for behavior in library if behavior.kind != "step")
    assert found.walking.clips + found.running.clips < found.whole.clips
    # Runners push off: their pace changes more within a step than a walker's.
    assert found.running.tangential_jerkiness > 2.0 * found.walking.tangential_jerkiness
    assert found.tangential_jerkiness == found.running.tangential_jerkiness
    assert found.normal_jerkiness == max(found.walking.normal_jerkiness, found.running.normal_jerkiness)
    radii = np.concatenate(
        [bounding_circles(shown.clip).radii for behavior in library for shown in behavior.clips]
    )
    assert found.whole.smallest_radius == radii.min()
    assert found.whole.largest_radius == radii.max()
    assert 0.15 < found.walking.smallest_radius < found.walking.largest_radius < 1.2
    low, high = found.walking.tangential_limits
    assert low < -found.walking.tangential_jerkiness < found.walking.tangential_jerkiness < high


def test_a_clip_library_and_plain_clips_say_the_same():
    clips = [make("walk"), make("run")]
    found = measure_benchmarks(ClipLibrary.build([clip.with_changes(name=str(n)) for n, clip in enumerate(clips)]))
    assert found.walking == measure_benchmarks(clips[:1]).whole
    assert found.running == measure_benchmarks(clips[1:]).whole


def test_clips_too_short_for_jerk_still_have_room():
    found = measure_benchmarks([gliding(np.zeros((5, 2)))])
    assert np.isnan(found.whole.normal_jerkiness)
    assert np.isnan(found.tangential_jerkiness)
    assert found.whole.smallest_radius > 0.0
    with pytest.raises(LibraryError, match="no clips"):
        measure_benchmarks([])


def test_recordings_walk_and_run_too(mocap):
    clips = [read_clip(mocap / "cmu" / "bvh" / f"16_{trial}.bvh") for trial in (31, 36)]
    found = measure_benchmarks(clips)
    assert found.walking is not None
    assert found.running is not None
    assert 0.1 < found.walking.smallest_radius < 0.6
    assert 1.0 < found.walking.tangential_jerkiness < found.running.tangential_jerkiness < 200.0
    # The rate of the recording plays no part.
    slower = resample(Trajectories.build(120.0, [clips[0].root_positions[:, [0, 2]]]), 10.0)
    jerks = measure_kinematics(slower).tangential_jerk
    assert np.nanmax(jerks) <= found.walking.tangential_limits[1]
