"""Transitions to look at: the shirt changes with the recording, and what was measured is written above."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from walkon.errors import RenderError
from walkon.motion import crop, place
from walkon.render.transition_strips import (
    SOURCE,
    STRIP_HEADER,
    TARGET,
    ShownTransition,
    _turned,
    draw_transitions,
    film_transitions,
)
from walkon.rotations import Placement

SHARES = np.concatenate([np.ones(10), np.linspace(1.0, 0.0, 11), np.zeros(10)])


@pytest.fixture(scope="module")
def shown(walker):
    return ShownTransition(walker, SHARES, "1 from here to there", "3 cm", "accepted")


def like(picture, shirt):
    """How many pixels have about the hue of a shirt."""
    tone = picture.astype(float)
    tone = tone / np.maximum(tone.sum(axis=2, keepdims=True), 1.0)
    wanted = np.array(shirt) / np.sum(shirt)
    return int((np.abs(tone - wanted).max(axis=2) < 0.04).sum())


def test_who_leaves_a_recording_changes_the_shirt(shown):
    picture = draw_transitions([shown], poses=8, width=800)[STRIP_HEADER:]
    left, right = picture[:, :200], picture[:, -200:]
    assert like(left, SOURCE) > 10 * max(like(left, TARGET), 1)
    assert like(right, TARGET) > 10 * max(like(right, SOURCE), 1)


def test_every_transition_has_a_strip_and_a_heading(shown):
    one = draw_transitions([shown], width=800)
    three = draw_transitions([shown] * 3, width=800)
    assert three.shape == (3 * len(one), 800, 3)
    np.testing.assert_array_equal(three[: len(one)], three[len(one) : 2 * len(one)])
    assert (one[:STRIP_HEADER, :300] < 120).any()
    plain = draw_transitions([ShownTransition(shown.clip, SHARES, "")], width=800)
    assert not (plain[1:STRIP_HEADER] < 120).any()


def test_a_transition_goes_from_left_to_right_wherever_it_went(walker):
    for heading in (0.0, 1.0, -2.5):
        turned = _turned(place(walker, Placement(4.0, -3.0, heading)))
        way = turned.root_positions[-1] - turned.root_positions[0]
        assert way[0] == pytest.approx(2.0, abs=1e-6)
        assert way[2] == pytest.approx(0.0, abs=1e-6)
    still = _turned(crop(walker, 0, 2))
    assert len(still) == 2


def test_films_show_one_after_another(shown, tmp_path):
    frames = film_transitions(tmp_path / "a.gif", [shown, shown], size=(160, 90), fps=10.0)
    assert frames == 22
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames == 22


def test_nothing_to_draw_and_too_much_are_refused(shown, tmp_path):
    with pytest.raises(RenderError, match="no transition to draw"):
        draw_transitions([])
    with pytest.raises(RenderError, match="no transition to film"):
        film_transitions(tmp_path / "a.gif", [])
    with pytest.raises(RenderError, match="16384 is the most"):
        draw_transitions([shown] * 200)
