"""`walkon audit`: is a take what it claims to be?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from walkon.metrics import AuditReport

VIOLATION_COLUMNS = [
    ("what", "left"),
    ("who", "left"),
    ("with", "left"),
    ("when", "left"),
    ("where", "left"),
    ("how", "left"),
]
"""Headings of the table of violations."""


def audit(
    take: Path = typer.Argument(help="The take to check."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of tables."),
    scene: Path | None = typer.Option(
        None, help="The scene it should be of: say what differs from the take's own."
    ),
    pictures: Path | None = typer.Option(
        None, help="Folder for a picture of the worst moment of each kind of violation."
    ),
    limit: int = typer.Option(40, min=1, help="Violations to print, of all kinds; JSON always has all of them."),
) -> None:
    """Check a take from its poses: collisions, goals, transitions, feet, ground. Exit code 1 if anything is wrong.

    Exit code 2 if the take cannot be read.
    """
    from walkon.cli._console import complain, print_json, progress_callback
    from walkon.errors import WalkonError
    from walkon.metrics import audit as check
    from walkon.take import read_take
    from walkon.world import read_scene

    try:
        given = read_take(take)
        asked = None if scene is None else read_scene(scene, seed=given.seed)
    except (WalkonError, OSError) as error:
        complain(str(error))
        raise typer.Exit(2) from None
    with progress_callback("auditing") as advance:
        report = check(given, scene=asked, progress=advance)
    if as_json:
        print_json(report.to_json())
    else:
        _print(take, report, given.fps, limit)
    if pictures is not None:
        from walkon.render.violation_pictures import write_violation_pictures

        drawn = write_violation_pictures(given, report, pictures)
        if not as_json:
            typer.echo(f"{pictures}: {', '.join(path.name for path in drawn) or 'nothing to picture'}")
    if not report.clean:
        raise typer.Exit(1)


def _print(path: Path, report: AuditReport, fps: float, limit: int) -> None:
    from walkon.cli._console import print_table
    from walkon.metrics.audit.wording import violation_row

    if not report.clean:
        shown = report.violations[:limit]
        rows = [violation_row(violation, fps) for violation in shown]
        print_table(f"{path}: {len(report.violations)} violations", VIOLATION_COLUMNS, rows)
        if len(report.violations) > limit:
            typer.echo(f"… and {len(report.violations) - limit} more; see --json or --limit")
    typer.echo(report.summary())
