"""The page about a campaign: what was tried, what failed, and how to see each failure again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from walkon.files import write_text

from .progress import Progress


def write_page(folder: Path, parts: Sequence[Progress]) -> Path:
    """`report.md` for people, `report.json` for programs."""
    write_text(folder / "report.json", json.dumps([asdict(part) for part in parts], indent=1) + "\n")
    write_text(folder / "report.md", page(parts))
    return folder / "report.md"


def page(parts: Sequence[Progress]) -> str:
    """All of it as Markdown."""
    failed = sum(part.failed for part in parts)
    lines = [f"# Campaign: {'nothing failed' if not failed else f'{failed} failures'}", ""]
    lines += ["| part | tries | of | failures | time | a second | done |", "|---|---|---|---|---|---|---|"]
    for part in parts:
        rate = part.tries / part.seconds if part.seconds else 0.0
        done = "yes" if part.done else f"{min(part.tries / part.wanted, 1.0):.0%} of {part.wanted:,.0f}"
        row = (part.part, f"{part.tries:,.0f}", part.what, part.failed, _time(part.seconds), f"{rate:,.1f}", done)
        lines.append(f"| {' | '.join(map(str, row))} |")
    for part in parts:
        lines += ["", f"## {part.part}", "", "| what | tries |", "|---|---|"]
        lines += [f"| {name} | {count:,.0f} |" for name, count in sorted(part.tried.items())]
        lines += _failures(part)
    return "\n".join([*lines, ""])


def _failures(part: Progress) -> list[str]:
    if not part.failures:
        return []
    counts = Counter(failure["name"] for failure in part.failures)
    lines = ["", "Failures: " + ", ".join(f"{count} of {name}" for name, count in counts.most_common()) + ".", ""]
    for failure in part.failures:
        message = " ".join(failure["message"].split()).replace("|", "/")
        lines.append(f"- **{failure['name']}**: {message}. Again: `{failure['again']}`")
    return lines


def _time(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.1f} min"
