"""Hubs: a pose for each, and arrows from hub to hub."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from walkon.builtin import make
from walkon.errors import RenderError
from walkon.graphs import gather_corpus
from walkon.graphs.hubs.building import build_hubs
from walkon.render import draw_hubs
from walkon.render.hub_plots import ARROW_ROOM, HEAD, _curve


@pytest.fixture(scope="module")
def hubs():
    clips = [make("walk", cycles=5, speed=speed).with_changes(name=f"at {speed}") for speed in (1.2, 1.4)]
    return build_hubs(gather_corpus(clips), most=2)


def test_every_hub_has_a_pose_and_arrows(hubs, tmp_path):
    draw_hubs(hubs, tmp_path / "a.png", width=700)
    picture = np.asarray(Image.open(tmp_path / "a.png").convert("RGB")).astype(int)
    assert picture.shape[1] == 700
    # People wear colours; the white page does not.
    vivid = np.ptp(picture, axis=2) > 60
    poses = vivid[HEAD + ARROW_ROOM : -ARROW_ROOM - 60]
    assert poses.sum() > 2000
    assert vivid[HEAD : HEAD + ARROW_ROOM].sum() > 50


def test_arrows_lead_from_hub_to_hub():
    for begin, end in ((100.0, 400.0), (400.0, 100.0)):
        curve = _curve(begin, end, 200.0, 0.6)
        assert abs(curve[0, 0] - begin) < 30.0
        assert abs(curve[-1, 0] - end) < 30.0
        above = curve[len(curve) // 2, 1] < 200.0
        assert above == (end > begin)
    loop = _curve(100.0, 100.0, 200.0, 0.4)
    assert (loop[:, 1] <= 200.0).all()
    assert np.ptp(loop[:, 0]) > 40.0


def test_nothing_and_too_much_are_refused(hubs, tmp_path):
    with pytest.raises(RenderError, match="0 hubs make no picture"):
        draw_hubs(replace(hubs, hubs=()), tmp_path / "a.png")
