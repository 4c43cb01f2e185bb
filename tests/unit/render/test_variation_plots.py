"""Pictures of variation: curves are where their values say, moments are those that belong together."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from walkon.builtin import make
from walkon.errors import RenderError
from walkon.motion import crop, retime
from walkon.render.overlaid_poses import moments_of, overlay_series
from walkon.render.page import Page
from walkon.render.plot_axes import draw_axes, lay_out_axes
from walkon.render.ticks import ticks
from walkon.render.variation_curves import (
    INPUT,
    VARIANT,
    choose_dofs,
    choose_pairs,
    gather_curves,
    plot_over_time,
    title_of,
)
from walkon.render.variation_plots import (
    draw_components,
    draw_dof_pairs,
    draw_dofs_over_time,
    draw_overlaid_poses,
    draw_variation,
)
from walkon.variation.baselines import perlin_noise


@pytest.fixture(scope="module")
def walks():
    return [make("walk", speed=speed) for speed in (1.2, 1.35, 1.5)]


@pytest.fixture(scope="module")
def variants(walks):
    return perlin_noise(walks, 4, amount=0.1)


def test_ticks_are_round_and_within():
    assert ticks(0.0, 1.0) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert ticks(-31.0, 29.0) == pytest.approx([-30, -20, -10, 0, 10, 20])
    for low, high in ((0.013, 0.0145), (-4000.0, 90.0), (3.0, 3.0 + 1e-6)):
        found = ticks(low, high)
        assert 2 <= len(found) <= 7
        assert low - 1e-9 <= min(found) < max(found) <= high + 1e-9


def test_values_have_their_places():
    axes = lay_out_axes((100.0, 50.0, 300.0, 200.0), np.array([(0.0, -1.0), (10.0, 1.0)]))
    corners = axes.places(np.array([(axes.across[0], axes.up[0]), (axes.across[1], axes.up[1]), (5.0, 0.0)]))
    np.testing.assert_allclose(corners[0], (axes.left, axes.bottom))
    np.testing.assert_allclose(corners[1], (axes.right, axes.top))
    np.testing.assert_allclose(corners[2], (0.5 * (axes.left + axes.right), 0.5 * (axes.top + axes.bottom)))
    page = Page(450, 300)
    draw_axes(page, axes, "time [s]", "height")
    axes.curve(page, np.array([(2.0, 0.5), (8.0, 0.5)]), INPUT, 4.0)
    x, y = axes.places(np.array([(5.0, 0.5)]))[0].round().astype(int)
    np.testing.assert_allclose(page.picture()[y, x], INPUT, atol=3)
    assert np.abs(page.picture()[y + 20, x].astype(int) - INPUT).max() > 60


def test_what_is_shown_moves_much_and_is_of_different_parts(walks, variants):
    curves = gather_curves(walks, variants)
    chosen = choose_dofs(curves, 4)
    spread = np.concatenate(curves.inputs).std(axis=0)
    assert spread[curves.column(chosen[0])] == pytest.approx(spread.max())
    assert len({title_of(name, curves.skeleton).split()[-3] for name in chosen}) == 4
    first, second = (tuple(title_of(name, curves.skeleton) for name in pair) for pair in choose_pairs(curves, 2))
    assert first[0].replace("left", "right").split()[:2] == first[1].split()[:2]
    assert first[0].startswith("left")
    assert second[0].split()[0] == second[1].split()[0]
    with pytest.raises(RenderError, match="nothing called 'tail x'"):
        curves.column("tail x")


def test_clips_are_brought_into_step_as_a_whole(walks):
    late = crop(walks[0], 10)
    curves = gather_curves([walks[0]], [late])
    np.testing.assert_allclose(curves.starts, [0.0, 10 / walks[0].fps])
    page = Page(600, 400)
    plot_over_time(page, (0.0, 0.0, 600.0, 400.0), curves, choose_dofs(curves, 1)[0])
    shades = page.picture().reshape(-1, 3).astype(int)
    blue, orange = ((np.abs(shades - colour).max(axis=1) < 30).sum() for colour in (INPUT, VARIANT))
    # In step, the variant lies below the input.
    assert blue > 300
    assert orange < 0.2 * blue


def test_moments_belong_together_whatever_the_timing(walks):
    walk = walks[0]
    slow = retime(walk, np.linspace(0.0, walk.duration, round(1.4 * len(walk))))
    times, frames = moments_of(walk, [walk, slow], 5)
    np.testing.assert_array_equal(frames[0], np.round(times * walk.fps))
    np.testing.assert_allclose(frames[1], 1.4 * frames[0], atol=3)
    series = overlay_series([walk, walk], times, frames[[0, 0]])
    half = len(series.radii) // 2
    np.testing.assert_allclose(series.starts[:, :half], series.starts[:, half:])
    assert np.abs(series.starts[..., [0, 2]].mean(axis=1)).max() < 0.15


def test_every_picture_is_drawn_and_looks_different_with_other_variants(tmp_path, walks, variants):
    for draw in (draw_dofs_over_time, draw_dof_pairs, draw_components, draw_overlaid_poses, draw_variation):
        draw(walks, variants, tmp_path / "a.png", width=700)
        draw(walks, walks[:2], tmp_path / "b.png", width=700)
        one, other = (np.asarray(Image.open(tmp_path / name)).astype(int) for name in ("a.png", "b.png"))
        assert one.shape[1] == 700
        assert one.shape != other.shape or np.abs(one - other).max() > 50
    draw_dofs_over_time(walks, variants, tmp_path / "c.png", dofs=["height"], width=500)


def test_nothing_to_draw_is_refused(tmp_path, walks):
    with pytest.raises(RenderError, match="no input"):
        draw_components([], walks, tmp_path / "a.png")
    with pytest.raises(RenderError, match="some of both"):
        draw_overlaid_poses(walks, [], tmp_path / "a.png")
    with pytest.raises(RenderError, match="nothing moves"):
        draw_components([crop(walks[0], 0, 1)], [], tmp_path / "a.png")
    draw_components(walks, [], tmp_path / "a.png")
