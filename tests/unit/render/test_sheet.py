"""Many takes on one page, at one scale."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from walkon.render import RenderError, draw_sheet
from walkon.render.overview import line_colour
from walkon.render.palette import PAPER
from walkon.render.role_paths import role_path
from walkon.render.sheet import SIDE_ROOM, TILE_GAP, TITLE_ROOM, _lay_out


def pixels(path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_every_take_is_drawn_at_the_same_scale(little_take, hilly_take, tmp_path) -> None:
    takes = [little_take, hilly_take, little_take]
    draw_sheet(takes, tmp_path / "a.png", width=900, scale=20.0)
    picture = pixels(tmp_path / "a.png")
    places, height = _lay_out([take.scene for take in takes], 900, 20.0)
    assert picture.shape == (height, 900, 3)
    for take, corner in zip(takes, places, strict=True):
        role = take.roles[0]
        points = role_path(take, role)
        x, y = (corner + 20.0 * (points[len(points) // 2] - take.scene.bounds[:2])).astype(int)
        near = picture[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3)
        assert np.abs(near - np.array(line_colour(0))).sum(axis=1).min() < 120
    title = picture[int(places[0][1]) - TITLE_ROOM : int(places[0][1]) - 2, SIDE_ROOM : SIDE_ROOM + 60]
    assert (np.abs(title - np.array(PAPER)).sum(axis=2) > 200).any()


def test_rows_are_full_but_not_wider_than_the_page(little_take) -> None:
    scene = little_take.scene
    wide, high = 10.0 * (scene.bounds[2] - scene.bounds[0]), 10.0 * (scene.bounds[3] - scene.bounds[1])
    width = round(2 * SIDE_ROOM + 2 * max(wide, 120) + TILE_GAP)
    places, height = _lay_out([scene] * 3, width, 10.0)
    assert [y for _, y in places[:2]] == [TILE_GAP + TITLE_ROOM] * 2
    assert places[2][0] == SIDE_ROOM
    assert places[2][1] == pytest.approx(places[0][1] + high + TILE_GAP + TITLE_ROOM)
    assert height > places[2][1] + high


def test_what_does_not_fit_is_refused(little_take, tmp_path) -> None:
    with pytest.raises(RenderError, match="pixels wide at this scale"):
        draw_sheet([little_take], tmp_path / "a.png", width=200, scale=100.0)
    with pytest.raises(RenderError, match="1 to 200 takes, not 0"):
        draw_sheet([], tmp_path / "a.png")
    assert not list(tmp_path.iterdir())
