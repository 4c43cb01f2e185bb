"""`walkon vary library`: a behavior library becomes a richer one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from walkon.variation import LibraryReport

VARIED_COLUMNS = [
    ("behavior", "left"),
    ("learned with", "left"),
    ("clips", "right"),
    ("variants", "right"),
    ("strays cm", "right"),
    ("at most cm", "right"),
    ("kept as it is", "left"),
]
"""Headings of the table of behaviors that were varied."""


def library(
    given: str = typer.Argument(
        metavar="LIBRARY", help="A library's folder, or a cast: human, skateboarder, horse."
    ),
    out: Path = typer.Option(..., "-o", "--out", file_okay=False, help="Folder of the richer library."),
    count: int = typer.Option(8, "-n", "--count", min=1, max=1000, help="Variants of every clip."),
    stray: float | None = typer.Option(None, min=0.0, max=10.0, help="How far to stray, in deviations foreseen."),
    seed: int = typer.Option(0, min=0, help="Other seeds give other variants."),
    performer: int = typer.Option(0, min=0, help="Which performer, for a cast."),
    only: str = typer.Option("", help="Vary these joints, with commas between; else all that bears no leg."),
    rounds: int = typer.Option(4, min=1, max=1000, help="Most rounds of learning for every group of clips."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Add variants to every behavior: trunk, head and arms differ; steps, ways, times and both ends do not."""
    from walkon.behaviors import write_library
    from walkon.cli._console import print_json, progress_phases
    from walkon.cli.behaviors import open_library
    from walkon.variation import vary_library

    names = [name.strip() for name in only.split(",") if name.strip()]
    with progress_phases() as progress:
        richer, report = vary_library(
            open_library(given, performer),
            count,
            seed=seed,
            stray=stray,
            only=names or None,
            rounds=rounds,
            progress=progress,
        )
    write_library(out, richer)
    if as_json:
        print_json({"folder": str(out), **report.as_dict()})
        return
    _print(report)
    typer.echo(f"{out}: library.toml and {report.clips + report.variants} clips")


def _print(report: LibraryReport) -> None:
    from walkon.cli._console import print_table

    rows = [
        [
            one.behavior,
            one.group,
            str(one.clips),
            str(one.variants),
            f"{100 * one.strays:.1f}" if one.variants else "-",
            f"{100 * one.strays_most:.1f}" if one.variants else "-",
            one.reason,
        ]
        for one in report.behaviors
    ]
    title, *_ = report.lines()
    print_table(title, VARIED_COLUMNS, rows)
