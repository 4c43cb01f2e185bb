"""Tables that copy well: figures of all, and of everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from walkon.render.report.catalogue import figures, format_number, panels
from walkon.render.report.entries import Entry
from walkon.render.report.verdicts import Duel, best_names

MOST_TABLED = 100
"""Rows of a table of people."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, name: str, cls: str = "") -> str:
    """A table of cells that are HTML already, with a button that copies it."""
    top = "".join(f"<th scope=col>{cell}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return (
        f'<div class=tablebox><button type=button class=copy data-table="{name}">Copy table</button>'
        f'<div class=scroll><table id="{name}" class="{cls}"><thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div></div>"
    )


def cell(text: str, *, head: bool = False, cls: str = "") -> str:
    """A cell of anything."""
    tag, scope = ("th", " scope=row") if head else ("td", "")
    return f"<{tag}{scope}{f' class={chr(34)}{cls}{chr(34)}' if cls else ''}>{escape(text)}</{tag}>"


def figures_table(entries: Sequence[Entry]) -> str:
    """One row for each figure, one column for each entry; the best are bold."""
    summaries = [entry.measures.summary() for entry in entries]
    rows = []
    for figure in figures():
        if not any(figure.key in found for found in summaries):
            continue
        best = best_names(figure, entries)
        cells = [cell(figure.title, head=True), cell(figure.unit, cls="unit")]
        for entry, found in zip(entries, summaries, strict=True):
            value = figure.text(found[figure.key]) if figure.key in found else "–"
            cells.append(cell(value, cls="number best" if entry.name in best else "number"))
        rows.append(cells)
    head = ["Figure", "Unit", *(escape(entry.name) for entry in entries)]
    return table(head, rows, name="figure-list")


def duels_table(duels: Sequence[Duel]) -> str:
    """Ours beside the best rival."""
    said = {"ours": "ours", "rival": "the rival", "even": "even"}
    rows = []
    for duel in duels:
        unit = f" [{duel.figure.unit}]" if duel.figure.unit else ""
        rows.append(
            [
                cell(f"{duel.figure.title}{unit}", head=True),
                cell(duel.figure.text(duel.ours[1]), cls="number"),
                cell(duel.ours[0]),
                cell(duel.figure.text(duel.rival[1]), cls="number"),
                cell(duel.rival[0]),
                cell(said[duel.winner], cls=f"winner {duel.winner}"),
            ]
        )
    return table(["Figure", "Ours", "by", "Best rival", "by", "Better"], rows, name="duel-list")


def people_table(entry: Entry, number: int) -> tuple[str, int]:
    """Every measure of everybody, and how many people were left out."""
    columns = entry.measures.per_person()
    shown = [panel for panel in panels() if panel.key in columns]
    rows = []
    for person, who in enumerate(entry.measures.names[:MOST_TABLED]):
        values = [
            format_number(float(columns[panel.key][person]) * panel.factor, panel.digits + 1) for panel in shown
        ]
        rows.append([cell(who, head=True), *(cell(value, cls="number") for value in values)])
    head = ["Who"]
    for panel in shown:
        head.append(f"{escape(panel.title)}{f' [{escape(panel.unit)}]' if panel.unit else ''}")
    left_out = max(len(entry.measures.names) - MOST_TABLED, 0)
    return table(head, rows, name=f"people-{number}", cls="wide"), left_out
