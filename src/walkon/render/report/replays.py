"""Everybody who plays a recorded scene, beside the people who were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from walkon.metrics.beside import TOLD_BY_PATHS, Pairing, set_beside
from walkon.metrics.trajectories import MEASURED_RATE, RecordedPeople
from walkon.render.report.catalogue import Panel, format_number, panels
from walkon.render.report.entries import Entry
from walkon.render.report.tables import cell, table
from walkon.render.wording import counted

HOW_TO_READ = (
    "Medians of people; in brackets, between which differences to the same person's recording the middle half of "
    "them lies. Only who goes somewhere and arrives, in the recording and in what is beside it, is compared."
)


def find_recorded(entries: Sequence[Entry]) -> Entry | None:
    """The entry of people who were recorded; None if there is none."""
    return next((entry for entry in entries if entry.recorded is not None), None)


def beside_rows(entries: Sequence[Entry]) -> tuple[list[str], list[list[str]]]:
    """Names of columns, and rows of what, unit, the recorded median, and a cell for each of the others; nothing
    without a recording."""
    recorded = find_recorded(entries)
    if recorded is None:
        return [], []
    players = [entry for entry in entries if entry is not recorded]
    found = [set_beside(recorded.measures, entry.measures) for entry in (recorded, *players)]
    people = [str(one["travel_time"].people) for one in found]
    known = {panel.key: panel for panel in panels()}
    rows = [["People compared", "", *people]]
    for key in TOLD_BY_PATHS:
        panel = known[key]
        own = format_number(found[0][key].recorded * panel.factor, panel.digits)
        rows.append([panel.title, panel.unit, own, *(_words(one[key], panel) for one in found[1:])])
    return ["Median", "Unit", recorded.name, *(entry.name for entry in players)], rows


def _words(pairing: Pairing, panel: Panel) -> str:
    """The median, and between what the middle half of the differences lies."""
    if not pairing.people:
        return "–"
    low, high = (_signed(value * panel.factor, panel.digits) for value in (pairing.low, pairing.high))
    return f"{format_number(pairing.played * panel.factor, panel.digits)} ({low} … {high})"


def _signed(value: float, digits: int) -> str:
    text = format_number(value, digits)
    return text.replace("-", "−") if text.startswith("-") or float(text) == 0.0 else f"+{text}"


def beside_part(entries: Sequence[Entry]) -> str:
    """The table as HTML, how to read it, and what a recording cannot tell; empty without a recording."""
    shown = find_recorded(entries)
    if shown is None or shown.recorded is None:
        return ""
    head, rows = beside_rows(entries)
    cells = [
        [cell(row[0], head=True), cell(row[1], cls="unit"), *(cell(text, cls="number") for text in row[2:])]
        for row in rows
    ]
    return (
        f"<h3 style='margin-top:1.2rem'>Beside the people who were recorded</h3><p class=soft>{HOW_TO_READ}</p>"
        f"{table([escape(name) for name in head], cells, name='beside-list')}"
        f"<p class=soft>{escape(' '.join(remarks(shown.recorded)))}</p>"
    )


def remarks(recorded: RecordedPeople) -> list[str]:
    """What a reader has to know about a recording, in sentences."""
    rate = recorded.fps
    said = ["A recording has neither bodies nor poses: of it, only what paths tell is measured."]
    if rate < MEASURED_RATE:
        said.append(
            f"It was made at {rate:g} Hz. Between its rows people lie on smooth curves, so that its jerkiness and "
            f"synchronicity say little."
        )
    said.append("People are followed until they come to the place where ours leave the scene.")
    for names, one, many, more in (
        (recorded.delayed, "person starts", "people start", "later than recorded: somebody was in the way"),
        (recorded.standing, "person only stands", "people only stand", "there and cannot be compared"),
        (recorded.missing, "person of the scene is", "people of the scene are", "not in the recording"),
    ):
        if names:
            said.append(f"{counted(len(names), one, many)} {more}.")
    return said
