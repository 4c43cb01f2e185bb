"""The parts of the page, from the verdict to what the measures mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from walkon.metrics.trajectories import until_arrival
from walkon.render.report.catalogue import panels
from walkon.render.report.distributions import draw_panel, panel_values
from walkon.render.report.entries import Entry, Failure
from walkon.render.report.gallery import Gallery
from walkon.render.report.heat_maps import density_grids, draw_pair_map
from walkon.render.report.maps import draw_density, draw_paths, shared_areas
from walkon.render.report.profiles import draw_histograms, draw_speeds
from walkon.render.report.replays import beside_part
from walkon.render.report.tables import MOST_TABLED, duels_table, figures_table, people_table
from walkon.render.report.verdicts import headline, judge, set_against

DOCS = "docs/metrics.md"

CAVEAT = (
    "Rivals move as points and discs, to which bodies are fitted. Points do not sway with every step and go at "
    "the speed of least effort; where roots are fixed to them, that lowers resistance and jerkiness. Everybody "
    "in such a take plays one long clip, so that it has neither seams nor doubles. What all that costs is in "
    "collisions, foot slide and the pictures."
)


def verdict_section(entries: Sequence[Entry], galleries: Sequence[Gallery], failures: Sequence[Failure]) -> str:
    """The headline, a card for each entry, who failed, all beside people who were recorded, ours beside rivals."""
    duels = set_against(entries)
    parts = [f"<p class=lead>{escape(sentence)}</p>" for sentence in headline(entries, duels)]
    parts += [
        f'<p class="bad"><b>{escape(one.name)}</b> made nothing: {escape(one.reason)}</p>' for one in failures
    ]
    cards = [_card(k, entry, gallery) for k, (entry, gallery) in enumerate(zip(entries, galleries, strict=True))]
    parts += [beside_part(entries), f"<div class=grid>{''.join(cards)}</div>"]
    if duels:
        parts.append("<h3 style='margin-top:2rem'>Ours beside the rivals</h3>")
        parts.append("<p class=soft>By each figure the best of ours and the best of the rivals.</p>")
        parts.append(f"{duels_table(duels)}<p class=soft>{CAVEAT}</p>")
    return "".join(parts)


def _card(number: int, entry: Entry, gallery: Gallery) -> str:
    verdict = judge(entry)
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in verdict.sentences)
    whose = "a rival" if entry.rival else ""
    took = f"planned in {entry.seconds:.1f} s" if math.isfinite(entry.seconds) else ""
    shown = f"pictured at {gallery.time:.1f} s" if gallery.thumbnail else ""
    notes = " · ".join(note for note in (whose, took, shown) if note)
    return (
        f'<article class="card entry c{number}">{gallery.thumbnail}<div class=text><div class=title>'
        f"<h3><span class=key></span>{escape(entry.name)}</h3>"
        f'<span class="badge {verdict.tone}">{escape(verdict.badge)}</span></div>'
        f"<p class=soft>{escape(notes)}</p><ul>{sentences}</ul></div></article>"
    )


def figures_section(entries: Sequence[Entry]) -> str:
    """Everything as a table."""
    said = "<p class=soft>Bold is best where less or more is better; – is not measured.</p>"
    return said + figures_table(entries)


def measures_section(entries: Sequence[Entry], lines: str) -> str:
    """Plots of every measure."""
    shown = []
    for panel in panels():
        drawn = draw_panel(panel, entries)
        if drawn is not None:
            unit = f" <span class=unit>[{escape(panel.unit)}]</span>" if panel.unit else ""
            shown.append(
                f'<figure class="card" id="plot-{panel.key}"><h3>{escape(panel.title)}{unit}</h3>'
                f'<p class=soft>{escape(panel.explained)} <a href="#meaning-{panel.key}">More</a></p>'
                f"{drawn}</figure>"
            )
    whose = f" Dashed lines: {escape(lines)}, and limits of our own." if lines else ""
    said = "A dot is a person; the box holds the middle half of them, the bar is the median."
    return f"<p class=soft>{said}{whose}</p><div class=grid>{''.join(shown)}</div>"


def pairs_section(entries: Sequence[Entry]) -> str:
    """Histograms and heat maps of synchronicity."""
    longest = _longest(entries)
    histograms = [_small(k, entries[k], drawn) for k, drawn in enumerate(draw_histograms(entries))]
    maps = []
    for k, entry in enumerate(entries):
        drawn, shown, pairs = draw_pair_map(entry, longest)
        note = f"{shown} of {pairs} pairs" if shown < pairs else f"{shown} pairs"
        maps.append(_small(k, entry, drawn, note))
    return (
        "<p class=soft>How alike two people accelerate, along the way and across it, at the same moments. Walkers "
        "who both go straight at a steady pace are alike as well.</p>"
        f"<div class=grid>{''.join(histograms)}</div>"
        "<p class=soft style='margin-top:1.2rem'>Pairs over time, the most synchronous on top.</p>"
        f"{_ramp('0', '1')}<div class=grid>{''.join(maps)}</div>"
    )


def speed_section(entries: Sequence[Entry]) -> str:
    """Speed profiles."""
    drawn = [_small(k, entries[k], profile) for k, profile in enumerate(draw_speeds(entries))]
    return (
        "<p class=soft>Of everybody under way: the line is the median, the bands hold half and nine tenths of the "
        f"people; thin lines are single people, where they are few.</p><div class=grid>{''.join(drawn)}</div>"
    )


def crowd_section(entries: Sequence[Entry]) -> str:
    """Paths and density from above."""
    areas = shared_areas(entries)
    paths, maps = [], []
    for k, (entry, area) in enumerate(zip(entries, areas, strict=True)):
        drawn, shown = draw_paths(k, entry, area)
        people = len(entry.measures.names)
        paths.append(_small(k, entry, drawn, f"{shown} of {people} people" if shown < people else ""))
    grids, cells, most = density_grids(entries, areas)
    for k, (entry, area, grid, side) in enumerate(zip(entries, areas, grids, cells, strict=True)):
        maps.append(_small(k, entry, draw_density(entry, area, grid, side, most), f"cells of {side:g} m"))
    return (
        "<p class=soft>Paths begin at dots; rings are goals, red rings are anomalies.</p>"
        f"<div class=grid>{''.join(paths)}</div>"
        "<p class=soft style='margin-top:1.2rem'>People by square metre, averaged over all the time.</p>"
        f"{_ramp('0', f'{most:.2g} 1/m² and more')}<div class=grid>{''.join(maps)}</div>"
    )


def people_section(entries: Sequence[Entry]) -> str:
    """A table of people for each entry, folded."""
    parts = []
    for k, entry in enumerate(entries):
        shown, left_out = people_table(entry, k)
        more = (
            f"<p class=soft>The first {MOST_TABLED}; {left_out} more are in the CSV and JSON.</p>"
            if left_out
            else ""
        )
        parts.append(
            f'<details class="c{k}"><summary><span class=key></span>{escape(entry.name)}, '
            f"{len(entry.measures.names)} people</summary>{more}{shown}</details>"
        )
    return "".join(parts)


def meaning_section(entries: Sequence[Entry]) -> str:
    """One sentence for each measure that is plotted, and where to read on."""
    plotted = [panel for panel in panels() if any(len(panel_values(panel, entry)) for entry in entries)]
    parts = [
        f'<dt id="meaning-{panel.key}"><a href="#plot-{panel.key}">{escape(panel.title)}</a></dt>'
        f"<dd>{escape(panel.explained)} <span class=soft>{DOCS}, “{escape(panel.section)}”.</span></dd>"
        for panel in plotted
    ]
    said = f"Definitions, what was decided where Chen (2014) is silent, and what is weak are in walkon's {DOCS}."
    return f"<p class=soft>{said}</p><dl>{''.join(parts)}</dl>"


def _small(number: int, entry: Entry, drawn: str, note: str = "") -> str:
    more = f" <span class=soft>{escape(note)}</span>" if note else ""
    title = f"<h3><span class=key></span>{escape(entry.name)}{more}</h3>"
    return f'<figure class="card c{number}">{title}{drawn}</figure>'


def _ramp(low: str, high: str) -> str:
    return f'<div class="ramp soft">{escape(low)}<i></i>{escape(high)}</div>'


def _longest(entries: Sequence[Entry]) -> float:
    spans = [until_arrival(entry.measures.trajectories) for entry in entries]
    return max((paths.frames / paths.fps for paths in spans), default=1.0) or 1.0
