"""PedPy loads our trajectories, and measures what we know."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.export import write_trajectories
from walkon.motion import Clip
from walkon.motion.readers import read_clip
from walkon.rotations import rotation_about_y
from walkon.skeleton import Skeleton

pedpy = pytest.importorskip("pedpy", reason="needs PedPy, part of the extra dev")


def striding(speed: float, frames: int, name: str = "in cm") -> Clip:
    """Walks straight on at a steady speed [m/s]."""
    root = np.zeros((frames, 3))
    root[:, 2] = speed * np.arange(frames) / 25.0
    skeleton = Skeleton(["root"], [-1], [[0, 0, 0]])
    return Clip.build(name, skeleton, 25.0, root, np.tile(rotation_about_y(0.0), (frames, 1, 1)))


@pytest.mark.parametrize("suffix", [".csv", ".txt"])
def test_pedpy_loads_the_same_positions_and_rate(tmp_path, suffix):
    cast = [striding(1.5, 51), striding(0.8, 76)]
    path = tmp_path / f"a{suffix}"
    write_trajectories(path, cast)
    for load in (pedpy.load_trajectory, pedpy.load_trajectory_from_txt):
        loaded = load(trajectory_file=path)
        assert loaded.frame_rate == 25.0
        for index, clip in enumerate(cast):
            rows = loaded.data[loaded.data.id == index]
            assert rows.frame.tolist() == list(range(len(clip)))
            np.testing.assert_allclose(rows[["x", "y"]], clip.root_positions[:, [0, 2]], atol=1e-5)
    pedpy.load_trajectory(trajectory_file=path, default_unit=pedpy.TrajectoryUnit.METER, default_frame_rate=25.0)


def test_pedpy_measures_the_speed_we_walked_at(tmp_path):
    write_trajectories(tmp_path / "a.csv", [striding(1.5, 51), striding(0.8, 76)], fps=10)
    loaded = pedpy.load_trajectory(trajectory_file=tmp_path / "a.csv")
    assert loaded.frame_rate == 10.0
    speeds = pedpy.compute_individual_speed(
        traj_data=loaded, frame_step=2, speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED
    )
    np.testing.assert_allclose(speeds[speeds.id == 0].speed, 1.5, atol=1e-3)
    np.testing.assert_allclose(speeds[speeds.id == 1].speed, 0.8, atol=1e-3)


def test_a_recording_arrives_in_metres(mocap, tmp_path):
    clip = read_clip(mocap / "cmu" / "bvh" / "16_12.bvh")
    write_trajectories(tmp_path / "a.csv", clip)
    loaded = pedpy.load_trajectory(trajectory_file=tmp_path / "a.csv")
    assert loaded.frame_rate == pytest.approx(120.0)
    np.testing.assert_allclose(loaded.data[["x", "y"]], clip.root_positions[:, [0, 2]], atol=1e-5)
