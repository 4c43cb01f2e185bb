"""Stills and contact sheets: drawn where they should be, written whole or not at all."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from walkon.motion import Clip
from walkon.render import RenderError, contact_sheet, render_frame, write_png
from walkon.render.overlays import thin_out
from walkon.render.pose_series import pose_series
from walkon.render.strips import lay_out_strip


def vivid(picture: np.ndarray) -> np.ndarray:
    """Pixels that show somebody: the stage is nearly grey."""
    return np.ptp(picture.astype(int), axis=2) > 30


def test_render_frame_shows_the_moment(walker: Clip) -> None:
    early, late = (render_frame(walker, time=t, size=(160, 90)) for t in (0.0, 1.0))
    assert vivid(early).sum() > 100
    assert np.any(early != late)
    assert render_frame([walker, walker], size=(160, 90)).shape == (90, 160, 3)


def test_png_is_what_was_drawn(walker: Clip, tmp_path) -> None:
    picture = render_frame(walker, size=(64, 48))
    write_png(tmp_path / "new" / "walk.png", picture)
    assert np.array_equal(np.asarray(Image.open(tmp_path / "new" / "walk.png")), picture)
    assert [p.name for p in (tmp_path / "new").iterdir()] == ["walk.png"]


@pytest.mark.parametrize("wrong", [np.zeros((4, 4)), np.zeros((4, 4, 3)), np.zeros((4, 4, 4), np.uint8)])
def test_png_refuses_what_is_no_picture(wrong, tmp_path) -> None:
    with pytest.raises(RenderError):
        write_png(tmp_path / "x.png", wrong)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("poses", [1, 5, 8, 12])
def test_every_pose_stays_in_its_panel(walker: Clip, poses: int) -> None:
    width = 600
    series = pose_series(walker, poses)
    layout = lay_out_strip(series, width, 0.4, captions=False)
    sheet = contact_sheet(walker, poses, width=width, azimuth=0.4, captions=False)
    shown = vivid(sheet)
    rows = -(-poses // layout.columns)
    assert sheet.shape == (rows * layout.row_height, width, 3)
    for pose in range(rows * layout.columns):
        row, column = divmod(pose, layout.columns)
        top, left = row * layout.row_height, round(column * width / layout.columns)
        panel = shown[top : top + layout.row_height, left : round((column + 1) * width / layout.columns)]
        if pose >= poses:
            assert not panel.any()
            continue
        assert panel.sum() > 50
        assert not panel[:, :2].any()
        assert not panel[:, -2:].any()
        assert not panel[:2].any()


@pytest.mark.parametrize("azimuth", [None, 0.0])
def test_strip_feet_stand_on_one_line(walker: Clip, azimuth) -> None:
    """Everybody's lowest pixel is in the same place, give or take the swing of a foot, even walking at us."""
    sheet = contact_sheet(walker, 6, width=600, azimuth=azimuth, captions=False)
    shown = vivid(sheet) | (sheet.max(axis=2) < 90)
    lowest = [np.flatnonzero(shown[:, k * 100 : (k + 1) * 100].any(axis=1)).max() for k in range(6)]
    assert np.ptp(lowest) < 0.05 * sheet.shape[0]


def test_captions_are_written_below(walker: Clip) -> None:
    plain, labelled = (contact_sheet(walker, 4, width=600, captions=c) for c in (False, True))
    assert labelled.shape[0] > plain.shape[0]
    bottom = labelled[-40:].astype(int)
    assert (bottom.max(axis=2) < 150).any()


def test_overlay_is_one_scene_with_fading_poses(walker: Clip) -> None:
    sheet = contact_sheet(walker, 5, mode="overlay", width=480)
    columns = np.flatnonzero(vivid(sheet).any(axis=0))
    assert np.ptp(columns) > 0.5 * 480
    assert sheet.shape[1] == 480
    strength = np.ptp(sheet.astype(int), axis=2)
    assert strength[:, :160].max() < strength[:, 320:].max()


def test_overlay_leaves_out_what_would_hide_another(walker: Clip) -> None:
    series = pose_series(walker, 31)
    thinned = thin_out(series)
    assert 3 <= len(thinned) < 31
    assert thinned.times[-1] == series.times[-1]
    still = pose_series(walker.with_changes(root_positions=np.tile(walker.root_positions[:1], (31, 1))), 31)
    assert thin_out(still) is still


def test_more_poses_than_frames(walker: Clip) -> None:
    short = walker.with_changes(root_positions=walker.root_positions[:3], rotations=walker.rotations[:3])
    assert contact_sheet(short, 12, width=300).shape[1] == 300


@pytest.mark.parametrize("wrong", [{"poses": 0}, {"poses": 10**6}, {"mode": "spiral"}, {"width": 0}])
def test_refuses_impossible_sheets(walker: Clip, wrong: dict) -> None:
    with pytest.raises(RenderError):
        contact_sheet(walker, **wrong)
