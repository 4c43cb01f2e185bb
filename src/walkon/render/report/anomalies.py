"""The list of anomalies: who, when, what, how much, with a link to a picture of the moment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from walkon.metrics import Anomaly
from walkon.render.report.catalogue import ANOMALY_UNITS, ANOMALY_WORDS, format_number
from walkon.render.report.entries import Entry
from walkon.render.report.gallery import Gallery
from walkon.render.report.tables import cell, table

MOST_LISTED = 40
"""Anomalies of an entry in the table."""


def anomalies_section(entries: Sequence[Entry], galleries: Sequence[Gallery]) -> str:
    """The table and the pictures."""
    total = sum(len(entry.measures.anomalies) for entry in entries)
    if not total:
        return "<p>Nothing was found that people do not do.</p>"
    rows, listed = [], 0
    for number, (entry, gallery) in enumerate(zip(entries, galleries, strict=True)):
        chosen = _listed(entry, gallery)
        listed += len(chosen)
        for k in chosen:
            picture = gallery.picture_of(k)
            rows.append(_row(number, entry, entry.measures.anomalies[k], picture))
    pictured = sum(len(gallery.shown) for gallery in galleries)
    shown = sum(len(one.anomalies) for gallery in galleries for one in gallery.shown)
    left = f" {total - listed} are left out of the table; all are in CSV and JSON." if total > listed else ""
    said = (
        f"<p>{total} found, the worst of each kind for everybody; {pictured} pictures show {shown} of them, "
        f"{total - shown} have none.{left}</p>"
    )
    head = ["Of", "Who", "With", "When [s]", "What", "Value", "Limit", "Unit", "Picture"]
    return said + table(head, rows, name="anomaly-list") + _pictures(entries, galleries)


def value_text(found: Anomaly) -> tuple[str, str, str]:
    """Value, limit and unit."""
    unit, factor, digits = ANOMALY_UNITS.get(found.what, ("", 1.0, 2))
    return format_number(found.value * factor, digits), format_number(found.limit * factor, digits), unit


def _listed(entry: Entry, gallery: Gallery) -> list[int]:
    """Numbers of the anomalies in the table: all that have pictures, then the worst."""
    pictured = {k for one in gallery.shown for k in one.anomalies}
    rest = [k for k in range(len(entry.measures.anomalies)) if k not in pictured]
    return sorted([*pictured, *rest[: max(MOST_LISTED - len(pictured), 0)]])


def _row(number: int, entry: Entry, found: Anomaly, picture: int | None) -> list[str]:
    value, limit, unit = value_text(found)
    link = "" if picture is None else f'<a href="#moment-{number}-{picture}">show</a>'
    return [
        f'<th scope=row class="c{number}"><span class=key></span>{escape(entry.name)}</th>',
        cell(found.who),
        cell(found.other),
        cell(f"{found.when:.2f}" if math.isfinite(found.when) else "all along", cls="number"),
        cell(ANOMALY_WORDS.get(found.what, found.what)),
        cell(value, cls="number"),
        cell(limit, cls="number"),
        cell(unit, cls="unit"),
        f"<td>{link}</td>",
    ]


def _pictures(entries: Sequence[Entry], galleries: Sequence[Gallery]) -> str:
    figures = []
    for number, (entry, gallery) in enumerate(zip(entries, galleries, strict=True)):
        for k, one in enumerate(gallery.shown):
            told = [_told(entry.measures.anomalies[anomaly]) for anomaly in one.anomalies]
            more = f" … and {len(told) - 3} more" if len(told) > 3 else ""
            figures.append(
                f'<figure class="card moment c{number}" id="moment-{number}-{k}">{one.html}<figcaption>'
                f"<b><span class=key></span>{escape(entry.name)}</b> at {one.moment.when:.2f} s: "
                f"{escape(' and '.join(one.moment.who))}<br>{escape('; '.join(told[:3]))}{more}. "
                f'<a href="#anomalies">Back</a></figcaption></figure>'
            )
    return f"<div class=grid>{''.join(figures)}</div>" if figures else ""


def _told(found: Anomaly) -> str:
    value, limit, unit = value_text(found)
    what = ANOMALY_WORDS.get(found.what, found.what)
    return f"{found.who}: {what}, {value}{' ' + unit if unit else ''} (limit {limit})"
