"""The report: one page that holds all it shows, and loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from walkon.basics import Progress
from walkon.errors import RenderError
from walkon.files import write_text
from walkon.render.report.anomalies import anomalies_section
from walkon.render.report.entries import MOST_ENTRIES, Entry, Failure
from walkon.render.report.gallery import make_galleries
from walkon.render.report.sections import (
    crowd_section,
    figures_section,
    meaning_section,
    measures_section,
    pairs_section,
    people_section,
    speed_section,
    verdict_section,
)
from walkon.render.report.style import colour_rules, page_script, page_style, policy


def write_report(
    path: Path | str,
    entries: Sequence[Entry],
    *,
    title: str = "How plausible is it?",
    subtitle: str = "",
    failures: Sequence[Failure] = (),
    lines: str = "",
    pictures: bool = True,
    progress: Progress | None = None,
) -> None:
    """Write the report as one HTML file: whole, or not at all; see `build_report`."""
    page = build_report(
        entries,
        title=title,
        subtitle=subtitle,
        failures=failures,
        lines=lines,
        pictures=pictures,
        progress=progress,
    )
    write_text(path, page)


def build_report(
    entries: Sequence[Entry],
    *,
    title: str = "How plausible is it?",
    subtitle: str = "",
    failures: Sequence[Failure] = (),
    lines: str = "",
    pictures: bool = True,
    progress: Progress | None = None,
) -> str:
    """The text of the report.

    failures: who was asked and made nothing. lines: whose motion the benchmark lines are of. pictures: whether
    takes are rendered. progress: told after each entry's pictures. Raises RenderError for more
    than twelve entries, or two of one name.
    """
    if len(entries) > MOST_ENTRIES:
        raise RenderError(f"a report shows at most {MOST_ENTRIES} side by side, not {len(entries)}")
    names = [entry.name for entry in entries]
    if len(set(names)) < len(names):
        raise RenderError("what a report shows side by side has different names")
    sections = {"Verdict": "", "Figures": "", "Measures": "", "Pairs": "", "Speed": "", "Ground": "",
                "Anomalies": "", "People": "", "Meaning": ""}  # fmt: skip
    if entries:
        galleries = make_galleries(entries, pictures=pictures, progress=progress)
        sections |= {
            "Figures": figures_section(entries),
            "Measures": measures_section(entries, lines),
            "Pairs": pairs_section(entries),
            "Speed": speed_section(entries),
            "Ground": crowd_section(entries),
            "Anomalies": anomalies_section(entries, galleries),
            "People": people_section(entries),
            "Meaning": meaning_section(entries),
        }
        sections["Verdict"] = verdict_section(entries, galleries, failures)
    else:
        sections["Verdict"] = verdict_section(entries, [], failures)
    return _page(title, subtitle, {name: text for name, text in sections.items() if text}, len(entries))


HEADINGS = {
    "Verdict": "Verdict",
    "Figures": "All figures",
    "Measures": "Measures of everybody",
    "Pairs": "Synchronicity of pairs",
    "Speed": "Speed",
    "Ground": "Paths and density",
    "Anomalies": "Anomalies",
    "People": "Everybody",
    "Meaning": "What the measures mean",
}


def _version() -> str:
    """Which walkon this is, as it was installed."""
    try:
        return version("walkon")
    except PackageNotFoundError:
        return ""


def _page(title: str, subtitle: str, sections: dict[str, str], count: int) -> str:
    links = "".join(f'<a href="#{name.lower()}">{HEADINGS[name]}</a>' for name in sections)
    body = "".join(
        f'<section id="{name.lower()}"><h2>{HEADINGS[name]}</h2>{text}</section>'
        for name, text in sections.items()
    )
    return (
        "<!DOCTYPE html>\n"
        f'<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{page_style()}{colour_rules(count)}</style></head><body>"
        f"<header><h1>{escape(title)}</h1><p class=soft>{escape(subtitle)}</p></header>"
        f"<nav><div>{links}</div></nav><main>{body}</main>"
        f"<footer><p class=soft>Made by walkon {escape(_version())}. This page holds all it shows and loads "
        f"nothing.</p></footer><script>{page_script()}</script></body></html>\n"
    )
