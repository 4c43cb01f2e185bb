"""`walkon export`: a take becomes files for other programs, films and pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.formats import FILM_SUFFIXES, PICTURE_SUFFIXES, export_suffixes

if TYPE_CHECKING:
    from walkon.synthesis import Performance
    from walkon.take import Take

NOT_SET = -1.0
OUT_HELP = (
    f"Files to write, by suffix: {' '.join(export_suffixes('scene'))} (people and scene), "
    f"{' '.join(export_suffixes('one'))} (a file for each character), {' '.join(export_suffixes('paths'))} "
    f"(trajectories), {' '.join(FILM_SUFFIXES)} (film), {' '.join(PICTURE_SUFFIXES)} (overview, or with --time a "
    "still)."
)


def export(
    take: Path = typer.Argument(help="A take, as written by walkon plan."),
    outs: list[Path] = typer.Argument(
        metavar="OUT...",
        help=OUT_HELP,
    ),
    size: str = typer.Option("1280x720", help="WIDTHxHEIGHT in pixels of films and stills."),
    fps: float = typer.Option(30.0, min=1, max=240, help="Frames a second of films."),
    start: float = typer.Option(0.0, min=0.0, help="Where films begin [s]."),
    stop: float = typer.Option(NOT_SET, help="Where films end [s].", show_default=False),
    time: float = typer.Option(NOT_SET, help="Moment of a still picture [s].", show_default=False),
    camera: str = typer.Option("overview", help="Of films and stills: overview, top, side or follow:NAME."),
    scenery: bool = typer.Option(True, help="Put ground and obstacles into GLB and USD files."),
) -> None:
    """Export a take: scene files, motion files, trajectories, films and pictures."""
    from walkon.cli._console import progress_callback
    from walkon.synthesis import perform_all
    from walkon.take import read_take

    for out in outs:
        _check_suffix(out)
    width, height = _size(size)
    whole = read_take(take)
    performances: list[Performance] = []
    if any(out.suffix.lower() not in PICTURE_SUFFIXES for out in outs) or time >= 0.0:
        with progress_callback("performing") as advance:
            performances = perform_all(whole, progress=advance)
    for out in outs:
        suffix = out.suffix.lower()
        if suffix in FILM_SUFFIXES:
            _film(whole, performances, out, camera, (width, height), fps, start, None if stop < 0.0 else stop)
        elif suffix in PICTURE_SUFFIXES:
            _picture(whole, performances, out, camera, (width, height), time)
        else:
            from walkon.export import export_take

            export_take(whole, out, performances=performances, scenery=scenery)


def _film(
    take: Take,
    performances: Sequence[Performance],
    out: Path,
    camera: str,
    size: tuple[int, int],
    fps: float,
    start: float,
    stop: float | None,
) -> None:
    from walkon.cli._console import progress_callback
    from walkon.render import film_take

    with progress_callback(f"filming {out.name}") as advance:
        film_take(
            take,
            out,
            performances=performances,
            camera=camera,
            size=size,
            fps=fps,
            span=(start, math.inf if stop is None else stop),
            progress=advance,
        )


def _picture(
    take: Take, performances: Sequence[Performance], out: Path, camera: str, size: tuple[int, int], time: float
) -> None:
    from walkon.render import draw_moment, draw_overview, write_png

    if time < 0.0:
        draw_overview(take, out)
    else:
        write_png(out, draw_moment(take, time, performances=performances, camera=camera, size=size))


def _check_suffix(out: Path) -> None:
    valid = (*export_suffixes(), *FILM_SUFFIXES, *PICTURE_SUFFIXES)
    if out.suffix.lower() not in valid:
        raise typer.BadParameter(
            f"cannot export to {out.suffix or 'a file without suffix'}; valid suffixes: {' '.join(valid)}"
        )


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if match is None:
        raise typer.BadParameter(f"size is WIDTHxHEIGHT, such as 1280x720, not {text!r}")
    return int(match[1]), int(match[2])
