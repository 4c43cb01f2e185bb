"""`walkon render`: a picture, a film or a contact sheet of motion."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from walkon.formats import FILM_SUFFIXES, PICTURE_SUFFIXES, TAKE_SUFFIX, either

if TYPE_CHECKING:
    from walkon.motion import Clip

DRAWN = (*PICTURE_SUFFIXES, *FILM_SUFFIXES)
PATHS_HELP = f"Motion files, folders, builtin:NAME or one take, then the file to write: {either(DRAWN)}."


def render(
    paths: list[str] = typer.Argument(
        metavar="IN... OUT",
        help=PATHS_HELP,
    ),
    time: float = typer.Option(0.0, help="Moment of a still picture [s]."),
    sheet: bool = typer.Option(False, "--sheet", help="A contact sheet: many poses of one clip in one picture."),
    overlay: bool = typer.Option(False, "--overlay", help="With --sheet: all poses in one place along the path."),
    poses: int = typer.Option(12, min=1, max=200, help="Poses of a contact sheet."),
    size: str = typer.Option("1280x720", help="WIDTHxHEIGHT in pixels."),
    fps: float = typer.Option(30.0, min=1, max=240, help="Frames a second of a film."),
    units: str = typer.Option("auto", help="Unit of the inputs: auto, m, cm, mm, in, ft, cmu, or a factor."),
    up: str = typer.Option("auto", help="Axis that points up in the inputs: auto, y or z."),
) -> None:
    """Draw motion with the capsule renderer: no GPU, no window."""
    from walkon.cli._sources import read_sources

    if len(paths) < 2:
        raise typer.BadParameter("give at least one input and one output")
    *sources, out = paths
    target = Path(out)
    if target.suffix.lower() not in DRAWN:
        raise typer.BadParameter(f"cannot draw {target.suffix or 'a file without suffix'}; use {either(DRAWN)}")
    width, height = _size(size)
    if len(sources) == 1 and sources[0].lower().endswith(TAKE_SUFFIX):
        _take(Path(sources[0]), target, (width, height), time if not sheet else None, fps, poses, overlay)
        return
    clips = read_sources(sources, units=units, up=up)
    if target.suffix.lower() in FILM_SUFFIXES:
        _film(target, clips, width, height, fps)
    elif sheet:
        _sheet(target, clips, poses, width, "overlay" if overlay else "strip")
    else:
        from walkon.render import render_frame, write_png

        write_png(target, render_frame(clips, time=time, size=(width, height)))


def _take(
    source: Path,
    target: Path,
    size: tuple[int, int],
    time: float | None,
    fps: float,
    poses: int,
    overlay: bool,
) -> None:
    """A film, a still or, without a time, a contact sheet of a take; who is alone in it is followed."""
    from walkon.cli._console import progress_callback
    from walkon.render import draw_moment, film_take, write_png
    from walkon.synthesis import perform_all
    from walkon.take import read_take

    take = read_take(source)
    players = perform_all(take)
    camera = f"follow:{players[0].character}" if len(players) == 1 else None
    if target.suffix.lower() in FILM_SUFFIXES:
        with progress_callback("filming") as advance:
            film_take(take, target, performances=players, camera=camera, size=size, fps=fps, progress=advance)
    elif time is None:
        _sheet(target, [one.clip for one in players], poses, size[0], "overlay" if overlay else "strip")
    else:
        write_png(target, draw_moment(take, time, performances=players, camera=camera, size=size))


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{2,5})x(\d{2,5})", text)
    if match is None:
        raise typer.BadParameter(f"size is WIDTHxHEIGHT, such as 1280x720, not {text!r}")
    return int(match[1]), int(match[2])


def _film(target: Path, clips: list[Clip], width: int, height: int, fps: float) -> None:
    """Write a film with a progress bar."""
    from walkon.cli._console import progress_callback
    from walkon.render import follow_clip, write_film

    # One actor is followed; of several, all stay in the picture.
    camera = follow_clip(clips[0]) if len(clips) == 1 else None
    with progress_callback("filming") as advance:
        write_film(target, clips, size=(width, height), fps=fps, camera=camera, progress=advance)


def _sheet(target: Path, clips: list[Clip], poses: int, width: int, mode: Literal["strip", "overlay"]) -> None:
    """Write the contact sheet of one clip."""
    from walkon.render import contact_sheet, write_png

    if len(clips) != 1:
        raise typer.BadParameter(f"a contact sheet shows one clip, not {len(clips)}")
    write_png(target, contact_sheet(clips[0], poses=poses, width=width, mode=mode))
