"""Distance surfaces: bright where recordings are alike, the first clip to the right, the second upwards."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from walkon.errors import RenderError
from walkon.render.label_colours import KNOWN, NOTHING, label_colour, labels_colour, labels_name
from walkon.render.surface_plots import (
    ALIKE_TO_APART,
    FOOT,
    HEAD,
    KEPT_COLOUR,
    NO_WINDOW,
    SIDE,
    STRIP,
    Axis,
    draw_surface,
)

WIDTH = 484
WIDE = WIDTH - SIDE - 24
"""[px] of the surface."""


def drawn(path, surface, **options):
    across = Axis("one", options.pop("frames", surface.shape[0]), options.pop("labels", ()))
    draw_surface(surface, path, across, Axis("other", surface.shape[1]), fps=30.0, width=WIDTH, **options)
    return np.asarray(Image.open(path).convert("RGB")).astype(int)


def at(picture, across, up, frames):
    """The pixel in the middle of an entry."""
    high = len(picture) - HEAD - FOOT
    return picture[
        HEAD + high - round(high * (up + 0.5) / frames[1]), SIDE + round(WIDE * (across + 0.5) / frames[0])
    ]


def test_what_is_alike_is_bright_at_its_place(tmp_path):
    surface = np.full((20, 20), 0.5)
    surface[4, 15] = 0.0
    picture = drawn(tmp_path / "a.png", surface, darkest=0.5)
    np.testing.assert_allclose(at(picture, 4, 15, (20, 20)), ALIKE_TO_APART[0], atol=3)
    np.testing.assert_allclose(at(picture, 15, 4, (20, 20)), ALIKE_TO_APART[-1], atol=3)


def test_minima_are_marked_if_they_are_kept_and_less_if_not(tmp_path):
    surface = np.full((20, 20), 0.5)
    minima = np.array([(3, 3), (12, 7)])
    picture = drawn(tmp_path / "a.png", surface, darkest=0.5, minima=minima, kept=np.array([True, False]))
    np.testing.assert_allclose(at(picture, 3, 3, (20, 20)), KEPT_COLOUR, atol=3)
    other = at(picture, 12, 7, (20, 20))
    assert np.abs(other - KEPT_COLOUR).max() > 50
    assert other.sum() > 2 * ALIKE_TO_APART[-1].sum()


def test_what_is_no_distance_is_grey_and_colours_reach_from_nothing_to_the_most(tmp_path):
    surface = np.linspace(0.0, 1.0, 400).reshape(20, 20)
    surface[0, 0] = np.inf
    picture = drawn(tmp_path / "a.png", surface)
    np.testing.assert_allclose(at(picture, 0, 0, (20, 20)), NO_WINDOW, atol=3)
    brightness = [int(at(picture, k, 10, (20, 20)).sum()) for k in range(1, 20, 3)]
    assert brightness == sorted(brightness, reverse=True)


def test_one_entry_may_stand_for_many_frames(tmp_path):
    surface = np.full((10, 10), 0.5)
    surface[9, 0] = 0.0
    picture = drawn(tmp_path / "a.png", surface, darkest=0.5, frames=10)
    assert at(picture, 9, 0, (10, 10)).sum() > at(picture, 0, 9, (10, 10)).sum()


def test_labels_are_strips_along_the_axes(tmp_path):
    labels = [(0, 10, frozenset({"walk"})), (10, 20, frozenset({"run"}))]
    picture = drawn(tmp_path / "a.png", np.full((20, 20), 0.5), labels=labels)
    below = len(picture) - FOOT + 2 + STRIP // 2
    assert tuple(picture[below, SIDE + WIDE // 4]) == KNOWN["walk"]
    assert tuple(picture[below, SIDE + 3 * WIDE // 4]) == KNOWN["run"]
    assert tuple(picture[HEAD + 50, SIDE - 2 - STRIP // 2]) == NOTHING


def test_long_and_short_clips_make_a_picture(tmp_path):
    assert drawn(tmp_path / "a.png", np.full((300, 4), 0.5)).shape[1] == WIDTH
    tall = drawn(tmp_path / "b.png", np.full((4, 300), 0.5))
    assert len(tall) - HEAD - FOOT == round(1.6 * WIDE)


def test_what_is_no_surface_is_said(tmp_path):
    with pytest.raises(RenderError, match="two sides"):
        drawn(tmp_path / "a.png", np.zeros((0, 4)), frames=1)
    with pytest.raises(RenderError, match="is a distance"):
        drawn(tmp_path / "a.png", np.full((3, 3), np.inf))


def test_labels_have_colours_of_their_own():
    assert label_colour("walk") == KNOWN["walk"]
    assert label_colour("sneak") == label_colour("sneak")
    mixed = labels_colour({"walk", "run"})
    assert all(
        min(pair) <= tone <= max(pair) for tone, *pair in zip(mixed, KNOWN["walk"], KNOWN["run"], strict=True)
    )
    assert labels_colour(()) == NOTHING
    assert labels_name({"walk", "carry"}) == "carry + walk"
    assert labels_name(()) == "no label"
