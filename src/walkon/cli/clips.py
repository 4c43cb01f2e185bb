"""`walkon clips`: what is in these motion files?"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from walkon.motion import ClipSummary

CLIP_COLUMNS = [
    ("clip", "left"),
    ("frames", "right"),
    ("seconds", "right"),
    ("fps", "right"),
    ("joints", "right"),
    ("height m", "right"),
    ("speed m/s", "right"),
    ("turn °", "right"),
    ("contacts", "right"),
    ("problems", "left"),
]
"""Headings of the table of clips."""

PROBLEMS_SHOWN = 2
"""Problems of a clip that are named in the table; of others it has the number."""


def clips(
    files: list[Path] = typer.Argument(help="Motion files, or folders of them."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
    units: str = typer.Option("auto", help="Unit of the files: auto, m, cm, mm, in, ft, cmu, or a factor."),
    up: str = typer.Option("auto", help="Axis that points up in the files: auto, y or z."),
    strict: bool = typer.Option(False, "--strict", help="Exit with 3 when a clip has problems."),
) -> None:
    """List clips: length, rate, size, speed, turn, contacts, and what is wrong with them."""
    from walkon.cli._console import complain, print_json, progress
    from walkon.cli._sources import parse_units
    from walkon.errors import ClipError
    from walkon.motion import find_motion_files, summarize_file

    found: list[ClipSummary] = []
    failures = 0
    paths = find_motion_files(files)
    for path in progress(paths, "reading", total=len(paths)):
        try:
            found.append(summarize_file(path, units=parse_units(units), up=up))
        except ClipError as error:
            failures += 1
            complain(str(error))
    if as_json:
        print_json([asdict(summary) for summary in found])
    else:
        _print(found)
    if failures:
        raise typer.Exit(1)
    if strict and any(summary.problems for summary in found):
        raise typer.Exit(3)


def _print(found: list[ClipSummary]) -> None:
    from walkon.cli._console import print_table

    seconds = sum(summary.seconds for summary in found)
    print_table(f"{len(found)} clips, {seconds:.1f} s", CLIP_COLUMNS, [_row(summary) for summary in found])


def _row(summary: ClipSummary) -> list[str]:
    problems = [problem.message for problem in summary.problems]
    shown = problems[:PROBLEMS_SHOWN]
    if len(problems) > PROBLEMS_SHOWN:
        shown.append(f"and {len(problems) - PROBLEMS_SHOWN} more")
    return [
        summary.name,
        str(summary.frames),
        f"{summary.seconds:.2f}",
        f"{summary.fps:g}",
        str(summary.joints),
        f"{summary.height:.2f}",
        f"{summary.speed:.2f}",
        f"{summary.turn:+.0f}",
        str(summary.contacts),
        "; ".join(shown),
    ]
