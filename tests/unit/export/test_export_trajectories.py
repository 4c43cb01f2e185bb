from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ExportError
from walkon.export import write_trajectories
from walkon.motion import Clip
from walkon.rotations import rotation_about_y
from walkon.skeleton import Skeleton


def circling(frames: int = 61, fps: float = 30.0, name: str = "circler") -> Clip:
    """Walks a circle of 2 m, looking where it goes, at a height of 0.9 m."""
    angle = np.linspace(0, 2 * np.pi, frames)
    root = np.stack([2 * np.sin(angle), np.full(frames, 0.9), 2 * np.cos(angle)], axis=1)
    return Clip.build(
        name, Skeleton(["root"], [-1], [[0, 0, 0]]), fps, root, rotation_about_y(angle + np.pi / 2)[:, None]
    )


def table(path):
    return np.loadtxt(path, comments="#", ndmin=2)


def test_rows_are_the_root_over_the_ground(tmp_path):
    clip = circling()
    write_trajectories(tmp_path / "a.csv", clip)
    rows = table(tmp_path / "a.csv")
    assert rows.shape == (61, 6)
    np.testing.assert_array_equal(rows[:, 0], 0)
    np.testing.assert_array_equal(rows[:, 1], np.arange(61))
    np.testing.assert_allclose(rows[:, 2:5], clip.root_positions[:, [0, 2, 1]], atol=1e-5)


def test_the_heading_points_along_the_path(tmp_path):
    write_trajectories(tmp_path / "a.csv", circling())
    rows = table(tmp_path / "a.csv")
    steps = rows[2:, 2:4] - rows[:-2, 2:4]
    along = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    heading = rows[1:-1, 5]
    np.testing.assert_allclose(np.stack([np.sin(heading), np.cos(heading)], axis=1), along, atol=1e-4)
    assert (np.abs(rows[:, 5]) <= np.pi + 1e-5).all()


def test_another_rate_interpolates(tmp_path):
    write_trajectories(tmp_path / "a.csv", circling(), fps=10)
    rows = table(tmp_path / "a.csv")
    np.testing.assert_allclose(rows[:, 2:4], circling().root_positions[::3][:, [0, 2]], atol=1e-5)
    write_trajectories(tmp_path / "b.csv", circling(), fps=60)
    rows = table(tmp_path / "b.csv")
    middle = (circling().root_positions[0] + circling().root_positions[1]) / 2
    np.testing.assert_allclose(rows[1, 2:5], middle[[0, 2, 1]], atol=1e-5)
    assert len(rows) == 121


def test_each_character_stays_as_long_as_its_clip(tmp_path):
    write_trajectories(tmp_path / "a.txt", [circling(61), circling(31), circling(1)], fps=7.5)
    rows = table(tmp_path / "a.txt")
    assert [int((rows[:, 0] == who).sum()) for who in range(3)] == [16, 8, 1]


def test_names_cannot_spoil_the_header(tmp_path):
    write_trajectories(tmp_path / "a.txt", circling(name="in cm\n1 2 3 4\nframerate 99"))
    lines = (tmp_path / "a.txt").read_text().splitlines()
    assert lines[0] == "# framerate: 30.0 fps"
    assert lines[1] == "# character 0: in cm 1 2 3 4 framerate 99"
    assert lines[2].startswith("# id\tframe\tx/m")


@pytest.mark.parametrize("fps", [0, -1, np.nan, np.inf])
def test_an_impossible_rate_is_refused(tmp_path, fps):
    with pytest.raises(ExportError, match="rate"):
        write_trajectories(tmp_path / "a.csv", circling(), fps=fps)
