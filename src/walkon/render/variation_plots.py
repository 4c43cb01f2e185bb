"""Pictures of variation, after figures 5.4 to 5.6 of Lau (2009): what was given beside what was made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from walkon.errors import RenderError
from walkon.motion import Clip
from walkon.render.overlaid_poses import COLOURS, Picture, draw_overlays, moments_of, overlay_series
from walkon.render.page import Page, whole_colour
from walkon.render.renderer import check_size
from walkon.render.variation_curves import (
    INPUT,
    VARIANT,
    Box,
    Curves,
    choose_dofs,
    choose_pairs,
    gather_curves,
    plot_components,
    plot_over_time,
    plot_pair,
)
from walkon.render.wording import counted

HEAD, SIDE, GAP = 54, 20, 10
"""[px] above everything, at the sides, and between panels."""

BAND = 34
"""[px] for what is written above a strip of poses."""

PANEL_ASPECT = 0.72
"""Height of a panel of curves against its width."""

POSES, MOST_BODIES = 6, 15
"""Moments of a strip, and bodies laid over each other; more are a heap."""

Panel = Callable[[Page, Box], None]


def draw_dofs_over_time(
    inputs: Sequence[Clip],
    variants: Sequence[Clip],
    path: Path | str,
    *,
    dofs: Sequence[str] | None = None,
    count: int = 3,
    title: str = "",
    width: int = 1200,
) -> None:
    """Draw a PNG of degrees of freedom against time, one curve for each clip.

    dofs: such as "LeftArm x"; else the `count` that move most, each of another joint.
    """
    curves = gather_curves(inputs, variants)
    names = list(dofs) if dofs is not None else choose_dofs(curves, count)
    _draw_panels([_over_time(curves, name) for name in names], inputs, variants, path, title, width)


def draw_dof_pairs(
    inputs: Sequence[Clip],
    variants: Sequence[Clip],
    path: Path | str,
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
    count: int = 3,
    title: str = "",
    width: int = 1200,
) -> None:
    """Draw a PNG of degrees of freedom against each other: left against right, hip against knee, or as asked."""
    curves = gather_curves(inputs, variants)
    chosen = list(pairs) if pairs is not None else choose_pairs(curves, count)
    _draw_panels([_pair(curves, *pair) for pair in chosen], inputs, variants, path, title, width)


def draw_components(
    inputs: Sequence[Clip], variants: Sequence[Clip], path: Path | str, *, title: str = "", width: int = 1200
) -> None:
    """Draw a PNG of the first principal components of inputs and variants together, against each other."""
    curves = gather_curves(inputs, variants)
    panels = [_components(curves, *pair) for pair in ((0, 1), (0, 2), (1, 2))]
    _draw_panels(panels, inputs, variants, path, title, width)


def draw_overlaid_poses(
    inputs: Sequence[Clip],
    variants: Sequence[Clip],
    path: Path | str,
    *,
    poses: int = POSES,
    title: str = "",
    width: int = 1600,
) -> None:
    """Draw a PNG with the poses of all inputs at some moments over each other, and below those of the variants.

    Moments are those of the first input; of the other clips the frames that belong to them, whatever their timing.
    """
    strips = _strips(inputs, variants, width, poses)
    page = Page(width, HEAD + sum(BAND + len(strip) for strip in strips))
    _write_title(page, inputs, variants, title, legend=False)
    _paste_strips(page, strips, inputs, variants, HEAD)
    page.save(path)


def draw_variation(
    inputs: Sequence[Clip],
    variants: Sequence[Clip],
    path: Path | str,
    *,
    title: str = "",
    poses: int = POSES,
    width: int = 1600,
) -> None:
    """Draw a PNG with all of it: overlaid poses of inputs and variants, curves over time, pairs, components."""
    curves = gather_curves(inputs, variants)
    strips = _strips(inputs, variants, width, poses)
    names, pairs = choose_dofs(curves, 2), choose_pairs(curves, 2)
    columns = (
        [_over_time(curves, name) for name in names],
        [_pair(curves, *pair) for pair in pairs],
        [_components(curves, 0, 1), _components(curves, 0, 2)],
    )
    wide, high = _panel_size(width, 3)
    below = HEAD + sum(BAND + len(strip) for strip in strips) + BAND
    page = Page(width, round(below + 2 * (high + GAP)))
    for column, panels in enumerate(columns):
        for row, panel in enumerate(panels):
            panel(page, (SIDE + column * (wide + GAP), below + row * (high + GAP), wide, high))
    _paste_strips(page, strips, inputs, variants, HEAD)
    _write_title(page, inputs, variants, title, legend=False)
    _write_legend(page, inputs, variants, below - 0.5 * BAND)
    page.save(path)


def _over_time(curves: Curves, name: str) -> Panel:
    return lambda page, box: plot_over_time(page, box, curves, name)


def _pair(curves: Curves, across: str, up: str) -> Panel:
    return lambda page, box: plot_pair(page, box, curves, across, up)


def _components(curves: Curves, first: int, second: int) -> Panel:
    return lambda page, box: plot_components(page, box, curves, first, second)


def _panel_size(width: int, columns: int) -> tuple[float, float]:
    wide = (width - 2 * SIDE - (columns - 1) * GAP) / columns
    return wide, PANEL_ASPECT * wide


def _draw_panels(
    panels: Sequence[Panel],
    inputs: Sequence[Clip],
    variants: Sequence[Clip],
    path: Path | str,
    title: str,
    width: int,
) -> None:
    """Panels in rows of three."""
    if not panels:
        raise RenderError("there is nothing to draw")
    columns = min(len(panels), 3)
    wide, high = _panel_size(width, columns)
    page = Page(width, round(HEAD + -(-len(panels) // columns) * (high + GAP)))
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        panel(page, (SIDE + column * (wide + GAP), HEAD + row * (high + GAP), wide, high))
    _write_title(page, inputs, variants, title, legend=True)
    page.save(path)


def _strips(inputs: Sequence[Clip], variants: Sequence[Clip], width: int, poses: int) -> list[Picture]:
    """One strip of the inputs, one of the variants."""
    if not inputs or not variants:
        raise RenderError("poses of inputs are laid beside those of variants: give some of both")
    check_size(width, HEAD)
    given, made = list(inputs)[:MOST_BODIES], list(variants)[:MOST_BODIES]
    times, frames = moments_of(given[0], [*given, *made], poses)
    parts = ((given, frames[: len(given)]), (made, frames[len(given) :]))
    return draw_overlays([overlay_series(clips, times, rows) for clips, rows in parts], width)


def _paste_strips(
    page: Page, strips: Sequence[Picture], inputs: Sequence[Clip], variants: Sequence[Clip], top: float
) -> None:
    for strip, clips, name in zip(strips, (inputs, variants), ("input", "variant"), strict=True):
        shown = min(len(clips), MOST_BODIES)
        of_all = f" of {len(clips)}" if shown < len(clips) else ""
        said = f"{shown}{of_all} {name}{'' if len(clips) == 1 else 's'}"
        x = SIDE + page.text((SIDE, top + 0.5 * BAND), said, size=14)
        for k in range(min(shown, len(COLOURS))):
            page.blob((x + 16 + 15 * k, top + 0.5 * BAND + 1), 5.0, whole_colour(COLOURS[k], 1.0))
        page.paste(strip, (0, top + BAND), (page.width, len(strip)))
        top += BAND + len(strip)


def _write_title(
    page: Page, inputs: Sequence[Clip], variants: Sequence[Clip], title: str, *, legend: bool
) -> None:
    page.text((SIDE, 0.5 * HEAD), title or "Variation", size=20)
    if legend:
        _write_legend(page, inputs, variants, 0.5 * HEAD)


def _write_legend(page: Page, inputs: Sequence[Clip], variants: Sequence[Clip], y: float) -> None:
    """Whose curves have which colour, at the right."""
    x = page.width - SIDE
    for colour, count, name in ((VARIANT, len(variants), "variant"), (INPUT, len(inputs), "input")):
        x -= page.text((x, y), counted(count, name), size=14, anchor="rm") + 44
        page.stroke(np.array([(x + 10, y), (x + 36, y)]), colour, 3.0)
        x -= 14
