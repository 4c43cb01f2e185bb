"""`walkon measure`: how plausible is it? Figures of takes and trajectories side by side, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from walkon.metrics import Benchmarks
    from walkon.render.report import Entry


def measure(
    files: list[Path] = typer.Argument(
        help="Takes, or trajectories: our CSV, PedPy's and JuPedSim's files, ETH's and UCY's annotations."
    ),
    html: Path | None = typer.Option(None, help="Write a report: one self-contained page."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
    csv: Path | None = typer.Option(
        None, help="Write the figures to a .csv file, or all of it to a folder: figures, people, anomalies."
    ),
    library: str = typer.Option(
        "", help="Whose motion gives the benchmark lines: a cast or a folder; by default a take's own clips."
    ),
    no_audit: bool = typer.Option(False, "--no-audit", help="Do not look for collisions of bodies in takes."),
    pictures: bool = typer.Option(True, help="Render pictures of takes for the report."),
) -> None:
    """Measure how people move: resistance, jerkiness, proximity, synchronicity, feet, seams, collisions."""
    from walkon.cli._measured import print_figures, print_measured, write_csv, write_page

    if html is not None:
        _check_count(len(files))
    lines = _lines(library)
    entries = [_measured(path, name, lines, no_audit) for path, name in zip(files, _names(files), strict=True)]
    if csv is not None:
        write_csv(csv, entries)
    if html is not None:
        whose = (
            f"walking and running of the library {library}" if library else "walking and running of its own clips"
        )
        title = f"How plausible is {entries[0].name}?" if len(entries) == 1 else "How plausible are they?"
        write_page(
            html,
            entries,
            title=title,
            subtitle=", ".join(path.name for path in files),
            lines=whose,
            pictures=pictures,
        )
    if as_json:
        print_measured(files, entries)
    else:
        print_figures(entries)
        if html is not None:
            typer.echo(f"report: {html}")


def _names(files: list[Path]) -> list[str]:
    """What to call them: as short as tells them apart."""
    for choose in (lambda path: path.stem, lambda path: path.name, str):
        names = [choose(path) for path in files]
        if len(set(names)) == len(names):
            return names
    raise typer.BadParameter("name each file once")


def _check_count(count: int) -> None:
    from walkon.render.report import MOST_ENTRIES

    if count > MOST_ENTRIES:
        raise typer.BadParameter(f"a report shows at most {MOST_ENTRIES} side by side, not {count}")


def _lines(library: str) -> Benchmarks | None:
    if not library:
        return None
    from walkon.crowd import load_library
    from walkon.metrics import measure_benchmarks

    return measure_benchmarks(load_library(library))


def _measured(path: Path, name: str, lines: Benchmarks | None, no_audit: bool) -> Entry:
    """Of a file that is a take, or has trajectories."""
    from walkon.cli._console import progress_callback
    from walkon.metrics import audit, read_trajectories
    from walkon.metrics import measure as find
    from walkon.metrics.trajectories import file_form
    from walkon.render.report import Entry
    from walkon.rivals import is_rival
    from walkon.take import read_take

    with progress_callback(f"measuring {name}") as advance:
        if file_form(path) != "take":
            return Entry(name, find(read_trajectories(path), lines, progress=advance))
        take = read_take(path)
        report = None if no_audit else audit(take)
        found = find(take, lines, audited=False if report is None else report, progress=advance)
    return Entry(name, found, take, report, is_rival(take))
