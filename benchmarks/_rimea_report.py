"""The page about RiMEA's tests: a table of verdicts, then every test with its scene, criterion, result and
pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from _rimea_results import ABSENT, FAIL, PASS, SHOWN, Result

STYLE = """
:root{--ink:#3a404a;--soft:#7b828e;--paper:#f7f7f5;--card:#fff;--edge:#dfe2e6}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:1060px;margin:0 auto;padding:2rem 1.2rem}
h1{font-size:1.7rem;margin:0 0 .2rem}
h2{font-size:1.2rem;margin:0}
table{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--edge);margin:1.2rem 0 2rem}
td,th{padding:.45rem .7rem;border-bottom:1px solid var(--edge);text-align:left;vertical-align:top}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
section{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:1rem;margin:0 0 1rem}
section header{display:flex;gap:.8rem;align-items:baseline;margin-bottom:.5rem}
dl{display:grid;grid-template-columns:7rem 1fr;gap:.25rem 1rem;margin:0}
dd{margin:0}
dt,.soft,figcaption{color:var(--soft)}
figure{margin:1rem 0 0}
img{max-width:100%;max-height:720px;border:1px solid var(--edge)}
.badge{border-radius:99px;padding:.08rem .65rem;font-size:.85rem;color:#fff;white-space:nowrap}
.pass{background:#2e8b57}
.fail{background:#d63031}
.shown{background:#3b7dc4}
.absent{background:#9aa1ab}
a{color:inherit}
@media(max-width:640px){dl{grid-template-columns:1fr}}
"""

CLASSES = {PASS: "pass", FAIL: "fail", SHOWN: "shown", ABSENT: "absent"}


def write_page(results: Sequence[Result], path: Path, subtitle: str) -> None:
    """The page as a file beside its pictures: whole, or not at all."""
    from walkon.files import write_text

    path.parent.mkdir(parents=True, exist_ok=True)
    counts = Counter(result.verdict for result in results)
    counted = ", ".join(f"{counts[verdict]} {verdict}" for verdict in CLASSES if counts[verdict])
    rows = "".join(_line(result) for result in results)
    parts = "".join(_section(result, path.parent) for result in results)
    write_text(
        path,
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width,initial-scale=1">'
        f"<title>RiMEA's tests</title><style>{STYLE}</style></head><body><main>"
        f"<h1>RiMEA's tests, live</h1><p class=soft>{escape(counted)}. {escape(subtitle)}</p>"
        "<table><thead><tr><th class=n>test<th><th>verdict<th class=n>found<th>wanted<th class=n>violations"
        f"<tbody>{rows}</tbody></table>{parts}"
        "<p class=soft>Violations are counted by the audit, which computes everything again from the poses: "
        "bodies that touch each other or a wall, feet that slide, and more. A test with violations fails.</p>"
        "</main></body></html>\n",
    )


def _badge(verdict: str) -> str:
    return f'<span class="badge {CLASSES[verdict]}">{escape(verdict)}</span>'


def _line(result: Result) -> str:
    value = "" if result.value is None else f"{result.value:.3g} {result.unit}"
    wrong = "" if result.violations is None else str(result.violations)
    number = result.case.number
    return (
        f"<tr><td class=n>{number}<td><a href=#test{number}>{escape(result.case.title)}</a>"
        f"<td>{_badge(result.verdict)}<td class=n>{escape(value)}<td>{escape(result.wanted)}"
        f"<td class=n>{wrong}</tr>"
    )


def _section(result: Result, folder: Path) -> str:
    said = {
        "Scene": result.case.about,
        "Criterion": result.case.criterion,
        "Result": result.found,
        "Note": result.notes,
    }
    if result.spent is not None:
        said["Cost"] = f"{result.spent:.0f} s to play; {result.violations} violations"
    terms = "".join(f"<dt>{name}<dd>{escape(text)}" for name, text in said.items() if text)
    figures = "".join(
        f'<figure><img src="{escape(picture.relative_to(folder).as_posix())}" alt="{escape(caption)}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
        for picture, caption in result.pictures
    )
    return (
        f"<section id=test{result.case.number}><header><h2>{result.case.number}. {escape(result.case.title)}</h2>"
        f"{_badge(result.verdict)}</header><dl>{terms}</dl>{figures}</section>"
    )
