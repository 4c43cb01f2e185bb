"""What `measure` and `compare` share: tables, JSON, CSV and pages of what was measured."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from walkon.render.report import Entry, Failure


def print_figures(entries: Sequence[Entry]) -> None:
    """All figures, a column for each entry."""
    from walkon.cli._console import print_table
    from walkon.render.report.catalogue import figures

    summaries = [entry.measures.summary() for entry in entries]
    columns = [("figure", "left"), ("unit", "left"), *((entry.name, "right") for entry in entries)]
    rows = [
        [figure.title, figure.unit]
        + [figure.text(found[figure.key]) if figure.key in found else "–" for found in summaries]
        for figure in figures()
        if any(figure.key in found for found in summaries)
    ]
    levels = [_level(entry) or "–" for entry in entries]
    print_table("", columns, [["bodies, as planners saw them", "level", *levels], *rows])


def print_beside(entries: Sequence[Entry]) -> None:
    """Everybody beside the people who were recorded; nothing without a recording."""
    import typer

    from walkon.cli._console import print_table
    from walkon.render.report.replays import HOW_TO_READ, beside_rows, find_recorded, remarks

    shown = find_recorded(entries)
    if shown is None or shown.recorded is None:
        return
    head, rows = beside_rows(entries)
    sides = ["left", "left", *["right"] * (len(head) - 2)]
    print_table("", list(zip(head, sides, strict=True)), rows)
    typer.echo("\n".join([HOW_TO_READ, *remarks(shown.recorded)]))


def print_measured(files: Sequence[Path], entries: Sequence[Entry]) -> None:
    """Everything about every file, as JSON."""
    from walkon.cli._console import print_json

    print_json([{"file": str(path), **entry_data(entry)} for path, entry in zip(files, entries, strict=True)])


def entry_data(entry: Entry) -> dict[str, object]:
    """Plain data: what was measured, and what the audit says."""
    audited = None if entry.audited is None else entry.audited.to_json()
    return {"name": entry.name, "bodies": _level(entry), "measures": entry.measures.as_dict(), "audit": audited}


def _level(entry: Entry) -> str | None:
    """The level at which planners saw bodies; None for paths without bodies, and for rivals, who see discs."""
    return None if entry.take is None or entry.rival else entry.take.scene.bodies


def write_page(
    path: Path,
    entries: Sequence[Entry],
    *,
    title: str,
    subtitle: str,
    lines: str,
    failures: Sequence[Failure] = (),
    pictures: bool = True,
) -> None:
    """The report, with a progress bar."""
    from walkon.cli._console import progress_callback
    from walkon.render.report import write_report

    with progress_callback("drawing the report") as advance:
        write_report(
            path, entries, title=title, subtitle=subtitle, failures=failures, lines=lines, pictures=pictures,
            progress=advance,
        )  # fmt: skip


def write_csv(place: Path, entries: Sequence[Entry]) -> None:
    """Figures in a .csv file; else a folder with figures, people and anomalies."""
    if place.suffix.lower() == ".csv":
        _write(place, _figure_rows(entries))
        return
    _write(place / "figures.csv", _figure_rows(entries))
    _write(place / "people.csv", _people_rows(entries))
    _write(place / "anomalies.csv", _anomaly_rows(entries))


def _figure_rows(entries: Sequence[Entry]) -> Iterable[Sequence[object]]:
    summaries = [entry.measures.summary() for entry in entries]
    keys = dict.fromkeys(key for found in summaries for key in found)
    yield ["figure", *(entry.name for entry in entries)]
    for key in keys:
        yield [key, *(_finite(found.get(key)) for found in summaries)]


def _people_rows(entries: Sequence[Entry]) -> Iterable[Sequence[object]]:
    tables = [entry.measures.per_person() for entry in entries]
    keys = list(dict.fromkeys(key for table in tables for key in table))
    yield ["of", "who", *keys]
    for entry, table in zip(entries, tables, strict=True):
        for person, who in enumerate(entry.measures.names):
            yield [entry.name, who, *(_finite(float(table[key][person])) if key in table else "" for key in keys)]


def _anomaly_rows(entries: Sequence[Entry]) -> Iterable[Sequence[object]]:
    yield ["of", "who", "when", "what", "value", "limit", "other"]
    for entry in entries:
        for found in entry.measures.anomalies:
            yield [
                entry.name, found.who, _finite(found.when), found.what, found.value, found.limit, found.other,
            ]  # fmt: skip


def _finite(value: float | None) -> object:
    """Nothing where there is no number."""
    return "" if value is None or not math.isfinite(value) else value


def _write(path: Path, rows: Iterable[Sequence[object]]) -> None:
    from walkon.files import write_text

    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    write_text(path, stream.getvalue())
