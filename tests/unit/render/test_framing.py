"""Cameras that find their subject."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.motion import Clip
from walkon.render import RenderError, follow_clip, frame_clips
from walkon.render.framing import side_azimuth


def placed(clip: Clip, x: float, z: float) -> Clip:
    return clip.with_changes(root_positions=clip.root_positions + np.array([x, 0.0, z]))


@pytest.mark.parametrize(("width", "height"), [(160, 90), (90, 160), (100, 100)])
@pytest.mark.parametrize("azimuth", [None, 0.0, 2.5])
def test_everything_is_in_the_picture_and_fills_it(walker: Clip, width: int, height: int, azimuth) -> None:
    clips = [walker, placed(walker, 2.0, -1.0)]
    camera = frame_clips(clips, aspect=width / height, azimuth=azimuth)
    points = np.concatenate([clip.positions.reshape(-1, 3) for clip in clips])
    seen = camera.project(points, width, height)
    assert np.all(seen[:, 2] > 0)
    assert np.all((seen[:, 0] > 0) & (seen[:, 0] < width))
    assert np.all((seen[:, 1] > 0) & (seen[:, 1] < height))
    for axis, size in ((0, width), (1, height)):
        assert seen[:, axis].min() == pytest.approx(size - seen[:, axis].max(), abs=0.12 * size)
    fill = max(np.ptp(seen[:, 0]) / width, np.ptp(seen[:, 1]) / height)
    assert fill > 0.6
    if azimuth is not None:
        assert math.cos(camera.azimuth - azimuth) == pytest.approx(1.0)


def test_one_pose_can_be_framed(walker: Clip) -> None:
    still = walker.with_changes(root_positions=walker.root_positions[:1], rotations=walker.rotations[:1])
    assert frame_clips(still).distance > 1.0


def test_one_moment_is_framed_closer_than_the_whole(walker: Clip) -> None:
    whole, moment = frame_clips(walker, azimuth=1.5), frame_clips(walker, time=0.5, azimuth=1.5)
    assert moment.distance < whole.distance
    seen = moment.project(walker.positions[15], 160, 90)
    assert np.all((seen[:, 1] > 0) & (seen[:, 1] < 90))
    assert np.ptp(seen[:, 1]) > 60


def test_side_view_goes_from_left_to_right(walker: Clip) -> None:
    camera = frame_clips(walker, azimuth=side_azimuth(walker))
    first, last = camera.project(walker.root_positions[[0, -1]], 160, 90)
    assert last[0] > first[0] + 20
    assert last[2] == pytest.approx(first[2], abs=0.05)


def test_follow_keeps_the_subject_in_the_middle(walker: Clip) -> None:
    camera_at = follow_clip(walker)
    for time in (0.0, 0.31, 1.0, 5.0):
        frame = min(round(time * 30), 30)
        seen = camera_at(time).project(walker.positions[frame], 160, 90)
        assert np.all((seen[:, 0] > 0) & (seen[:, 0] < 160))
        assert np.all((seen[:, 1] > 0) & (seen[:, 1] < 90))
    steps = np.diff([camera_at(t).position[2] for t in np.linspace(0, 1, 31)])
    assert np.abs(np.diff(steps)).max() < 0.02  # no jerks


@pytest.mark.parametrize("wrong", [{"aspect": 0.0}, {"margin": 1.0}, {"margin": -0.1}])
def test_refuses_impossible_pictures(walker: Clip, wrong: dict) -> None:
    with pytest.raises(RenderError):
        frame_clips(walker, **wrong)


def test_refuses_nobody() -> None:
    with pytest.raises(RenderError, match="nothing to draw"):
        frame_clips([])
